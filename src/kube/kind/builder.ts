// The schema builder: one definition gives the TypeScript type, the structural schema with its CEL rules, and the defaults.
// A `Schema<T>` is an immutable value around its OpenAPI form; `T` exists for the type checker only.

import { given, invariant } from '#base'
import type { StoredCondition } from '../conditions.ts'
import type { CelRule, StructuralSchema } from './structural.ts'

/** No value ever has this member: it only carries the type of the field and whether the field may be absent. */
declare const typeOf: unique symbol
declare const presenceOf: unique symbol

export type Presence = 'required' | 'optional'

export interface Schema<T, P extends Presence = 'required'> {
  readonly [typeOf]?: T
  readonly [presenceOf]?: P
  readonly openApi: StructuralSchema
  readonly isOptional: boolean
  /** Text for `kubectl explain` and the reference page. */
  describe(text: string): Schema<T, P>
  /** A CEL rule that holds for this value. */
  rule(rule: CelRule): Schema<T, P>
  /** May be absent. */
  optional(): Schema<T, 'optional'>
  /** Absent means this value; the server fills it in, so a reader always finds it. */
  default(value: T): Schema<T, P>
  nullable(): Schema<T | null, P>
}

export type Infer<S> = S extends Schema<infer T, Presence> ? T : never

export type SchemaFields = Readonly<Record<string, Schema<unknown, Presence>>>

type OptionalKeys<F extends SchemaFields> = { [K in keyof F]: F[K] extends Schema<unknown, 'required'> ? never : K }[keyof F]

/** The object type of a set of fields. */
export type InferFields<F extends SchemaFields> = {
  readonly [K in Exclude<keyof F, OptionalKeys<F>>]: Infer<F[K]>
} & { readonly [K in OptionalKeys<F>]?: Infer<F[K]> }

export function string(options: Pick<StructuralSchema, 'minLength' | 'maxLength' | 'pattern' | 'format'> = {}): Schema<string> {
  return make({ type: 'string', ...options })
}

/** One of the given words; the type is their union. */
export function oneOf<const W extends string>(...words: readonly W[]): Schema<W> {
  invariant(words.length > 0, 'oneOf needs a word')
  return make({ type: 'string', enum: words })
}

export function integer(options: Pick<StructuralSchema, 'minimum' | 'maximum' | 'format'> = {}): Schema<number> {
  return make({ type: 'integer', ...options })
}

export function number(options: Pick<StructuralSchema, 'minimum' | 'maximum' | 'format'> = {}): Schema<number> {
  return make({ type: 'number', ...options })
}

export function boolean(): Schema<boolean> {
  return make({ type: 'boolean' })
}

/** RFC 3339, as `metav1.Time` is written. */
export function dateTime(): Schema<string> {
  return make({ type: 'string', format: 'date-time' })
}

/** `pattern` holds for the string form only. */
export function intOrString(options: Pick<StructuralSchema, 'pattern'> = {}): Schema<number | string> {
  return make({ anyOf: [{ type: 'integer' }, { type: 'string' }], 'x-kubernetes-int-or-string': true, ...options })
}

/** Any JSON, kept as it is. */
export function anything(): Schema<unknown> {
  return make({ 'x-kubernetes-preserve-unknown-fields': true })
}

/** An object of which only some or none of the fields are known; the others are kept. */
export function openObject(
  options: Pick<ObjectOptions, 'minProperties' | 'maxProperties'> = {},
): Schema<Readonly<Record<string, unknown>>> {
  return make({ type: 'object', 'x-kubernetes-preserve-unknown-fields': true, ...options })
}

export interface ObjectOptions {
  readonly mapType?: 'atomic' | 'granular'
  readonly maxProperties?: number
  readonly minProperties?: number
}

export function object<const F extends SchemaFields>(fields: F, options: ObjectOptions = {}): Schema<InferFields<F>> {
  const names = Object.keys(fields)
  const required = names.filter(name => !fields[name]?.isOptional)
  const { mapType, ...bounds } = options
  return make({
    type: 'object',
    ...(required.length > 0 ? { required: required.sort() } : {}),
    properties: Object.fromEntries(names.map(name => [name, fields[name]?.openApi ?? {}])),
    ...bounds,
    ...given({ 'x-kubernetes-map-type': mapType }),
  })
}

export interface ListSchemaOptions {
  readonly minItems?: number
  readonly maxItems?: number
  /** Keys of `map` lists; their fields must be required or have defaults. */
  readonly keys?: readonly string[]
  readonly listType?: 'atomic' | 'set' | 'map'
}

export function list<T, P extends Presence>(element: Schema<T, P>, options: ListSchemaOptions = {}): Schema<readonly T[]> {
  const { keys, listType, ...bounds } = options
  const type = listType ?? (keys === undefined ? undefined : 'map')
  return make({
    type: 'array',
    items: element.openApi,
    ...bounds,
    ...given({ 'x-kubernetes-list-type': type, 'x-kubernetes-list-map-keys': keys }),
  })
}

/** Free keys, values of one type. */
export function map<T, P extends Presence>(
  value: Schema<T, P>,
  options: ObjectOptions = {},
): Schema<Readonly<Record<string, T>>> {
  const { mapType, ...bounds } = options
  return make({
    type: 'object',
    additionalProperties: value.openApi,
    ...bounds,
    ...given({ 'x-kubernetes-map-type': mapType }),
  })
}

/** `metav1.Condition` lists as every kind of ours carries them. */
export function conditions(): Schema<readonly StoredCondition[]> {
  return list(object(conditionFields).describe('One observation of the object, by type.'), { keys: ['type'] }).describe(
    'The latest observations, one per type.',
  )
}

const conditionFields = {
  type: string({
    maxLength: 316,
    pattern: '^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$',
  }).describe('What is observed.'),
  status: oneOf('True', 'False', 'Unknown').describe('Whether it holds.'),
  observedGeneration: integer({ format: 'int64', minimum: 0 }).optional().describe('The generation this was said of.'),
  lastTransitionTime: dateTime().describe('When the status last changed.'),
  reason: string({ minLength: 1, maxLength: 1024, pattern: '^[A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?$' }).describe(
    'Why, in one word from a closed list.',
  ),
  message: string({ maxLength: 32768 }).describe('Why, for people.'),
} as const

function make<T, P extends Presence>(openApi: StructuralSchema, isOptional = false): Schema<T, P> {
  return Object.freeze({
    openApi,
    isOptional,
    describe: (text: string) => make<T, P>({ ...openApi, description: text }, isOptional),
    rule: (rule: CelRule) =>
      make<T, P>({ ...openApi, 'x-kubernetes-validations': [...(openApi['x-kubernetes-validations'] ?? []), rule] }, isOptional),
    optional: () => make<T, 'optional'>(openApi, true),
    // A field with a default need not be written, but is there for whoever reads: not `required` in the schema, present in the type.
    default: (value: T) => make<T, P>({ ...openApi, default: value }, true),
    nullable: () => make<T | null, P>({ ...openApi, nullable: true }, isOptional),
  })
}
