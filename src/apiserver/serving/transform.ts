// Objects and lists as tables or as metadata alone, for those who asked for that.
import { isRecord } from '#base'
import { asJson, type Committed } from '../draft.ts'
import type { Accepted } from '../http/accept.ts'
import type { ApiCall, Reply } from '../http/call.ts'
import { badRequest, refusal } from '../refusals.ts'
import { type ServedKind, shortGroup } from '../registry/resource.ts'
import { Version } from '../store/version.ts'
import { printerOf } from '../tables/printer.ts'
import { scaleCells, scaleColumns } from '../tables/scale.ts'
import type { WatchWire } from '../watch/wire.ts'
import { line } from '../watch/wire.ts'

type IncludeObject = 'Metadata' | 'Object' | 'None'

/** The reply in the form that was accepted; most are left alone. */
export function transformReply(call: ApiCall, kind: ServedKind, reply: Reply, accepted: Accepted, nowMs: number): Reply {
  if (accepted.transform === 'none') return reply
  if (reply.type === 'version') {
    // Deletions answer with a Status sometimes, and so do subresources with kinds of their own: those have no table.
    const { object } = reply.version
    if (object.kind !== kind.resource.kind) return reply
    if (accepted.transform === 'partial-list')
      throw otherForm(`PartialObjectMetadataList, but the requested object is not a list (${goType(kind)})`)
    const value =
      accepted.transform === 'partial'
        ? partial(object, accepted)
        : table({ resourceVersion: object.metadata.resourceVersion }, [reply.version], kind, call, accepted, nowMs)
    return { type: 'value', code: reply.code, value }
  }
  if (reply.type === 'value' && reply.value.kind === 'Scale' && accepted.transform === 'table')
    return { ...reply, value: scaleTable(reply.value, accepted, nowMs) }
  if (reply.type === 'value') return partialValue(reply, accepted)
  if (reply.type !== 'list') return reply
  if (accepted.transform === 'partial')
    throw otherForm(`PartialObjectMetadata, but the requested object is a list (${goType(kind)}List)`)
  if (accepted.transform === 'table')
    return { type: 'value', code: 200, value: table(reply.metadata, reply.versions, kind, call, accepted, nowMs) }
  return {
    type: 'value',
    code: 200,
    value: {
      kind: 'PartialObjectMetadataList',
      apiVersion: `meta.k8s.io/${accepted.metaVersion}`,
      metadata: withoutEmptyToken(reply.metadata),
      items: reply.versions.map(version => partial(version.object, accepted)),
    },
  }
}

/** Of a scale or of a review; a Status has one form only. */
function partialValue(reply: Extract<Reply, { type: 'value' }>, accepted: Accepted): Reply {
  const { value } = reply
  if (value.kind === 'Status' || accepted.transform === 'table') return reply
  if (accepted.transform === 'partial') return { ...reply, value: partial(value as unknown as Committed, accepted) }
  const group = String(value.apiVersion).split('/', 1)[0] ?? ''
  throw otherForm(
    `PartialObjectMetadataList, but the requested object is not a list (*${shortGroup(group)}.${String(value.kind)})`,
  )
}

function otherForm(why: string): Error {
  return refusal(406, 'NotAcceptable', `you requested ${why}`)
}

/** The type that holds objects of the kind in a real server, which is part of what it says. */
function goType({ resource }: ServedKind): string {
  return resource.custom === undefined ? `*${shortGroup(resource.group)}.${resource.kind}` : '*unstructured.Unstructured'
}

/** Watch lines in the accepted form. */
export function transformWire(
  plain: WatchWire,
  kind: ServedKind,
  call: ApiCall,
  accepted: Accepted,
  now: () => number,
): WatchWire {
  if (accepted.transform === 'none') return plain
  if (accepted.transform !== 'table') {
    return {
      event: (type, version) => line(type, partial(version.object, accepted)),
      bookmark: (revision, initialEventsEnd) =>
        line('BOOKMARK', {
          kind: 'PartialObjectMetadata',
          apiVersion: `meta.k8s.io/${accepted.metaVersion}`,
          metadata: { resourceVersion: String(revision), ...(initialEventsEnd ? { annotations: initialEnd } : {}) },
        }),
      error: plain.error,
    }
  }
  let first = true
  const one = (version: Version): Record<string, unknown> => {
    const value = table({ resourceVersion: version.object.metadata.resourceVersion }, [version], kind, call, accepted, now())
    if (!first) return { ...value, columnDefinitions: null }
    first = false
    return value
  }
  return {
    event: (type, version) => line(type, one(version)),
    bookmark: (revision, initialEventsEnd) => {
      const metadata = { resourceVersion: String(revision), ...(initialEventsEnd ? { annotations: initialEnd } : {}) }
      const object = { kind: kind.resource.kind, apiVersion: kind.apiVersion, metadata }
      return line('BOOKMARK', one(new Version(revision, object as unknown as Committed)))
    },
    error: plain.error,
  }
}

const initialEnd = { 'k8s.io/initial-events-end': 'true' }

function partial(object: Committed, { metaVersion }: Accepted): Record<string, unknown> {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${metaVersion}`, metadata: object.metadata }
}

function table(
  metadata: Readonly<Record<string, unknown>>,
  versions: readonly Version[],
  kind: ServedKind,
  call: ApiCall,
  accepted: Accepted,
  nowMs: number,
): Record<string, unknown> {
  const include = readInclude(call)
  const printer = printerOf(kind)
  const rows = versions.map(({ object }) => ({
    ...printer.row(asJson(object), nowMs),
    object: include === 'None' ? null : include === 'Object' ? object : partial(object, accepted),
  }))
  return {
    kind: 'Table',
    apiVersion: `meta.k8s.io/${accepted.metaVersion}`,
    metadata: withoutEmptyToken(metadata),
    columnDefinitions: printer.columns,
    rows,
  }
}

function scaleTable(scale: Readonly<Record<string, unknown>>, { metaVersion }: Accepted, nowMs: number): Record<string, unknown> {
  const apiVersion = `meta.k8s.io/${metaVersion}`
  const { metadata } = scale
  return {
    kind: 'Table',
    apiVersion,
    metadata: { resourceVersion: isRecord(metadata) ? metadata.resourceVersion : '' },
    columnDefinitions: scaleColumns,
    rows: [{ cells: scaleCells(scale, nowMs), object: { kind: 'PartialObjectMetadata', apiVersion, metadata } }],
  }
}

/** Only untyped lists print an empty token; tables and partial lists are typed. */
function withoutEmptyToken(metadata: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const { continue: token, ...rest } = metadata
  return token === '' ? rest : metadata
}

export function readInclude(call: ApiCall): IncludeObject {
  const wish = call.query.get('includeObject') ?? ''
  if (wish === '' || wish === 'Metadata') return 'Metadata'
  if (wish === 'Object' || wish === 'None') return wish
  throw badRequest(
    `Unable to convert to Table as requested: includeObject: Invalid value: ${JSON.stringify(wish)}: must be 'Metadata', 'Object', 'None', or empty`,
  )
}
