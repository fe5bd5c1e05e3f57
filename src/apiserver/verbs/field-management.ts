// Who owns which field: the verbs' view of managedFields. The algorithm is in apply/.

import { andThen, type Clock, isRecord, type Maybe } from '#base'
import { compareOwners, identityOf, type JsonObject, trackUpdate, typeProblems, type UpdateRequest, type Versions } from '#schema'
import type { Converter } from '../conversion/converter.ts'
import { usesWebhook } from '../conversion/converter.ts'
import { type Convert, converting } from '../conversion/converting.ts'
import { asDraft, asJson, type Draft, type DraftManagedFields, draftFrom, equalJson } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { hasStatus } from '../metadata/prepare.ts'
import { type ServedKind, writesStatus } from '../registry/resource.ts'
import { timestamp } from '../timestamp.ts'
import type { RequestWriteOptions } from './options.ts'

interface ClockPort {
  readonly clock: Clock
}

interface TrackPorts extends ClockPort {
  readonly converter: Converter
}

/** The new object with managedFields: what it brings or changes belongs to the manager of the request. */
export function trackFields(
  ports: TrackPorts,
  call: ResourceCall,
  live: Readonly<Draft> | undefined,
  draft: Draft,
  options: Pick<RequestWriteOptions, 'fieldManager'>,
): Maybe<Draft> {
  if (call.info.subresource === 'scale' && !ownsReplicas(live, call.kind)) return withoutTwins(draft)
  if (isStrayBesideStatus(call, draft)) return withoutOwners(draft)
  return andThen(
    converting(ports.converter, convert => trackUpdate(requestFor(ports, call, live, draft, options, convert))),
    tracked => finished(call, tracked),
  )
}

/**
 * What comes with a status and is not taken need not fit its schema. Where it does not, nobody can tell who owns what, and a real server
 * forgets it all.
 */
function isStrayBesideStatus({ kind, info }: ResourceCall, draft: Draft): boolean {
  if (kind.resource.custom === undefined || info.subresource !== 'status') return false
  return typeProblems(kind.schema.shape, asJson(draft)) !== undefined
}

function withoutOwners(draft: Draft): Draft {
  delete draft.metadata.managedFields
  return draft
}

/** The same for an object of a kind that no webhook converts: it is known at once. */
export function trackBuiltin(
  ports: ClockPort,
  call: ResourceCall,
  draft: Draft,
  options: Pick<RequestWriteOptions, 'fieldManager'>,
  live?: Readonly<Draft>,
): Draft {
  return finished(call, trackUpdate(requestFor(ports, call, live, draft, options, object => object)))
}

function requestFor(
  ports: ClockPort,
  { kind, info }: ResourceCall,
  live: Readonly<Draft> | undefined,
  draft: Draft,
  options: Pick<RequestWriteOptions, 'fieldManager'>,
  convert: Convert,
): UpdateRequest {
  return {
    live: live === undefined ? undefined : asJson(live),
    next: asJson(draft),
    manager: options.fieldManager,
    shape: kind.schema.shape,
    apiVersion: kind.apiVersion,
    ...(info.subresource === '' ? {} : { subresource: info.subresource }),
    now: timestamp(ports.clock.now()),
    resetFields: resetFields(kind, info.subresource),
    versions: versionsOf(kind, convert),
  }
}

function finished({ info, kind }: ResourceCall, tracked: JsonObject): Draft {
  const draft = draftFrom(asDraft(tracked))
  if (info.subresource !== 'scale') return draft
  return carriedThroughScale(replicasAt(draft, kind) === 0 ? ownedByNobody(draft, replicasPath(kind)) : draft, kind)
}

function replicasPath(kind: ServedKind): readonly string[] {
  return (kind.scale?.specReplicas ?? '').split('.').filter(part => part !== '')
}

function replicasAt(draft: Readonly<Draft>, kind: ServedKind): unknown {
  let value: unknown = draft
  for (const part of replicasPath(kind)) value = isRecord(value) ? value[part] : undefined
  return value
}

/** A scale of nought shows no number, and what is not shown is not owned. */
function ownedByNobody(draft: Draft, path: readonly string[]): Draft {
  const entries = (draft.metadata.managedFields ?? []).flatMap(entry => {
    const fieldsV1 = withoutField(entry.fieldsV1, path)
    return fieldsV1 === undefined ? [] : [{ ...entry, fieldsV1 }]
  })
  if (entries.length > 0) draft.metadata.managedFields = entries
  else delete draft.metadata.managedFields
  return draft
}

/** Undefined when nothing else is owned. */
function withoutField(fields: unknown, [first, ...rest]: readonly string[]): Record<string, unknown> | undefined {
  if (!isRecord(fields)) return undefined
  if (first === undefined) return undefined
  const { [`f:${first}`]: below, ...others } = fields
  const kept = below === undefined || rest.length === 0 ? undefined : withoutField(below, rest)
  const left = kept === undefined ? others : { ...fields, [`f:${first}`]: kept }
  return Object.keys(left).length === 0 ? undefined : left
}

/** Of two entries of one manager, which a scale leaves, the second is read. */
function readEntries(object: Readonly<Draft> | undefined): NonNullable<Draft['metadata']['managedFields']> {
  return [...new Map((object?.metadata.managedFields ?? []).map(entry => [identityOf(entry), entry])).values()]
}

function withoutTwins(draft: Draft): Draft {
  const { managedFields } = draft.metadata
  if (managedFields !== undefined) draft.metadata.managedFields = readEntries(draft)
  return draft
}

/** A scale whose replicas nobody owns is to a real server an object that was never tracked, and stays so. */
export function ownsReplicas(live: Readonly<Draft> | undefined, kind: ServedKind): boolean {
  return ownersOfReplicas(live, kind).length > 0
}

/** Who owns the replicas, as it is told of the scale: of all that they own there is only that field. */
export function ownersOfReplicas(live: Readonly<Draft> | undefined, kind: ServedKind): DraftManagedFields[] {
  const path = replicasPath(kind)
  const owners = readEntries(live).filter(entry => {
    let fields: unknown = entry.fieldsV1
    for (const part of path) fields = isRecord(fields) ? fields[`f:${part}`] : undefined
    return fields !== undefined
  })
  return owners.map(({ subresource: _subresource, ...entry }) => ({
    ...entry,
    apiVersion: 'autoscaling/v1',
    fieldsV1: fieldAt(['spec', 'replicas']),
  }))
}

/**
 * Through the scale subresource a real server carries who owns the replicas over to the scale and back: what comes back has no time, and
 * stands apart from what its manager owns besides.
 */
export function carriedThroughScale(draft: Draft, kind: ServedKind): Draft {
  const { managedFields } = draft.metadata
  if (managedFields === undefined) return draft
  const path = replicasPath(kind)
  draft.metadata.managedFields = managedFields
    .flatMap(entry => {
      const rest = withoutField(entry.fieldsV1, path)
      if (equalJson(rest ?? {}, entry.fieldsV1)) return [entry]
      const { time: _time, ...carried } = entry
      const replicas = { ...carried, apiVersion: kind.apiVersion, fieldsV1: fieldAt(path) }
      return rest === undefined ? [replicas] : [replicas, { ...entry, fieldsV1: rest }]
    })
    .sort((a, b) => compareOwners(a, b))
  return draft
}

/** One field alone, as managedFields tell it. */
function fieldAt([first, ...rest]: readonly string[]): Record<string, unknown> {
  return first === undefined ? {} : { [`f:${first}`]: fieldAt(rest) }
}

/** Fields that nobody can own through this endpoint, because it does not write them. */
export function resetFields(kind: ServedKind, subresource: string): readonly (readonly string[])[] {
  if (writesStatus(subresource)) {
    const { statusKeeps = [], isMetadataOwnedByStatus } = kind.resource.behaviour
    if (isMetadataOwnedByStatus === false) return [['spec'], ['metadata']]
    return [['spec'], ...statusKeeps.map(field => ['metadata', field])]
  }
  return [...(hasStatus(kind) ? [['status']] : []), ...(kind.resource.behaviour.givenBySystem ?? [])]
}

/** Owners recorded at another version of the kind are compared at that version. */
export function versionsOf(kind: ServedKind, convert: Convert): Versions {
  return apiVersion => {
    const other = kind.resource.versions.find(candidate => candidate.apiVersion === apiVersion)
    if (other === undefined) return undefined
    return {
      shape: other.schema.shape,
      convert: object => convert(object, other),
      // Without a converter an object is relabelled as it is, whatever the other version declares.
      holds: object =>
        other.resource.custom === undefined ||
        usesWebhook(other) ||
        typeProblems(other.schema.shape, { ...object, apiVersion: other.apiVersion }) === undefined,
    }
  }
}
