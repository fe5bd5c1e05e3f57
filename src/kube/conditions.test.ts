import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import {
  boundText,
  type Condition,
  conditionMessageLengthMax,
  isConditionTrue,
  mergeConditions,
  renderMicroTime,
  renderTime,
  type StoredCondition,
} from './conditions.ts'

const now = Date.UTC(2026, 0, 1, 12)
const ready = (status: Condition['status'], message = 'm'): Condition => ({ type: 'Ready', status, reason: 'R', message })

test('a transition time moves only when the status does', () => {
  const first = mergeConditions([], [ready('False')], { now, generation: 1 })
  assert.deepEqual(first, [
    {
      type: 'Ready',
      status: 'False',
      observedGeneration: 1,
      lastTransitionTime: '2026-01-01T12:00:00Z',
      reason: 'R',
      message: 'm',
    },
  ])
  const second = mergeConditions(first, [ready('False', 'other')], { now: now + 60_000, generation: 2 })
  assert.equal(second[0]?.lastTransitionTime, '2026-01-01T12:00:00Z')
  assert.equal(second[0]?.observedGeneration, 2)
  const third = mergeConditions(second, [ready('True')], { now: now + 60_000, generation: 2 })
  assert.equal(third[0]?.lastTransitionTime, '2026-01-01T12:01:00Z')
})

test('conditions of others stay where they are', () => {
  const foreign: StoredCondition = { type: 'Foreign', status: 'True', lastTransitionTime: 'x', reason: 'R', message: '' }
  const merged = mergeConditions([foreign], [ready('True')], { now, generation: undefined })
  assert.deepEqual(merged[0], foreign)
  assert.equal(merged.length, 2)
})

test('saying the same again gives the same list, also later [P7]', () => {
  const condition = fc.record({
    type: fc.constantFrom('Ready', 'Synced', 'Other'),
    status: fc.constantFrom<Condition['status']>('True', 'False', 'Unknown'),
    reason: fc.constantFrom('A', 'B'),
    message: fc.string({ maxLength: 2_000 }),
  })
  const list = fc.uniqueArray(condition, { selector: one => one.type })
  fc.assert(
    fc.property(list, list, fc.nat(), (before, wanted, generation) => {
      const held = mergeConditions([], before, { now, generation: 1 })
      const said = mergeConditions(held, wanted, { now, generation })
      assert.equal(mergeConditions(said, wanted, { now: now + 86_400_000, generation }), said)
      assert.equal(new Set(said.map(one => one.type)).size, said.length)
      assert.ok(said.every(one => one.message.length <= conditionMessageLengthMax))
    }),
  )
})

test('a success of an older generation is no success [S8]', () => {
  const status = { conditions: mergeConditions([], [ready('True')], { now, generation: 1 }) }
  assert.equal(isConditionTrue({ metadata: { generation: 1 }, status }, 'Ready'), true)
  assert.equal(isConditionTrue({ metadata: { generation: 2 }, status }, 'Ready'), false)
})

test('text is cut between code points', () => {
  assert.equal(boundText('abc', 3), 'abc')
  assert.equal(boundText('abcd', 3), 'ab…')
  assert.equal(boundText('a😀bc', 3), 'a…')
})

test('Ready comes after what is said for the first time, and an order that stands is nobody’s news', () => {
  const said = (type: string): Condition => ({ type, status: 'True', reason: 'Said', message: '' })
  const options = { now: 0, generation: 1 }
  const types = (conditions: readonly { readonly type: string }[]): readonly string[] => conditions.map(({ type }) => type)
  const early = mergeConditions([], [said('Ready')], options)
  const later = mergeConditions(early, [said('Made'), said('Ready'), said('Delivered')], options)
  assert.deepEqual(types(later), ['Made', 'Delivered', 'Ready'])
  const [made, delivered, ready] = later
  const otherwise = [ready, made, delivered].flatMap(one => one ?? [])
  assert.equal(mergeConditions(otherwise, later, options), otherwise)
})

test('a time is written to the second, or to the microsecond of which there are no parts', () => {
  const instant = Date.UTC(2026, 0, 1, 12, 0, 0, 789)
  assert.deepEqual([renderTime(instant), renderMicroTime(instant)], ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00.789000Z'])
})

for (const [what, isTrue, condition] of [
  ['says True', true, { status: 'True' }],
  ['says True of this generation', true, { status: 'True', observedGeneration: 2 }],
  ['says True of an earlier generation', false, { status: 'True', observedGeneration: 1 }],
  ['says False', false, { status: 'False' }],
  ['says that nobody knows', false, { status: 'Unknown' }],
] as const)
  test(`a condition that ${what} ${isTrue ? 'holds' : 'does not hold'}`, () => {
    const said: StoredCondition = { type: 'Ready', lastTransitionTime: 'x', reason: 'R', message: '', ...condition }
    const object = { metadata: { generation: 2 }, status: { conditions: [{ ...said, type: 'Other', status: 'True' }, said] } }
    assert.equal(isConditionTrue(object as never, 'Ready'), isTrue)
  })

test('a condition that nobody stated does not hold, and one of an object without generations does', () => {
  const said = { type: 'Ready', status: 'True', observedGeneration: 7 }
  for (const status of [undefined, {}, { conditions: [] }])
    assert.equal(isConditionTrue({ metadata: { generation: 2 }, status } as never, 'Ready'), false)
  assert.equal(isConditionTrue({ metadata: {}, status: { conditions: [said] } } as never, 'Ready'), true)
})
