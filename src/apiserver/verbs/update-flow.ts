// Every change of a stored object goes through here: read the live one, make the next one from it, admit, validate, and write only
// if nobody was faster; otherwise the whole is done again with what is live then.

import { andThen, type Maybe } from '#base'
import { type JsonObject, renderJson } from '#schema'
import { rowOf } from '../conversion/converter.ts'
import { asCommitted, type Draft, draftFrom, equalJson } from '../draft.ts'
import type { ResourceCall } from '../http/call.ts'
import { prepareUpdate } from '../metadata/prepare.ts'
import { validateMetadata, withoutRepeatedOwners } from '../metadata/validate.ts'
import { conflict, invalid, notFound, refusal, staleMessage } from '../refusals.ts'
import { invalidName } from '../registry/resource.ts'
import { Version } from '../store/version.ts'
import { readUint64 } from '../text/integers.ts'
import { trackFields } from './field-management.ts'
import { admissionOptions, type RequestWriteOptions } from './options.ts'
import type { WritePorts } from './ports.ts'
import { findLive, keyOfCall, showAs, tableOf } from './subject.ts'
import { validateBody } from './validate-body.ts'

export interface UpdateStep {
  /** The next object, as a draft of its own; `live` is what the kind shows now. */
  next(live: Readonly<Draft>): Maybe<Draft>
  /** Field management: default tracks the change under the request's manager. */
  readonly tracked?: boolean
  readonly options: RequestWriteOptions
}

/** A real server gives up after as many rounds. */
const roundsMax = 5

export function updateObject(ports: WritePorts, call: ResourceCall, step: UpdateStep, round = 1): Maybe<Version> {
  const stored = findLive(ports, call)
  if (stored === undefined) throw notFound(call.kind.resource, call.info.name)
  return andThen(showAs(ports, stored, call.kind), ({ object: live }) =>
    andThen(step.next(live), wanted =>
      andThen(step.tracked === true ? wanted : trackFields(ports, call, live, wanted, step.options), tracked =>
        admitAndWrite({ ports, call, step, round, stored, live, tracked }),
      ),
    ),
  )
}

interface Round {
  readonly ports: WritePorts
  readonly call: ResourceCall
  readonly step: UpdateStep
  readonly round: number
  readonly stored: Version
  readonly live: Readonly<Draft>
  readonly tracked: Draft
}

function admitAndWrite({ ports, call, step, round, stored, live, tracked }: Round): Maybe<Version> {
  const attributes = {
    operation: 'UPDATE' as const,
    kind: call.kind,
    subresource: call.info.subresource,
    namespace: call.info.namespace,
    name: call.info.name,
    user: call.user,
    dryRun: step.options.dryRun,
    options: admissionOptions('UpdateOptions', call, step.options),
    oldObject: live,
    warnings: call.warnings,
  }
  return andThen(ports.admission.mutate({ ...attributes, object: tracked }), admitted => {
    const object = admitted as Draft
    checkRevision(call, object, stored)
    prepareUpdate(object, live, call.kind, { subresource: call.info.subresource, dryRun: step.options.dryRun })
    checkValid(ports, call, object, live)
    return andThen(ports.admission.validate({ ...attributes, object }), () =>
      andThen(rowOf(ports, call.kind, object), row => {
        if (findLive(ports, call) === stored) return write(ports, call, stored, row, step.options)
        if (round >= roundsMax) throw conflict(call.kind.resource, call.info.name, staleMessage)
        return updateObject(ports, call, step, round + 1)
      }),
    )
  })
}

function checkRevision(call: ResourceCall, object: Draft, stored: Version): void {
  const { resource } = call.kind
  const { resourceVersion } = stored.object.metadata
  const given = readVersion(object.metadata.resourceVersion ?? '')
  if (given === 0n) {
    if (resource.behaviour.unconditionalUpdate) {
      object.metadata.resourceVersion = resourceVersion
      return
    }
    throw invalid({ group: resource.group, kind: resource.plural }, call.info.name, [
      { type: 'FieldValueInvalid', field: 'metadata.resourceVersion', value: 0, detail: 'must be specified for an update' },
    ])
  }
  if (given !== BigInt(resourceVersion)) throw conflict(resource, call.info.name, staleMessage)
}

/** None is zero. What is no number is the server's own failure there, and so it is here. */
export function readVersion(text: string): bigint {
  const read = readUint64(text === '' ? '0' : text)
  if ('trouble' in read) throw refusal(500, '', read.trouble)
  return read.value
}

function checkValid(_core: WritePorts, call: ResourceCall, object: Draft, live: Readonly<Draft>): void {
  const { kind } = call
  withoutRepeatedOwners(object, call.warnings)
  const metadata = validateMetadata(object, live, kind, call.info.subresource)
  const body = validateBody(call, object, live, metadata.errors)
  // What may stay invalid because it was is told even of a request that is refused for something else.
  if (kind.resource.custom !== undefined) call.warnings.push(...body.warnings)
  const errors = [...metadata.errors, ...body.errors]
  if (errors.length > 0) throw invalid(invalidName(kind.resource), call.info.name, errors)
  call.warnings.push(...metadata.warnings, ...(kind.resource.custom === undefined ? body.warnings : []))
}

function write(ports: WritePorts, call: ResourceCall, stored: Version, object: Draft, options: RequestWriteOptions): Version {
  const table = tableOf(ports, call.kind)
  if (isFinished(object, stored.object)) {
    if (options.dryRun) return new Version(ports.store.revision, asCommitted(object))
    // What watchers see last is what was stored, not the write that let it go.
    const gone = draftFrom(stored.object)
    ports.store.remove(table, keyOfCall(call), stored, gone)
    return new Version(stored.revision, asCommitted(object))
  }
  if (isUnchanged(object, stored.object)) return stored
  if (options.dryRun) return new Version(ports.store.revision, asCommitted(object))
  return ports.store.update(table, keyOfCall(call), stored, object)
}

/** The last finalizer went from an object whose grace is over. */
function isFinished(object: Draft, live: Readonly<Draft>): boolean {
  if (live.metadata.deletionTimestamp === undefined || (live.metadata.deletionGracePeriodSeconds ?? 0) > 0) return false
  if ((object.metadata.finalizers ?? []).length > 0) return false
  if (object.kind !== 'Namespace') return true
  return ((object.spec as { finalizers?: unknown[] } | undefined)?.finalizers ?? []).length === 0
}

function isUnchanged(object: Draft, live: Readonly<Draft>): boolean {
  if (equalJson(object, live)) return true
  const { managedFields, ...metadata } = object.metadata
  const { managedFields: liveFields, ...liveMetadata } = live.metadata
  if (!equalJson({ ...object, metadata }, { ...live, metadata: liveMetadata })) return false
  return equalJson(withoutTimes(managedFields), withoutTimes(liveFields)) || equalJson(asSet(managedFields), asSet(liveFields))
}

function withoutTimes(entries: Entries): readonly object[] {
  return (entries ?? []).map(({ time: _time, ...entry }) => entry)
}

/** Entries without a time have no place among the others: the order is theirs to change. */
function asSet(entries: Entries): readonly string[] {
  return withoutTimes(entries)
    .map(entry => renderJson(entry as JsonObject, { sorted: true }))
    .sort()
}

type Entries = readonly { time?: string }[] | undefined
