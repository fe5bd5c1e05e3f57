// When a resource that was in step is looked at again, from what lists said of it since.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../api.ts'
import { spread } from '../resync.ts'
import type { Notes, Rest } from '../seen/notes.ts'
import { claimOf, now, situationOf, uid } from '../testing/situation.ts'
import type { PlanAction, ResourcePlan } from './actions.ts'
import { planAtRest, withRest } from './resting.ts'

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
  ['two full looks that found nothing leave the list as it is', { idleLooks: 2 }, glanceMs],
  ['after three of them the list is not believed until the next full look', { idleLooks: 3 }, fullMs],
  ['of what never was in step a full look is due', undefined, 0],
] as const)
  test(`at rest ${what}`, () => {
    assert.equal(atRest(rest)[0], afterMs)
  })

test('a list that says the same again is believed again, and one that says nothing is no reason for it', () => {
  assert.equal(atRest({ idleLooks: 1 })[1], 1)
  assert.equal(atRest({ idleLooks: 1 }, 'unknown')[1], 0)
  assert.equal(atRest({ idleLooks: 0 })[1], 0)
  const rest: Rest = { basis: 'b', shown: 's', lookedMs: now, idleLooks: 2, disturbances: 5 }
  assert.deepEqual(restIn(planAtRest(situationOf({ settings, seen: { notes: { rest } } })).actions), [{ ...rest, idleLooks: 0 }])
})

/** What the notes among these actions remember, in their order. */
function restIn(actions: readonly PlanAction[]): readonly unknown[] {
  return actions.flatMap(each =>
    each.kind === 'act:note' && each.notes !== 'forget' && 'rest' in each.notes ? [each.notes.rest] : [],
  )
}

const inStep: ResourcePlan = {
  actions: [{ kind: 'act:note', uid, notes: {}, summary: 'x' }],
  conditions: [
    { type: conditions.ready, status: 'True', reason: 'Synced', message: '' },
    { type: conditions.synced, status: 'True', reason: 'Synced', message: '' },
  ],
  next: { kind: 'look-again', afterMs: 7, why: 'drift', lane: 'drift' },
}
const glance = { basis: 'b', shown: 's', isUnchanged: false }
const rested = (plan: ResourcePlan, notes: Notes = {}): ResourcePlan =>
  withRest(situationOf({ settings, seen: { glance, notes } }), plan)
const fresh: Rest = { basis: 'b', shown: 's', lookedMs: now, idleLooks: 0, disturbances: 0 }

test('a full look that found a resource in step is remembered, after all else that is done', () => {
  const plan = rested(inStep)
  assert.deepEqual(restIn(plan.actions.slice(1)), [fresh])
  assert.equal(plan.next.kind === 'look-again' && plan.next.afterMs, glanceMs)
  assert.deepEqual(restIn(rested(inStep, { disturbances: 4 }).actions), [{ ...fresh, disturbances: 4 }])
  assert.equal(withRest(situationOf({ settings, seen: { glance: undefined } }), inStep), inStep)
})

test('a full look that a list asked for and that found nothing is counted, from the first on', () => {
  const held = { ...fresh, lookedMs: now - minuteMs, idleLooks: 1, shown: 'old' }
  assert.deepEqual(restIn(rested(inStep, { rest: held }).actions), [{ ...held, shown: 's', idleLooks: 2 }])
  const other = { ...held, basis: 'other' }
  assert.deepEqual(restIn(rested(inStep, { rest: other }).actions), [fresh], 'it rested on something else')
})

test('what is not in step is no rest, and what was remembered is forgotten before anything is done', () => {
  const [ready, synced] = inStep.conditions
  assert.ok(ready !== undefined && synced !== undefined)
  const others: readonly ResourcePlan[] = [
    { ...inStep, conditions: [ready, { ...synced, status: 'False' }] },
    { ...inStep, conditions: [ready] },
    { ...inStep, next: { kind: 'await-change' } },
    { ...inStep, next: { kind: 'look-again', afterMs: 7, why: 'x', lane: 'begun' } },
  ]
  for (const plan of others) {
    assert.equal(rested(plan), plan)
    const forgetting = rested(plan, { rest: fresh })
    assert.deepEqual(restIn(forgetting.actions.slice(0, 1)), [undefined])
    assert.deepEqual([forgetting.actions.length, forgetting.next], [2, plan.next])
  }
})
