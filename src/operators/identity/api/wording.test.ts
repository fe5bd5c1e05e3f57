// Which words of a condition stay: those in which the same good news was told before.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition, StoredCondition } from '#kube'
import { keepWording } from './wording.ts'

const said: Condition = { type: 'RoleReady', status: 'True', reason: 'ACKResourceSynced', message: 'in our words' }
const held: StoredCondition = {
  ...said,
  message: 'in other words',
  observedGeneration: 2,
  lastTransitionTime: '2026-01-01T00:00:00Z',
}

for (const [what, now, before, message] of [
  ['the same good news', {}, {}, 'in other words'],
  ['good news for another reason', { reason: 'Other' }, {}, 'in our words'],
  ['what was not so before', {}, { status: 'False' }, 'in our words'],
  ['what is not so any more', { status: 'False' }, {}, 'in our words'],
  ['what is not so still', { status: 'False' }, { status: 'False' }, 'in our words'],
  ['what was said of another generation', {}, { observedGeneration: 1 }, 'in our words'],
  ['a repair', { reason: 'AnnotationRepaired' }, { reason: 'AnnotationRepaired' }, 'in our words'],
  ['whose words say who has to do what', { type: 'RoleMigrated' }, { type: 'RoleMigrated' }, 'in our words'],
  ['another type', { type: 'PolicyReady' }, {}, 'in our words'],
] as const)
  test(`of ${what} the words ${message === 'in our words' ? 'are new' : 'stay'} [M4]`, () => {
    const [condition] = keepWording([{ ...said, ...now }], [{ ...held, ...before }], 2)
    assert.deepEqual(condition, { ...said, ...now, message })
  })

test('what is told for the first time is told in our words', () => assert.deepEqual(keepWording([said], undefined, 2), [said]))
