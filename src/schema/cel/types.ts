// Types of expressions, and which fits where.

export type CelType =
  | { readonly kind: 'simple'; readonly name: SimpleName }
  | { readonly kind: 'list'; readonly items: CelType; readonly sizeMax?: number | undefined }
  | { readonly kind: 'map'; readonly keys: CelType; readonly values: CelType; readonly sizeMax?: number | undefined }
  | ObjectType
  | { readonly kind: 'opaque'; readonly name: string; readonly params: readonly CelType[] }
  | { readonly kind: 'param'; readonly name: string }
  /** A simple type whose length the schema bounds: for estimates only. */
  | { readonly kind: 'sized'; readonly of: CelType; readonly sizeMax: number }

export interface ObjectType {
  readonly kind: 'object'
  readonly name: string
  fieldType(name: string): CelType | undefined
}

export type SimpleName =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'dyn'
  | 'duration'
  | 'timestamp'
  | 'type'
  | 'error'

function simple(name: SimpleName): CelType {
  return { kind: 'simple', name }
}

export const boolType: CelType = simple('bool')
export const intType: CelType = simple('int')
export const uintType: CelType = simple('uint')
export const doubleType: CelType = simple('double')
export const stringType: CelType = simple('string')
export const bytesType: CelType = simple('bytes')
export const nullType: CelType = simple('null')
export const dynType: CelType = simple('dyn')
export const durationType: CelType = simple('duration')
export const timestampType: CelType = simple('timestamp')
export const typeType: CelType = simple('type')
/** What a wrong expression has: it fits everywhere, so that one mistake is told once. */
export const errorType: CelType = simple('error')

export function listOf(items: CelType): CelType {
  return { kind: 'list', items }
}

export function mapOf(keys: CelType, values: CelType): CelType {
  return { kind: 'map', keys, values }
}

export function optionalOf(type: CelType): CelType {
  return { kind: 'opaque', name: 'optional_type', params: [type] }
}

export function bare(type: CelType): CelType {
  return type.kind === 'sized' ? bare(type.of) : type
}

export function isDyn(type: CelType): boolean {
  const plain = bare(type)
  return plain.kind === 'simple' && (plain.name === 'dyn' || plain.name === 'error')
}

export function renderType(type: CelType): string {
  switch (type.kind) {
    case 'simple':
      return type.name === 'error' ? '!error!' : type.name
    case 'sized':
      return renderType(type.of)
    case 'list':
      return `list(${renderType(type.items)})`
    case 'map':
      return `map(${renderType(type.keys)}, ${renderType(type.values)})`
    case 'object':
      return type.name
    case 'param':
      return type.name
    default:
      return type.params.length === 0 ? type.name : `${type.name}(${type.params.map(renderType).join(', ')})`
  }
}

/** What is known of type parameters so far. */
export type Bindings = Map<string, CelType>

/** Whether a value of type `given` can stand where `wanted` is asked; binds parameters on both sides. */
export function fits(wanted: CelType, given: CelType, bindings: Bindings): boolean {
  const a = resolve(wanted, bindings)
  const b = resolve(given, bindings)
  if (a.kind === 'param') return bind(a.name, b, bindings)
  if (b.kind === 'param') return bind(b.name, a, bindings)
  if (isDyn(a) || isDyn(b)) return true
  switch (a.kind) {
    case 'simple':
      return b.kind === 'simple' && a.name === b.name
    case 'list':
      return b.kind === 'list' && fits(a.items, b.items, bindings)
    case 'map':
      return b.kind === 'map' && fits(a.keys, b.keys, bindings) && fits(a.values, b.values, bindings)
    case 'object':
      return b.kind === 'object' && a.name === b.name
    case 'opaque':
      return (
        b.kind === 'opaque' && a.name === b.name && a.params.every((param, i) => fits(param, b.params[i] ?? dynType, bindings))
      )
    default:
      return false
  }
}

function bind(name: string, type: CelType, bindings: Bindings): boolean {
  if (type.kind === 'param' && type.name === name) return true
  if (mentions(type, name, bindings)) return false
  bindings.set(name, type)
  return true
}

function mentions(type: CelType, name: string, bindings: Bindings): boolean {
  const plain = resolve(type, bindings)
  switch (plain.kind) {
    case 'param':
      return plain.name === name
    case 'list':
      return mentions(plain.items, name, bindings)
    case 'map':
      return mentions(plain.keys, name, bindings) || mentions(plain.values, name, bindings)
    case 'opaque':
      return plain.params.some(param => mentions(param, name, bindings))
    default:
      return false
  }
}

function resolve(type: CelType, bindings: Bindings): CelType {
  let plain = bare(type)
  while (plain.kind === 'param') {
    const bound = bindings.get(plain.name)
    if (bound === undefined) return plain
    plain = bare(bound)
  }
  return plain
}

/** The type with its parameters replaced by what they are bound to; free ones stay. */
export function substitute(type: CelType, bindings: Bindings): CelType {
  switch (type.kind) {
    case 'param': {
      const bound = bindings.get(type.name)
      return bound === undefined ? type : substitute(bound, bindings)
    }
    case 'list':
      return { ...type, items: substitute(type.items, bindings) }
    case 'map':
      return { ...type, keys: substitute(type.keys, bindings), values: substitute(type.values, bindings) }
    case 'opaque':
      return { ...type, params: type.params.map(param => substitute(param, bindings)) }
    default:
      return type
  }
}
