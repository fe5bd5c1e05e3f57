// Quantities (`1.5Gi`) as numbers to count with.
import {
  addQuantities,
  compareQuantities,
  parseQuantity,
  type Quantity,
  quantityAsInteger,
  quantityAsNumber,
} from '../../quantity.ts'
import { CelOpaque, type CelValue, EvalError } from '../values.ts'
import type { LibraryFunction } from './function.ts'

const quantityName = 'kubernetes.Quantity'

export const quantities: Readonly<Record<string, LibraryFunction>> = {
  isQuantity: ([text]) => (typeof text === 'string' ? parseQuantity(text) !== undefined : undefined),
  quantity: ([text]) => (typeof text === 'string' ? quantityValue(read(text)) : undefined),
  sign: ([value]) => on(value, quantity => (quantity.numerator === 0n ? 0n : quantity.numerator < 0n ? -1n : 1n)),
  isInteger: ([value]) => on(value, quantity => quantityAsInteger(quantity) !== undefined),
  asInteger: ([value]) => on(value, whole),
  asApproximateFloat: ([value]) => on(value, quantityAsNumber),
  add: ([a, b]) => combine(a, b, 1n),
  sub: ([a, b]) => combine(a, b, -1n),
  isGreaterThan: ([a, b]) => compare(a, b, order => order > 0),
  isLessThan: ([a, b]) => compare(a, b, order => order < 0),
  compareTo: ([a, b]) => compare(a, b, order => BigInt(order)),
}

function read(text: string): Quantity {
  const quantity = parseQuantity(text)
  if (quantity === undefined)
    throw new EvalError("quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'")
  return quantity
}

function quantityValue(quantity: Quantity): CelOpaque {
  return new CelOpaque(quantityName, quantity, other => compareQuantities(quantity, other.content as Quantity) === 0)
}

function on(value: CelValue | undefined, work: (quantity: Quantity) => CelValue): CelValue | undefined {
  return value instanceof CelOpaque && value.type === quantityName ? work(value.content as Quantity) : undefined
}

function whole(quantity: Quantity): bigint {
  const value = quantityAsInteger(quantity)
  if (value === undefined) throw new EvalError('cannot convert value to integer')
  return value
}

function combine(a: CelValue | undefined, b: CelValue | undefined, sign: 1n | -1n): CelValue | undefined {
  if (typeof b === 'bigint') return on(a, left => quantityValue(addQuantities(left, { numerator: b, scale: 0, text: '' }, sign)))
  return on(b, right => on(a, left => quantityValue(addQuantities(left, right, sign))) ?? null)
}

function compare(a: CelValue | undefined, b: CelValue | undefined, result: (order: number) => CelValue): CelValue | undefined {
  return on(b, right => on(a, left => result(compareQuantities(left, right))) ?? null)
}
