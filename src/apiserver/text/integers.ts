// Whole numbers as Go reads them, and what it says of a text that is none.
import { quote } from '#schema'

export type Integer = { readonly value: bigint } | { readonly trouble: string }

export function readInt64(text: string): Integer {
  const digits = digitsOf(text.replace(/^[+-]/, ''))
  const value = digits === undefined ? undefined : readDigits(digits) * (text.startsWith('-') ? -1n : 1n)
  if (value !== undefined && BigInt.asIntN(64, value) === value) return { value }
  return trouble('ParseInt', text, digits)
}

export function readUint64(text: string): Integer {
  const digits = digitsOf(text)
  const value = digits === undefined ? undefined : readDigits(digits)
  if (value !== undefined && BigInt.asUintN(64, value) === value) return { value }
  return trouble('ParseUint', text, digits)
}

/** Without the zeros at its front. A text may be as long as a request, so it is read from left to right only. */
function digitsOf(text: string): string | undefined {
  return /^\d+$/.test(text) ? text.replace(/^0+/, '') : undefined
}

/** No number of 64 bits has more digits; what is longer is out of range whatever its digits are. */
const digitsMax = 20

function readDigits(digits: string): bigint {
  return BigInt(digits.slice(0, digitsMax + 1))
}

function trouble(reader: string, text: string, digits: string | undefined): Integer {
  return {
    trouble: `strconv.${reader}: parsing ${quote(text)}: ${digits === undefined ? 'invalid syntax' : 'value out of range'}`,
  }
}
