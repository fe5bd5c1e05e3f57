// Values of a schema as rules see them: looked at only as far as a rule looks.

import { parseDuration } from '../cel/library/duration.ts'
import { parseTimestamp } from '../cel/library/time.ts'
import type { CelType } from '../cel/types.ts'
import { CelBytes, CelDuration, CelList, type CelMap, type CelObject, CelTimestamp, type CelValue } from '../cel/values.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'
import { escapeName, metadataType, unescapeName } from './schema-type.ts'

export function toCel(node: SchemaNode, value: Json, isResource: boolean): CelValue {
  if (value === null || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (typeof value === 'number') return node.type === 'number' || !Number.isInteger(value) ? value : BigInt(value)
  if (typeof value === 'string') return node.intOrString ? value : textValue(node, value)
  if (isList(value))
    return new CelList(
      value.map(item => itemValue(node, item)),
      howOf(node),
      node.listKeys.map(key => escapeName(key) ?? key),
    )
  const object = value as JsonObject
  return node.additional !== undefined && node.properties === undefined
    ? new JsonMap(node.additional, object)
    : new JsonFields(node, object, isResource)
}

function itemValue(node: SchemaNode, item: Json): CelValue {
  return node.items === undefined ? null : toCel(node.items, item, node.items.embedded)
}

function howOf(node: SchemaNode): 'list' | 'set' | 'map' {
  return node.listType === 'atomic' ? 'list' : node.listType
}

/** Values that do not fit their format have been refused before any rule runs. */
function textValue(node: SchemaNode, value: string): CelValue {
  switch (node.checks?.format?.replaceAll('-', '')) {
    case 'byte':
      return new CelBytes(Buffer.from(value, 'base64'))
    case 'duration':
      return new CelDuration(parseDuration(value) ?? 0n)
    case 'date':
      return new CelTimestamp(parseTimestamp(`${value}T00:00:00Z`) ?? 0n)
    case 'datetime':
      return new CelTimestamp(parseTimestamp(value) ?? 0n)
    default:
      return value
  }
}

class JsonMap implements CelMap {
  readonly kind = 'map'
  private readonly node: SchemaNode
  private readonly object: JsonObject

  constructor(node: SchemaNode, object: JsonObject) {
    this.node = node
    this.object = object
  }

  get size(): number {
    return Object.keys(this.object).length
  }

  get(key: CelValue): CelValue | undefined {
    if (typeof key !== 'string' || !Object.hasOwn(this.object, key)) return undefined
    return toCel(this.node, this.object[key] as Json, this.node.embedded)
  }

  keys(): readonly CelValue[] {
    return Object.keys(this.object)
  }
}

const plainType: CelType = { kind: 'object', name: 'object', fieldType: () => undefined }

class JsonFields implements CelObject {
  readonly kind = 'object'
  readonly type: CelType
  private readonly node: SchemaNode
  private readonly object: JsonObject
  private readonly isResource: boolean

  constructor(node: SchemaNode, object: JsonObject, isResource: boolean) {
    this.node = node
    this.object = object
    this.isResource = isResource
    this.type = plainType
  }

  field(escaped: string): CelValue | undefined {
    const { node, object } = this
    const known = node.properties?.[escaped]
    // Most names need no escaping, and are found as they are.
    const name = known !== undefined && escapeName(escaped) === escaped ? escaped : unescapeName(escaped)
    if (name === undefined || !Object.hasOwn(object, name)) return undefined
    const value = object[name] as Json
    if (this.isResource && name === 'metadata') return isObject(value) ? new Metadata(value) : undefined
    if (this.isResource && (name === 'apiVersion' || name === 'kind')) return typeof value === 'string' ? value : undefined
    const property = node.properties?.[name]
    // A null is as good as absent, whether it may stand there or not.
    if (property === undefined || value === null) return undefined
    return toCel(property, value, property.embedded)
  }

  fieldNames(): readonly string[] {
    const names: string[] = []
    for (const name of Object.keys(this.object)) {
      const escaped = escapeName(name)
      if (escaped !== undefined && this.field(escaped) !== undefined) names.push(escaped)
    }
    return names
  }
}

/** The metadata of an object as rules see it: its names and nothing else. */
class Metadata implements CelObject {
  readonly kind = 'object'
  readonly type: CelType = metadataType
  private readonly object: JsonObject

  constructor(object: JsonObject) {
    this.object = object
  }

  field(name: string): CelValue | undefined {
    const value = name === 'name' || name === 'generateName' ? this.object[name] : undefined
    return typeof value === 'string' && value !== '' ? value : undefined
  }

  fieldNames(): readonly string[] {
    return ['name', 'generateName'].filter(name => this.field(name) !== undefined)
  }
}
