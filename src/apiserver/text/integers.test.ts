import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Integer, readInt64, readUint64 } from './integers.ts'

const value = (number: bigint): Integer => ({ value: number })
const trouble = (reader: string, quoted: string, why = 'invalid syntax'): Integer => ({
  trouble: `strconv.${reader}: parsing ${quoted}: ${why}`,
})
const range = 'value out of range'

const signed: Readonly<Record<string, Integer>> = {
  '0': value(0n),
  '+1': value(1n),
  '-1': value(-1n),
  '9223372036854775807': value(2n ** 63n - 1n),
  '-9223372036854775808': value(-(2n ** 63n)),
  [`${'0'.repeat(40)}7`]: value(7n),
  '9223372036854775808': trouble('ParseInt', '"9223372036854775808"', range),
  '-9223372036854775809': trouble('ParseInt', '"-9223372036854775809"', range),
  '100000000000000000000000': trouble('ParseInt', '"100000000000000000000000"', range),
  '': trouble('ParseInt', '""'),
  '1.5': trouble('ParseInt', '"1.5"'),
  ' 1': trouble('ParseInt', '" 1"'),
  '\0': trouble('ParseInt', '"\\x00"'),
}

const unsigned: Readonly<Record<string, Integer>> = {
  '0': value(0n),
  '18446744073709551615': value(2n ** 64n - 1n),
  [`${'0'.repeat(40)}7`]: value(7n),
  '18446744073709551616': trouble('ParseUint', '"18446744073709551616"', range),
  '100000000000000000000000': trouble('ParseUint', '"100000000000000000000000"', range),
  '+1': trouble('ParseUint', '"+1"'),
  '-1': trouble('ParseUint', '"-1"'),
  '': trouble('ParseUint', '""'),
  'a"b': trouble('ParseUint', '"a\\"b"'),
}

test('a whole number is read, and what is none is told', () => {
  for (const [text, told] of Object.entries(signed)) assert.deepEqual(readInt64(text), told, text)
  for (const [text, told] of Object.entries(unsigned)) assert.deepEqual(readUint64(text), told, text)
})
