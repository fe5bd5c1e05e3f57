// Operators: arithmetic with overflow checks, comparison, membership, indexing.
import { celCompare, celEqual, isNumeric, sameKeys } from '../equality.ts'
import { CelBytes, CelDuration, CelList, CelTimestamp, CelUint, type CelValue, EvalError, isMap } from '../values.ts'
import type { Cost, LibraryFunction } from './function.ts'
import { textCost, traversal } from './size.ts'

const intMin = -(2n ** 63n)
const intMax = 2n ** 63n - 1n
const uintMax = 2n ** 64n - 1n

/** Year 1 to year 9999. */
const timestampMin = -62_135_596_800_000_000_000n
const timestampMax = 253_402_300_799_999_999_999n

type Binary = (a: CelValue, b: CelValue) => CelValue | undefined

const binary =
  (run: Binary): LibraryFunction =>
  ([a, b]) =>
    a === undefined || b === undefined ? undefined : run(a, b)

const inOrder = (holds: (order: number) => boolean): LibraryFunction => binary((a, b) => ordered(a, b, holds))

export const operators: Readonly<Record<string, LibraryFunction>> = {
  '_+_': binary(add),
  '_-_': binary(subtract),
  '_*_': binary((a, b) =>
    arithmetic(
      a,
      b,
      (x, y) => x * y,
      (x, y) => x * y,
    ),
  ),
  '_/_': binary(divide),
  '_%_': binary(modulus),
  '-_': ([a]) => (a === undefined ? undefined : negate(a)),
  '!_': ([a]) => (typeof a === 'boolean' ? !a : undefined),
  '_==_': binary(celEqual),
  '_!=_': binary((a, b) => !celEqual(a, b)),
  '_<_': inOrder(order => order < 0),
  '_<=_': inOrder(order => order <= 0),
  '_>_': inOrder(order => order > 0),
  '_>=_': inOrder(order => order >= 0),
  '@in': binary(contains),
}

const comparison: Cost = ([a, b]) => Math.max(1, textCost(Math.min(traversal(a), traversal(b))))

export const operatorCosts: Readonly<Record<string, Cost>> = {
  '_==_': comparison,
  '_!=_': comparison,
  '_<_': comparison,
  '_<=_': comparison,
  '_>_': comparison,
  '_>=_': comparison,
  '_+_': ([a, b]) => (typeof a === 'string' || a instanceof CelBytes ? textCost(traversal(a) + traversal(b)) : 1),
  '@in': ([, b]) => (b instanceof CelList ? b.items.length : 1),
}

function ordered(a: CelValue, b: CelValue, holds: (order: number) => boolean): boolean | undefined {
  const order = celCompare(a, b)
  if (order === undefined) return isNumeric(a) && isNumeric(b) ? false : undefined
  return holds(order)
}

export function checkedInt(value: bigint): bigint {
  if (value < intMin || value > intMax) throw new EvalError('integer overflow')
  return value
}

export function checkedUint(value: bigint): CelUint {
  if (value < 0n || value > uintMax) throw new EvalError('unsigned integer overflow')
  return new CelUint(value)
}

export function checkedDuration(nanos: bigint): CelDuration {
  if (nanos < intMin || nanos > intMax) throw new EvalError('integer overflow')
  return new CelDuration(nanos)
}

export function checkedTimestamp(nanos: bigint): CelTimestamp {
  if (nanos < timestampMin || nanos > timestampMax) throw new EvalError('timestamp overflow')
  return new CelTimestamp(nanos)
}

type IntegerWork = (a: bigint, b: bigint) => bigint
type DoubleWork = (a: number, b: number) => number

function arithmetic(a: CelValue, b: CelValue, whole: IntegerWork, double: DoubleWork): CelValue | undefined {
  if (typeof a === 'bigint' && typeof b === 'bigint') return checkedInt(whole(a, b))
  if (typeof a === 'number' && typeof b === 'number') return double(a, b)
  if (a instanceof CelUint && b instanceof CelUint) return checkedUint(whole(a.value, b.value))
  return undefined
}

function add(a: CelValue, b: CelValue): CelValue | undefined {
  if (typeof a === 'string' && typeof b === 'string') return a + b
  if (a instanceof CelBytes && b instanceof CelBytes) return new CelBytes(Buffer.concat([a.bytes, b.bytes]))
  if (a instanceof CelList && b instanceof CelList) return joined(a, b)
  if (a instanceof CelDuration && b instanceof CelDuration) return checkedDuration(a.nanos + b.nanos)
  if (a instanceof CelTimestamp && b instanceof CelDuration) return checkedTimestamp(a.nanos + b.nanos)
  if (a instanceof CelDuration && b instanceof CelTimestamp) return checkedTimestamp(a.nanos + b.nanos)
  return arithmetic(
    a,
    b,
    (x, y) => x + y,
    (x, y) => x + y,
  )
}

/** Sets join without repeating, keyed lists take the right item for a key that both have. */
function joined(a: CelList, b: CelList): CelList {
  if (a.how === 'list') return new CelList([...a.items, ...b.items])
  const same = a.how === 'set' ? celEqual : (x: CelValue, y: CelValue): boolean => sameKeys(a, x, y)
  const items = [...a.items]
  for (const item of b.items) {
    const at = items.findIndex(known => same(known, item))
    if (at < 0) items.push(item)
    else if (a.how === 'map') items[at] = item
  }
  return new CelList(items, a.how, a.keys)
}

function subtract(a: CelValue, b: CelValue): CelValue | undefined {
  if (a instanceof CelTimestamp && b instanceof CelTimestamp) return checkedDuration(a.nanos - b.nanos)
  if (a instanceof CelTimestamp && b instanceof CelDuration) return checkedTimestamp(a.nanos - b.nanos)
  if (a instanceof CelDuration && b instanceof CelDuration) return checkedDuration(a.nanos - b.nanos)
  return arithmetic(
    a,
    b,
    (x, y) => x - y,
    (x, y) => x - y,
  )
}

function divide(a: CelValue, b: CelValue): CelValue | undefined {
  if (isZero(b)) throw new EvalError('division by zero')
  return arithmetic(
    a,
    b,
    (x, y) => x / y,
    (x, y) => x / y,
  )
}

function isZero(value: CelValue): boolean {
  return value === 0n || (value instanceof CelUint && value.value === 0n)
}

function modulus(a: CelValue, b: CelValue): CelValue | undefined {
  if (isZero(b)) throw new EvalError('modulus by zero')
  if (typeof a === 'number' || typeof b === 'number') return undefined
  return arithmetic(
    a,
    b,
    (x, y) => x % y,
    (x, y) => x % y,
  )
}

function negate(a: CelValue): CelValue | undefined {
  if (typeof a === 'bigint') return checkedInt(-a)
  if (typeof a === 'number') return -a
  return a instanceof CelDuration ? checkedDuration(-a.nanos) : undefined
}

function contains(item: CelValue, container: CelValue): boolean | undefined {
  if (container instanceof CelList) return container.items.some(candidate => celEqual(candidate, item))
  return isMap(container) ? container.get(item) !== undefined : undefined
}

/** The item of a list or the value of a map; undefined when it is not there. */
export function itemAt(container: CelValue, index: CelValue): CelValue | undefined {
  if (container instanceof CelList) {
    const position = listPosition(index)
    return position === undefined || position < 0n || position >= BigInt(container.items.length)
      ? undefined
      : container.items[Number(position)]
  }
  if (isMap(container)) return container.get(index)
  throw new EvalError('no such overload')
}

function listPosition(index: CelValue): bigint | undefined {
  if (typeof index === 'bigint') return index
  if (index instanceof CelUint) return index.value
  if (typeof index === 'number' && Number.isInteger(index)) return BigInt(index)
  throw new EvalError('unsupported index type in list')
}
