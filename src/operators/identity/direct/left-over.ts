// Child objects of the other way of writing, still there: ACK goes on with them, and what two describe, two change. Nothing is called for
// such a resource until its object is gone; the object is left to a person, since deleting it can take the resource with it.
import type { Reads, Watch } from '#runtime'
import type { ChildKind } from '../children/kinds.ts'
import { type ChildPlace, type ChildState, leftOverReason, readChild } from '../children/state.ts'

/** `undefined`: there is none, and calls may be made. */
export function findLeftOver(world: Reads, place: ChildPlace): ChildState | undefined {
  const { kind, key } = place
  const object = world.isSynced(kind.type) ? world.find(kind.type, key) : undefined
  if (object === undefined) return undefined
  const state = readChild(object, place)
  const name = `${kind.type.kind} ${key.namespace}/${key.name}`
  const step =
    object.metadata.deletionTimestamp !== undefined
      ? 'let the controller of its kind finish'
      : 'annotate it services.k8s.aws/deletion-policy=retain and delete it while the controller of its kind runs, or go back to --aws-writer children'
  const message = `the object ${name} is left of --aws-writer children and describes the same resource: ${step}`
  // While the child object is there, whoever owns it, no call of ours is made and the deletion of its parent waits.
  return {
    ...(state.owned === 'ours' ? state : {}),
    owned: 'ours',
    stage: 'waiting',
    object,
    trouble: { reason: leftOverReason, message },
  }
}

/** Its end is the event that calls wait for. Where the kinds are not installed, nothing is watched. */
export function leftOverWatches(kinds: readonly ChildKind[], toClaims: Watch['toClaims']): readonly Watch[] {
  return kinds.map(({ type }) => ({ type, optional: true, toClaims }))
}
