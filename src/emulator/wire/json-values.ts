// JSON bodies (JSON 1.1 and REST-JSON) by the model, both ways. Timestamps are epoch seconds on the wire, with a fraction.
import type { Member, ServiceModel, StructureShape } from '#aws'
import { MalformedInput } from './malformed.ts'
import { membersOf, shapeOf } from './shapes.ts'
import { parseTimestamp, renderTimestamp } from './timestamps.ts'

type Values = Record<string, unknown>

export function decodeJsonStructure(model: ServiceModel, structure: StructureShape, source: unknown, path = ''): Values {
  if (source === null || typeof source !== 'object' || Array.isArray(source))
    throw new MalformedInput(path, 'an object is expected')
  const values: Values = {}
  for (const [name, member] of membersOf(structure)) {
    const wire = Object.hasOwn(source, member.locationName ?? name) ? (source as Values)[member.locationName ?? name] : undefined
    if (wire !== undefined && wire !== null)
      values[name] = decodeJsonValue(model, member, wire, path === '' ? name : `${path}.${name}`)
  }
  return values
}

export function decodeJsonValue(model: ServiceModel, member: Member, wire: unknown, path: string): unknown {
  const shape = shapeOf(model, member.target)
  switch (shape.type) {
    case 'structure':
    case 'union':
      return decodeJsonStructure(model, shape, wire, path)
    case 'list':
      if (!Array.isArray(wire)) throw new MalformedInput(path, 'a list is expected')
      return wire.map((item, index) => decodeJsonValue(model, shape.member, item, `${path}.${index + 1}.member`))
    case 'map':
      if (wire === null || typeof wire !== 'object' || Array.isArray(wire))
        throw new MalformedInput(path, 'an object is expected')
      return Object.fromEntries(
        Object.entries(wire).map(([key, value]) => [
          key,
          value === null ? value : decodeJsonValue(model, shape.value, value, `${path}.${key}`),
        ]),
      )
    case 'string':
      return expectType(wire, 'string', path)
    case 'boolean':
      return expectType(wire, 'boolean', path)
    case 'blob':
      return new Uint8Array(Buffer.from(expectType(wire, 'string', path) as string, 'base64'))
    case 'timestamp': {
      const at = typeof wire === 'number' ? Math.round(wire * 1_000) : typeof wire === 'string' ? parseTimestamp(wire) : undefined
      if (at === undefined) throw new MalformedInput(path, 'a timestamp is expected')
      return at
    }
    case 'document':
      return wire
    default:
      if (typeof wire === 'string' && /^-?Infinity$|^NaN$/.test(wire)) return Number(wire)
      return expectType(wire, 'number', path)
  }
}

/** Members that are `undefined` or `null` are left out. */
export function encodeJsonStructure(model: ServiceModel, structure: StructureShape, values: Readonly<Values>): Values {
  const wire: Values = {}
  for (const [name, member] of membersOf(structure)) {
    const value = values[name]
    if (member.location === undefined && value !== undefined && value !== null) {
      wire[member.locationName ?? name] = encodeJsonValue(model, member, value)
    }
  }
  return wire
}

export function encodeJsonValue(model: ServiceModel, member: Member, value: unknown): unknown {
  const shape = shapeOf(model, member.target)
  switch (shape.type) {
    case 'structure':
    case 'union':
      return encodeJsonStructure(model, shape, value as Values)
    case 'list':
      return (value as readonly unknown[]).map(item => encodeJsonValue(model, shape.member, item))
    case 'map':
      return Object.fromEntries(
        Object.entries(value as Values).map(([key, item]) => [key, encodeJsonValue(model, shape.value, item)]),
      )
    case 'blob':
      return Buffer.from(value as Uint8Array).toString('base64')
    case 'timestamp': {
      const format = member.timestampFormat ?? shape.format ?? 'epoch-seconds'
      return format === 'epoch-seconds' ? (value as number) / 1_000 : renderTimestamp(value as number, format, 'millis')
    }
    case 'float':
    case 'double':
      return Number.isFinite(value) ? value : String(value)
    default:
      return value
  }
}

function expectType(wire: unknown, type: 'string' | 'boolean' | 'number', path: string): unknown {
  if (typeof wire !== type) throw new MalformedInput(path, `a ${type} is expected`)
  return wire
}
