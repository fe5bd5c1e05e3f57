import assert from 'node:assert/strict'
import { test } from 'node:test'
import { durationTrouble } from './durations.ts'

const good = [
  '0',
  '-0',
  '1h',
  '+1h30m',
  '1.5s',
  '.5ms',
  '1.s',
  '1µs',
  '1μs',
  '5us',
  '9223372036854775807ns',
  '-9223372036854775808ns',
  '2562047h47m16s',
  `0.${'0'.repeat(30)}1s`,
]

test('a span of time is read', () => {
  assert.deepEqual(
    good.filter(text => durationTrouble(text) !== undefined),
    [],
  )
})

const bad: Readonly<Record<string, string>> = {
  '': 'invalid duration ""',
  '-': 'invalid duration "-"',
  '.': 'invalid duration "."',
  s: 'invalid duration "s"',
  'a b': 'invalid duration "a b"',
  '"': 'invalid duration "\\""',
  '\\': 'invalid duration "\\\\"',
  '\n': 'invalid duration "\\x0a"',
  '１s': 'invalid duration "\\xef\\xbc\\x91s"',
  '1': 'missing unit in duration "1"',
  '-1': 'missing unit in duration "-1"',
  '1.': 'missing unit in duration "1."',
  '1s2': 'missing unit in duration "1s2"',
  '1.5.5s': 'missing unit in duration "1.5.5s"',
  '9223372036854775808': 'missing unit in duration "9223372036854775808"',
  '99999999999999999999': 'invalid duration "99999999999999999999"',
  '9223372036854775808ns': 'invalid duration "9223372036854775808ns"',
  '-9223372036854775809ns': 'invalid duration "-9223372036854775809ns"',
  '99999999999h': 'invalid duration "99999999999h"',
  '2562047h47m17s': 'invalid duration "2562047h47m17s"',
  '1d': 'unknown unit "d" in duration "1d"',
  '1 s': 'unknown unit " s" in duration "1 s"',
  '1ss': 'unknown unit "ss" in duration "1ss"',
  '0x1s': 'unknown unit "x" in duration "0x1s"',
  '1é': 'unknown unit "\\xc3\\xa9" in duration "1\\xc3\\xa9"',
}

for (const [text, told] of Object.entries(bad))
  test(`no span of time: ${JSON.stringify(text)}`, () => {
    assert.equal(durationTrouble(text), `time: ${told}`)
  })
