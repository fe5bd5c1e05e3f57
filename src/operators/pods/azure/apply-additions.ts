import type { PatchObject, PatchValue, PodOperation } from '../patch.ts'

/** Operations on lists of one container, applied to it: the container is ours, and its patch would only lengthen the answer. */
export function applyAdditions(container: PatchObject, operations: readonly PodOperation[]): PatchObject {
  const result: Record<string, PatchValue | undefined> = { ...container }
  for (const { path, value } of operations) {
    const [, name = '', at] = path.split('/')
    const held = result[name]
    result[name] = at !== undefined && Array.isArray(held) ? [...held, value] : value
  }
  return result
}
