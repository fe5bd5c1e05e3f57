// Timestamps: reading, printing, and their parts in a time zone.
import { isDateTime } from '../../formats.ts'
import { CelDuration, CelTimestamp, type CelValue, EvalError } from '../values.ts'
import type { LibraryFunction } from './function.ts'

/** Nanoseconds since 1970, from RFC 3339. */
export function parseTimestamp(text: string): bigint | undefined {
  if (!isDateTime(text) || text.startsWith('0000')) return undefined
  const fraction = /\.(\d+)/.exec(text)?.[1] ?? ''
  const ms = Date.parse(text.replace(/\.\d+/, ''))
  return Number.isNaN(ms) ? undefined : BigInt(ms) * 1_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
}

export function renderTimestamp(nanos: bigint): string {
  const seconds = floorDivide(nanos, 1_000_000_000n)
  const fraction = String(nanos - seconds * 1_000_000_000n)
    .padStart(9, '0')
    .replace(/0+$/, '')
  return `${new Date(Number(seconds) * 1000).toISOString().slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}Z`
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

/** The time of day and date in a zone, as if that were UTC. */
function shifted(timestamp: CelTimestamp, zone: CelValue | undefined): Date {
  const ms = Number(floorDivide(timestamp.nanos, 1_000_000n))
  if (zone === undefined || zone === '') return new Date(ms)
  if (typeof zone !== 'string') throw new EvalError('no such overload')
  const offset = /^([+-]?)(\d\d):(\d\d)$/.exec(zone)
  if (offset !== null) {
    const minutes = Number(offset[2]) * 60 + Number(offset[3])
    return new Date(ms + (offset[1] === '-' ? -minutes : minutes) * 60_000)
  }
  return inNamedZone(ms, zone)
}

function inNamedZone(ms: number, zone: string): Date {
  try {
    const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
    const name = format.formatToParts(ms).find(part => part.type === 'timeZoneName')?.value ?? 'GMT'
    const match = /([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(name)
    if (match === null) return new Date(ms)
    const seconds = Number(match[2]) * 3600 + Number(match[3]) * 60 + Number(match[4] ?? 0)
    return new Date(ms + (match[1] === '-' ? -seconds : seconds) * 1000)
  } catch {
    throw new EvalError(`unknown time zone ${zone}`)
  }
}

type Part = (date: Date) => number

function part(of: Part, ofDuration?: (nanos: bigint) => bigint): LibraryFunction {
  return ([time, zone]) => {
    if (time instanceof CelTimestamp) return BigInt(of(shifted(time, zone)))
    return time instanceof CelDuration && zone === undefined ? ofDuration?.(time.nanos) : undefined
  }
}

const dayMs = 86_400_000

export const timeFunctions: Readonly<Record<string, LibraryFunction>> = {
  getFullYear: part(date => date.getUTCFullYear()),
  getMonth: part(date => date.getUTCMonth()),
  getDayOfYear: part(date => Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / dayMs)),
  getDayOfMonth: part(date => date.getUTCDate() - 1),
  getDate: part(date => date.getUTCDate()),
  getDayOfWeek: part(date => date.getUTCDay()),
  getHours: part(
    date => date.getUTCHours(),
    nanos => nanos / 3_600_000_000_000n,
  ),
  getMinutes: part(
    date => date.getUTCMinutes(),
    nanos => nanos / 60_000_000_000n,
  ),
  getSeconds: part(
    date => date.getUTCSeconds(),
    nanos => nanos / 1_000_000_000n,
  ),
  getMilliseconds: part(
    date => date.getUTCMilliseconds(),
    nanos => (nanos / 1_000_000n) % 1000n,
  ),
}
