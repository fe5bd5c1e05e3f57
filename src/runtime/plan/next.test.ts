import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awaitChange, lookAgain, sooner } from './next.ts'
import type { Next } from './plan.ts'

const stalled: Next = { kind: 'stalled', reason: 'InvalidSpec', message: 'only its author can help' }
const soon = lookAgain(1_000, 'it may be there')
const late = lookAgain(2_000, 'it may be over')

test('a look after a time that is not known is none', () => {
  assert.deepEqual(lookAgain(0, 'at once'), { kind: 'look-again', afterMs: 0, why: 'at once' })
  assert.deepEqual(lookAgain(undefined, 'never'), { kind: 'await-change' })
})

const rows: readonly (readonly [string, Next, Next, Next])[] = [
  ['the earlier look is taken, whoever names it first', late, soon, soon],
  ['the earlier look stays', soon, late, soon],
  ['of two at the same moment the first stays, with its reason', soon, lookAgain(1_000, 'another reason'), soon],
  ['a look is sooner than waiting for a change', awaitChange, late, late],
  ['waiting for a change takes no look away', late, awaitChange, late],
  ['a look is sooner than standing still', stalled, late, late],
  ['standing still stays where nothing else is due', stalled, awaitChange, stalled],
]

for (const [sentence, first, other, expected] of rows) test(sentence, () => assert.equal(sooner(first, other), expected))
