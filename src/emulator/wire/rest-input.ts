// REST bindings (§3.3, §3.4, §3.6): labels, query, headers and payload of a request by the model, and headers of an answer.
import type { Member, Operation, ServiceModel } from '#aws'
import type { RawRequest } from '../service.ts'
import { MalformedInput } from './malformed.ts'
import { parseScalar, renderScalar } from './scalars.ts'
import { inputOf, membersOf, outputOf, shapeOf } from './shapes.ts'

type Values = Record<string, unknown>

/** `decodeBody` reads the members that are bound to the body, or the payload member, in the service's format. */
export function decodeRestInput(
  model: ServiceModel,
  operation: Operation,
  request: RawRequest & { readonly labels: Readonly<Record<string, string>> },
  decodeBody: () => Values,
): Values {
  const structure = inputOf(model, operation)
  const values = decodeBody()
  const boundQuery = new Set<string>()
  for (const [, member] of membersOf(structure)) {
    if (member.location === 'querystring' && member.locationName !== undefined) boundQuery.add(member.locationName)
  }
  for (const [name, member] of membersOf(structure)) {
    const value = bound(model, name, member, request, boundQuery)
    if (value !== undefined) values[name] = value
  }
  return values
}

function bound(
  model: ServiceModel,
  name: string,
  member: Member,
  request: RawRequest & { readonly labels: Readonly<Record<string, string>> },
  boundQuery: ReadonlySet<string>,
): unknown {
  const wireName = member.locationName ?? name
  switch (member.location) {
    case 'uri': {
      const label = request.labels[name] ?? request.labels[wireName]
      return label === undefined ? undefined : parseScalar(shapeOf(model, member.target), label, name)
    }
    case 'querystring':
      return fromQuery(model, wireName, member, request, boundQuery)
    case 'header': {
      const text = request.headers[wireName.toLowerCase()]
      return text === undefined ? undefined : fromHeader(model, member, text, name)
    }
    case 'headers': {
      const prefix = wireName.toLowerCase()
      const found = Object.entries(request.headers).filter(([header]) => header.startsWith(prefix))
      return found.length === 0
        ? undefined
        : Object.fromEntries(found.map(([header, value]) => [header.slice(prefix.length), value]))
    }
    default:
      return undefined
  }
}

function fromQuery(
  model: ServiceModel,
  key: string,
  member: Member,
  request: RawRequest,
  boundQuery: ReadonlySet<string>,
): unknown {
  const shape = shapeOf(model, member.target)
  if (shape.type === 'map') {
    // A map bound to the query takes every key that no other member is bound to.
    return Object.fromEntries([...request.query].filter(([name]) => !boundQuery.has(name)))
  }
  if (shape.type === 'list') {
    const items = request.queryAll(key)
    return items.length === 0 ? undefined : items.map(item => parseScalar(shapeOf(model, shape.member.target), item, key))
  }
  const text = request.query.get(key)
  return text === undefined ? undefined : parseScalar(shape, text, key)
}

function fromHeader(model: ServiceModel, member: Member, text: string, path: string): unknown {
  const shape = shapeOf(model, member.target)
  if (shape.type !== 'list') return parseScalar(shape, text, path)
  const itemShape = shapeOf(model, shape.member.target)
  return text.split(',').map(item => parseScalar(itemShape, item.trim(), path))
}

/** Headers and status of an answer. */
export function encodeRestHeaders(
  model: ServiceModel,
  operation: Operation,
  values: Readonly<Values>,
): { readonly headers: Record<string, string>; readonly status: number } {
  const headers: Record<string, string> = {}
  let status = operation.http.code
  for (const [name, member] of membersOf(outputOf(model, operation))) {
    const value = values[name]
    if (value === undefined || value === null || member.location === undefined) continue
    if (member.location === 'statusCode') status = value as number
    else if (member.location === 'headers') {
      for (const [key, item] of Object.entries(value as Record<string, string>))
        headers[`${(member.locationName ?? name).toLowerCase()}${key}`] = item
    } else headers[(member.locationName ?? name).toLowerCase()] = toHeader(model, member, value)
  }
  return { headers, status }
}

function toHeader(model: ServiceModel, member: Member, value: unknown): string {
  const shape = shapeOf(model, member.target)
  const form = { timestamp: 'http-date', precision: 'seconds' } as const
  if (shape.type !== 'list') return renderScalar(member, shape, value, form)
  const itemShape = shapeOf(model, shape.member.target)
  return (value as readonly unknown[]).map(item => renderScalar(shape.member, itemShape, item, form)).join(',')
}

/** The payload member's name and use, when the whole body is one member. */
export function payloadOf(
  model: ServiceModel,
  structureName: string | undefined,
): { readonly name: string; readonly member: Member } | undefined {
  if (structureName === undefined) return undefined
  const structure = shapeOf(model, structureName)
  if (structure.type !== 'structure' || structure.payload === undefined) return undefined
  const member = structure.members[structure.payload]
  if (member === undefined) throw new MalformedInput('', `payload ${structure.payload} is no member`)
  return { name: structure.payload, member }
}
