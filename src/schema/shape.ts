// How the values of a kind merge: which lists are sets or maps, which parts are atomic, how a strategic patch treats them. Apply,
// managedFields and strategic patches read this and nothing else of a schema, so built-in and custom kinds share one code path.
import type { Json } from './json.ts'

export type MergeShape = ScalarShape | MergeMap | MergeList | UntypedShape

export interface ScalarShape {
  readonly kind: 'scalar'
  /** What the value must be; `any` accepts every scalar (int-or-string, quantities), `whole` what a program keeps as one value. */
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'any' | 'whole'
}

export interface MergeMap {
  readonly kind: 'map'
  /** Own properties only: made without a prototype. */
  readonly fields: Readonly<Record<string, MapField>>
  /** The shape of values under other keys; undefined when no others may exist. */
  readonly rest: MergeShape | undefined
  readonly atomic: boolean
}

export interface MapField {
  readonly shape: MergeShape
  /** The value a missing list-map key takes. */
  readonly default?: Json
  /** Always present in the stored form: a plain structure, or a value that is written even when it is zero. */
  readonly present?: 'struct' | 'zero'
  /** What stands there when nothing was set. */
  readonly zero?: Json
  readonly patch?: PatchTraits
}

export interface PatchTraits {
  readonly merge: boolean
  /** A map is set whole. */
  readonly replace: boolean
  readonly retainKeys: boolean
  readonly mergeKey: string | undefined
}

export interface MergeList {
  readonly kind: 'list'
  readonly how: 'atomic' | 'set' | 'map'
  readonly keys: readonly string[]
  readonly items: MergeShape
}

/** No schema: maps merge key by key, lists are atomic. */
export interface UntypedShape {
  readonly kind: 'untyped'
}

export const untyped: UntypedShape = { kind: 'untyped' }
export const stringShape: ScalarShape = { kind: 'scalar', type: 'string' }

export function fieldsOf(entries: Iterable<readonly [string, MapField]>): Readonly<Record<string, MapField>> {
  const fields = Object.create(null) as Record<string, MapField>
  for (const [name, field] of entries) fields[name] = field
  return fields
}
