// Equality and order of values. Numbers compare by value whatever their type; values of different kinds are simply not equal.
import {
  CelBytes,
  CelDuration,
  CelList,
  type CelMap,
  type CelObject,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  isCelObject,
  isMap,
} from './values.ts'

export function celEqual(a: CelValue, b: CelValue): boolean {
  if (a === b) return true
  if (isNumeric(a) && isNumeric(b)) return compareNumbers(a, b) === 0
  if (a instanceof CelList) return b instanceof CelList && listsEqual(a, b)
  if (isMap(a)) return isMap(b) && mapsEqual(a, b)
  if (isCelObject(a)) return isCelObject(b) && objectsEqual(a, b)
  if (a instanceof CelBytes) return b instanceof CelBytes && Buffer.compare(a.bytes, b.bytes) === 0
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name
  if (a instanceof CelOptional) return b instanceof CelOptional && optionalsEqual(a, b)
  return a instanceof CelOpaque && b instanceof CelOpaque && a.type === b.type && a.equals(b)
}

function optionalsEqual(a: CelOptional, b: CelOptional): boolean {
  if (a.value === undefined || b.value === undefined) return a.value === b.value
  return celEqual(a.value, b.value)
}

type Numeric = bigint | number | CelUint

export function isNumeric(value: CelValue): value is Numeric {
  return typeof value === 'bigint' || typeof value === 'number' || value instanceof CelUint
}

/** Undefined when one is no number (NaN). */
export function compareNumbers(a: Numeric, b: Numeric): number | undefined {
  // A double and a whole number meet as doubles, with what that loses.
  const asDouble = typeof a === 'number' || typeof b === 'number'
  const plain = (value: Numeric): bigint | number => (value instanceof CelUint ? value.value : value)
  const left = asDouble ? Number(plain(a)) : plain(a)
  const right = asDouble ? Number(plain(b)) : plain(b)
  if (left < right) return -1
  if (left > right) return 1
  return left === right ? 0 : undefined
}

/** The left list decides: sets of a schema are equal in any order, keyed lists item by key, all others one by one. */
function listsEqual(a: CelList, b: CelList): boolean {
  if (a.items.length !== b.items.length) return false
  if (a.how === 'list') return a.items.every((item, index) => celEqual(item, b.items[index] as CelValue))
  if (a.how === 'set') return a.items.every(item => contains(b, item))
  return a.items.every(item => {
    const other = b.items.find(candidate => sameKeys(a, item, candidate))
    return other !== undefined && celEqual(item, other)
  })
}

function contains(list: CelList, item: CelValue): boolean {
  return list.items.some(candidate => celEqual(candidate, item))
}

/** Whether two items of a keyed list have the same keys. */
export function sameKeys(list: CelList, a: CelValue, b: CelValue): boolean {
  if (!isCelObject(a) || !isCelObject(b)) return false
  return list.keys.every(key => {
    const [left, right] = [a.field(key), b.field(key)]
    return left === undefined || right === undefined ? left === right : celEqual(left, right)
  })
}

function mapsEqual(a: CelMap, b: CelMap): boolean {
  if (a.size !== b.size) return false
  return a.keys().every(key => {
    const other = b.get(key)
    return other !== undefined && celEqual(a.get(key) as CelValue, other)
  })
}

function objectsEqual(a: CelObject, b: CelObject): boolean {
  const names = a.fieldNames()
  if (names.length !== b.fieldNames().length) return false
  return names.every(name => {
    const other = b.field(name)
    return other !== undefined && celEqual(a.field(name) as CelValue, other)
  })
}

/** -1, 0 or 1; undefined when the two have no order. */
export function celCompare(a: CelValue, b: CelValue): number | undefined {
  if (isNumeric(a)) return isNumeric(b) ? compareNumbers(a, b) : undefined
  if (typeof a === 'string' && typeof b === 'string') return compareText(a, b)
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof CelBytes && b instanceof CelBytes) return Buffer.compare(a.bytes, b.bytes)
  if (a instanceof CelDuration && b instanceof CelDuration) return sign(a.nanos - b.nanos)
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return sign(a.nanos - b.nanos)
  return undefined
}

function sign(value: bigint): number {
  if (value === 0n) return 0
  return value < 0n ? -1 : 1
}

/** By code points, as their bytes compare; JavaScript compares surrogates wrongly. */
function compareText(a: string, b: string): number {
  if (a === b) return 0
  const ascii = a < b ? -1 : 1
  if (/^[\0-\ud7ff]*$/.test(a) && /^[\0-\ud7ff]*$/.test(b)) return ascii
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
