import { loadAll, YAMLException } from 'js-yaml'
import type { KubeObject } from '#kube'

/** Every object of the text; documents that are empty are none. An error names the place and the reason in one line. */
export function manifestsOf(name: string, text: string): readonly KubeObject[] {
  const documents = documentsOf(name, text).filter(document => document !== null && document !== undefined)
  return documents.map((document, index) => {
    if (typeof document === 'object' && !Array.isArray(document)) return document as KubeObject
    throw new Error(`${name}, document ${index + 1}: an object needs apiVersion, kind and metadata.name`)
  })
}

function documentsOf(name: string, text: string): readonly unknown[] {
  try {
    return loadAll(text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { reason, mark } = error
    throw new Error(`${name}${mark === undefined ? '' : `, line ${mark.line + 1}`}: no YAML: ${reason}`, { cause: error })
  }
}
