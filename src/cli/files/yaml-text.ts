import { loadAll, YAMLException } from 'js-yaml'
import { isCrowdedText } from '#base'
import { type KubeObject, kubernetesYaml } from '#kube'

/** Every object of the text; documents that are empty are none. An error names the place and the reason in one line. */
export function manifestsOf(name: string, text: string): readonly KubeObject[] {
  const documents = documentsOf(name, text).filter(document => document !== null && document !== undefined)
  return documents.flatMap((document, index) => {
    if (typeof document === 'object' && !Array.isArray(document)) return itemsOf(document as KubeObject)
    throw new Error(`${name}, document ${index + 1}: an object needs apiVersion, kind and metadata.name`)
  })
}

/** A List, as `kubectl get -o yaml` prints it, is what it holds. */
function itemsOf(object: KubeObject): readonly KubeObject[] {
  return isList(object) ? object.items : [object]
}

function isList(object: KubeObject): object is KubeObject & { readonly items: readonly KubeObject[] } {
  return object.kind === 'List' && 'items' in object && Array.isArray(object.items)
}

/** Files that somebody gives to this command are his own: only what no person writes is refused. */
const charactersPerEntryMin = 6

function documentsOf(name: string, text: string): readonly unknown[] {
  if (isCrowdedText(text, charactersPerEntryMin)) return crowdedDocumentsOf(name, text)
  try {
    return loadAll(text, { schema: kubernetesYaml })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { reason, mark } = error
    throw new Error(`${name}${mark === undefined ? '' : `, line ${mark.line + 1}`}: no YAML: ${reason}`, { cause: error })
  }
}

/** JSON without a space between its parts is as dense and is read fast; YAML that dense was written by nobody. */
function crowdedDocumentsOf(name: string, text: string): readonly unknown[] {
  const document = text.trimStart().startsWith('{') ? jsonOf(text) : undefined
  if (document !== undefined) return [document]
  throw new Error(`${name}: it holds too many lines and entries for its length; split it into several files, or give it in JSON`)
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
