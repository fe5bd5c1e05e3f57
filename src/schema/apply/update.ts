// Ownership after every other write: who wrote owns what changed, and it leaves everybody else.
import { isList, isObject, type JsonObject } from '../json.ts'
import { withoutManagedFields } from './apply.ts'
import { UnnamedItem } from './compare.ts'
import { isEmptySet, union } from './field-set.ts'
import { capUpdaters, decodeOwners, encodeOwners, identityOf, type Owner, type Owners } from './managers.ts'
import { changeOwnership, type ObjectEdit, reconciledOwners, withoutIdentity } from './ownership.ts'
import type { UpdateRequest } from './types.ts'

/** The object to store, with its owners. */
export function trackUpdate(request: UpdateRequest): JsonObject {
  const object = withoutManagedFields(request.next)
  const owners = ownersOrNone(request)
  const managedFields = encodeOwners(owners)
  if (managedFields.length === 0) return object
  return { ...object, metadata: { ...(isObject(object.metadata) ? object.metadata : {}), managedFields } }
}

/** Where an item of a keyed list has no key nobody can tell who owns what, and a real server forgets it all. */
function ownersOrNone(request: UpdateRequest): Owners {
  try {
    return ownersAfter(request)
  } catch (error) {
    if (error instanceof UnnamedItem) return new Map()
    throw error
  }
}

function ownersAfter(request: UpdateRequest): Owners {
  const before = startingOwners(request)
  // Where an owner's version does not know a field that is there now, nobody can tell who owns what, and a real server forgets it all.
  if ([...before.values()].some(owner => !canStandAt(owner.apiVersion, request))) return new Map()
  // An object whose owners were cleared stays without until somebody applies; one that is created starts with its creator.
  if (before.size === 0 && request.live !== undefined) return before
  const live = withoutManagedFields(
    request.live ?? { apiVersion: request.next.apiVersion ?? null, kind: request.next.kind ?? null },
  )
  const change: ObjectEdit = {
    before: live,
    after: withoutManagedFields(request.next),
    shape: request.shape,
    apiVersion: request.apiVersion,
    versions: request.versions,
    resetFields: request.resetFields ?? [],
  }
  const { owners, comparison } = changeOwnership(change, reconciledOwners(request, before), undefined)
  const writer: Owner = {
    manager: request.manager,
    operation: 'Update',
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? '',
    time: request.now,
    set: withoutIdentity(union(comparison.added, comparison.modified)),
  }
  if (isEmptySet(writer.set)) return capUpdaters(owners)
  const identity = identityOf(writer)
  const known = owners.get(identity)
  const after = new Map(owners).set(identity, known === undefined ? writer : { ...writer, set: union(known.set, writer.set) })
  return capUpdaters(after)
}

function canStandAt(apiVersion: string, request: UpdateRequest): boolean {
  return (
    apiVersion === request.apiVersion || request.versions?.(apiVersion)?.holds?.(withoutManagedFields(request.next)) !== false
  )
}

/** A writer may replace the owners (as client-side tools do when they migrate) or clear them; saying nothing or nonsense keeps them. */
function startingOwners(request: UpdateRequest): Owners {
  const sent = isObject(request.next.metadata) ? request.next.metadata.managedFields : undefined
  const stored = request.live !== undefined && isObject(request.live.metadata) ? request.live.metadata.managedFields : undefined
  const live = decodeOwners(stored) ?? new Map()
  if ((request.subresource ?? '') !== '') return live
  if (isList(sent) && isReset(sent)) return new Map()
  const replaced = sent === stored ? undefined : decodeOwners(sent)
  return replaced === undefined || replaced.size === 0 ? live : replaced
}

function isReset(entries: readonly unknown[]): boolean {
  if (entries.length === 0) return true
  const [first] = entries
  return entries.length === 1 && isObject(first) && Object.keys(first).length === 0
}
