// Server-side apply: merge what is applied into what is there, take out what this applier no longer wants and nobody else owns, and
// refuse what others own.
import type { StatusCause } from '#kube'
import { isObject, type Json, type JsonObject, jsonEqual } from '../json.ts'
import { UnnamedItem } from './compare.ts'
import { conflictCauses, conflictMessage } from './conflict.ts'
import { difference, emptySet, type FieldSet, intersection, isEmptySet, isSubset, union, withoutBranches } from './field-set.ts'
import { lastAppliedConflicts, withLastApplied } from './last-applied.ts'
import { decodeOwners, encodeOwners, identityOf, type Owner, type Owners, sameOwners } from './managers.ts'
import { merge } from './merge.ts'
import { changeOwnership, type ObjectEdit, reconciledOwners, withoutIdentity } from './ownership.ts'
import { removePaths, withDeclaredParents } from './remove.ts'
import { setOf } from './set-of.ts'
import { typeProblems } from './typed.ts'
import type { ApplyRequest, ApplyResult } from './types.ts'

export function serverSideApply(request: ApplyRequest): ApplyResult {
  const problems = typeProblems(request.shape, request.applied)
  if (problems !== undefined) return { kind: 'untypeable', message: problems }
  try {
    return applyTyped(request)
  } catch (error) {
    if (!(error instanceof UnnamedItem) || request.live === undefined) throw error
    return { kind: 'untypeable-live', message: typeProblems(request.shape, request.live) ?? error.message }
  }
}

function applyTyped(request: ApplyRequest): ApplyResult {
  const live = withoutManagedFields(request.live ?? emptyObject(request.applied))
  const former = reconciledOwners(request, ownersBefore(request, live))
  const applier: Owner = {
    manager: request.manager,
    operation: 'Apply',
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? '',
    time: request.now,
    set: withoutBranches(setOf(request.shape, request.applied), request.resetFields ?? []),
  }
  return applyAs(request, live, former, applier)
}

function applyAs(request: ApplyRequest, live: JsonObject, former: Owners, applier: Owner): ApplyResult {
  const identity = identityOf(applier)
  const previous = former.get(identity)
  const owners: Owners = new Map(former).set(identity, applier)
  const merged = merge(request.shape, live, request.applied) as JsonObject
  const pruned = prune({ request, merged, owners, previous })
  const change = changeOf(request, live, pruned)
  let { owners: after, conflicts } = changeOwnership(change, owners, identity)
  if (!request.force && conflicts.length > 0) {
    const remaining = lastAppliedConflicts(request, live, conflicts)
    if (remaining.length > 0) return conflictResult(conflictMessage(remaining), conflictCauses(remaining))
  }
  const own = withoutIdentity(applier.set)
  after = new Map(after).set(identity, { ...applier, set: own })
  const finished = withLastApplied(request, pruned)
  const defaulted = request.applyDefaults === undefined ? finished : request.applyDefaults(finished)
  const sameObject = request.live !== undefined && jsonEqual(live, pruned)
  return finish(request, { live, object: defaulted, sameObject, former, owners: after, identity })
}

function conflictResult(message: string, causes: readonly StatusCause[]): ApplyResult {
  return { kind: 'conflict', message, causes }
}

interface Outcome {
  readonly live: JsonObject
  readonly object: JsonObject
  /** The merge itself changed nothing, whatever the bookkeeping of annotations did after it. */
  readonly sameObject: boolean
  readonly former: Owners
  readonly owners: Owners
  readonly identity: string
}

/** An apply that changes neither the object nor any owner keeps its old time, so that it writes nothing. */
function finish(request: ApplyRequest, outcome: Outcome): ApplyResult {
  const { live, object, sameObject, former, owners, identity } = outcome
  const unchanged = request.live !== undefined && jsonEqual(live, object) && sameOwners(former, owners)
  const own = owners.get(identity)
  // Owners that change while the object stays the same have no time, unless they had one.
  if (sameObject && own !== undefined) owners.set(identity, { ...own, time: former.get(identity)?.time })
  const metadata = isObject(object.metadata) ? object.metadata : {}
  const managedFields = encodeOwners(owners)
  const withOwners = { ...object, metadata: managedFields.length === 0 ? metadata : { ...metadata, managedFields } }
  return { kind: 'merged', object: withOwners, changed: !unchanged }
}

function emptyObject(applied: JsonObject): JsonObject {
  return { apiVersion: applied.apiVersion ?? null, kind: applied.kind ?? null }
}

export function withoutManagedFields(object: JsonObject): JsonObject {
  if (!isObject(object.metadata) || object.metadata.managedFields === undefined) return object
  const { managedFields: _, ...metadata } = object.metadata
  return { ...object, metadata }
}

/** An object that nobody owns anything of belongs to whoever came before the first apply. */
function ownersBefore(request: ApplyRequest, live: JsonObject): Owners {
  if (request.live === undefined) return new Map()
  const metadata = request.live.metadata
  const owners = decodeOwners(isObject(metadata) ? metadata.managedFields : undefined) ?? new Map()
  if (owners.size > 0) return owners
  const change = changeOf(request, emptyObject(request.applied), live)
  const { comparison } = changeOwnership(change, new Map(), undefined)
  const set = withoutIdentity(union(comparison.added, comparison.modified))
  if (isEmptySet(set)) return owners
  const first: Owner = {
    manager: 'before-first-apply',
    operation: 'Update',
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? '',
    time: request.now,
    set,
  }
  return new Map([[identityOf(first), first]])
}

function changeOf(request: ApplyRequest, before: JsonObject, after: JsonObject): ObjectEdit {
  return {
    before,
    after,
    shape: request.shape,
    apiVersion: request.apiVersion,
    versions: request.versions,
    resetFields: request.resetFields ?? [],
  }
}

interface Pruning {
  readonly request: ApplyRequest
  readonly merged: JsonObject
  readonly owners: Owners
  readonly previous: Owner | undefined
}

/** Removes what this applier applied last time and not now, unless somebody owns it. */
function prune({ request, merged, owners, previous }: Pruning): JsonObject {
  const now = owners.get(identityOfApplier(request)) as Owner
  if (previous === undefined || isEmptySet(previous.set)) return merged
  if (previous.apiVersion === request.apiVersion && isSubset(previous.set, now.set)) return merged
  const view = previous.apiVersion === request.apiVersion ? undefined : request.versions?.(previous.apiVersion)
  if (previous.apiVersion !== request.apiVersion && view === undefined) return merged
  const shape = view?.shape ?? request.shape
  const there = view === undefined ? merged : (view.convert(merged) ?? merged)
  const kept = ownedAt(previous.apiVersion, owners)
  const pruned = pruneAt({ shape, merged: there, last: previous.set, kept })
  if (view === undefined || pruned === there) return pruned === there ? merged : pruned
  return request.versions?.(request.apiVersion)?.convert(pruned) ?? merged
}

function identityOfApplier(request: ApplyRequest): string {
  return identityOf({
    manager: request.manager,
    operation: 'Apply',
    apiVersion: request.apiVersion,
    subresource: request.subresource ?? '',
  })
}

function ownedAt(apiVersion: string, owners: Owners): FieldSet {
  let all = emptySet
  // Sets of other versions name the same fields in nearly every case; owning one of them is a reason to keep it.
  for (const owner of owners.values()) all = union(all, owner.set)
  return apiVersion === '' ? emptySet : all
}

function pruneAt(at: { shape: ApplyRequest['shape']; merged: JsonObject; last: FieldSet; kept: FieldSet }): JsonObject {
  const { shape, merged } = at
  const last = withDeclaredParents(shape, at.last)
  const kept = withDeclaredParents(shape, at.kept)
  const all = withDeclaredParents(shape, setOf(shape, merged))
  const bare = removePaths(shape, merged, last)
  const left = withDeclaredParents(shape, setOf(shape, bare))
  // Put back what somebody owns, then what the last apply did not name: it only went because it was below something that did.
  const owned = removePaths(shape, merged, difference(all, union(left, kept)))
  const stays = withDeclaredParents(shape, setOf(shape, owned ?? {}))
  const goes = intersection(difference(all, stays), last)
  const out: Json = removePaths(shape, merged, goes)
  return isObject(out) ? out : merged
}
