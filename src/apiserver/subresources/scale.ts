// The scale subresource: replicas of any kind that has them, as one small object.
import { andThen, given, invariant, isRecord, type Maybe } from '#base'
import { labelSelector, renderLabelSelector, type Status, StatusError, selectorFromObject } from '#kube'
import { builtinKind, type FieldError, fieldError, type KindSchema } from '#schema'
import { type Draft, type DraftManagedFields, draftFrom } from '../draft.ts'
import { decodeText } from '../http/body.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { applyPatchType } from '../http/patch-types.ts'
import { validateMetadata } from '../metadata/validate.ts'
import { badRequest, conflict, internalError, invalid, refusal, staleMessage } from '../refusals.ts'
import type { ScalePaths, ServedKind } from '../registry/resource.ts'
import type { Version } from '../store/version.ts'
import { merged } from '../verbs/apply.ts'
import { decodeObject } from '../verbs/decode.ts'
import { carriedThroughScale, ownersOfReplicas, ownsReplicas } from '../verbs/field-management.ts'
import { type RequestWriteOptions, readWriteOptions } from '../verbs/options.ts'
import { patchType, readPatch, toVersion } from '../verbs/patch.ts'
import type { PatchPorts } from '../verbs/ports.ts'
import { requireLive, showAs } from '../verbs/subject.ts'
import { otherUid } from '../verbs/update.ts'
import { readVersion, type UpdateStep, updateObject } from '../verbs/update-flow.ts'

export function scale(ports: PatchPorts, call: ResourceCall): Maybe<Reply> {
  const answer = (version: Version): Maybe<Reply> =>
    andThen(showAs(ports, version, call.kind), ({ object }) => reply(scaleOf(object, call.kind)))
  if (call.info.verb === 'get') {
    const live = requireLive(ports, call)
    return andThen(showAs(ports, live, call.kind), ({ object }) => {
      const path = pathsOf(call.kind).specReplicas
      if (call.kind.resource.custom !== undefined && readPath(object, pathOf(path)) === undefined)
        throw internalError(`the spec replicas field ${JSON.stringify(path)} does not exist`)
      return answer(live)
    })
  }
  const isPatch = call.info.verb === 'patch'
  const type = isPatch ? patchType(call) : ''
  const isApply = type === applyPatchType
  // Options and a body that is no scale are refused before anybody looks whether there is something to scale.
  const options = readWriteOptions(call, isPatch ? 'PatchOptions' : 'UpdateOptions', isApply)
  if (isApply) {
    requireLive(ports, call)
    return andThen(updateObject(ports, call, applyStep(ports, call, options)), answer)
  }
  const whole = isPatch ? undefined : readWhole(ports, call, options)
  requireLive(ports, call)
  const patch = isPatch ? readPatch(ports, call, type) : undefined
  const asScale = { ...call, kind: scaleKind(call) }
  const step = {
    options,
    next: (live: Readonly<Draft>) => {
      const wanted =
        patch === undefined ? whole?.() : toVersion(patch, type, patchable(live, call.kind), asScale, options, call.kind)
      return scaledBy(call, live, wanted, options)
    },
  }
  return andThen(updateObject(ports, call, step), answer)
}

function reply(value: Draft): Reply {
  return { type: 'value', code: 200, value }
}

const scaleApiVersion = 'autoscaling/v1'

/** Only kinds that have them get here: the path of the request was found among their subresources. */
function pathsOf({ scale: paths }: ServedKind): ScalePaths {
  invariant(paths !== undefined, 'a scale of a kind that has none')
  return paths
}

/** Scale as a kind of its own, for its body. */
function scaleKind({ kind }: ResourceCall): ServedKind {
  const schema = builtinKind('autoscaling', 'v1', 'Scale') as KindSchema
  const resource = { ...kind.resource, group: 'autoscaling', kind: 'Scale', custom: undefined }
  return { ...kind, resource, version: 'v1', apiVersion: scaleApiVersion, schema }
}

function readWhole(ports: PatchPorts, call: ResourceCall, options: RequestWriteOptions): () => Draft {
  const body = decodeScale(ports, call, options)
  const { name, namespace = '' } = body.metadata
  if (name === undefined || name === '')
    throw badRequest(`the name of the object (${call.info.name} based on URL) was undeterminable: name must be provided`)
  if (name !== call.info.name)
    throw badRequest(`the name of the object (${name}) does not match the name on the URL (${call.info.name})`)
  if (namespace !== '' && namespace !== call.info.namespace)
    throw badRequest('the namespace of the provided object does not match the namespace sent on the request')
  return () => body
}

/** The part of a real server that serves custom resources knows few kinds besides theirs, and is at a loss for others. */
function decodeScale(ports: PatchPorts, call: ResourceCall, options: RequestWriteOptions): Draft {
  try {
    return decodeObject({ ...call, kind: scaleKind(call) }, options, ports.decodeProtobuf)
  } catch (error) {
    const isStranger = error instanceof StatusError && error.message.includes(' is registered for version ')
    if (call.kind.resource.custom === undefined || !isStranger) throw error
    throw badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:110"')
  }
}

/** What is applied to the scale is applied to the one field of the object that it stands for. */
function applyStep(ports: PatchPorts, call: ResourceCall, options: RequestWriteOptions): UpdateStep {
  const { value } = decodeText(call.body, 'yaml', 'error decoding YAML: ')
  const [apiVersion, kind] = [value.apiVersion, value.kind].map(part => (typeof part === 'string' ? part : ''))
  if (apiVersion !== scaleApiVersion || kind !== 'Scale')
    throw badRequest(`invalid object type: ${apiVersion?.includes('/') ? '' : '/'}${apiVersion}, Kind=${kind}`)
  const replicas = replicasOf(call, value)
  const metadata = { ...(isRecord(value.metadata) ? value.metadata : {}) } as Draft['metadata']
  const bare = { apiVersion: call.kind.apiVersion, kind: call.kind.resource.kind, metadata }
  const applied = withPath(bare, pathOf(pathsOf(call.kind).specReplicas), replicas) as Draft
  return {
    options,
    tracked: true,
    next: live => {
      if (call.kind.resource.custom !== undefined && !ownsReplicas(live, call.kind))
        throw notConverted('failed to create manager for existing fields: failed to convert live object (/;')
      if (call.kind.resource.custom !== undefined && numberAt(live, call.kind) !== replicas)
        throw notConverted(`failed to convert new object (${metadata.namespace ?? ''}/${metadata.name ?? ''};`)
      return andThen(
        asOfScale(call, () => merged(ports, call, live, applied, options)),
        owned => carriedThroughScale(owned, call.kind),
      )
    },
  }
}

/** Whoever serves custom resources in a real server cannot convert their scales, and apply needs that wherever it changes something. */
function notConverted(what: string): Error {
  const why = 'request to convert CR to an invalid group/version: autoscaling/v1'
  return refusal(500, '', `${what} ${scaleApiVersion}, Kind=Scale) to proper version: ${why}`)
}

/** Who else owns the number owns it, to those who see the scale, at the scale's version. */
function asOfScale<T>({ kind }: ResourceCall, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof StatusError) || error.code !== 409) throw error
    throw new StatusError(
      JSON.parse(JSON.stringify(error.status).replaceAll(` using ${kind.apiVersion}`, ` using ${scaleApiVersion}`)) as Status,
    )
  }
}

function replicasOf(call: ResourceCall, wanted: unknown, errors: readonly FieldError[] = []): number {
  const spec = isRecord(wanted) && isRecord(wanted.spec) ? wanted.spec : {}
  const replicas = spec.replicas ?? 0
  if (replicas === noReplicas && call.kind.resource.custom !== undefined) {
    const path = JSON.stringify(pathsOf(call.kind).specReplicas)
    throw badRequest(`the spec replicas field ${path} cannot be empty`)
  }
  const isCount = typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0
  if (isCount && errors.length === 0) return replicas
  const value = typeof replicas === 'number' ? replicas : null
  const negative = isCount ? [] : [fieldError.invalid('spec.replicas', value, 'must be greater than or equal to 0')]
  throw invalid({ group: 'autoscaling', kind: 'Scale' }, call.info.name, [...errors, ...negative])
}

/** Stands for a number that is not there: a patch that leaves it so is none of replicas. */
const noReplicas = -2_147_483_648

/** The scale as a patch finds it. */
function patchable(live: Readonly<Draft>, kind: ServedKind): Draft {
  const scale = withOwners(scaleOf(live, kind), ownersOfReplicas(live, kind))
  const isThere = kind.resource.custom === undefined || readPath(live, pathOf(pathsOf(kind).specReplicas)) !== undefined
  return isThere ? scale : { ...scale, spec: { replicas: noReplicas } }
}

function withOwners(scale: Draft, owners: DraftManagedFields[]): Draft {
  return owners.length === 0 ? scale : { ...scale, metadata: { ...scale.metadata, managedFields: owners } }
}

function scaledBy(call: ResourceCall, live: Readonly<Draft>, wanted: Draft | undefined, options: RequestWriteOptions): Draft {
  const { uid = '', resourceVersion = '' } = wanted?.metadata ?? {}
  const isOther = uid !== '' && uid !== live.metadata.uid
  const isPatch = call.info.verb === 'patch'
  if (isOther && !isPatch) throw otherUid(call, options, uid, live.metadata.uid ?? '')
  const replicas = judgedReplicas(call, wanted)
  if (isOther && call.kind.resource.custom === undefined) throw otherScale(call, uid, live.metadata.uid ?? '')
  const revision = readVersion(resourceVersion)
  if (revision !== 0n && revision !== BigInt(live.metadata.resourceVersion ?? 0))
    throw conflict(call.kind.resource, call.info.name, staleMessage)
  return draftFrom(withPath(live, pathOf(pathsOf(call.kind).specReplicas), replicas) as Draft)
}

/** What a patch makes of a scale is compared before anything is stored. */
function otherScale({ kind: { resource }, info }: ResourceCall, wanted: string, found: string): Error {
  const why = `Precondition failed: UID in precondition: ${wanted}, UID in object meta: ${found}`
  return conflict({ ...resource, plural: `${resource.plural}/scale` }, info.name, why)
}

/** A scale of a built-in kind is judged like any object, of a custom one only the number. */
function judgedReplicas(call: ResourceCall, wanted: Draft | undefined): number {
  const { resource } = call.kind
  const replicas = isRecord(wanted?.spec) ? wanted.spec.replicas : undefined
  if (resource.custom === undefined)
    return replicasOf(call, wanted, wanted === undefined ? [] : validateMetadata(wanted, undefined, scaleKind(call)).errors)
  if (typeof replicas !== 'number' || replicas >= 0 || replicas === noReplicas) return replicasOf(call, wanted)
  const error = fieldError.invalid(pathsOf(call.kind).specReplicas, replicas, 'should be a non-negative integer')
  throw invalid(resource, call.info.name, [error])
}

export function scaleOf(object: Readonly<Draft>, kind: ServedKind): Draft {
  const paths = pathsOf(kind)
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const number = (path: string): number => {
    const value = readPath(object, pathOf(path))
    return typeof value === 'number' ? value : 0
  }
  const selector = paths.labelSelector === undefined ? '' : selectorText(readPath(object, pathOf(paths.labelSelector)))
  return {
    kind: 'Scale',
    apiVersion: 'autoscaling/v1',
    metadata: {
      name,
      ...given({ namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    } as Draft['metadata'],
    spec: number(paths.specReplicas) === 0 ? {} : { replicas: number(paths.specReplicas) },
    status: { replicas: number(paths.statusReplicas), ...(selector === '' ? {} : { selector }) },
  }
}

function numberAt(object: Readonly<Draft>, kind: ServedKind): number {
  const value = readPath(object, pathOf(pathsOf(kind).specReplicas))
  return typeof value === 'number' ? value : 0
}

function selectorText(value: unknown): string {
  if (typeof value === 'string') return value
  if (!isRecord(value)) return ''
  const isPlain = !('matchLabels' in value) && !('matchExpressions' in value)
  return renderLabelSelector(isPlain ? plainSelector(value) : selectorFromObject(value))
}

function plainSelector(labels: Record<string, unknown>): ReturnType<typeof labelSelector> {
  return labelSelector(Object.entries(labels).map(([key, value]) => ({ key, operator: 'in', values: [value as string] })))
}

function pathOf(text: string): readonly string[] {
  return text.split('.').filter(part => part !== '')
}

function readPath(object: unknown, path: readonly string[]): unknown {
  let value = object
  for (const part of path) value = isRecord(value) ? value[part] : undefined
  return value
}

/** The object with one value set, everything else shared. */
function withPath(object: unknown, [first, ...rest]: readonly string[], value: unknown): unknown {
  if (first === undefined) return value
  const record = isRecord(object) ? object : {}
  return { ...record, [first]: withPath(record[first], rest, value) }
}
