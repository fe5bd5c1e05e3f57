// The media types of patches.
import type { ServedKind } from '../registry/resource.ts'

export const jsonPatchType: string = 'application/json-patch+json'
const mergePatchType = 'application/merge-patch+json'
export const strategicPatchType: string = 'application/strategic-merge-patch+json'
export const applyPatchType: string = 'application/apply-patch+yaml'

/** The types of patches that a kind takes, as the refusal of any other type lists them. */
export function patchTypes(kind: ServedKind): readonly string[] {
  const strategic = kind.resource.custom === undefined ? [strategicPatchType] : []
  return [jsonPatchType, mergePatchType, ...strategic, applyPatchType]
}
