// POST: a new object, through defaulting, admission and validation into a free place of the store.

import { andThen, type Maybe } from '#base'
import { rowOf } from '../conversion/converter.ts'
import { asCommitted, type Draft } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { prepareCreate } from '../metadata/prepare.ts'
import { validateMetadata, withoutRepeatedOwners } from '../metadata/validate.ts'
import { alreadyExists, badRequest, forbidden, invalid, notFound, refusal } from '../refusals.ts'
import { invalidName, rowKey } from '../registry/resource.ts'
import { Version } from '../store/version.ts'
import { timestamp } from '../timestamp.ts'
import { decodeObject } from './decode.ts'
import { trackFields } from './field-management.ts'
import { admissionOptions, type RequestWriteOptions, readWriteOptions } from './options.ts'
import type { CreatePorts } from './ports.ts'
import { answerWith, tableOf } from './subject.ts'
import { validateBody } from './validate-body.ts'

export function create(ports: CreatePorts, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'CreateOptions')
  const draft = decodeObject(call, options, ports.decodeProtobuf)
  const { resourceVersion = '' } = draft.metadata
  // The store alone objects, to what it can read as a version; a dry run never gets there, and echoes it.
  if (!options.dryRun && /^0*[1-9]\d*$/.test(resourceVersion))
    throw refusal(500, '', 'resourceVersion should not be set on objects to be created')
  for (const field of ['uid', 'creationTimestamp', 'deletionTimestamp', 'deletionGracePeriodSeconds', 'selfLink'] as const) {
    delete draft.metadata[field]
  }
  return andThen(createDraft(ports, call, draft, options), version => answerWith(ports, call.kind, 201, version))
}

/**
 * Creation of a decoded object; also the end of an apply or a PUT on a name that is free. Those take the times of deletion as they are
 * given, as a real server does: the object is born on its way out.
 */
export function createDraft(
  ports: CreatePorts,
  call: ResourceCall,
  draft: Draft,
  options: RequestWriteOptions,
  tracked = false,
): Maybe<Version> {
  if (!options.dryRun) delete draft.metadata.resourceVersion
  matchNamespace(draft, call)
  if (call.kind.resource.custom?.terminating === true) {
    throw forbidden(
      call.kind.resource,
      draft.metadata.name ?? '',
      'create not allowed while custom resource definition is terminating',
    )
  }
  for (const field of ['uid', 'creationTimestamp', 'selfLink'] as const) delete draft.metadata[field]
  return andThen(tracked ? draft : trackFields(ports, call, undefined, draft, options), next =>
    createTracked(ports, call, next, options),
  )
}

function createTracked(ports: CreatePorts, call: ResourceCall, next: Draft, options: RequestWriteOptions): Maybe<Version> {
  const attributes = {
    operation: 'CREATE' as const,
    kind: call.kind,
    subresource: '',
    namespace: call.info.namespace,
    name: next.metadata.name ?? '',
    user: call.user,
    dryRun: options.dryRun,
    options: admissionOptions('CreateOptions', call, options),
    oldObject: undefined,
    warnings: call.warnings,
  }
  requireNamespace(ports, call, next.metadata.name ?? '')
  return andThen(ports.admission.mutate({ ...attributes, object: next }), admitted => {
    const object = admitted as Draft
    const uid = ports.random.uuid()
    generateName(ports, call, object)
    prepareCreate(object, call.kind, { uid, timestamp: timestamp(ports.clock.now()), dryRun: options.dryRun })
    withoutRepeatedOwners(object, call.warnings)
    const metadata = validateMetadata(object, undefined, call.kind)
    const body = validateBody(call, object, undefined, metadata.errors)
    const errors = [...metadata.errors, ...body.errors]
    if (errors.length > 0) throw invalid(invalidName(call.kind.resource), object.metadata.name ?? '', errors)
    call.warnings.push(...metadata.warnings, ...body.warnings)
    return andThen(ports.admission.validate({ ...attributes, name: object.metadata.name as string, object }), () =>
      andThen(rowOf(ports, call.kind, object), row => commit(ports, call, row, options)),
    )
  })
}

function commit(ports: CreatePorts, call: ResourceCall, draft: Draft, options: RequestWriteOptions): Version {
  const table = tableOf(ports, call.kind)
  const key = rowKey(call.kind.resource, draft.metadata.namespace ?? '', draft.metadata.name as string)
  const holder = table.rows.get(key)
  if (holder !== undefined) {
    const prefix = holder.object.metadata.deletionTimestamp === undefined ? '' : 'object is being deleted: '
    throw alreadyExists(call.kind.resource, draft.metadata.name as string, prefix)
  }
  requireNamespace(ports, call, draft.metadata.name ?? '')
  if (options.dryRun) return new Version(ports.store.revision, asCommitted(draft))
  return ports.store.create(table, key, draft)
}

function matchNamespace(draft: Draft, call: ResourceCall): void {
  if (!call.kind.resource.namespaced) {
    delete draft.metadata.namespace
    return
  }
  const { namespace } = draft.metadata
  if (namespace === undefined || namespace === '') draft.metadata.namespace = call.info.namespace
  else if (namespace !== call.info.namespace) {
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  }
}

/** Nothing new in a namespace that is missing or on its way out. */
function requireNamespace(ports: CreatePorts, call: ResourceCall, name: string): void {
  const { resource } = call.kind
  if (!resource.namespaced || resource.behaviour.virtual) return
  const { namespace } = call.info
  const version = ports.store.table('namespaces').rows.get(namespace)
  if (version === undefined) throw notFound({ group: '', plural: 'namespaces' }, namespace)
  if (version.object.metadata.deletionTimestamp === undefined) return
  const why = `unable to create new content in namespace ${namespace} because it is being terminated`
  throw forbidden(resource, name, why, [
    { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
  ])
}

const nameAlphabet = 'bcdfghjklmnpqrstvwxz2456789'
const generatedLength = 5
const generatedBaseMax = 58
/** With 27^5 names per prefix, eight misses in a row mean a crowd, not bad luck. */
const triesMax = 8

function generateName(ports: CreatePorts, call: ResourceCall, draft: Draft): void {
  const { metadata } = draft
  if (metadata.generateName === undefined || metadata.generateName === '' || (metadata.name ?? '') !== '') return
  const base = metadata.generateName.slice(0, generatedBaseMax)
  const { rows } = tableOf(ports, call.kind)
  for (let tries = 0; tries < triesMax; tries++) {
    let name = base
    for (let index = 0; index < generatedLength; index++) name += nameAlphabet[ports.random.integer(nameAlphabet.length)]
    metadata.name = name
    if (rows.get(rowKey(call.kind.resource, metadata.namespace ?? '', name)) === undefined) return
  }
  const taken = alreadyExists(call.kind.resource, metadata.name as string)
  throw refusal(409, 'AlreadyExists', `${taken.message}, the server was not able to generate a unique name for the object`, {
    ...taken.status.details,
    retryAfterSeconds: 1,
  })
}
