// Whose object it is. By uid and by nothing else: names are reused (W5), and an object without a proof is a stranger's, however much its
// name looks like ours (S2; the reference adopts it silently).
import { controllerOf, type StoredObject } from '#kube'
import type { ChildParent } from './child.ts'

/** `none`: there is no object. */
export type ChildOwnership = 'ours' | 'foreign' | 'none'

/**
 * Ours: controlled by this very parent; or controlled by nobody and labelled with the parent's uid, as after somebody removed the
 * reference. A stranger's: controlled by another, or without any proof.
 */
export function ownershipOf(object: StoredObject | undefined, parent: Pick<ChildParent, 'object' | 'uidLabel'>): ChildOwnership {
  if (object === undefined) return 'none'
  const { uid } = parent.object.metadata
  const controller = controllerOf(object)
  if (controller !== undefined) return controller.uid === uid ? 'ours' : 'foreign'
  return object.metadata.labels?.[parent.uidLabel] === uid ? 'ours' : 'foreign'
}

/** For deletion, where the label alone is no proof: whoever takes our reference off has taken the object over (case 145). */
export function isControlledBy(object: StoredObject, parentUid: string): boolean {
  return controllerOf(object)?.uid === parentUid
}
