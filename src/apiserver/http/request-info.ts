// What a request is about, from its method and path alone: the attributes that authorisation, admission, faults and the audit see.
import type { Query } from './query.ts'

export interface ResourceRequest {
  readonly kind: 'resource'
  readonly verb: string
  readonly path: string
  readonly group: string
  readonly version: string
  readonly namespace: string
  readonly resource: string
  readonly subresource: string
  readonly name: string
  /** The name that authorisation sees: also the one that a list's field selector pins. */
  readonly pinnedName: string
  /** Path segments past the subresource: none of ours has any. */
  readonly rest: readonly string[]
}

export interface PathRequest {
  readonly kind: 'path'
  readonly verb: string
  readonly path: string
}

export type RequestInfo = ResourceRequest | PathRequest

export function classify(method: string, path: string, query: Query): RequestInfo {
  const segments = segmentsOf(path)
  const [prefix] = segments
  const isCore = prefix === 'api'
  if (segments.length < 3 || (!isCore && prefix !== 'apis') || (!isCore && segments.length < 4)) {
    return { kind: 'path', verb: method.toLowerCase(), path }
  }
  const group = isCore ? '' : (segments[1] ?? '')
  const version = segments[isCore ? 1 : 2] ?? ''
  let rest = segments.slice(isCore ? 2 : 3)
  let verb = ''
  if ((rest[0] === 'watch' || rest[0] === 'proxy') && rest.length > 1) {
    verb = rest[0]
    rest = rest.slice(1)
  }
  const scoped = takeNamespace(rest)
  const [resource = '', name = '', subresource = ''] = scoped.parts
  return {
    kind: 'resource',
    verb: verb || verbOf(method, name, query),
    path,
    group,
    version,
    namespace: scoped.namespace,
    resource,
    subresource,
    name,
    pinnedName: name || nameFromSelector(method, resource, query),
    rest: scoped.parts.slice(3),
  }
}

/** `namespaces/x` is a scope, unless the namespace itself is the target. */
function takeNamespace(parts: readonly string[]): { namespace: string; parts: readonly string[] } {
  if (parts[0] !== 'namespaces' || parts.length < 2) return { namespace: '', parts }
  const namespace = parts[1] ?? ''
  if (parts.length === 2) return { namespace, parts }
  if (parts.length === 3 && (parts[2] === 'status' || parts[2] === 'finalize')) return { namespace, parts }
  return { namespace, parts: parts.slice(2) }
}

function verbOf(method: string, name: string, query: Query): string {
  switch (method) {
    case 'POST':
      return 'create'
    case 'GET':
    case 'HEAD':
      if (name !== '') return 'get'
      return query.flag('watch') ? 'watch' : 'list'
    case 'PUT':
      return 'update'
    case 'PATCH':
      return 'patch'
    case 'DELETE':
      return name === '' ? 'deletecollection' : 'delete'
    default:
      return method.toLowerCase()
  }
}

/** A list that pins one name is authorised like a get of that name. */
function nameFromSelector(method: string, resource: string, query: Query): string {
  if (method !== 'GET' || resource === '') return ''
  const selector = query.get('fieldSelector')
  if (selector === undefined || !selector.includes('metadata.name')) return ''
  return /(?:^|,)metadata\.name==?([^,=!]+)(?:,|$)/.exec(selector)?.[1] ?? ''
}

function segmentsOf(path: string): string[] {
  const segments: string[] = []
  for (const segment of path.split('/')) if (segment !== '') segments.push(decodeSegment(segment))
  return segments
}

function decodeSegment(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
