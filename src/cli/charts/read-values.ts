// A person's values: files, later ones over earlier ones, and single ones over all of them.
import { loadAll, YAMLException } from 'js-yaml'
import { kubernetesYaml } from '#kube'
import { nameOfInput, readText } from '../files/read-text.ts'
import { setValues } from './set-values.ts'
import { mergeGiven } from './values.ts'

/** Rejects with the file that is no map of values. */
export async function readValues(files: readonly string[], pairs: readonly string[]): Promise<object> {
  let values: object = {}
  for (const file of files) values = mergeGiven(values, valuesOf(nameOfInput(file), await readText(file)))
  for (const pair of pairs) values = mergeGiven(values, setValues(pair))
  return values
}

/** Helm takes an empty file for no values. */
function valuesOf(file: string, text: string): object {
  const values = parse(file, text) ?? {}
  if (typeof values === 'object' && !Array.isArray(values)) return values
  throw new Error(`${file}: values are a map, as in values.yaml of the chart`)
}

function parse(file: string, text: string): unknown {
  const documents = documentsOf(file, text)
  if (documents.length > 1) throw new Error(`${file}: values are one document, and here are ${documents.length}`)
  return documents[0]
}

function documentsOf(file: string, text: string): readonly unknown[] {
  try {
    return loadAll(text, { schema: kubernetesYaml })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    throw new Error(`${file}, line ${(error.mark?.line ?? 0) + 1}: no YAML: ${error.reason}`, { cause: error })
  }
}
