import { keyOf } from '#kube'
import { saysGone } from './gone.ts'
import type { DeleteAction } from './plan.ts'
import type { Target } from './target.ts'
import { Trouble } from './trouble.ts'
import type { Writer } from './writer.ts'

/** Deletes the very object that the decision was about, after a fresh read, with what was read as precondition (P4, S4). */
export async function carryOutDelete(writer: Writer, target: Target, action: DeleteAction): Promise<void> {
  const { type, object, propagation } = action
  const key = keyOf(object)
  const live = await writer.find(target, type, key)
  if (live === undefined || live.metadata.uid !== object.metadata.uid || live.metadata.deletionTimestamp !== undefined) return
  const sameVersion = live.metadata.resourceVersion === object.metadata.resourceVersion
  if (!sameVersion && (action.precondition ?? 'this-version') === 'this-version') {
    throw new Trouble({
      kind: 'soon',
      reason: 'Stale',
      message: `${type.kind} ${key.name} changed since it was found to be unwanted`,
    })
  }
  const { uid, resourceVersion } = live.metadata
  try {
    await writer.delete({ target, type, key, before: resourceVersion }, uid, {
      preconditions: { uid, resourceVersion },
      propagationPolicy: propagation ?? 'Background',
    })
  } catch (error) {
    if (!saysGone(error, key)) throw error
  }
}
