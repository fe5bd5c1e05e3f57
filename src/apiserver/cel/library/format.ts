// `"…%s…".format([…])`.
import {
  CelBytes,
  CelDuration,
  CelList,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  EvalError,
  isMap,
} from '../values.ts'
import { renderDouble, toText } from './conversions.ts'

export function formatText(pattern: string, args: readonly CelValue[]): string {
  let out = ''
  let next = 0
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern.charAt(i)
    if (character !== '%') {
      out += character
      continue
    }
    if (pattern.charAt(i + 1) === '%') {
      out += '%'
      i++
      continue
    }
    const match = /^(?:\.(\d{1,3}))?(.)/su.exec(pattern.slice(i + 1))
    if (match === null) throw new EvalError('could not parse formatting clause: unexpected end of string')
    const argument = args[next]
    if (argument === undefined) throw new EvalError(`index ${next} out of range`)
    next++
    out += clause(match[2] as string, argument, match[1] === undefined ? undefined : Number(match[1]))
    i += match[0].length
  }
  return out
}

function clause(letter: string, value: CelValue, precision: number | undefined): string {
  switch (letter) {
    case 's':
      return plain(value)
    case 'd':
      return decimal(value)
    case 'f':
      return fixed(value, precision ?? 6)
    case 'e':
      return scientific(value, precision ?? 6)
    case 'b':
      return inBase(value, 2)
    case 'o':
      return inBase(value, 8)
    case 'x':
      return hexadecimal(value)
    case 'X':
      return hexadecimal(value).toUpperCase()
    default:
      throw new EvalError(`could not parse formatting clause: unrecognized formatting clause "${letter}"`)
  }
}

function plain(value: CelValue): string {
  if (value === null) return 'null'
  if (value instanceof CelTypeValue) return value.name
  if (value instanceof CelList) return `[${value.items.map(plain).join(', ')}]`
  if (value instanceof CelBytes) return new TextDecoder().decode(value.bytes)
  if (isMap(value)) {
    const entries = value.keys().map(key => `${plain(key)}: ${plain(value.get(key) as CelValue)}`)
    return `{${entries.sort().join(', ')}}`
  }
  if (typeof value === 'number') return special(value) ?? renderDouble(value)
  const text =
    value instanceof CelDuration || value instanceof CelTimestamp || typeof value !== 'object' || value instanceof CelUint
      ? toText(value)
      : undefined
  if (text === undefined)
    throw wrong(
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
      value,
    )
  return text
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN'
  if (Number.isFinite(value)) return undefined
  return value > 0 ? 'Infinity' : '-Infinity'
}

function wrong(text: string, value: CelValue): EvalError {
  return new EvalError(`error during formatting: ${text}, was given ${nameOf(value)}`)
}

export function nameOf(value: CelValue): string {
  if (value === null) return 'null_type'
  const names: Readonly<Record<string, string>> = { string: 'string', boolean: 'bool', bigint: 'int', number: 'double' }
  if (value instanceof CelUint) return 'uint'
  if (value instanceof CelBytes) return 'bytes'
  if (value instanceof CelList) return 'list'
  return names[typeof value] ?? (isMap(value) ? 'map' : 'object')
}

function decimal(value: CelValue): string {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof CelUint) return String(value.value)
  if (typeof value === 'number' && !Number.isFinite(value)) return special(value) as string
  throw wrong('decimal clause can only be used on integers', value)
}

function asDouble(value: CelValue, what: string): number {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof CelUint) return Number(value.value)
  throw wrong(`${what} clause can only be used on doubles`, value)
}

function fixed(value: CelValue, precision: number): string {
  const double = asDouble(value, 'fixed-point')
  return special(double) ?? double.toFixed(Math.min(precision, 100))
}

function scientific(value: CelValue, precision: number): string {
  const double = asDouble(value, 'scientific')
  return special(double) ?? double.toExponential(Math.min(precision, 100)).replace(/e([+-])(\d)$/, 'e$10$2')
}

function inBase(value: CelValue, base: 2 | 8): string {
  if (typeof value === 'bigint') return value.toString(base)
  if (value instanceof CelUint) return value.value.toString(base)
  if (base === 2 && typeof value === 'boolean') return value ? '1' : '0'
  throw wrong(
    base === 2 ? 'binary clause can only be used on integers and bools' : 'octal clause can only be used on integers',
    value,
  )
}

function hexadecimal(value: CelValue): string {
  if (typeof value === 'bigint') return value.toString(16)
  if (value instanceof CelUint) return value.value.toString(16)
  if (typeof value === 'string') return Buffer.from(value).toString('hex')
  if (value instanceof CelBytes) return Buffer.from(value.bytes).toString('hex')
  throw wrong('hex clause can only be used on integers, byte buffers, and strings', value)
}
