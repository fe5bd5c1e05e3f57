import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member, Shape } from '#aws'
import { parseScalar, renderScalar, shorten } from './scalars.ts'
import { parseTimestamp, renderTimestamp } from './timestamps.ts'

const shape = (type: string, more: object = {}): Shape => ({ type, ...more }) as unknown as Shape
const parsed = (type: string, text: string): unknown => {
  try {
    return parseScalar(shape(type), text, 'path')
  } catch (error) {
    return (error as Error).message
  }
}

for (const [type, text, value] of [
  ['string', ' a ', ' a '],
  ['boolean', 'true', true],
  ['boolean', 'FALSE', false],
  ['boolean', 'yes', '"yes" is neither true nor false'],
  ['integer', '-12', -12],
  ['long', '+7', 7],
  ['integer', '1.5', '"1.5" is not a whole number'],
  ['integer', '', '"" is not a whole number'],
  ['integer', '9'.repeat(20), `"${'9'.repeat(20)}" is not a whole number`],
  ['double', '1.5e3', 1_500],
  ['double', 'Infinity', Number.POSITIVE_INFINITY],
  ['double', '-Infinity', Number.NEGATIVE_INFINITY],
  ['float', 'NaN', Number.NaN],
  ['float', 'x', '"x" is not a number'],
  ['float', ' ', '" " is not a number'],
  ['timestamp', '1.5', 1_500],
  ['timestamp', 'x', '"x" is not a timestamp'],
  ['blob', 'aGk=', new Uint8Array(Buffer.from('hi'))],
  ['list', 'x', 'a list cannot be given as text'],
] as const) {
  test(`${JSON.stringify(text)} as ${type}`, () => assert.deepEqual(parsed(type, text), value))
}

test('what is quoted is a hundred characters long at most', () => {
  assert.equal(shorten('a'.repeat(100)), 'a'.repeat(100))
  assert.equal(shorten('a'.repeat(101)), `${'a'.repeat(100)}…`)
})

for (const [text, at] of [
  ['0', 0],
  ['1767225600', 1_767_225_600_000],
  ['1767225600.1234', 1_767_225_600_123],
  ['-1', -1_000],
  ['2026-01-01', 1_767_225_600_000],
  ['2026-01-01T00:00Z', 1_767_225_600_000],
  ['2026-01-01T00:00:00Z', 1_767_225_600_000],
  ['2026-01-01T00:00:00.25Z', 1_767_225_600_250],
  ['2026-01-01T01:00:00+01:00', 1_767_225_600_000],
  ['Thu, 01 Jan 2026 00:00:00 GMT', 1_767_225_600_000],
  ['2026-13-01', undefined],
  ['2026-01-01 00:00:00', undefined],
  ['Thu, 1 Jan 2026 00:00:00 GMT', undefined],
  ['1e3', undefined],
  ['', undefined],
] as const) {
  test(`the timestamp ${text || 'of nothing'}: ${at ?? 'none'}`, () => assert.equal(parseTimestamp(text), at))
}

test('an instant is written as the protocol has it, a member before its shape before the protocol', () => {
  const at = 1_767_225_600_250
  assert.deepEqual(
    [
      renderTimestamp(at, 'date-time', 'seconds'),
      renderTimestamp(at, 'date-time', 'millis'),
      renderTimestamp(at, 'http-date', 'millis'),
      renderTimestamp(at, 'epoch-seconds', 'millis'),
    ],
    ['2026-01-01T00:00:00Z', '2026-01-01T00:00:00.250Z', 'Thu, 01 Jan 2026 00:00:00 GMT', '1767225600.25'],
  )
  const form = { timestamp: 'date-time', precision: 'seconds' } as const
  const written = (member: object | undefined, more: object): string =>
    renderScalar(member as Member | undefined, shape('timestamp', more), at, form)
  assert.equal(written({ timestampFormat: 'epoch-seconds' }, { format: 'http-date' }), '1767225600.25')
  assert.equal(written({}, { format: 'http-date' }), 'Thu, 01 Jan 2026 00:00:00 GMT')
  assert.equal(written(undefined, {}), '2026-01-01T00:00:00Z')
  assert.equal(renderScalar(undefined, shape('blob'), Buffer.from('hi'), form), 'aGk=')
  assert.equal(renderScalar(undefined, shape('integer'), 7, form), '7')
})
