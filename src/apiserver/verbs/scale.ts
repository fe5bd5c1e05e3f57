// The scale subresource: replicas of any kind that has them, as one small object.
import { labelSelector, renderLabelSelector, selectorFromObject } from '#kube'
import type { Core } from '../core.ts'
import { type Draft, draftFrom, isRecord } from '../draft.ts'
import { bodyFormat, decodeText } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { andThen, type Maybe } from '../maybe.ts'
import { badRequest, conflict, invalid, staleMessage } from '../refusals.ts'
import type { ScalePaths, ServedKind } from '../registry/resource.ts'
import { fieldError } from '../schema/field-error.ts'
import type { Version } from '../store/version.ts'
import { readWriteOptions } from './options.ts'
import { patchType, readPatch } from './patch.ts'
import { requireLive, showAs } from './subject.ts'
import { updateObject } from './update-flow.ts'

export function scale(core: Core, call: ResourceCall): Maybe<Reply> {
  const answer = (version: Version): Maybe<Reply> =>
    andThen(showAs(core, version, call.kind), ({ object }) => reply(scaleOf(object, call.kind)))
  if (call.info.verb === 'get') return answer(requireLive(core, call))
  const isPatch = call.info.verb === 'patch'
  // A body that is no scale, or a patch of no known type, is refused before anybody looks whether there is something to scale.
  const whole = isPatch ? undefined : readWhole(core, call)
  const type = isPatch ? patchType(call) : ''
  requireLive(core, call)
  const options = readWriteOptions(call, isPatch ? 'PatchOptions' : 'UpdateOptions')
  const change = whole ?? readPatch(core, call, type)
  const step = {
    options,
    next: (live: Readonly<Draft>) => scaledBy(call, live, change(scaleOf(live, call.kind))),
  }
  return andThen(updateObject(core, call, step), answer)
}

function reply(value: Draft): Reply {
  return { type: 'value', code: 200, value }
}

function readWhole(core: Core, call: ResourceCall): () => unknown {
  const format = bodyFormat(header(call.request, 'content-type'), false)
  const value = format === 'protobuf' ? core.decodeProtobuf(call.body) : decodeText(call.body, format).value
  if (value.kind !== undefined && value.kind !== 'Scale') throw badRequest(`cannot handle a ${value.kind as string} as a Scale`)
  return () => value
}

function scaledBy(call: ResourceCall, live: Readonly<Draft>, wanted: unknown): Draft {
  const spec = isRecord(wanted) && isRecord(wanted.spec) ? wanted.spec : {}
  const metadata = isRecord(wanted) && isRecord(wanted.metadata) ? wanted.metadata : {}
  const replicas = spec.replicas ?? 0
  if (typeof replicas !== 'number' || !Number.isInteger(replicas) || replicas < 0) {
    const error = fieldError.invalid(
      'spec.replicas',
      typeof replicas === 'number' ? replicas : null,
      'must be greater than or equal to 0',
    )
    throw invalid({ group: 'autoscaling', kind: 'Scale' }, call.info.name, [error])
  }
  const given = metadata.resourceVersion
  if (given !== undefined && given !== '' && given !== live.metadata.resourceVersion) {
    throw conflict(call.kind.resource, call.info.name, staleMessage)
  }
  if (metadata.uid !== undefined && metadata.uid !== live.metadata.uid) {
    throw conflict(
      call.kind.resource,
      call.info.name,
      `Precondition failed: UID in precondition: ${metadata.uid as string}, UID in object meta: ${live.metadata.uid}`,
    )
  }
  return draftFrom(withPath(live, pathOf((call.kind.scale as ScalePaths).specReplicas), replicas) as Draft)
}

export function scaleOf(object: Readonly<Draft>, kind: ServedKind): Draft {
  const paths = kind.scale as ScalePaths
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
      ...(namespace === undefined ? {} : { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    } as Draft['metadata'],
    spec: { replicas: number(paths.specReplicas) },
    status: { replicas: number(paths.statusReplicas), ...(selector === '' ? {} : { selector }) },
  }
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
