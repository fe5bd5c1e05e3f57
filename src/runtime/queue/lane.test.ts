import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FairLane, moreUrgent } from './lane.ts'

const isCurrent = (): boolean => true

/** Everything that is left, in its order. */
function rest(lane: FairLane<string>, current: (entry: string) => boolean = isCurrent): readonly string[] {
  const taken: string[] = []
  for (let entry = lane.shift(current); entry !== undefined; entry = lane.shift(current)) taken.push(entry)
  return taken
}

test('groups take turns, and each is first in, first out', () => {
  const lane = new FairLane<string>()
  for (const entry of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) lane.push(entry.charAt(0), entry)
  assert.deepEqual(rest(lane), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3'])
  lane.push('a', 'a4')
  assert.deepEqual(rest(lane), ['a4'])
})

test('what is not current is passed over, and costs its group no turn while it has something else', () => {
  const lane = new FairLane<string>()
  for (const entry of ['a1', 'a2', 'b1', 'c1']) lane.push(entry.charAt(0), entry)
  assert.deepEqual(
    rest(lane, entry => entry !== 'a1' && entry !== 'b1'),
    ['a2', 'c1'],
  )
})

test('whether it is current is asked of entries alone, and once of each', () => {
  const lane = new FairLane<string>()
  for (const entry of ['a1', 'a2', 'b1']) lane.push(entry.charAt(0), entry)
  const asked: string[] = []
  assert.equal(
    lane.shift(entry => {
      asked.push(entry)
      return false
    }),
    undefined,
  )
  assert.deepEqual(asked, ['a1', 'a2', 'b1'])
})

for (const [what, groupOf] of [
  ['one group', () => 'one'],
  ['as many groups', String],
  ['a few groups', (index: number) => String(index % 7)],
] as const)
  test(`nothing is lost or turned round among thousands of entries of ${what}, some of which come while others go`, () => {
    const lane = new FairLane<string>()
    const taken: number[] = []
    const take = (): void => {
      const entry = lane.shift(isCurrent)
      if (entry !== undefined) taken.push(Number(entry))
    }
    for (let index = 0; index < 5_000; index++) lane.push(groupOf(index), String(index))
    for (let index = 5_000; index < 6_000; index++) {
      take()
      take()
      take()
      lane.push(groupOf(index), String(index))
    }
    taken.push(...rest(lane).map(Number))
    assert.deepEqual(
      taken,
      Array.from({ length: 6_000 }, (_, index) => index),
    )
  })

for (const [a, b, urgent] of [
  ['begun', 'fresh', 'begun'],
  ['drift', 'retry', 'retry'],
  ['fresh', 'fresh', 'fresh'],
  ['retry', 'fresh', 'fresh'],
] as const)
  test(`of ${a} and ${b} ${urgent} is more urgent`, () => assert.equal(moreUrgent(a, b), urgent))
