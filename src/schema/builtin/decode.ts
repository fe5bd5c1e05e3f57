// Takes a JSON body to the form in which a built-in kind is stored: unknown fields gone and reported, nulls and meaningless zeros gone,
// plain structures present. A real server gets there by decoding into its own types and printing them again, so a value that such a
// type cannot hold is refused here, with the words of that decoder.
import { NumberText } from '#base'
import { isList, isObject, type Json, type JsonObject, setKey } from '../json.ts'
import type { DecodedObject, DecodeOptions } from '../kind-schema.ts'
import { keptQuantity } from '../quantity.ts'
import { type ReadTime, readMicroTime, readTime } from './times.ts'
import { type LeafType, type ListType, type MapType, type StructType, type TypeField, type TypeNode, typeNamed } from './types.ts'

export function decodeAs(type: StructType, object: JsonObject, { hasNumberTexts = false }: DecodeOptions = {}): DecodedObject {
  const state: DecodeState = { unknown: [], path: [], owner: type, hasNumberTexts }
  try {
    const decoded = decodeStruct(type, object, '', state, { apiVersion: object.apiVersion, kind: object.kind })
    return { object: decoded, unknown: state.unknown }
  } catch (error) {
    if (error instanceof Malformed)
      return { object, unknown: state.unknown, malformed: error.message, ...(error.wanted && { wanted: error.wanted }) }
    throw error
  }
}

/** More than these are not reported; a hostile body could hold a million. */
const unknownMax = 100

interface DecodeState {
  readonly unknown: string[]
  /** JSON names from the root, without indices: for the decoder's messages. */
  readonly path: string[]
  owner: StructType
  /** Where what is read by itself stands. */
  readonly place?: string
  readonly hasNumberTexts: boolean
}

class Malformed extends Error {
  /** Of which kind the type was that the value does not fit. */
  readonly wanted: TypeNode['kind'] | undefined
  constructor(message: string, wanted?: TypeNode['kind']) {
    super(message)
    this.wanted = wanted
  }
}

function decodeStruct(
  type: StructType,
  object: JsonObject,
  at: string,
  state: DecodeState,
  root?: { apiVersion: Json | undefined; kind: Json | undefined },
): JsonObject {
  const out: Record<string, Json> = {}
  const { fields } = type
  const { owner } = state
  for (const key of Object.keys(object)) {
    const field = fields[key]
    if (field === undefined) {
      if (state.unknown.length < unknownMax) state.unknown.push(at + key)
      continue
    }
    const value = object[key] as Json
    if (root !== undefined && (key === 'apiVersion' || key === 'kind')) {
      setKey(out, key, value)
      continue
    }
    if (value === null) continue
    state.path.push(key)
    state.owner = type
    const decoded = decodeValue(field.type, value, at + key, state)
    state.path.pop()
    state.owner = owner
    if (!(field.zeroIsAbsent && isZero(field.type, decoded))) setKey(out, key, decoded)
  }
  fillZeros(fields, out)
  return out
}

function isZero(type: TypeNode, value: Json): boolean {
  // What is left open is kept as it was written.
  if (type.kind === 'any') return false
  if (value === '' || value === 0 || value === false) return true
  if (isList(value)) return value.length === 0
  return type.kind === 'map' && Object.keys(value as JsonObject).length === 0
}

/** The always-written fields of each struct type, so that objects need no walk over all fields. */
const written = new WeakMap<Readonly<Record<string, TypeField>>, readonly (readonly [string, TypeField])[]>()

function fillZeros(fields: Readonly<Record<string, TypeField>>, out: Record<string, Json>): void {
  let always = written.get(fields)
  if (always === undefined) {
    always = Object.entries(fields).filter(([, field]) => field.zero !== undefined)
    written.set(fields, always)
  }
  for (const [key, field] of always) {
    if (out[key] !== undefined) continue
    if (field.zero === 'struct') out[key] = zeroStruct(field.type as StructType)
    else out[key] = field.zero === 'null' ? null : (field.zero as Json)
  }
}

/** A plain structure as it is written when nothing in it is set. */
export function zeroStruct(type: StructType): JsonObject {
  const out: Record<string, Json> = {}
  fillZeros(type.fields, out)
  return out
}

function decodeValue(type: TypeNode, value: Json, at: string, state: DecodeState): Json {
  if (state.hasNumberTexts && value instanceof NumberText) return decodeNumberText(type, value, at, state)
  switch (type.kind) {
    case 'struct':
      if (!isObject(value)) throw mismatch(value, state, type)
      return decodeStruct(type, value, `${at}.`, state)
    case 'map':
      return decodeMap(type, value, at, state)
    case 'list':
      return decodeList(type, value, at, state)
    case 'any':
      return state.hasNumberTexts ? withNumbers(value) : value
    case 'schema-or-list':
    case 'schema-or-truth':
      return decodeSchemaOr(type.kind, value, at, state)
    default:
      return decodeLeaf(type, value, state)
  }
}

/** A whole number is one by its text, as there: neither `80.0` nor `8e1` is. Where any number will do, this one is its value. */
function decodeNumberText(type: TypeNode, number: NumberText, at: string, state: DecodeState): Json {
  switch (type.kind) {
    case 'int32':
    case 'int64':
      throw mismatch(number, state, type)
    case 'int-or-string':
      throw mismatch(number, state, type, 'int32')
    case 'quantity':
      return decodeQuantity(number.text, 9)
    case 'any':
    case 'schema-or-list':
    case 'schema-or-truth':
      return withNumbers(number)
    default:
      if (!Number.isFinite(number.value)) throw mismatch(number, state, type, 'float64')
      return decodeValue(type, number.value, at, state)
  }
}

/** What a kind leaves open holds plain numbers. */
function withNumbers(value: Json | NumberText): Json {
  if (value instanceof NumberText) {
    if (Number.isFinite(value.value)) return value.value
    // What is left open is read by itself, and knows no field around it.
    throw new Malformed(`json: cannot unmarshal number ${value.text} into Go value of type float64`)
  }
  if (isList(value)) return value.map(item => withNumbers(item))
  if (!isObject(value)) return value
  const out: Record<string, Json> = {}
  for (const [key, item] of Object.entries(value)) setKey(out, key, withNumbers(item))
  return out
}

/** Read by itself there: what is wrong within is told of the field that holds it, and what nobody knows is not told. */
function decodeSchemaOr(kind: 'schema-or-list' | 'schema-or-truth', value: Json, at: string, state: DecodeState): Json {
  const within: DecodeState = { ...state, unknown: [], place: placeOf(state) }
  if (isObject(value)) return decodeStruct(schemaProps(), value, `${at}.`, within)
  if (kind === 'schema-or-truth' && typeof value !== 'boolean') throw new Malformed('boolean or JSON schema expected')
  return kind === 'schema-or-list' && isList(value) ? decodeList(schemaList, value, at, within) : value
}

const schemaList: ListType = {
  kind: 'list',
  get items() {
    return schemaProps()
  },
  how: 'atomic',
  keys: [],
}

function schemaProps(): StructType {
  return typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps') as StructType
}

function decodeMap(type: MapType, value: Json, at: string, state: DecodeState): Json {
  if (!isObject(value)) throw mismatch(value, state, type)
  const { values } = type
  const out: Record<string, Json> = {}
  for (const key of Object.keys(value)) {
    const item = value[key] as Json
    setKey(out, key, item === null ? zeroOfType(values) : decodeEntry(values, item, `${at}.${key}`, state))
  }
  return out
}

/** Lists of resources know nothing finer than a thousandth. */
function decodeEntry(values: TypeNode, item: Json, at: string, state: DecodeState): Json {
  return values.kind === 'quantity' ? decodeQuantity(item, 3) : decodeValue(values, item, at, state)
}

function decodeList(type: ListType, value: Json, at: string, state: DecodeState): Json {
  if (!isList(value)) throw mismatch(value, state, type)
  const { items } = type
  return value.map((item, index) => (item === null ? zeroOfType(items) : decodeValue(items, item, `${at}[${index}]`, state)))
}

function zeroOfType(type: TypeNode): Json {
  if (type.kind === 'struct') return zeroStruct(type)
  if (type.kind === 'string') return ''
  if (type.kind === 'quantity') return '0'
  if (type.kind === 'int32' || type.kind === 'int64' || type.kind === 'number') return 0
  return type.kind === 'boolean' ? false : null
}

function decodeLeaf(type: LeafType, value: Json, state: DecodeState): Json {
  const { kind } = type
  switch (kind) {
    case 'string':
      if (typeof value !== 'string') throw mismatch(value, state, type)
      return value
    case 'boolean':
      if (typeof value !== 'boolean') throw mismatch(value, state, type)
      return value
    case 'number':
      if (typeof value !== 'number' && typeof value !== 'bigint') throw mismatch(value, state, type)
      return value
    case 'int32':
    case 'int64':
      return decodeInteger(type, value, state, kind)
    case 'int-or-string':
      if (typeof value === 'string') return value
      return decodeInteger(type, value, state, 'int32')
    case 'quantity':
      return decodeQuantity(value, 9)
    case 'time':
      return decodeTime(type, value, state, readTime)
    case 'micro-time':
      return decodeTime(type, value, state, readMicroTime)
    default:
      return decodeBytes(type, value, state)
  }
}

const limits = { int32: 2 ** 31, int64: 2 ** 63 }

function decodeInteger(type: LeafType, value: Json, state: DecodeState, kind: 'int32' | 'int64'): Json {
  if (typeof value !== 'number' && typeof value !== 'bigint') throw mismatch(value, state, type, kind)
  if (typeof value === 'number' && !Number.isInteger(value)) throw mismatch(value, state, type, kind)
  if (value < -limits[kind] || value >= limits[kind]) throw mismatch(value, state, type, kind)
  return value
}

function decodeQuantity(value: Json | NumberText, finest: 3 | 9): Json {
  const text = value instanceof NumberText ? value.text : typeof value === 'number' ? String(value) : value
  const kept = typeof text === 'string' || typeof text === 'bigint' ? keptQuantity(String(text), finest) : undefined
  if (kept === undefined) {
    throw new Malformed("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
  }
  return kept
}

function decodeTime(type: LeafType, value: Json, state: DecodeState, readAs: (text: string) => ReadTime): Json {
  if (typeof value !== 'string') throw mismatch(value, state, type, 'string')
  const read = readAs(value)
  if ('problem' in read) throw new Malformed(read.problem)
  return read.time
}

function decodeBytes(type: LeafType, value: Json, state: DecodeState): Json {
  if (typeof value !== 'string') throw mismatch(value, state, type)
  const compact = value.replaceAll(/[\r\n]/g, '')
  if (compact.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(compact))
    throw new Malformed(`illegal base64 data at input byte ${badByte(value)}`)
  return compact
}

function badByte(value: string): number {
  const at = value.search(/[^A-Za-z0-9+/\r\n]/)
  return at < 0 ? Math.floor(value.length / 4) * 4 : at
}

function mismatch(value: Json | NumberText, state: DecodeState, type: TypeNode, wanted: string = goType(type)): Malformed {
  const what = jsonKind(value, wanted)
  return new Malformed(`json: cannot unmarshal ${what} into Go struct field ${placeOf(state)} of type ${wanted}`, type.kind)
}

function placeOf({ place, owner, path }: DecodeState): string {
  return place ?? `${owner.name}.${path.join('.')}`
}

function jsonKind(value: Json | NumberText, wanted: string): string {
  if (value instanceof NumberText) return toldToNumbers(value.text, wanted)
  if (isList(value)) return 'array'
  if (typeof value === 'object') return 'object'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  return toldToNumbers(String(value), wanted)
}

/** A number is told only to who wanted another number. */
function toldToNumbers(text: string, wanted: string): string {
  return /^(?:int|float)/.test(wanted) ? `number ${text}` : 'number'
}

function goType(type: TypeNode): string {
  if (type.kind !== 'struct' && type.goName !== undefined) return type.goName
  switch (type.kind) {
    case 'struct':
      return `${packageOf(type)}.${type.name}`
    case 'map':
      return `map[string]${goType(type.values)}`
    case 'list':
      return `[]${goType(type.items)}`
    case 'boolean':
      return 'bool'
    case 'number':
      return 'float64'
    case 'bytes':
      return '[]uint8'
    case 'quantity':
      return 'resource.Quantity'
    default:
      return type.kind
  }
}

function packageOf(type: StructType): string {
  const parts = type.schema.split('.')
  return parts[parts.length - 2] ?? 'v1'
}
