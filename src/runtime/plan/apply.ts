// The actions that make an object so: `apply` for fields that we own among others, `create` for an object as a whole.
import { assertNever, renderPointer } from '#base'
import { type KubeObject, keyOf, type ManagedFieldsEntry, type ObjectKey, renderKey, type StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import type { Altered } from './altered.ts'
import { compareAndPatch, type PatchOperation, test } from './compare-and-patch.ts'
import { findDifference, findLeftovers } from './difference.ts'
import type { ApplyAction, CreateAction, OwnerMark } from './plan.ts'
import { placeOf, type Target } from './target.ts'
import { Trouble } from './trouble.ts'
import type { Writer } from './writer.ts'

export interface Applying {
  readonly writer: Writer
  readonly target: Target
  readonly altered: Altered
  readonly fieldManager: string
  /** Throws where what would be created would be nobody's. */
  beforeCreate(): Promise<void>
}

/** Returns the object as it is afterwards, when there was a need to know. */
export async function carryOutApply(applying: Applying, action: ApplyAction): Promise<StoredObject | undefined> {
  const { writer, target } = applying
  const { type } = action
  const key = keyOf(action.object)
  const cached = target.cached(type, key)
  if (cached.kind === 'absent') {
    const created = await tryCreate(applying, action, key)
    if (created.kind === 'created') return created.object
  }
  if (cached.kind === 'present') {
    const needed = whatIsNeeded(applying, action, cached.object)
    if (needed.kind === 'nothing') return cached.object
    // A partial copy misses fields that are there; an unmarked one may just have been marked. The server knows.
    if (!cached.partial && hasMark(cached.object, action.mark)) return bringAbout(applying, action, cached.object, needed)
  }
  const live = await writer.find(target, type, key)
  if (live === undefined) {
    const created = await tryCreate(applying, action, key)
    if (created.kind === 'created') return created.object
    throw new Trouble({ kind: 'soon', reason: 'Conflict', message: `${type.kind} ${renderKey(key)} comes and goes` })
  }
  refuseForeign(type.kind, live, action.mark)
  return bringAbout(applying, action, live, whatIsNeeded(applying, action, live))
}

export async function carryOutCreate(applying: Applying, action: CreateAction): Promise<StoredObject | undefined> {
  const { writer, target } = applying
  const key = keyOf(action.object)
  const cached = target.cached(action.type, key)
  if (cached.kind === 'present' && hasMark(cached.object, action.mark)) return cached.object
  if (cached.kind !== 'present') {
    const created = await tryCreate(applying, action, key)
    if (created.kind === 'created') return created.object
  }
  const live = await writer.find(target, action.type, key)
  if (live !== undefined) refuseForeign(action.type.kind, live, action.mark)
  return live
}

/** Creation is exclusive (POST, not apply): two who want one name cannot both think that they made it. */
async function tryCreate(
  { writer, target, beforeCreate }: Applying,
  action: ApplyAction | CreateAction,
  key: ObjectKey,
): Promise<{ kind: 'created'; object: StoredObject | undefined } | { kind: 'exists' }> {
  await beforeCreate()
  try {
    return { kind: 'created', object: await writer.create({ target, type: action.type, key }, action.object) }
  } catch (error) {
    if (error instanceof KubeError && error.reason === 'AlreadyExists') return { kind: 'exists' }
    throw error
  }
}

type Needed =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'apply' }
  /** Fields set when we created the object; apply does not take those away. */
  | { readonly kind: 'remove' }

function whatIsNeeded({ altered, fieldManager, target }: Applying, action: ApplyAction, actual: StoredObject): Needed {
  const entries = ownEntries(actual, fieldManager)
  const wanted = withoutServerFields(action.object)
  const owned = entries.map(entry => entry.fieldsV1 ?? {})
  const differs = findDifference(wanted, actual, owned) !== undefined
  if (differs && !altered.isKnown(placeOf(target.cluster, action.type, keyOf(actual)), wanted, actual)) return { kind: 'apply' }
  const leftovers = (operation: 'Apply' | 'Update'): boolean =>
    findLeftovers(
      asJson(wanted),
      asJson(actual),
      entries.filter(entry => entry.operation === operation),
    ).length > 0
  if (leftovers('Apply')) return { kind: 'apply' }
  return leftovers('Update') ? { kind: 'remove' } : { kind: 'nothing' }
}

async function bringAbout(
  applying: Applying,
  action: ApplyAction,
  actual: StoredObject,
  needed: Needed,
): Promise<StoredObject | undefined> {
  const { writer, target, altered, fieldManager } = applying
  const { type } = action
  const key = keyOf(actual)
  switch (needed.kind) {
    case 'nothing':
      return actual
    case 'remove':
      return compareAndPatch(writer, { target, type, key, seen: actual, build: object => removals(action, object, fieldManager) })
    case 'apply': {
      const wanted = withoutServerFields(action.object)
      const body: KubeObject = { ...wanted, metadata: { ...wanted.metadata, uid: actual.metadata.uid } }
      const place = { target, type, key, before: actual.metadata.resourceVersion }
      const stored = await writer.apply(place, body, { force: true })
      if (stored === undefined) return undefined
      const owned = ownEntries(stored, fieldManager).map(entry => entry.fieldsV1 ?? {})
      const memory = placeOf(target.cluster, type, key)
      if (findDifference(wanted, stored, owned) === undefined) altered.forget(memory)
      else altered.remember(memory, wanted, stored)
      return stored
    }
    default:
      return assertNever(needed)
  }
}

function removals(action: ApplyAction, object: StoredObject, fieldManager: string): readonly PatchOperation[] {
  const entries = ownEntries(object, fieldManager).filter(entry => entry.operation === 'Update')
  const leftovers = findLeftovers(asJson(withoutServerFields(action.object)), asJson(object), entries)
  // The last comes first, so that removing one item of a list does not move the next.
  return leftovers.toReversed().flatMap(({ path, value }): PatchOperation[] => {
    const pointer = renderPointer(path)
    return [test(pointer, value), { op: 'remove', path: pointer }]
  })
}

function ownEntries(object: StoredObject, fieldManager: string): readonly ManagedFieldsEntry[] {
  return object.metadata.managedFields?.filter(entry => entry.manager === fieldManager && entry.subresource === undefined) ?? []
}

/** What the server gives is no wish of ours, also when the object was built from one that was read. */
function withoutServerFields(object: KubeObject): KubeObject {
  const {
    uid: _uid,
    resourceVersion: _version,
    generation: _generation,
    creationTimestamp: _created,
    managedFields: _fields,
    ...metadata
  } = object.metadata
  return { ...object, metadata }
}

function refuseForeign(kind: string, object: StoredObject, mark: OwnerMark | undefined): void {
  if (hasMark(object, mark)) return
  const message = `${kind} ${renderKey(keyOf(object))} exists and is not ours: delete it, or mark it as ours`
  throw new Trouble({ kind: 'wait', reason: 'OwnedByAnother', message })
}

function hasMark({ metadata }: StoredObject, mark: OwnerMark | undefined): boolean {
  if (mark === undefined) return true
  return covers(metadata.labels, mark.labels) && covers(metadata.annotations, mark.annotations)
}

function covers(
  actual: Readonly<Record<string, string>> | undefined,
  wanted: Readonly<Record<string, string>> | undefined,
): boolean {
  return Object.entries(wanted ?? {}).every(([name, value]) => actual?.[name] === value)
}

/** An object is JSON; its type only lacks the index signature that says so. */
function asJson(object: KubeObject): Readonly<Record<string, unknown>> {
  return object as unknown as Readonly<Record<string, unknown>>
}
