// From when and until when a certificate is asked to be valid.
import type { Instant } from '#base'
import { pcaFailure } from './errors.ts'

export interface Validity {
  readonly Value: number
  readonly Type: 'END_DATE' | 'ABSOLUTE' | 'DAYS' | 'MONTHS' | 'YEARS'
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

interface Asked {
  readonly Validity: Validity
  readonly ValidityNotBefore?: Validity
}

/** An hour before now where nothing else is said, as clocks of relying parties may be late. */
export function validityOf(
  { Validity: end, ValidityNotBefore: start }: Asked,
  now: Instant,
): { readonly validFrom: Instant; readonly validUntil: Instant } {
  if (start !== undefined && start.Type !== 'ABSOLUTE')
    throw pcaFailure('InvalidArgsException', 'ValidityNotBefore is of type ABSOLUTE.')
  return { validFrom: start === undefined ? wholeSecond(now - hourMs) : start.Value * 1_000, validUntil: endOf(end, now) }
}

function wholeSecond(instant: Instant): Instant {
  return Math.floor(instant / 1_000) * 1_000
}

function endOf({ Value, Type }: Validity, now: Instant): Instant {
  switch (Type) {
    case 'ABSOLUTE':
      return Value * 1_000
    case 'END_DATE':
      return dateOf(String(Value))
    case 'DAYS':
      return wholeSecond(now + Value * dayMs)
    default:
      return monthsLater(now, Type === 'YEARS' ? Value * 12 : Value)
  }
}

function monthsLater(now: Instant, months: number): Instant {
  const end = new Date(wholeSecond(now))
  end.setUTCMonth(end.getUTCMonth() + months)
  return representable(end.getTime())
}

/** `YYMMDDHHMMSS` up to 2049, or `YYYYMMDDHHMMSS`. */
function dateOf(digits: string): Instant {
  const long =
    digits.length <= 12 ? `${Number(digits.padStart(12, '0').slice(0, 2)) < 50 ? '20' : '19'}${digits.padStart(12, '0')}` : digits
  const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(long) ?? []
  const [year = Number.NaN, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number)
  return representable(Date.UTC(year, month - 1, day, hour, minute, second))
}

/** X.509 ends with the year 9999. */
function representable(instant: Instant): Instant {
  if (!(instant <= Date.UTC(9999, 11, 31, 23, 59, 59)))
    throw pcaFailure('InvalidArgsException', 'The end of the validity is no date.')
  return instant
}
