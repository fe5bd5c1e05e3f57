// Values as Go prints them, which some refusals quote.

import { isRecord } from '#base'

/** As Go's `%v` prints it. */
export function goText(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(goText).join(' ')}]`
  if (value === null) return '<nil>'
  if (typeof value === 'number' || typeof value === 'bigint') return goNumber(value)
  if (!isRecord(value)) return typeof value === 'string' ? value : JSON.stringify(value)
  const keys = Object.keys(value).sort()
  return `map[${keys.map(key => `${key}:${goText(value[key])}`).join(' ')}]`
}

/** A number of a JSON text: whole ones that 64 bits hold are integers, all others floating. */
export function goNumber(value: number | bigint): string {
  if (typeof value === 'bigint') return isInt64(value) ? value.toString() : goFloat(Number(value))
  return Number.isInteger(value) && isInt64(BigInt(value)) ? value.toString() : goFloat(value)
}

function isInt64(value: bigint): boolean {
  return BigInt.asIntN(64, value) === value
}

/** A float in the shortest form that is read as the same number, with an exponent from a million on and below a ten-thousandth. */
export function goFloat(value: number): string {
  const [digits = '', exponent = ''] = value.toExponential().split('e')
  const power = Number(exponent)
  if (power >= -4 && power < 6) return value.toString()
  return `${digits}e${power < 0 ? '-' : '+'}${Math.abs(power).toString().padStart(2, '0')}`
}

/** The Go type that a JSON value has when nothing is known of it. */
export function goType(value: unknown): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (isRecord(value)) return 'map[string]interface {}'
  if (typeof value === 'number') return Number.isInteger(value) && Math.abs(value) < 2 ** 63 ? 'int64' : 'float64'
  if (typeof value === 'bigint') return 'int64'
  return typeof value === 'boolean' ? 'bool' : 'string'
}
