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
      return scientific(value)
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
  if (value instanceof CelList || isMap(value)) return nested(value)
  if (value instanceof CelBytes) return new TextDecoder().decode(value.bytes)
  if (typeof value === 'number') return special(value) ?? renderDouble(value)
  const isPrintable =
    value instanceof CelDuration || value instanceof CelTimestamp || typeof value !== 'object' || value instanceof CelUint
  const text = isPrintable ? toText(value) : undefined
  if (text === undefined) {
    const takes =
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps'
    throw wrong(takes, value)
  }
  return text
}

/** Inside lists and maps values print as one would write them. */
function nested(value: CelValue): string {
  if (value instanceof CelList) return `[${value.items.map(nested).join(', ')}]`
  if (value !== null && isMap(value)) {
    const entries = value.keys().map(key => [nested(key), nested(value.get(key) as CelValue)] as const)
    const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1))
    return `{${sorted.map(([key, item]) => `${key}:${item}`).join(', ')}}`
  }
  if (typeof value === 'string') return quoteText(value)
  if (typeof value === 'number') return special(value) === undefined ? fixedDigits(value, 6) : `"${special(value)}"`
  if (value instanceof CelBytes) return `b${quoteText(new TextDecoder().decode(value.bytes))}`
  if (value instanceof CelDuration) return `duration("${toText(value)}")`
  if (value instanceof CelTimestamp) return `timestamp("${toText(value)}")`
  return plain(value)
}

function quoteText(text: string): string {
  return `"${text.replaceAll(/[\\"]/g, '\\$&').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')}"`
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
  const infinite = special(double)
  if (infinite !== undefined) return infinite
  // Thousands are grouped as an English reader expects.
  const [whole = '', fraction] = fixedDigits(double, precision).split('.')
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')
  return fraction === undefined ? grouped : `${grouped}.${fraction}`
}

/** As many digits as the language gives: the exact value of all doubles that matter here. */
const exactDigits = 100

/** Halves go to the even digit, judged by the exact value of the double. */
function fixedDigits(value: number, precision: number): string {
  const digits = Math.min(precision, 60)
  const magnitude = Math.abs(value)
  if (magnitude >= 1e21) return `${value < 0 ? '-' : ''}${BigInt(magnitude)}${digits === 0 ? '' : `.${'0'.repeat(digits)}`}`
  const exact = magnitude.toFixed(exactDigits)
  const point = exact.indexOf('.')
  const kept = BigInt(exact.slice(0, point) + exact.slice(point + 1, point + 1 + digits))
  const rest = exact.slice(point + 1 + digits)
  const half = `5${'0'.repeat(Math.max(rest.length - 1, 0))}`
  const up = rest > half || (rest === half && kept % 2n === 1n)
  const text = String(up ? kept + 1n : kept).padStart(digits + 1, '0')
  const sign = value < 0 || Object.is(value, -0) ? '-' : ''
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

const superscripts = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹']

/** Typeset, as the server's printer for people has it; it does not heed a precision here. */
function scientific(value: CelValue): string {
  const double = asDouble(value, 'scientific')
  const infinite = special(double)
  if (infinite !== undefined) return infinite
  const [mantissa = '', exponent = '0'] = double.toExponential(6).split('e')
  const raised = String(Math.abs(Number(exponent)))
    .padStart(2, '0')
    .replaceAll(/\d/g, digit => superscripts[Number(digit)] as string)
  return `${mantissa}×10${Number(exponent) < 0 ? '⁻' : ''}${raised}`
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
