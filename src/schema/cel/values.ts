// Values at run time. Whole numbers are bigints and doubles are numbers, so that the two never mix; the rest are classes.
import type { CelType } from './types.ts'

export type CelValue =
  | null
  | boolean
  | string
  | bigint
  | number
  | CelUint
  | CelBytes
  | CelDuration
  | CelTimestamp
  | CelList
  | CelMap
  | CelObject
  | CelOptional
  | CelTypeValue
  | CelOpaque

export class CelUint {
  readonly value: bigint
  constructor(value: bigint) {
    this.value = value
  }
}

export class CelBytes {
  readonly bytes: Uint8Array
  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }
}

export class CelDuration {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

/** Nanoseconds since 1970. */
export class CelTimestamp {
  readonly nanos: bigint
  constructor(nanos: bigint) {
    this.nanos = nanos
  }
}

export class CelList {
  readonly items: readonly CelValue[]
  /** Lists from a schema may be sets or keyed: their equality and their sum differ. */
  readonly how: 'list' | 'set' | 'map'
  readonly keys: readonly string[]
  constructor(items: readonly CelValue[], how: 'list' | 'set' | 'map' = 'list', keys: readonly string[] = []) {
    this.items = items
    this.how = how
    this.keys = keys
  }
}

export interface CelMap {
  readonly kind: 'map'
  readonly size: number
  get(key: CelValue): CelValue | undefined
  keys(): readonly CelValue[]
}

export function isMap(value: CelValue): value is CelMap {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'map'
}

/** A map made by an expression. Numbers of equal value are one key, whatever their type. */
export class LiteralMap implements CelMap {
  readonly kind = 'map'
  private readonly entries = new Map<string, readonly [CelValue, CelValue]>()

  get size(): number {
    return this.entries.size
  }

  get(key: CelValue): CelValue | undefined {
    return this.entries.get(mapKey(key) ?? '')?.[1]
  }

  /** False when the key is there already. */
  add(key: CelValue, value: CelValue): boolean {
    const name = mapKey(key)
    if (name === undefined) throw new EvalError('unsupported key type')
    if (this.entries.has(name)) return false
    this.entries.set(name, [key, value])
    return true
  }

  keys(): readonly CelValue[] {
    return [...this.entries.values()].map(([key]) => key)
  }
}

function mapKey(key: CelValue): string | undefined {
  if (typeof key === 'string') return `s${key}`
  if (typeof key === 'boolean') return `b${key}`
  if (typeof key === 'bigint') return `n${key}`
  if (key instanceof CelUint) return `n${key.value}`
  if (typeof key === 'number' && Number.isInteger(key)) return `n${BigInt(key)}`
  return undefined
}

/** A value with named fields: an object of a schema. */
export interface CelObject {
  readonly kind: 'object'
  readonly type: CelType
  /** Undefined: not set. */
  field(name: string): CelValue | undefined
  /** All that are set, for equality. */
  fieldNames(): readonly string[]
}

export function isCelObject(value: CelValue): value is CelObject {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'object'
}

export class CelOptional {
  readonly value: CelValue | undefined
  constructor(value: CelValue | undefined) {
    this.value = value
  }
}

export class CelTypeValue {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A value of a library: an address, a URL, a quantity. */
export class CelOpaque {
  readonly type: string
  readonly content: unknown
  readonly equals: (other: CelOpaque) => boolean
  constructor(type: string, content: unknown, equals: (other: CelOpaque) => boolean) {
    this.type = type
    this.content = content
    this.equals = equals
  }
}

/** A failure of an expression at run time. Logic may absorb it. */
export class EvalError extends Error {}

/** The budget is used up: nothing absorbs this. */
export class BudgetExceeded extends Error {}
