// Conversions between types, `type` and `size`.
import {
  CelBytes,
  CelDuration,
  CelList,
  CelOpaque,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  EvalError,
  isCelObject,
  isMap,
} from '../values.ts'
import { parseDuration, renderSeconds } from './duration.ts'
import type { Cost, LibraryFunction } from './function.ts'
import { renderOpaque } from './opaque.ts'
import { checkedUint } from './operators.ts'
import { codePoints, textCost, traversal } from './size.ts'
import { parseTimestamp, renderTimestamp } from './time.ts'

export const conversions: Readonly<Record<string, LibraryFunction>> = {
  size: ([value]) => sizeOf(value as CelValue),
  type: ([value]) => new CelTypeValue(typeName(value as CelValue)),
  dyn: ([value]) => value,
  int: ([value]) => toInt(value as CelValue),
  uint: ([value]) => toUint(value as CelValue),
  double: ([value]) => toDouble(value as CelValue),
  string: ([value]) => toText(value as CelValue),
  bytes: ([value]) => toBytes(value as CelValue),
  bool: ([value]) => toBool(value as CelValue),
  duration: ([value]) => toDuration(value as CelValue),
  timestamp: ([value]) => toTimestamp(value as CelValue),
}

const pass: Cost = ([value]) =>
  typeof value === 'string' || value instanceof CelBytes ? Math.max(1, textCost(traversal(value))) : 1

export const conversionCosts: Readonly<Record<string, Cost>> = { string: pass, bytes: pass }

function sizeOf(value: CelValue): bigint | undefined {
  if (typeof value === 'string') return BigInt(codePoints(value))
  if (value instanceof CelList || value instanceof CelBytes || isMap(value)) return BigInt(traversal(value))
  return undefined
}

function typeName(value: CelValue): string {
  if (value === null) return 'null_type'
  switch (typeof value) {
    case 'boolean':
      return 'bool'
    case 'bigint':
      return 'int'
    case 'number':
      return 'double'
    case 'string':
      return 'string'
    default:
      return objectTypeName(value)
  }
}

function objectTypeName(value: Exclude<CelValue, null | boolean | bigint | number | string>): string {
  if (value instanceof CelUint) return 'uint'
  if (value instanceof CelBytes) return 'bytes'
  if (value instanceof CelList) return 'list'
  if (isMap(value)) return 'map'
  if (value instanceof CelDuration) return 'google.protobuf.Duration'
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp'
  if (value instanceof CelTypeValue) return 'type'
  if (value instanceof CelOptional) return 'optional_type'
  if (value instanceof CelOpaque) return value.type
  return isCelObject(value) && value.type.kind === 'object' ? value.type.name : 'object'
}

function failed(from: string, to: string): EvalError {
  return new EvalError(`type conversion error from '${from}' to '${to}'`)
}

function toInt(value: CelValue): CelValue | undefined {
  if (typeof value === 'bigint') return value
  if (value instanceof CelUint) return inIntRange(value.value)
  if (typeof value === 'number') {
    // The bounds themselves are not exact as doubles and do not convert.
    if (!(value > -(2 ** 63) && value < 2 ** 63)) throw new EvalError('integer overflow')
    return BigInt(Math.trunc(value))
  }
  if (typeof value === 'string') {
    if (!/^[+-]?\d{1,30}$/.test(value)) throw failed('string', 'int')
    return inIntRange(BigInt(value.replace(/^\+/, '')), 'string')
  }
  if (value instanceof CelTimestamp) return value.nanos / 1_000_000_000n
  return value instanceof CelDuration ? value.nanos : undefined
}

function inIntRange(value: bigint, from?: string): bigint {
  if (value >= -(2n ** 63n) && value < 2n ** 63n) return value
  throw from === undefined ? new EvalError('integer overflow') : failed(from, 'int')
}

function toUint(value: CelValue): CelValue | undefined {
  if (value instanceof CelUint) return value
  if (typeof value === 'bigint') return checkedUint(value)
  if (typeof value === 'number') {
    if (!(value >= 0 && value < 2 ** 64)) throw new EvalError('unsigned integer overflow')
    return checkedUint(BigInt(Math.trunc(value)))
  }
  if (typeof value !== 'string') return undefined
  if (!/^\d{1,30}$/.test(value) || BigInt(value) >= 2n ** 64n) throw failed('string', 'uint')
  return new CelUint(BigInt(value))
}

function toDouble(value: CelValue): CelValue | undefined {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof CelUint) return Number(value.value)
  if (typeof value !== 'string') return undefined
  const infinite = /^([+-]?)inf(?:inity)?$/i.exec(value)
  if (infinite !== null) return infinite[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY
  if (/^nan$/i.test(value)) return Number.NaN
  if (!/^[+-]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d+)?$/.test(value)) throw failed('string', 'double')
  return Number(value)
}

export function toText(value: CelValue): string | undefined {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return renderDouble(value)
  if (value instanceof CelUint) return String(value.value)
  if (value instanceof CelDuration) return renderSeconds(value.nanos)
  if (value instanceof CelTimestamp) return renderTimestamp(value.nanos)
  if (value instanceof CelBytes) return fromUtf8(value.bytes)
  return value instanceof CelOpaque ? renderOpaque(value) : undefined
}

function fromUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new EvalError('invalid UTF-8 in bytes, cannot convert to string')
  }
}

/** The shortest text that reads back; with an exponent below a ten-thousandth and from a million on. */
export function renderDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const scientific = value.toExponential()
  const exponent = Number(scientific.slice(scientific.indexOf('e') + 1))
  return value !== 0 && (exponent < -4 || exponent >= 6) ? scientific.replace(/e([+-])(\d)$/, 'e$10$2') : String(value)
}

function toBytes(value: CelValue): CelValue | undefined {
  if (value instanceof CelBytes) return value
  return typeof value === 'string' ? new CelBytes(Buffer.from(value, 'utf8')) : undefined
}

const booleans: Readonly<Record<string, boolean>> = Object.assign(Object.create(null) as Record<string, boolean>, {
  ...Object.fromEntries(['1', 't', 'T', 'TRUE', 'true', 'True'].map(text => [text, true])),
  ...Object.fromEntries(['0', 'f', 'F', 'FALSE', 'false', 'False'].map(text => [text, false])),
})

function toBool(value: CelValue): CelValue | undefined {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return undefined
  const known = booleans[value]
  if (known === undefined) throw failed('string', 'bool')
  return known
}

/** About 10,000 years, as the wire form of durations allows. */
const durationMax = 315_576_000_000n * 1_000_000_000n

function toDuration(value: CelValue): CelValue | undefined {
  if (value instanceof CelDuration) return value
  if (typeof value === 'bigint') return new CelDuration(value)
  if (typeof value !== 'string') return undefined
  const nanos = parseDuration(value)
  if (nanos === undefined || nanos > durationMax || nanos < -durationMax) throw failed('string', 'google.protobuf.Duration')
  return new CelDuration(nanos)
}

function toTimestamp(value: CelValue): CelValue | undefined {
  if (value instanceof CelTimestamp) return value
  if (typeof value === 'bigint') return new CelTimestamp(value * 1_000_000_000n)
  if (typeof value !== 'string') return undefined
  const nanos = parseTimestamp(value)
  if (nanos === undefined) throw failed('string', 'google.protobuf.Timestamp')
  return new CelTimestamp(nanos)
}
