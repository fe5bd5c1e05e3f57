// Shapes for tests: objects, lists, and one with a field of each way in which values are merged.
import { fieldsOf, type MergeShape, stringShape, untyped } from '../shape.ts'

export function structure(fields: Readonly<Record<string, MergeShape>>): MergeShape {
  const entries = Object.entries(fields).map(([name, shape]) => [name, { shape }] as const)
  return { kind: 'map', atomic: false, rest: undefined, fields: fieldsOf(entries) }
}

/** Of a whole object, with what it has beside its metadata. */
export function wholeObject(fields: Readonly<Record<string, MergeShape>>): MergeShape {
  return structure({ apiVersion: stringShape, kind: stringShape, metadata: untyped, ...fields })
}

export function texts(atomic: boolean): MergeShape {
  return { kind: 'map', atomic, rest: stringShape, fields: fieldsOf([]) }
}

/** The items of a keyed one are told apart by `n`. */
export function list(how: 'atomic' | 'set' | 'map', items: MergeShape = stringShape): MergeShape {
  return { kind: 'list', how, keys: how === 'map' ? ['n'] : [], items }
}

/** `a` is of the given shape. */
export function everyWay(a: MergeShape): MergeShape {
  return structure({
    a,
    map: texts(false),
    whole: texts(true),
    list: list('atomic'),
    set: list('set'),
    keyed: list('map', structure({ n: stringShape, v: stringShape })),
    open: untyped,
  })
}
