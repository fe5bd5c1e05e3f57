// Optional values.
import { CelBytes, CelDuration, CelList, CelOptional, CelTimestamp, CelUint, type CelValue, EvalError, isMap } from '../values.ts'
import type { LibraryFunction } from './function.ts'

export const optionals: Readonly<Record<string, LibraryFunction>> = {
  'optional.of': ([value]) => new CelOptional(value),
  'optional.none': () => new CelOptional(undefined),
  'optional.ofNonZeroValue': ([value]) => new CelOptional(value === undefined || isZero(value) ? undefined : value),
  hasValue: ([optional]) => (optional instanceof CelOptional ? optional.value !== undefined : undefined),
  value: ([optional]) => (optional instanceof CelOptional ? valueOf(optional) : undefined),
}

function valueOf(optional: CelOptional): CelValue {
  if (optional.value === undefined) throw new EvalError('optional.none() dereference')
  return optional.value
}

function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === 0n || value === 0 || value === '') return true
  if (value instanceof CelUint) return value.value === 0n
  if (value instanceof CelBytes) return value.bytes.length === 0
  if (value instanceof CelList) return value.items.length === 0
  if (value instanceof CelDuration || value instanceof CelTimestamp) return value.nanos === 0n
  return isMap(value) && value.size === 0
}
