// Values of manifests to values of calls and back. Both sides are known: what a field is by the kind, what a member is by the API model.
// A structure's members are matched by name, so that one field may be read from a shape that is spelled another way.
import type { Member, ModelType, ResourceField, ResourceService, Shape } from '#aws'
import { renderTime } from '#kube'
import { structureFields } from './kind-model.ts'
import { propertyNamed } from './names.ts'

/** A value in a manifest that no call can carry. */
export class ValueError extends Error {
  readonly path: string
  constructor(path: string, message: string) {
    super(`${path}: ${message}`)
    this.name = 'ValueError'
    this.path = path
  }
}

interface Place {
  readonly service: ResourceService
  readonly type: ModelType
  readonly member: Member
  readonly path: string
}

/** A field's value as the member takes it. Throws `ValueError`. */
export function toWire(value: unknown, { service, type, member, path }: Place): unknown {
  const shape = service.model.shapes[member.target] as Shape
  switch (type.kind) {
    case 'structure':
      return structureToWire(value, { service, type, member, path })
    case 'list': {
      if (!Array.isArray(value)) throw new ValueError(path, 'is no list')
      if (shape.type !== 'list') return undefined
      const { element } = type
      return value.map((item, index) => toWire(item, { service, type: element, member: shape.member, path: `${path}[${index}]` }))
    }
    case 'map': {
      if (shape.type !== 'map') return isRecord(value) ? value : undefined
      const { value: of } = type
      return mapRecord(value, (item, key) => toWire(item, { service, type: of, member: shape.value, path: `${path}[${key}]` }))
    }
    case 'blob':
      return Buffer.from(String(value), 'base64')
    case 'integer':
      return integerToWire(value, shape, path)
    case 'string':
      return shape.type === 'blob' ? Buffer.from(String(value), 'utf8') : value
    default:
      return value
  }
}

function structureToWire(value: unknown, { service, type, member, path }: Place): unknown {
  const shape = service.model.shapes[member.target] as Shape
  if (!isRecord(value)) throw new ValueError(path, 'is no object')
  if ((shape.type !== 'structure' && shape.type !== 'union') || type.kind !== 'structure') return undefined
  const made: Record<string, unknown> = {}
  for (const field of structureFields(service, type.shape)) {
    const given = value[field.json]
    if (given === undefined || given === null || isReferenceField(field)) continue
    const target = propertyNamed(shape.members, field.wire ?? field.member)
    if (target === undefined) continue
    const at = { service, type: field.type, member: target.value, path: `${path}.${field.json}` }
    made[target.name] = toWire(given, at)
  }
  if (shape.type === 'union' && Object.keys(made).length > 1)
    throw new ValueError(path, `at most one of ${Object.keys(made).join(', ')} may be set`)
  return made
}

const int32Max = 2 ** 31 - 1

function integerToWire(value: unknown, shape: Shape, path: string): unknown {
  if (shape.type === 'string') return String(value)
  const isLong = shape.type === 'long' || shape.type === 'bigInteger'
  if (!isLong && typeof value === 'number' && (value > int32Max || value < -int32Max - 1))
    throw new ValueError(path, 'does not fit into 32 bits')
  return value
}

/** A member's value as the field shows it; `undefined` when there is none. Empty texts of enums are none. */
export function fromWire(value: unknown, { service, type, member }: Omit<Place, 'path'>): unknown {
  if (value === undefined || value === null) return undefined
  const shape = service.model.shapes[member.target] as Shape
  switch (type.kind) {
    case 'structure':
      return structureFromWire(value, { service, type, member })
    case 'list': {
      const { element } = type
      if (!Array.isArray(value) || shape.type !== 'list') return undefined
      return value.map(item => fromWire(item, { service, type: element, member: shape.member }))
    }
    case 'map': {
      const { value: of } = type
      if (shape.type !== 'map') return isRecord(value) ? value : undefined
      return mapRecord(value, item => fromWire(item, { service, type: of, member: shape.value }))
    }
    case 'timestamp':
      return value instanceof Date ? renderTime(value.getTime()) : value
    case 'blob':
      return value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value
    case 'integer':
    case 'number':
      return typeof value === 'bigint' ? Number(value) : value
    case 'string':
      return textFromWire(value, shape)
    default:
      return value
  }
}

function textFromWire(value: unknown, shape: Shape): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8')
  if (value instanceof Date) return renderTime(value.getTime())
  if (value === '' && shape.type === 'string' && shape.enum !== undefined) return undefined
  return typeof value === 'object' ? undefined : textOf(value)
}

function structureFromWire(value: unknown, { service, type, member }: Omit<Place, 'path'>): unknown {
  const shape = service.model.shapes[member.target] as Shape
  if (!isRecord(value) || type.kind !== 'structure') return undefined
  if (shape.type !== 'structure' && shape.type !== 'union') return undefined
  const made: Record<string, unknown> = {}
  for (const field of structureFields(service, type.shape)) {
    if (isReferenceField(field)) continue
    const source = propertyNamed(shape.members, field.wire ?? field.member)
    if (source === undefined) continue
    const found = fromWire(value[source.name], { service, type: field.type, member: source.value })
    if (found !== undefined) made[field.json] = found
  }
  return made
}

/** Scalars as they are written, everything else as JSON. */
export function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return typeof value === 'bigint' ? value.toString() : (JSON.stringify(value) ?? '')
}

export function isReferenceField({ type }: ResourceField): boolean {
  return type.kind === 'reference' || (type.kind === 'list' && type.element.kind === 'reference')
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** What an object holds under a name that somebody else chose; what every object inherits is nothing that it holds. */
export function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}

/** A JSON object; `undefined` for any other text. */
export function parseRecord(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    return isRecord(parsed) ? parsed : undefined
  } catch {
    return undefined
  }
}

function mapRecord(value: unknown, convert: (item: unknown, key: string) => unknown): unknown {
  if (!isRecord(value)) return undefined
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, convert(item, key)]))
}
