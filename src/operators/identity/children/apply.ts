// From a child as it is and as it is wanted to the writes that make it so: as a rule one or none (P7).
import { escapePointer } from '#base'
import { controllerOf, keyOf, type StoredObject } from '#kube'
import type { Action } from '#runtime'
import { adopting } from './adoption.ts'
import type { Child } from './child.ts'
import { isControlledBy, ownershipOf } from './ownership.ts'

/**
 * The writes that bring the child about: none for a stranger's object, which is not touched, and none for one that is being deleted,
 * which has to be gone before it is made again.
 */
export function applyChild(wanted: Child, actual: StoredObject | undefined): readonly Action[] {
  const child = adopting(wanted, actual)
  const { kind, object, parent } = child
  const { uid } = parent.object.metadata
  const mark = { labels: { [parent.uidLabel]: uid } }
  const apply: Action = { kind: 'apply', type: kind.type, object, mark }
  if (actual === undefined) return [apply]
  if (ownershipOf(actual, parent) !== 'ours' || actual.metadata.deletionTimestamp !== undefined) return []
  return [...restoreMark(child, actual), ...removeStrays(child, actual), apply]
}

/** Deletes the child once per uid (M14); one that is not under our control, or is on its way already, is left alone. */
export function deleteChild(child: Pick<Child, 'kind'>, actual: StoredObject | undefined, parentUid: string): readonly Action[] {
  if (actual === undefined || actual.metadata.deletionTimestamp !== undefined || !isControlledBy(actual, parentUid)) return []
  return [{ kind: 'delete', type: child.kind.type, object: actual }]
}

/** The label proves it ours to the writer; the reference that still stands there proves it to us. */
function restoreMark({ kind, parent }: Child, actual: StoredObject): readonly Action[] {
  const { uid } = parent.object.metadata
  const { labels, resourceVersion } = actual.metadata
  if (labels?.[parent.uidLabel] === uid || controllerOf(actual)?.uid !== uid) return []
  const body = { metadata: { labels: { [parent.uidLabel]: uid } } }
  return [{ kind: 'patch', type: kind.type, key: keyOf(actual), patch: 'merge', body, uid: actual.metadata.uid, resourceVersion }]
}

/**
 * The spec is ours as a whole: a field that we do not state and that the controller does not fill in was put there by somebody else, an
 * inline policy for instance, and goes. So does what an older version of ourselves stated and we do not.
 */
function removeStrays({ kind, object }: Child, actual: StoredObject): readonly Action[] {
  const { spec = {} } = actual as { readonly spec?: Readonly<Record<string, unknown>> }
  const body = Object.keys(spec)
    .filter(name => !(name in object.spec) && !kind.lateInitialized.includes(name))
    .flatMap(name => {
      const path = `/spec/${escapePointer(name)}`
      return [
        { op: 'test', path, value: spec[name] },
        { op: 'remove', path },
      ]
    })
  if (body.length === 0) return []
  return [{ kind: 'patch', type: kind.type, key: keyOf(actual), patch: 'json', body, uid: actual.metadata.uid }]
}
