// The types that rules see for the values of a schema, with what the schema says about their sizes.

import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  type ObjectType,
  stringType,
  timestampType,
} from '../cel/types.ts'
import type { Json } from '../json.ts'
import type { SchemaNode } from '../node/node.ts'

/** What a request may hold: nothing inside it can be larger. */
export const requestBytesMax: number = 3 * 1024 * 1024

/** Undefined: rules do not see the value, because the schema says nothing about it. */
export function schemaType(
  node: SchemaNode,
  options: { readonly name: string; readonly isResource: boolean },
): CelType | undefined {
  if (node.intOrString) return { kind: 'sized', of: dynType, sizeMax: requestBytesMax - 2 }
  switch (node.type) {
    case 'boolean':
      return boolType
    case 'integer':
      return intType
    case 'number':
      return doubleType
    case 'string':
      return stringSchemaType(node)
    case 'array': {
      const items =
        node.items === undefined
          ? undefined
          : schemaType(node.items, { name: `${options.name}.@idx`, isResource: node.items.embedded })
      return items === undefined ? undefined : { kind: 'list', items, sizeMax: listSizeMax(node) }
    }
    case 'object':
      return objectSchemaType(node, options)
    default:
      return undefined
  }
}

function stringSchemaType(node: SchemaNode): CelType {
  const sized = (of: CelType, sizeMax: number): CelType => ({ kind: 'sized', of, sizeMax })
  const bound = node.checks?.maxLength
  switch (node.checks?.format?.replaceAll('-', '')) {
    case 'byte':
      return sized(bytesType, bound ?? requestBytesMax - 2)
    case 'duration':
      return sized(durationType, 32)
    case 'date':
    case 'datetime':
      return sized(timestampType, 32)
    default:
      // A character may take four bytes.
      return sized(stringType, bound === undefined ? (longestOf(node.checks?.enum) ?? requestBytesMax - 2) : bound * 4)
  }
}

function longestOf(values: readonly Json[] | undefined): number | undefined {
  return values?.reduce<number>((max, item) => Math.max(max, typeof item === 'string' ? item.length : 0), 0)
}

/** How many items a list can have: its bound, or where it has none as many as fit into a request. */
export function listSizeMax(node: SchemaNode): number {
  const smallest = node.items === undefined ? 1 : smallestSize(node.items)
  return node.checks?.maxItems ?? Math.floor((requestBytesMax - 2) / (smallest + 1))
}

export function mapSizeMax(node: SchemaNode): number {
  const smallest = node.additional === undefined ? 1 : smallestSize(node.additional)
  return node.checks?.maxProperties ?? Math.floor((requestBytesMax - 2) / (smallest + 6))
}

/** The fewest bytes that a value takes on the wire. */
export function smallestSize(node: SchemaNode, depth = 0): number {
  if (node.intOrString || depth > 50) return 1
  switch (node.type) {
    case 'boolean':
      return 4
    case 'integer':
    case 'number':
      return 1
    case 'object': {
      let size = 2
      for (const name of node.required) {
        const property = node.properties?.[name]
        if (property !== undefined && property.default === undefined) size += name.length + smallestSize(property, depth + 1) + 4
      }
      return size
    }
    default:
      return 2
  }
}

function objectSchemaType(
  node: SchemaNode,
  options: { readonly name: string; readonly isResource: boolean },
): CelType | undefined {
  if (node.additional !== undefined && node.properties === undefined) {
    const values = schemaType(node.additional, { name: `${options.name}.@elem`, isResource: node.additional.embedded })
    return values === undefined
      ? undefined
      : // The real server's estimate takes keys for empty, whatever they hold.
        { kind: 'map', keys: { kind: 'sized', of: stringType, sizeMax: 0 }, values, sizeMax: mapSizeMax(node) }
  }
  const known = new Map<string, CelType | undefined>()
  const type: ObjectType = {
    kind: 'object',
    name: options.name,
    fieldType: field => {
      if (!known.has(field)) known.set(field, fieldType(node, field, options))
      return known.get(field)
    },
  }
  return type
}

function fieldType(
  node: SchemaNode,
  escaped: string,
  options: { readonly name: string; readonly isResource: boolean },
): CelType | undefined {
  if (options.isResource) {
    if (escaped === 'apiVersion' || escaped === 'kind') return { kind: 'sized', of: stringType, sizeMax: 253 }
    if (escaped === 'metadata') return metadataType
  }
  const name = unescapeName(escaped)
  const property = name === undefined ? undefined : node.properties?.[name]
  return property === undefined
    ? undefined
    : schemaType(property, { name: `${options.name}.${escaped}`, isResource: property.embedded })
}

const metadataFields: Readonly<Record<string, CelType>> = Object.assign(Object.create(null) as Record<string, CelType>, {
  name: { kind: 'sized', of: stringType, sizeMax: 253 },
  generateName: { kind: 'sized', of: stringType, sizeMax: 253 },
})

export const metadataType: ObjectType = {
  kind: 'object',
  name: 'metadata',
  fieldType: field => metadataFields[field],
}

const reserved = new Set(
  'true false null in as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const replacements: readonly (readonly [string, string])[] = [
  ['__', '__underscores__'],
  ['.', '__dot__'],
  ['-', '__dash__'],
  ['/', '__slash__'],
]

/** The name under which rules see a property; undefined when they do not. */
export function escapeName(name: string): string | undefined {
  if (reserved.has(name)) return `__${name}__`
  if (!/^[a-zA-Z_./-][a-zA-Z0-9_./-]*$/.test(name)) return undefined
  return name.replaceAll(/__|\.|-|\//g, part => (replacements.find(([plain]) => plain === part) as readonly [string, string])[1])
}

/** The property that an escaped name stands for; undefined when no property is written so. */
export function unescapeName(escaped: string): string | undefined {
  const word = /^__([a-z]+)__$/.exec(escaped)?.[1]
  if (word !== undefined && reserved.has(word)) return word
  const name = escaped.replaceAll(
    /__(underscores|dot|dash|slash)__/g,
    part => (replacements.find(([, long]) => long === part) as readonly [string, string])[0],
  )
  return escapeName(name) === escaped ? name : undefined
}
