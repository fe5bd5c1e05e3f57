// When a resource that was in step is looked at again, from what lists said of it since.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { idleMax, spread } from '../resync.ts'
import type { Rest } from '../seen/notes.ts'
import { claimOf, now, situationOf } from '../testing/situation.ts'
import { planAtRest } from './resting.ts'

const settings = { cheapReadSeconds: 600, resyncSeconds: 36_000 }
const [glanceMs, fullMs] = [spread(claimOf({}), 600_000), spread(claimOf({}), 36_000_000)]
const minuteMs = 60_000

function atRest(rest: Partial<Rest> | undefined, shown: string = 'as before'): readonly [afterMs: number, actions: number] {
  const notes = rest === undefined ? {} : { rest: { basis: 'b', shown, lookedMs: now, idleLooks: 0, disturbances: 0, ...rest } }
  const seen = { notes, glance: { basis: 'b', shown, isUnchanged: true }, inAws: { kind: 'unchanged' as const } }
  const { actions, next } = planAtRest(situationOf({ settings, seen }))
  assert.ok(next.kind === 'look-again' && next.lane === 'drift')
  return [next.afterMs, actions.length]
}

for (const [what, rest, afterMs] of [
  ['the list is read again soon', {}, glanceMs],
  ['the full look comes first where it is due first', { lookedMs: now - fullMs + minuteMs }, minuteMs],
  ['a full look that is overdue is not asked for in the past', { lookedMs: now - 2 * fullMs }, 0],
  ['two full looks that found nothing leave the list as it is', { idleLooks: idleMax - 1 }, glanceMs],
  ['after three of them the list is not believed until the next full look', { idleLooks: idleMax }, fullMs],
  ['of what never was in step a full look is due', undefined, 0],
] as const)
  test(`at rest ${what}`, () => {
    assert.equal(atRest(rest)[0], afterMs)
  })

test('a list that says the same again is believed again, and one that says nothing is no reason for it', () => {
  assert.equal(atRest({ idleLooks: 1 })[1], 1)
  assert.equal(atRest({ idleLooks: 1 }, 'unknown')[1], 0)
  assert.equal(atRest({ idleLooks: 0 })[1], 0)
})
