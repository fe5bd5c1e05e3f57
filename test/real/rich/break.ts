// Every field of an object broken in each of the ways in which people and programs break one: by its type another ten.
import { isList, isObject, type Json, type JsonObject } from '#schema'

export interface Broken {
  /** `spec.ports.0.port minus`: which field, and how. */
  readonly name: string
  readonly object: Json
}

type Path = readonly (string | number)[]

/** The field is not there. */
const leftOut = Symbol('left out')

const texts: Readonly<Record<string, Json>> = {
  empty: '',
  odd: 'A b!',
  long: 'x'.repeat(300),
  '64': 'y'.repeat(64),
  dash: '-a',
  number: 5,
  slash: 'a/b/c',
  dots: '../a',
  other: 'other',
  abs: '/abs',
}
const numbers: Readonly<Record<string, Json>> = {
  minus: -1,
  zero: 0,
  large: 70_000,
  int32: 2_147_483_648,
  text: '7',
  half: 1.5,
  ten: 10,
  percent: '150%',
}

function waysFor(value: Json): Readonly<Record<string, Json>> {
  if (typeof value === 'string') return texts
  if (typeof value === 'number') return numbers
  if (typeof value === 'boolean') return { negated: !value, text: 'true' }
  if (isList(value)) return { none: [], twice: [...value, ...value.slice(0, 1)], object: {}, null: null, nulls: [null] }
  if (!isObject(value)) return {}
  return { none: {}, list: [], null: null, more: { ...value, unknownField: 'x' }, oddkey: { ...value, 'A b!': 'x' } }
}

/** Undamaged first. What the object is called stays: another kind is another question. */
export function* brokenForms(object: JsonObject): Generator<Broken> {
  yield { name: 'as it is', object }
  for (const { path, value } of fieldsOf(object, [])) {
    if (path[0] === 'apiVersion' || path[0] === 'kind') continue
    const ways = Object.entries<Json | typeof leftOut>({ without: leftOut, ...waysFor(value) })
    for (const [how, put] of ways) yield { name: `${path.join('.')} ${how}`, object: withField(object, path, put) }
  }
}

function* fieldsOf(value: Json, path: Path): Generator<{ readonly path: Path; readonly value: Json }> {
  if (path.length > 0) yield { path, value }
  if (isList(value)) for (const [index, item] of value.entries()) yield* fieldsOf(item, [...path, index])
  else if (isObject(value)) for (const [key, member] of Object.entries(value)) yield* fieldsOf(member as Json, [...path, key])
}

function withField(value: Json, [first, ...rest]: Path, put: Json | typeof leftOut): Json {
  if (first === undefined) return put as Json
  const isHere = rest.length === 0
  if (isList(value)) {
    const at = Number(first)
    if (isHere && put === leftOut) return value.toSpliced(at, 1)
    return value.with(at, withField(value[at] as Json, rest, put))
  }
  const { [first]: member, ...others } = value as Record<string, Json>
  if (isHere && put === leftOut) return others
  return { ...(value as JsonObject), [first]: withField(member as Json, rest, put) }
}
