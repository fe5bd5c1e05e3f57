import { loadAll, YAMLException } from 'js-yaml'
import type { KubeObject } from '#kube'

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

function documentsOf(name: string, text: string): readonly unknown[] {
  try {
    return loadAll(text)
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const { reason, mark } = error
    throw new Error(`${name}${mark === undefined ? '' : `, line ${mark.line + 1}`}: no YAML: ${reason}`, { cause: error })
  }
}
