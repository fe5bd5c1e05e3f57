// Whole numbers as Go reads them, and what it says of a text that is none.
import { quote } from '#schema'

export type Integer = { readonly value: bigint } | { readonly trouble: string }

/** No number of 64 bits has more digits, but for zeros at its front. */
const digitsMax = 20

export function readInt64(text: string): Integer {
  const [, sign = '', digits] = /^([+-]?)(?:0*(?=\d))(\d+)$/.exec(text) ?? []
  const value = digits === undefined || digits.length > digitsMax ? undefined : BigInt(`${sign === '-' ? '-' : ''}${digits}`)
  if (value !== undefined && BigInt.asIntN(64, value) === value) return { value }
  return trouble('ParseInt', text, digits)
}

export function readUint64(text: string): Integer {
  const [, digits] = /^(?:0*(?=\d))(\d+)$/.exec(text) ?? []
  const value = digits === undefined || digits.length > digitsMax ? undefined : BigInt(digits)
  if (value !== undefined && BigInt.asUintN(64, value) === value) return { value }
  return trouble('ParseUint', text, digits)
}

function trouble(reader: string, text: string, digits: string | undefined): Integer {
  return {
    trouble: `strconv.${reader}: parsing ${quote(text)}: ${digits === undefined ? 'invalid syntax' : 'value out of range'}`,
  }
}
