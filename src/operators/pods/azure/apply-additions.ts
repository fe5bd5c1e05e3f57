import type { Json, JsonObject, PodOperation } from '../patch.ts'

/** Operations on lists of one container, applied to it: the container is ours, and its patch would only lengthen the answer. */
export function applyAdditions(container: JsonObject, operations: readonly PodOperation[]): JsonObject {
  const result: Record<string, Json | undefined> = { ...container }
  for (const { path, value } of operations) {
    const [, name = '', at] = path.split('/')
    const held = result[name]
    result[name] = at !== undefined && Array.isArray(held) ? [...held, value] : value
  }
  return result
}
