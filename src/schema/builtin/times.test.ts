import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readMicroTime, readTime } from './times.ts'

/** As kube-apiserver 1.34.4 keeps them. */
const kept: readonly (readonly [text: string, time: string])[] = [
  ['2025-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
  ['2025-01-01T00:00:00.662497775Z', '2025-01-01T00:00:00Z'],
  ['2025-01-01T00:00:00,5Z', '2025-01-01T00:00:00Z'],
  ['2025-01-01T02:00:00.5+02:00', '2025-01-01T00:00:00Z'],
  ['2025-12-31T23:30:00-01:30', '2026-01-01T01:00:00Z'],
  ['2025-01-01T1:00:00Z', '2025-01-01T01:00:00Z'],
  ['2024-02-29T00:00:00Z', '2024-02-29T00:00:00Z'],
  ['0000-01-01T00:00:00Z', '0000-01-01T00:00:00Z'],
  ['2025-01-02T00:00:00+24:00', '2025-01-01T00:00:00Z'],
  ['2025-01-01T01:00:00+00:60', '2025-01-01T00:00:00Z'],
]

for (const [text, time] of kept) test(`${text} is kept as ${time}`, () => assert.deepEqual(readTime(text), { time }))

/** As it refuses them. */
const refused: readonly (readonly [text: string, why: string])[] = [
  ['2025-01-01t02:00:00z', ' as "2006-01-02T15:04:05Z07:00": cannot parse "t02:00:00z" as "T"'],
  ['2025-01-01T24:00:00Z', ': hour out of range'],
  ['2025-02-30T04:00:00Z', ': day out of range'],
  ['2025-04-31T00:00:00Z', ': day out of range'],
  ['2025-01-00T00:00:00Z', ': day out of range'],
  ['', ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "2006"'],
  ['2025-13-01T00:00:00Z', ': month out of range'],
  ['2025-01-01T00:61:00Z', ': minute out of range'],
  ['2025-01-01T00:00:60Z', ': second out of range'],
  ['2025-1-1T00:00:00Z', ' as "2006-01-02T15:04:05Z07:00": cannot parse "1-1T00:00:00Z" as "01"'],
  ['2025-01-01T00:00:00', ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "Z07:00"'],
  ['2025-01-01T00:00:00.Z', ' as "2006-01-02T15:04:05Z07:00": cannot parse ".Z" as "Z07:00"'],
  ['2025-01-01T00:00:00+25:00', ': time zone offset hour out of range'],
  ['2025-01-01T00:00:00ZZ', ': extra text: "Z"'],
  ['2025-00-01T00:00:00Z', ': month out of range'],
  ['2025-01-01T00:60:00Z', ': minute out of range'],
  ['2025-01-01T00:00:00-00:61', ': time zone offset minute out of range'],
  ['2025-01-01', ' as "2006-01-02T15:04:05Z07:00": cannot parse "" as "T"'],
]

for (const [text, why] of refused)
  test(`"${text}" is refused in the words of the server`, () =>
    assert.deepEqual(readTime(text), { problem: `parsing time "${text}"${why}` }))

test('of a time with microseconds six digits are kept, and other numbers of digits are refused', () => {
  assert.deepEqual(readMicroTime('2026-01-01T02:00:00.120000+02:00'), { time: '2026-01-01T00:00:00.120000Z' })
  const long = '2026-01-01T00:00:00.123456789Z'
  const why = 'as "2006-01-02T15:04:05.000000Z07:00": cannot parse "789Z" as "Z07:00"'
  assert.deepEqual(readMicroTime(long), { problem: `parsing time "${long}" ${why}` })
})
