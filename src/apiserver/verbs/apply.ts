// PATCH with application/apply-patch+yaml: server-side apply, creating the object when there is none.
import { andThen, isRecord, type Maybe } from '#base'
import { type ApplyResult, type JsonObject, serverSideApply } from '#schema'
import { converting } from '../conversion/converting.ts'
import { asDraft, asJson, type Draft, draftFrom } from '../draft.ts'
import { decodeText } from '../http/body.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, conflict, refusal } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { timestamp } from '../timestamp.ts'
import { asConverted, withWrapped } from './converted.ts'
import { createDraft } from './create.ts'
import { reportProblems } from './decode.ts'
import { resetFields, versionsOf } from './field-management.ts'
import { type RequestWriteOptions, readWriteOptions } from './options.ts'
import type { CreatePorts } from './ports.ts'
import { answerWith, findLive } from './subject.ts'
import { updateObject } from './update-flow.ts'

export function apply(ports: CreatePorts, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'PatchOptions', true)
  const isThere = findLive(ports, call) !== undefined
  const isNew = !isThere && call.info.subresource === ''
  const applied = readApplied(call, options, isThere || isNew)
  if (isNew) return applyNew(ports, call, applied, options)
  const step = {
    options,
    tracked: true,
    next: (live: Readonly<Draft>) => merged(ports, call, live, applied, options),
  }
  return andThen(updateObject(ports, call, step), version => answerWith(ports, call.kind, 200, version))
}

function applyNew(ports: CreatePorts, call: ResourceCall, applied: Draft, options: RequestWriteOptions): Maybe<Reply> {
  ports.allow(call, 'create')
  return andThen(merged(ports, call, undefined, applied, options), draft =>
    andThen(createDraft(ports, call, draft, options, true), version => answerWith(ports, call.kind, 201, version)),
  )
}

/** A body that brings its own owners is told so only where there is something to own. */
function readApplied(call: ResourceCall, options: RequestWriteOptions, checksOwners: boolean): Draft {
  const { value, duplicates } = decodeText(call.body, 'yaml', 'error decoding YAML: ')
  const { kind } = call
  const apiVersion = typeof value.apiVersion === 'string' ? value.apiVersion : ''
  const bodyKind = typeof value.kind === 'string' ? value.kind : ''
  if (apiVersion !== kind.apiVersion || bodyKind !== kind.resource.kind) {
    throw badRequest(`invalid object type: ${apiVersion.includes('/') ? '' : '/'}${apiVersion}, Kind=${bodyKind}`)
  }
  const metadata = isRecord(value.metadata) ? value.metadata : {}
  if (checksOwners && metadata.managedFields !== undefined && metadata.managedFields !== null)
    throw badRequest('metadata.managedFields must be nil')
  if (options.fieldValidation === 'Strict' && duplicates.length > 0) {
    const lines = duplicates.map(line => `\n  ${line}`).join('')
    throw badRequest(`error strict decoding YAML: error converting YAML to JSON: yaml: unmarshal errors:${lines}`)
  }
  reportProblems(kind, duplicates, call, options)
  return { ...value, apiVersion, kind: bodyKind, metadata: (value.metadata ?? {}) as Draft['metadata'] }
}

/** What is applied must be what the path names, which is looked at once it is known to be an object of its kind at all. */
function checkSubject({ kind, info }: ResourceCall, live: unknown, { name, namespace, uid = '' }: Draft['metadata']): void {
  if (live === undefined && uid !== '') {
    const why = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`
    throw conflict(kind.resource, info.name, why)
  }
  if ((live === undefined && name === undefined) || name === null || name === '')
    throw badRequest(`the name of the object (${info.name} based on URL) was undeterminable: name must be provided`)
  if (name !== undefined && name !== info.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${info.name})`)
  if (kind.resource.namespaced && (namespace ?? info.namespace) !== info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
}

/** The live object with what is applied merged in; throws what it is refused with. */
export function merged(
  ports: CreatePorts,
  call: ResourceCall,
  live: Readonly<Draft> | undefined,
  applied: Draft,
  options: RequestWriteOptions,
): Maybe<Draft> {
  const { kind, info } = call
  const request = {
    live: live === undefined ? undefined : asJson(live),
    applied: asJson(isRecord(applied.metadata) ? { ...applied, metadata: { name: info.name, ...applied.metadata } } : applied),
    manager: options.fieldManager,
    force: options.force,
    shape: kind.schema.shape,
    apiVersion: kind.apiVersion,
    ...(info.subresource === '' ? {} : { subresource: info.subresource }),
    now: timestamp(ports.clock.now()),
    resetFields: resetFields(kind, info.subresource),
    applyDefaults: (merged: JsonObject) => {
      const object = withWrapped(merged, call)
      checkConvertible(kind, `${applied.metadata.namespace ?? ''}/${info.name}`, object)
      return (kind.schema.fillDefaults ?? kind.schema.applyDefaults)(kind.schema.prune(object))
    },
  }
  return andThen(
    converting(ports.converter, convert => serverSideApply({ ...request, versions: versionsOf(kind, convert) })),
    result => {
      if (result.kind === 'merged') checkSubject(call, live, applied.metadata)
      return readResult(result, call, applied)
    },
  )
}

function readResult(result: ApplyResult, { kind, info }: ResourceCall, applied: Draft): Draft {
  switch (result.kind) {
    case 'merged':
      return draftFrom(asDraft(result.object))
    case 'conflict':
      throw refusal(409, 'Conflict', result.message, { causes: result.causes })
    case 'untypeable-live': {
      const type = `${kind.resource.group}/${kind.version}, Kind=${kind.resource.kind}`
      const why = `failed to convert new object (${info.namespace}/${info.name}; ${type}) to smd typed: ${result.message}`
      throw refusal(500, '', `failed to create manager for existing fields: ${why}`)
    }
    default: {
      const { name, namespace } = applied.metadata as { readonly name?: unknown; readonly namespace?: unknown }
      const place = `${typeof namespace === 'string' ? namespace : ''}/${typeof name === 'string' ? name : ''}`
      const type = `${kind.resource.group}/${kind.version}, Kind=${kind.resource.kind}`
      throw refusal(500, '', `failed to create typed patch object (${place}; ${type}): ${result.message}`)
    }
  }
}

/** What merges well may still be no value of the Go type, a time without its microseconds for one. */
function checkConvertible({ resource, version, schema }: ServedKind, name: string, object: JsonObject): void {
  const { malformed: why, wanted } = resource.custom === undefined ? schema.decode(object) : {}
  if (why === undefined) return
  const type = `${resource.group}/${version}, Kind=${resource.kind}`
  const told = `unable to convert unstructured object to ${type}: ${asConverted(why, wanted)}`
  throw refusal(500, '', `failed to convert new object (${name}; ${type}) to proper version: ${told}`)
}
