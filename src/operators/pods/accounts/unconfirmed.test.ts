import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, ManualClock } from '#base'
import { unconfirmedTeller } from './unconfirmed.ts'

test('the first is told at once, and with each further line, a second later at least, how many were not told [S20]', async () => {
  const clock = new ManualClock()
  const lines: unknown[] = []
  const log = createLogTo({ clock }, (level, message, fields) => lines.push([level, message, fields]))
  const tell = unconfirmedTeller(clock, log, 'client id')
  const who = (serviceAccount: string) => ({ namespace: 'ns', serviceAccount })
  const line = (fields: object) => [
    'warn',
    'a pod was let in without a client id, and the API server did not say in time whether it should have one',
    fields,
  ]
  tell(who('a'))
  assert.deepEqual(lines.splice(0), [line(who('a'))])
  tell(who('b'))
  await clock.advance(999)
  tell(who('c'))
  assert.deepEqual(lines, [])
  await clock.advance(1)
  tell(who('d'))
  assert.deepEqual(lines.splice(0), [line({ ...who('d'), othersSince: 2 })])
  await clock.advance(1_000)
  tell(who('e'))
  assert.deepEqual(lines, [line(who('e'))])
})
