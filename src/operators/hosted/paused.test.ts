import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pauseOf } from './paused.ts'

const now = Date.parse('2026-06-01T00:00:00Z')

const rows: readonly (readonly [what: string, pausedUntil: unknown, pause: ReturnType<typeof pauseOf>])[] = [
  ['true', 'true', { kind: 'paused', until: undefined }],
  ['a time that is to come', '2026-06-01T00:00:01Z', { kind: 'paused', until: now + 1_000 }],
  ['the time that it is', '2026-06-01T00:00:00Z', { kind: 'none' }],
  ['a time that has passed', '2026-05-31T23:59:59Z', { kind: 'none' }],
  ['a text that is no time', 'false', { kind: 'none' }],
  ['a number, be it a time', now + 1_000, { kind: 'none' }],
  ['true that is no text', true, { kind: 'none' }],
  ['nothing', undefined, { kind: 'none' }],
]

for (const [what, pausedUntil, pause] of rows)
  test(`a control plane is ${pause.kind === 'none' ? 'not ' : ''}paused by ${what}`, () => {
    assert.deepEqual(pauseOf({ pausedUntil }, now), pause)
  })

test('a control plane without a spec is not paused', () => {
  assert.deepEqual(pauseOf(undefined, now), { kind: 'none' })
})
