import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createLog } from '../system/log.ts'
import { printable, printableLine } from './printable.ts'

const attacks: readonly (readonly [what: string, text: string, shown: string])[] = [
  ['a cleared screen', 'x\u001b[2J', 'x\\u001b[2J'],
  ['the title of a window', '\u001b]0;owned\u0007', '\\u001b]0;owned\\u0007'],
  ['an eight-bit sequence', '\u009b31m', '\\u009b31m'],
  ['a line that begins anew', 'fine\rbad', 'fine\\u000dbad'],
  ['text from right to left', 'a\u202egnp.exe', 'a\\u202egnp.exe'],
  ['a line end of Unicode', 'a\u2028b', 'a\\u2028b'],
  ['something that is not seen', 'ad\u200bmin', 'ad\\u200bmin'],
  ['a tag', 'a\u{e0041}', 'a\\udb40\\udc41'],
  ['half a character', 'a\ud800b', 'a\\ud800b'],
]

for (const [what, text, shown] of attacks)
  test(`${what} is shown by its number`, () => {
    assert.equal(printable(text), shown)
    assert.equal(printableLine(text), shown)
  })

test('what is meant to be read stays: letters of any script, pictures, tabs and lines', () => {
  for (const text of ['Zürich', '日本語', 'שלום', '🙂', 'a\tb', '─ ✓ …', '']) assert.equal(printable(text), text)
  assert.equal(printable('a\nb'), 'a\nb')
  assert.equal(printableLine('a\nb'), 'a\\nb')
})

test('JSON that was made printable is the same JSON, and has nothing unfit left', () => {
  fc.assert(
    fc.property(fc.json(), fc.string({ unit: 'binary' }), (json, text) => {
      const both = JSON.stringify([json, text], undefined, 2)
      assert.deepEqual(JSON.parse(printable(both)), JSON.parse(both))
      assert.equal(printable(printable(both)), printable(both))
    }),
  )
})

for (const form of ['json', 'console'] as const)
  test(`a log line as ${form} shows what was put into its message, names and fields by number`, () => {
    let written = ''
    const log = createLog({ clock: { now: () => 0 }, form, write: line => void (written += line) })
    log.warn('refused: \u009b2J\nlevel=info all is well', { 'na\u001bme': 'v\u202e', error: new Error('e\u009d') })
    // oxlint-disable-next-line no-control-regex -- these are what it looks for
    assert.doesNotMatch(written, /[\0-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    assert.equal(written.split('\n').length, 2, 'one line')
  })
