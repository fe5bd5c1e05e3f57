// DELETE: graceful for pods, held back by finalizers, otherwise at once.

import { andThen, isRecord, type Maybe, NumberText } from '#base'
import { StatusError } from '#kube'
import { type FieldError, fieldError } from '#schema'
import { asCommitted, type Draft, draftFrom } from '../draft.ts'
import { type BodyFormat, bodyFormat, goKind } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { generationAtDeletion } from '../metadata/prepare.ts'
import { conflict, invalid, notFound, refusal } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { cleanupFinalizer, definitionsTable, terminating, withCondition } from '../registry/termination.ts'
import type { Version } from '../store/version.ts'
import { Version as NewVersion } from '../store/version.ts'
import { timestamp } from '../timestamp.ts'
import { readDryRun } from './options.ts'
import type { RemovePorts } from './ports.ts'
import { readInteger } from './read.ts'
import { notRegistered, recogniseText } from './recognise.ts'
import { answerWith, keyOfCall, showAs, tableOf } from './subject.ts'

export interface DeleteRequest {
  readonly dryRun: boolean
  readonly gracePeriodSeconds: number | undefined
  readonly propagation: Propagation | undefined
  readonly uid: string | undefined
  readonly resourceVersion: string | undefined
}

export function remove(ports: RemovePorts, call: ResourceCall): Maybe<Reply> {
  const options = readDeleteOptions(ports, call)
  warnOfOrphans(call, options)
  return andThen(removeObject(ports, call, options), outcome => replyTo(ports, call, outcome))
}

export interface Deletion {
  readonly version: Version
  readonly gone: boolean
}

export function removeObject(ports: RemovePorts, call: ResourceCall, options: DeleteRequest, round = 1): Maybe<Deletion> {
  const { kind, info } = call
  const stored = tableOf(ports, kind).rows.get(keyOfCall(call))
  if (stored === undefined) throw notFound(kind.resource, info.name)
  checkPreconditions(call, stored.object, options)
  return andThen(showAs(ports, stored, kind), shown => removeShown(ports, call, options, { stored, shown, round }))
}

function removeShown(
  ports: RemovePorts,
  call: ResourceCall,
  options: DeleteRequest,
  { stored, shown, round }: { readonly stored: Version; readonly shown: Version; readonly round: number },
): Maybe<Deletion> {
  const { kind, info } = call
  const attributes = {
    operation: 'DELETE' as const,
    kind,
    subresource: '',
    namespace: info.namespace,
    name: info.name,
    user: call.user,
    dryRun: options.dryRun,
    options: { kind: 'DeleteOptions', apiVersion: 'meta.k8s.io/v1', ...(options.dryRun ? { dryRun: ['All'] } : {}) },
    object: undefined,
    oldObject: shown.object,
    warnings: call.warnings,
  }
  return andThen(ports.admission.mutate(attributes), () =>
    andThen(ports.admission.validate(attributes), () => {
      if (tableOf(ports, kind).rows.get(keyOfCall(call)) !== stored && round < 5)
        return removeObject(ports, call, options, round + 1)
      return carryOut(ports, call, stored, options)
    }),
  )
}

function carryOut(ports: RemovePorts, call: ResourceCall, stored: Version, options: DeleteRequest): Deletion {
  const table = tableOf(ports, call.kind)
  const live = stored.object
  const grace = gracePeriod(call, live, options)
  const finalizers = [
    ...finalizersAfter(live, call.kind, options),
    ...(call.kind.resource.table === definitionsTable ? cleanupOf(live) : []),
  ]
  const namespaceHeld = isHeldNamespace(live)
  if (grace === 0 && finalizers.length === 0 && !namespaceHeld) {
    const last = { ...live, metadata: { ...live.metadata } }
    if (live.metadata.finalizers !== undefined) delete (last.metadata as { finalizers?: string[] }).finalizers
    if (options.dryRun) return { version: stored, gone: true }
    const shown = call.kind.resource.behaviour.gracefulDelete ? asDeleted(ports, last) : last
    return { version: ports.store.remove(table, keyOfCall(call), stored, shown), gone: true }
  }
  const draft = marked(ports, live, grace, finalizers)
  if (draft === undefined) return { version: stored, gone: false }
  if (options.dryRun) return { version: new NewVersion(stored.revision, asCommitted(draft)), gone: false }
  return { version: ports.store.update(table, keyOfCall(call), stored, draft), gone: false }
}

/** A pod that goes at once says when, as one that was given time. */
function asDeleted(ports: RemovePorts, last: Draft): Draft {
  const generation = last.metadata.deletionTimestamp === undefined ? generationAtDeletion(last) : undefined
  const metadata = {
    ...last.metadata,
    deletionTimestamp: last.metadata.deletionTimestamp ?? timestamp(ports.clock.now()),
    deletionGracePeriodSeconds: 0,
  }
  return { ...last, metadata: generation === undefined ? metadata : { ...metadata, generation } }
}

/** The object with its deletion under way; undefined when it already says all that this request would. */
function marked(ports: RemovePorts, live: Readonly<Draft>, grace: number, finalizers: readonly string[]): Draft | undefined {
  const already = live.metadata.deletionTimestamp !== undefined
  const sameFinalizers = finalizers.join() === (live.metadata.finalizers ?? []).join()
  const shorter = already && grace < (live.metadata.deletionGracePeriodSeconds ?? 0)
  if (already && sameFinalizers && !shorter) return undefined
  const draft = draftFrom(live)
  if (finalizers.length > 0) draft.metadata.finalizers = [...finalizers]
  else delete draft.metadata.finalizers
  if (!already || shorter) {
    draft.metadata.deletionTimestamp = timestamp(ports.clock.now() + grace * 1_000)
    // Namespaces and definitions mark themselves, and say nothing of grace.
    if (draft.kind !== 'Namespace' && draft.kind !== 'CustomResourceDefinition') draft.metadata.deletionGracePeriodSeconds = grace
    const generation = draft.kind === 'CustomResourceDefinition' ? undefined : generationAtDeletion(live)
    if (generation !== undefined && !already) draft.metadata.generation = generation
  }
  if (!already && finalizers.includes(cleanupFinalizer) && draft.kind === 'CustomResourceDefinition') {
    return withCondition(
      draft,
      terminating(
        ports.clock.now(),
        true,
        'InstanceDeletionPending',
        'CustomResourceDefinition marked for deletion; CustomResource deletion will begin soon',
      ),
    )
  }
  if (draft.kind === 'Namespace' && draft.apiVersion === 'v1')
    draft.status = { ...(draft.status as object), phase: 'Terminating' }
  return draft
}

/** Only pods wait: until the kubelet that runs them says they ended. */
function gracePeriod(call: ResourceCall, live: Readonly<Draft>, options: DeleteRequest): number {
  if (!call.kind.resource.behaviour.gracefulDelete) return 0
  const spec = live.spec as { nodeName?: string; terminationGracePeriodSeconds?: number } | undefined
  const phase = (live.status as { phase?: string } | undefined)?.phase
  if ((spec?.nodeName ?? '') === '' || phase === 'Succeeded' || phase === 'Failed') return 0
  const wanted = options.gracePeriodSeconds ?? spec?.terminationGracePeriodSeconds ?? 30
  const bounded = wanted < 0 ? 1 : wanted
  const running = live.metadata.deletionGracePeriodSeconds
  return running === undefined ? bounded : Math.min(running, bounded)
}

/** A definition outlives its deletion until its objects are gone. */
function cleanupOf(live: Readonly<Draft>): readonly string[] {
  const { deletionTimestamp, finalizers = [] } = live.metadata
  return deletionTimestamp === undefined && !finalizers.includes(cleanupFinalizer) ? [cleanupFinalizer] : []
}

function finalizersAfter(live: Readonly<Draft>, { resource }: ServedKind, options: DeleteRequest): readonly string[] {
  const present = live.metadata.finalizers ?? []
  if (options.propagation === undefined) {
    const isSettled = present.includes('orphan') || present.includes('foregroundDeletion')
    return resource.behaviour.orphansByDefault !== undefined && !isSettled ? [...present, 'orphan'] : present
  }
  const kept = present.filter(finalizer => finalizer !== 'orphan' && finalizer !== 'foregroundDeletion')
  if (options.propagation === 'Foreground') return [...kept, 'foregroundDeletion']
  if (options.propagation === 'Orphan') return [...kept, 'orphan']
  return kept
}

/** Told once a request, whatever becomes of it. */
export function warnOfOrphans({ kind, warnings }: ResourceCall, { propagation }: DeleteRequest): void {
  const { orphansByDefault } = kind.resource.behaviour
  if (orphansByDefault !== undefined && propagation === undefined) warnings.push(orphansByDefault.warning)
}

function isHeldNamespace(live: Readonly<Draft>): boolean {
  if (live.kind !== 'Namespace' || live.apiVersion !== 'v1') return false
  return ((live.spec as { finalizers?: unknown[] } | undefined)?.finalizers ?? []).length > 0
}

function checkPreconditions(call: ResourceCall, live: Readonly<Draft>, options: DeleteRequest): void {
  const { resource } = call.kind
  const named = { group: resource.group, plural: resource.kind }
  if (options.uid !== undefined && options.uid !== live.metadata.uid) {
    throw conflict(
      named,
      call.info.name,
      `the UID in the precondition (${options.uid}) does not match the UID in record (${live.metadata.uid}). The object might have been deleted and then recreated`,
    )
  }
  if (options.resourceVersion !== undefined && options.resourceVersion !== live.metadata.resourceVersion) {
    const why = `the ResourceVersion in the precondition (${options.resourceVersion}) does not match the ResourceVersion in record (${live.metadata.resourceVersion}). The object might have been modified`
    throw conflict(named, call.info.name, why)
  }
}

function replyTo(ports: RemovePorts, call: ResourceCall, { version, gone }: Deletion): Maybe<Reply> {
  const { resource } = call.kind
  if (!gone || resource.behaviour.returnsDeleted) return answerWith(ports, call.kind, 200, version)
  return {
    type: 'value',
    code: 200,
    value: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Success',
      details: {
        name: call.info.name,
        ...(resource.group === '' ? {} : { group: resource.group }),
        kind: resource.plural,
        uid: version.object.metadata.uid,
      },
    },
  }
}

/** A body takes the place of all that the query says, a dry run too. */
export function readDeleteOptions(ports: RemovePorts, call: ResourceCall): DeleteRequest {
  return readDeletion(call.body.byteLength > 0 ? readBodyOptions(ports, call) : readQueryOptions(call))
}

/** The options as values, by the names that they have in a body. */
export function readDeletion(fields: Record<string, unknown>): DeleteRequest {
  const errors: FieldError[] = []
  const propagation = typeof fields.propagationPolicy === 'string' ? fields.propagationPolicy : undefined
  if (propagation !== undefined) {
    if (fields.orphanDependents !== undefined && fields.orphanDependents !== null) {
      const detail = 'orphanDependents and deletionPropagation cannot be both set'
      errors.push(fieldError.invalid('propagationPolicy', propagation, detail))
    }
    if (!isPropagation(propagation))
      errors.push(fieldError.notSupported('propagationPolicy', propagation, [...propagations, 'nil']))
  }
  const dryRun = readDryRun(Array.isArray(fields.dryRun) ? (fields.dryRun as string[]).map(text => text ?? '') : [], errors)
  if (errors.length > 0) throw invalid({ group: 'meta.k8s.io', kind: 'DeleteOptions' }, '', errors)
  const preconditions = isRecord(fields.preconditions) ? fields.preconditions : {}
  return {
    dryRun,
    gracePeriodSeconds: typeof fields.gracePeriodSeconds === 'number' ? fields.gracePeriodSeconds : undefined,
    propagation: propagation !== undefined && isPropagation(propagation) ? propagation : ofOrphans(fields.orphanDependents),
    uid: typeof preconditions.uid === 'string' ? preconditions.uid : undefined,
    resourceVersion: typeof preconditions.resourceVersion === 'string' ? preconditions.resourceVersion : undefined,
  }
}

const propagations = ['Foreground', 'Background', 'Orphan'] as const
type Propagation = (typeof propagations)[number]

function isPropagation(text: string): text is Propagation {
  return propagations.some(known => known === text)
}

/** What the older option says, if anything. */
function ofOrphans(orphan: unknown): Propagation | undefined {
  if (typeof orphan !== 'boolean') return undefined
  return orphan ? 'Orphan' : 'Background'
}

function readBodyOptions(ports: RemovePorts, call: ResourceCall): Record<string, unknown> {
  const format = bodyFormat(header(call.request, 'content-type'), false)
  const value = decodeOptions(ports, call, format)
  const { kind } = value
  if (typeof kind === 'string' && kind !== '' && kind !== 'DeleteOptions') {
    const { apiVersion } = value
    throw failure(notRegistered(kind, typeof apiVersion === 'string' && apiVersion !== '' ? apiVersion : 'meta.k8s.io/v1'))
  }
  if (format === 'protobuf') return value
  checkTypes(value)
  checkTexts(value)
  return value
}

const optionTypes: Readonly<Record<string, readonly [wanted: string, isOne: (value: unknown) => boolean]>> = {
  gracePeriodSeconds: ['int64', Number.isInteger],
  preconditions: ['v1.Preconditions', isRecord],
  orphanDependents: ['bool', value => typeof value === 'boolean'],
  propagationPolicy: ['v1.DeletionPropagation', value => typeof value === 'string'],
  dryRun: ['[]string', Array.isArray],
  ignoreStoreReadErrorWithClusterBreakingPotential: ['bool', value => typeof value === 'boolean'],
}

function checkTypes(value: Record<string, unknown>): void {
  for (const [name, given] of Object.entries(value)) {
    const [wanted, isOne] = optionTypes[name] ?? []
    if (given === null || wanted === undefined || isOne?.(given) !== false) continue
    const told = given instanceof NumberText && wanted === 'int64' ? `number ${given.text}` : goKind(given)
    throw failure(`json: cannot unmarshal ${told} into Go struct field DeleteOptions.${name} of type ${wanted}`)
  }
}

/** What stands within an option is a text or nothing. */
function checkTexts(value: Record<string, unknown>): void {
  const preconditions = isRecord(value.preconditions) ? value.preconditions : {}
  const dryRun = Array.isArray(value.dryRun) ? (value.dryRun as unknown[]) : []
  for (const [given, field, wanted] of [
    [preconditions.uid, 'Preconditions.preconditions.uid', 'types.UID'],
    [preconditions.resourceVersion, 'Preconditions.preconditions.resourceVersion', 'string'],
    ...dryRun.map(one => [one, 'DeleteOptions.dryRun', 'string'] as const),
  ] as const)
    if (given !== undefined && given !== null && typeof given !== 'string')
      throw failure(`json: cannot unmarshal ${goKind(given)} into Go struct field ${field} of type ${wanted}`)
}

function decodeOptions(ports: RemovePorts, call: ResourceCall, format: BodyFormat): Record<string, unknown> {
  if (format === 'protobuf') return ports.decodeProtobuf(call.body)
  try {
    return recogniseText(call.body, format, { ...call.kind, resource: { ...call.kind.resource, custom: undefined } }).value
  } catch (error) {
    if (!(error instanceof StatusError)) throw error
    throw failure(error.message.replace(/^the object provided is unrecognized \([^)]*\): /, '').replace(/ \([^()]*\)$/, ''))
  }
}

/** A real server takes options that it cannot read for a fault of its own, and gives no reason. */
function failure(why: string): Error {
  return refusal(500, '', why)
}

function readQueryOptions(call: ResourceCall): Record<string, unknown> {
  const { query } = call
  const grace = query.get('gracePeriodSeconds')
  const orphan = query.get('orphanDependents')
  const [uid, resourceVersion] = [query.get('uid'), query.get('resourceVersion')]
  return {
    ...(grace === undefined ? {} : { gracePeriodSeconds: readInteger(grace) }),
    preconditions: { ...(uid && { uid }), ...(resourceVersion && { resourceVersion }) },
    ...(orphan === undefined ? {} : { orphanDependents: query.flag('orphanDependents') }),
    ...(query.has('dryRun') ? { dryRun: query.all('dryRun') } : {}),
    ...(query.has('propagationPolicy') ? { propagationPolicy: query.get('propagationPolicy') } : {}),
  }
}
