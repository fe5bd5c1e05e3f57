// From method, path and query to an operation, by the URI templates of a REST service's model. Several operations of S3 share one
// template and differ by a query key or header that only one of them requires; the one whose requirements are all met, and which
// has most of them, is meant.
import type { Operation, ServiceModel } from '#aws'
import { inputOf, membersOf } from './shapes.ts'

export interface Routed {
  readonly operation: Operation
  /** Labels, percent-decoded once. */
  readonly labels: Readonly<Record<string, string>>
}

export interface Routable {
  readonly method: string
  readonly path: string
  readonly query: ReadonlyMap<string, string>
  readonly headers: Readonly<Record<string, string>>
}

export type RouteTable = readonly Route[]

interface Route {
  readonly operation: Operation
  readonly segments: readonly Segment[]
  /** Fixed query keys, with their value where one is fixed. */
  readonly literals: readonly (readonly [key: string, value: string | undefined])[]
  readonly requiredQuery: readonly string[]
  /** All query keys that the operation reads. */
  readonly known: ReadonlySet<string>
  readonly requiredHeaders: readonly string[]
}

type Segment = { readonly literal: string } | { readonly label: string; readonly greedy: boolean }

export function routeTable(model: ServiceModel): RouteTable {
  return Object.values(model.operations).map(operation => routeOf(model, operation))
}

export function routeRequest(table: RouteTable, request: Routable): Routed | undefined {
  const parts = partsOf(request.path)
  let best: { readonly route: Route; readonly labels: Readonly<Record<string, string>>; readonly score: number } | undefined
  for (const route of table) {
    if (route.operation.http.method !== request.method || !literalsHold(route, request.query)) continue
    const labels = labelsOf(route.segments, parts)
    if (labels === undefined) continue
    const score = scoreOf(route, request)
    if (best === undefined || score > best.score) best = { route, labels, score }
  }
  return best === undefined ? undefined : { operation: best.route.operation, labels: best.labels }
}

/** Whether any method knows this path: the difference between 405 and 404. */
export function pathIsKnown(table: RouteTable, request: Routable): boolean {
  const parts = partsOf(request.path)
  return table.some(route => labelsOf(route.segments, parts) !== undefined && literalsHold(route, request.query))
}

/** Keys of the query that mean something to some operation, and nothing to the one that was found. */
export function strayKeys(table: RouteTable, { operation }: Routed, query: ReadonlyMap<string, string>): readonly StrayKey[] {
  const own = table.find(route => route.operation === operation)
  return [...query]
    .filter(([key]) => own?.known.has(key) !== true && !signedKey.test(key))
    .flatMap(([key, value]): readonly StrayKey[] => {
      if (table.some(({ literals }) => literals.some(([name]) => name === key))) return [{ key, kind: 'sub-resource' }]
      if (table.some(({ known }) => known.has(key))) return [{ key, kind: 'parameter' }]
      return value === '' ? [{ key, kind: 'unknown' }] : []
    })
}

export interface StrayKey {
  readonly key: string
  /** What the query names: a sub-resource of another operation, a parameter of one, or a name without a value that no operation has. */
  readonly kind: 'sub-resource' | 'parameter' | 'unknown'
}

/** What a presigned address carries: the signature, and headers that were moved into the query; `x-id` is the SDKs' own remark. */
const signedKey = /^x-(?:amz-|id$)/i

function routeOf(model: ServiceModel, operation: Operation): Route {
  const [path, query] = operation.http.uri.split('?', 2) as [string, string | undefined]
  const input = inputOf(model, operation)
  const required = membersOf(input).filter(([name]) => input.required.includes(name))
  const literals = (query === undefined || query === '' ? [] : query.split('&'))
    .map(pair => pair.split('=', 2) as [string, string | undefined])
    .filter(([key]) => key !== 'x-id')
  const parameters = membersOf(input).filter(([, member]) => member.location === 'querystring')
  return {
    operation,
    segments: partsOf(path).map(segmentOf),
    literals,
    known: new Set([...literals.map(([key]) => key), ...parameters.map(([name, member]) => member.locationName ?? name)]),
    requiredQuery: required
      .filter(([, member]) => member.location === 'querystring')
      .map(([name, member]) => member.locationName ?? name),
    requiredHeaders: required
      .filter(([, member]) => member.location === 'header')
      .map(([name, member]) => (member.locationName ?? name).toLowerCase()),
  }
}

function segmentOf(text: string): Segment {
  const label = /^\{(.+?)(\+?)\}$/.exec(text)
  return label === null ? { literal: text } : { label: label[1] ?? '', greedy: label[2] === '+' }
}

/** A trailing slash is optional in templates and requests, except that it belongs to a greedy label. */
function partsOf(path: string): readonly string[] {
  return path.split('/').slice(1)
}

function labelsOf(segments: readonly Segment[], parts: readonly string[]): Readonly<Record<string, string>> | undefined {
  const labels: Record<string, string> = {}
  const wanted = trimmed(segments, segment => 'literal' in segment && segment.literal === '')
  for (const [index, segment] of wanted.entries()) {
    const part = parts[index]
    if (part === undefined) return undefined
    if ('literal' in segment) {
      if (part !== segment.literal) return undefined
    } else if (segment.greedy) {
      const rest = parts.slice(index).join('/')
      if (rest === '') return undefined
      labels[segment.label] = decodedLabel(rest)
      return labels
    } else {
      if (part === '') return undefined
      labels[segment.label] = decodedLabel(part)
    }
  }
  return trimmed(parts, part => part === '').length > wanted.length ? undefined : labels
}

/** Without one empty part at the end. */
function trimmed<T>(parts: readonly T[], isEmpty: (part: T) => boolean): readonly T[] {
  const last = parts.at(-1)
  return last !== undefined && isEmpty(last) ? parts.slice(0, -1) : parts
}

function decodedLabel(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

function literalsHold(route: Route, query: ReadonlyMap<string, string>): boolean {
  return route.literals.every(([key, value]) => query.has(key) && (value === undefined || query.get(key) === value))
}

function scoreOf(route: Route, request: Routable): number {
  const met =
    route.requiredQuery.filter(key => request.query.has(key)).length +
    route.requiredHeaders.filter(name => request.headers[name] !== undefined).length
  const missing = route.requiredQuery.length + route.requiredHeaders.length - met
  const literalSegments = route.segments.filter(segment => 'literal' in segment).length
  return (missing === 0 ? 10_000 : -10_000 * missing) + route.literals.length * 100 + met * 10 + literalSegments
}
