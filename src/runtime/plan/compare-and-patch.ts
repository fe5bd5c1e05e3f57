// A patch that takes hold only if what it replaces is what was seen (P4), without caring for what others do to the rest of the object:
// `test` operations on the touched places instead of the object's version. So a foreign writer on other fields costs us nothing (B6),
// and a leader that came late fails on what the new one wrote (S7).
import type { ObjectKey, ResourceType, StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import { isEqualJson } from './difference.ts'
import { saysGone } from './gone.ts'
import type { Target } from './target.ts'
import { Trouble } from './trouble.ts'
import type { Writer } from './writer.ts'

export type PatchOperation =
  | { readonly op: 'test' | 'add' | 'replace'; readonly path: string; readonly value: unknown }
  | { readonly op: 'remove'; readonly path: string }

export interface CompareAndPatch {
  readonly target: Target
  readonly type: ResourceType
  readonly key: ObjectKey
  readonly subresource?: string
  /** The object on which the decision was taken. */
  readonly seen: StoredObject
  /** The operations that turn this state into the wanted one; none when it is there. */
  build(object: StoredObject): readonly PatchOperation[]
}

/** Tries with fresh reads before the whole decision is taken again. */
const attemptsMax = 4

/** The object after the patch, or the state in which there was nothing to do; `undefined` when the object is gone. */
export async function compareAndPatch(writer: Writer, request: CompareAndPatch): Promise<StoredObject | undefined> {
  const { target, type, key, seen, subresource } = request
  let base: StoredObject = writer.newest(target, type, seen)
  let operations = request.build(base)
  for (let attempt = 1; operations.length > 0; attempt++) {
    const place = {
      target,
      type,
      key,
      before: base.metadata.resourceVersion,
      ...(subresource === undefined ? {} : { subresource }),
    }
    try {
      return (await writer.patch(place, 'json', [test('/metadata/uid', seen.metadata.uid), ...operations])) ?? base
    } catch (error) {
      if (saysGone(error, key)) return undefined
      if (!isTestFailure(error)) throw error
      const fresh = await writer.find(target, type, key)
      if (fresh === undefined || fresh.metadata.uid !== seen.metadata.uid) return undefined
      const next = request.build(fresh)
      // The same patch again: it was not a test that failed, the server does not want what we want.
      if (isInvalid(error) && isEqualJson(next, operations)) throw error
      if (attempt >= attemptsMax)
        throw new Trouble({ kind: 'soon', reason: 'Conflict', message: 'others keep changing the same fields' })
      base = fresh
      operations = next
    }
  }
  return base
}

export function test(path: string, value: unknown): PatchOperation {
  return { op: 'test', path, value }
}

/** A failed `test` is a 422 without fields; a uid or version that does not match may come as a conflict. */
function isTestFailure(error: unknown): boolean {
  return isInvalid(error) || (error instanceof KubeError && error.reason === 'Conflict')
}

function isInvalid(error: unknown): boolean {
  return error instanceof KubeError && error.code === 'refused' && (error.httpStatus === 422 || error.reason === 'Invalid')
}
