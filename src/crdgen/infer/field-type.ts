// Types of fields, and the registry of the structures that they share: a change to a structure shows wherever it is used.

import { given } from '#base'
import type { FieldConfig } from '../config/generator-config.ts'
import { type Api, type ApiMember, sorted } from './api.ts'
import { type Names, namesOf } from './names.ts'

export type ScalarKind = 'string' | 'boolean' | 'integer' | 'number' | 'timestamp' | 'blob'

export type FieldType =
  | { readonly kind: ScalarKind }
  | { readonly kind: 'list'; readonly element: FieldType }
  | { readonly kind: 'map'; readonly value: FieldType }
  | { readonly kind: 'structure'; readonly shape: string }
  | { readonly kind: 'secret' }
  | { readonly kind: 'reference' }
  /** No schema can state it; the kind that holds one is refused. */
  | { readonly kind: 'unsupported'; readonly what: 'a document' | 'an event stream'; readonly shape: string }

/** Where a field comes from, for people who ask. */
export interface FieldOrigin {
  readonly by: 'input' | 'output' | 'from' | 'custom_field' | 'type' | 'attribute' | 'reference' | 'member'
  readonly operation?: string
  /** `Shape.member` in the model's spelling. */
  readonly member?: string
  /** The model's name, where a config renamed it. */
  readonly renamedFrom?: string
  /** `file:line` of the config's entry. */
  readonly config?: string
}

/** A field of spec or status, or a member of a structure below. */
export interface Field {
  readonly names: Names
  /** Name in manifests: `names.json` unless a tag of the config says otherwise. */
  readonly json: string
  /** Exported name in the model, before renames. */
  readonly model: string
  readonly wire?: string
  readonly type: FieldType
  readonly required: boolean
  readonly immutable: boolean
  readonly config?: FieldConfig
  /** Camel name of the field that this one can stand in for. */
  readonly referenceFor?: string
  readonly shape?: string
  readonly documentation?: string
  readonly origin: FieldOrigin
}

/** A structure's fields by Camel name. */
export type FieldMap = Map<string, Field>

export class TypeRegistry {
  readonly #api: Api
  readonly #emptyShapes: ReadonlySet<string>
  readonly #structures = new Map<string, FieldMap>()
  /** Camel names that two members of one structure would have: the second is not in the structure. */
  readonly collisions: Map<string, string[]> = new Map<string, string[]>()

  constructor(api: Api, emptyShapes: Iterable<string>) {
    this.#api = api
    this.#emptyShapes = new Set(emptyShapes)
  }

  typeOf(shapeName: string, depth = 0): FieldType {
    const shape = this.#api.shapes.get(shapeName)
    if (shape === undefined || depth > depthMax) return { kind: 'unsupported', what: 'a document', shape: shapeName }
    switch (shape.type) {
      case 'structure':
        if (this.#emptyShapes.has(shapeName)) return { kind: 'map', value: { kind: 'string' } }
        if (shape.eventStream === true) return { kind: 'unsupported', what: 'an event stream', shape: shapeName }
        return { kind: 'structure', shape: shapeName }
      case 'list':
        return { kind: 'list', element: this.typeOf(shape.element, depth + 1) }
      case 'map':
        return { kind: 'map', value: this.typeOf(shape.value, depth + 1) }
      case 'document':
        return { kind: 'unsupported', what: 'a document', shape: shapeName }
      default:
        return { kind: shape.type }
    }
  }

  /** The fields of a structure. They can be changed; every user of the structure sees it. */
  fieldsOf(shapeName: string): FieldMap {
    const known = this.#structures.get(shapeName)
    if (known !== undefined) return known
    const fields: FieldMap = new Map()
    this.#structures.set(shapeName, fields)
    const shape = this.#api.shapes.get(shapeName)
    if (shape?.type !== 'structure') return fields
    const jsons = new Set<string>()
    for (const [name, member] of sorted(shape.members)) {
      const field = this.#fieldOf(shapeName, name, member)
      if (fields.has(field.names.camel) || jsons.has(field.json)) {
        this.collisions.set(shapeName, [...(this.collisions.get(shapeName) ?? []), name])
        continue
      }
      jsons.add(field.json)
      fields.set(field.names.camel, field)
    }
    return fields
  }

  #fieldOf(shapeName: string, name: string, member: ApiMember): Field {
    const names = namesOf(name)
    const documentation = member.documentation ?? this.#api.shapes.get(member.target)?.documentation
    return {
      names,
      json: names.json,
      model: name,
      ...given({ wire: member.wire }),
      type: this.typeOf(member.target),
      required: false,
      immutable: false,
      shape: member.target,
      ...given({ documentation }),
      origin: { by: 'member', member: `${shapeName}.${member.wire ?? name}` },
    }
  }
}

/** Lists of lists of lists: no model goes beyond four. */
const depthMax = 32

/** What is in the lists and maps. */
export function leafOf(type: FieldType): FieldType {
  if (type.kind === 'list') return leafOf(type.element)
  return type.kind === 'map' ? leafOf(type.value) : type
}

/** The type with its leaf replaced. */
export function withLeaf(type: FieldType, leaf: FieldType): FieldType {
  if (type.kind === 'list') return { kind: 'list', element: withLeaf(type.element, leaf) }
  return type.kind === 'map' ? { kind: 'map', value: withLeaf(type.value, leaf) } : leaf
}
