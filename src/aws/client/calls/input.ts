// What a caller gives, checked against the model before anything is sent: unknown members, missing ones and wrong types are refused
// with their path, because a service's own answer to them is either silence or a riddle. Lengths, patterns and enum values are left
// to the service: it knows newer ones than the model.
import { isRecord } from '#base'
import type { Member, ServiceModel, StructureShape } from '../../model/service-model.ts'
import type { Values } from '../wire/protocols.ts'
import { shapeOf } from '../wire/tuples.ts'

/** An input that the model does not allow. */
export class InputError extends Error {
  readonly code = 'invalid-input'
  /** Such as `Tags[0].Key`. */
  readonly path: string
  constructor(operation: string, path: string, message: string) {
    super(`${operation}${path === '' ? '' : `, ${path}`}: ${message}`)
    this.name = 'InputError'
    this.path = path
  }
}

export interface InputContext {
  readonly model: ServiceModel
  readonly operation: string
  /** Fills idempotency tokens that the caller left out; once per call, so that every try carries the same. */
  readonly newToken: () => string
}

/** The input as the protocol code wants it: times as `Date`, tokens filled in. Throws `InputError`. */
export function prepareInput(shapeName: string | undefined, input: Values, context: InputContext): Values {
  if (shapeName === undefined) {
    const [first] = Object.keys(input)
    if (first !== undefined) throw new InputError(context.operation, first, 'the operation takes no input')
    return {}
  }
  const shape = shapeOf(context.model, shapeName) as StructureShape
  const tokens: Record<string, unknown> = {}
  for (const [name, member] of Object.entries(shape.members)) {
    if (member.idempotencyToken && !isGiven(input[name])) tokens[name] = context.newToken()
  }
  return prepareStructure(shape, { ...input, ...tokens }, { ...context, path: '' })
}

interface Place extends InputContext {
  readonly path: string
}

/** Deeper than any model nests; a structure that contains itself could be given without end. */
const depthMax = 100

function prepareStructure(shape: StructureShape, value: Values, place: Place, depth = 0): Values {
  if (depth > depthMax) throw new InputError(place.operation, place.path, `nested deeper than ${depthMax} levels`)
  const prepared: Record<string, unknown> = {}
  for (const [name, given] of Object.entries(value)) {
    if (!isGiven(given)) continue
    const member = Object.hasOwn(shape.members, name) ? shape.members[name] : undefined
    const path = place.path === '' ? name : `${place.path}.${name}`
    if (member === undefined) throw new InputError(place.operation, path, unknownMember(name, shape))
    prepared[name] = prepareValue(member, given, { ...place, path }, depth)
  }
  const missing = shape.required.find(name => !isGiven(prepared[name]))
  if (missing !== undefined) {
    throw new InputError(place.operation, place.path === '' ? missing : `${place.path}.${missing}`, 'is required')
  }
  if (shape.type === 'union' && Object.keys(prepared).length !== 1) {
    throw new InputError(place.operation, place.path, `exactly one of ${Object.keys(shape.members).join(', ')} must be given`)
  }
  return prepared
}

function prepareValue(member: Member, value: unknown, place: Place, depth: number): unknown {
  const shape = shapeOf(place.model, member.target)
  switch (shape.type) {
    case 'structure':
    case 'union':
      return prepareStructure(shape, asRecord(value, place), place, depth + 1)
    case 'list': {
      if (!Array.isArray(value)) throw wrongType(place, 'a list', value)
      return value.map((item: unknown, index) => {
        const at = { ...place, path: `${place.path}[${index}]` }
        if (isGiven(item)) return prepareValue(shape.member, item, at, depth + 1)
        if (shape.sparse) return null
        throw new InputError(at.operation, at.path, 'is empty')
      })
    }
    case 'map':
      return Object.fromEntries(
        Object.entries(asRecord(value, place)).map(([key, item]) => {
          const at = { ...place, path: `${place.path}[${JSON.stringify(key)}]` }
          if (isGiven(item)) return [key, prepareValue(shape.value, item, at, depth + 1)]
          if (shape.sparse) return [key, null]
          throw new InputError(at.operation, at.path, 'is empty')
        }),
      )
    case 'timestamp':
      return asDate(value, place)
    case 'boolean':
      if (typeof value !== 'boolean') throw wrongType(place, 'true or false', value)
      return value
    case 'blob':
      if (!(value instanceof Uint8Array) && typeof value !== 'string') throw wrongType(place, 'bytes or text', value)
      return typeof value === 'string' ? Buffer.from(value, 'utf8') : value
    case 'string':
      if (member.jsonValue || shape.mediaType === 'application/json')
        return typeof value === 'string' ? value : JSON.stringify(value)
      if (typeof value !== 'string') throw wrongType(place, 'text', value)
      return value
    case 'document':
    case 'bigDecimal':
    case 'bigInteger':
      return value
    default:
      return asNumber(value, place, shape.type !== 'float' && shape.type !== 'double')
  }
}

function asRecord(value: unknown, place: Place): Values {
  if (isRecord(value)) return value
  throw wrongType(place, 'an object', value)
}

function asDate(value: unknown, place: Place): Date {
  const date =
    value instanceof Date ? value : typeof value === 'string' || typeof value === 'number' ? new Date(value) : undefined
  if (date === undefined || Number.isNaN(date.getTime())) throw wrongType(place, 'a time', value)
  return date
}

function asNumber(value: unknown, place: Place, whole: boolean): number | bigint {
  if (typeof value === 'bigint') return value
  if (typeof value !== 'number' || (whole && !Number.isSafeInteger(value))) {
    throw wrongType(place, whole ? 'a whole number' : 'a number', value)
  }
  return value
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

function wrongType({ operation, path }: Place, expected: string, value: unknown): InputError {
  const found = Array.isArray(value)
    ? 'a list'
    : value === null
      ? 'null'
      : `${typeof value === 'object' ? 'an' : 'a'} ${typeof value}`
  return new InputError(operation, path, `expected ${expected}, found ${found}`)
}

function unknownMember(name: string, { members }: StructureShape): string {
  const near = Object.keys(members).find(each => each.toLowerCase() === name.toLowerCase())
  if (near !== undefined) return `there is no such member; did you mean "${near}"?`
  const known = Object.keys(members)
  return known.length === 0 ? 'there is no such member' : `there is no such member; known are ${known.slice(0, 20).join(', ')}`
}
