// Protobuf bodies of built-in kinds into JSON: the envelope, then the kind's message by its table. What comes out goes the way of every
// JSON body, so what this does not check is checked there.
import {
  type Json,
  type JsonObject,
  type ListType,
  type MapType,
  type StructType,
  schemaNameOf,
  setKey,
  type TypeNode,
  typeNamed,
  type WireMessage,
  wireMessage,
} from '#schema'
import { decodeLeafMessage } from './leaves.ts'
import { bytesOf, eachField, integerOf, ProtobufError, textOf, type WireValue } from './reader.ts'
import type { ProtobufResult } from './types.ts'

const magic = [0x6b, 0x38, 0x73, 0x00]

/** Deeper than any kind's structure; only schemas of definitions nest freely. */
const depthMax = 150

export function decodeProtobuf(body: Uint8Array): ProtobufResult {
  if (magic.some((byte, index) => body[index] !== byte)) {
    return { kind: 'refused', message: 'provided data does not appear to be a protobuf message, expected prefix [107 56 115 0]' }
  }
  try {
    return decodeEnvelope(body.subarray(4))
  } catch (error) {
    if (error instanceof ProtobufError) return { kind: 'refused', message: error.message }
    throw error
  }
}

function decodeEnvelope(bytes: Uint8Array): ProtobufResult {
  let apiVersion = ''
  let kind = ''
  let raw: Uint8Array = new Uint8Array()
  eachField(bytes, (number, value) => {
    if (number === 2) raw = bytesOf(value)
    if (number !== 1) return
    eachField(bytesOf(value), (inner, text) => {
      if (inner === 1) apiVersion = textOf(text)
      if (inner === 2) kind = textOf(text)
    })
  })
  const type = typeOfKind(apiVersion, kind)
  if (type === undefined) {
    return {
      kind: 'refused',
      message: `no kind "${kind}" is registered for version "${apiVersion}" in scheme "pkg/api/legacyscheme/scheme.go:30"`,
    }
  }
  return { kind: 'decoded', object: { apiVersion, kind, ...decodeStruct(type, raw, 0) } }
}

const sharedKinds: Readonly<Record<string, string>> = {
  DeleteOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions',
  CreateOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.CreateOptions',
  UpdateOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.UpdateOptions',
  PatchOptions: 'io.k8s.apimachinery.pkg.apis.meta.v1.PatchOptions',
}

function typeOfKind(apiVersion: string, kind: string): StructType | undefined {
  const slash = apiVersion.indexOf('/')
  const [group, version] = slash < 0 ? ['', apiVersion] : [apiVersion.slice(0, slash), apiVersion.slice(slash + 1)]
  const name = (Object.hasOwn(sharedKinds, kind) ? sharedKinds[kind] : undefined) ?? schemaNameOf(group, version, kind)
  const type = name === undefined ? undefined : typeNamed(name)
  return type?.kind === 'struct' ? type : undefined
}

function decodeStruct(type: StructType, bytes: Uint8Array, depth: number): JsonObject {
  if (depth > depthMax) throw new ProtobufError('the message nests too deeply')
  const out: Record<string, Json> = {}
  readInto({ out, type, depth }, wireMessage(type.schema), bytes)
  return out
}

interface Target {
  readonly out: Record<string, Json>
  readonly type: StructType
  readonly depth: number
}

/** Messages that JSON shows in place are read into the same object. */
function readInto(target: Target, message: WireMessage, bytes: Uint8Array): void {
  eachField(bytes, (number, value) => {
    const entry = message.byNumber.get(number)
    if (entry === undefined) return
    if ('inline' in entry) readInto(target, entry.inline, bytesOf(value))
    else readField(target, entry.name, value, message)
  })
}

function readField(target: Target, name: string, value: WireValue, message: WireMessage): void {
  const { out, type, depth } = target
  const field = type.fields[name]
  if (field === undefined) return
  const { type: fieldType } = field
  if (fieldType.kind === 'list') appendItem(out, name, fieldType, value, depth)
  else if (fieldType.kind === 'map') addEntry(out, name, fieldType, value, depth)
  else {
    const decoded = decodeValue(fieldType, value, depth)
    // Plain scalars are always on the wire, so that their zero says nothing.
    const absent = decoded === undefined || (message.byName.get(name)?.pointer === false && isZero(decoded))
    if (!absent) setKey(out, name, decoded)
  }
}

function isZero(value: Json): boolean {
  return value === '' || value === 0 || value === false
}

function appendItem(out: Record<string, Json>, name: string, type: ListType, value: WireValue, depth: number): void {
  const list = (out[name] ?? []) as Json[]
  if (value.kind === 'bytes' && isPacked(type.items)) {
    // Repeated numbers may come packed into one field.
    for (const item of unpack(value.value)) list.push(decodeValue(type.items, item, depth) ?? null)
  } else list.push(decodeValue(type.items, value, depth) ?? null)
  out[name] = list
}

function isPacked(type: TypeNode): boolean {
  return type.kind === 'int32' || type.kind === 'int64' || type.kind === 'boolean'
}

function unpack(bytes: Uint8Array): WireValue[] {
  const values: WireValue[] = []
  let value = 0n
  let shift = 0n
  for (const byte of bytes) {
    value |= BigInt(byte & 0x7f) << shift
    shift += 7n
    if (byte >= 0x80) continue
    values.push({ kind: 'varint', value: BigInt.asIntN(64, value) })
    value = 0n
    shift = 0n
  }
  return values
}

function addEntry(out: Record<string, Json>, name: string, type: MapType, value: WireValue, depth: number): void {
  const map = (out[name] ?? {}) as Record<string, Json>
  let key = ''
  let item: Json | undefined
  eachField(bytesOf(value), (number, part) => {
    if (number === 1) key = textOf(part)
    if (number === 2)
      item = type.values.kind === 'list' ? decodeListMessage(type.values, part, depth) : decodeValue(type.values, part, depth)
  })
  setKey(map, key, item ?? zeroEntry(type.values))
  out[name] = map
}

function zeroEntry(type: TypeNode): Json {
  if (type.kind === 'list') return []
  return type.kind === 'struct' ? {} : ''
}

/** A list as a map's value is a message of its own around the items. */
function decodeListMessage(type: ListType, value: WireValue, depth: number): Json {
  const items: Json[] = []
  eachField(bytesOf(value), (number, part) => {
    if (number === 1) items.push(decodeValue(type.items, part, depth) ?? null)
  })
  return items
}

/** Undefined: null on the wire. */
function decodeValue(type: TypeNode, value: WireValue, depth: number): Json | undefined {
  switch (type.kind) {
    case 'struct':
      return decodeStruct(type, bytesOf(value), depth + 1)
    case 'string':
      return textOf(value)
    case 'boolean':
      return integerOf(value) !== 0
    case 'int32':
    case 'int64':
      return integerOf(value)
    case 'bytes':
      return Buffer.from(bytesOf(value)).toString('base64')
    case 'schema-or-list':
    case 'schema-or-truth':
      return decodeSchemaOrOther(bytesOf(value), depth + 1)
    case 'number':
      return value.kind === 'double' ? value.value : integerOf(value)
    case 'list':
    case 'map':
      throw new ProtobufError('a list or a map stands where one value should')
    default:
      return decodeLeafMessage(type.kind, bytesOf(value))
  }
}

/** A schema, a list of schemas, or yes and no, in the one message that stands for all three. */
function decodeSchemaOrOther(bytes: Uint8Array, depth: number): Json | undefined {
  const props = typeNamed('io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps') as StructType
  let result: Json | undefined
  let allows = false
  const list: Json[] = []
  eachField(bytes, (number, value) => {
    if (value.kind === 'varint') allows = value.value !== 0n
    else if (number === 1) result = decodeStruct(props, bytesOf(value), depth)
    else if (number === 2) list.push(decodeStruct(props, bytesOf(value), depth))
  })
  if (result !== undefined) return result
  // `items` with a list and `additionalProperties` with a schema share field 2; a definition that is served has one schema there.
  return list.length > 0 ? (list[0] as Json) : allows
}
