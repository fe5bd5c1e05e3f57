import assert from 'node:assert/strict'
import { test } from 'node:test'
import { claimKey } from '../claim-key.ts'
import { LeftAlone } from './left-alone.ts'

test('claims that are left alone come back once, each in the most urgent lane that it was wanted in, and only those that are ours', () => {
  const all = new LeftAlone()
  const key = (name: string) => claimKey({ namespace: 'team', name })
  for (const [name, lane] of [
    ['a', 'drift'],
    ['b', 'fresh'],
    ['a', 'retry'],
    ['b', 'drift'],
    ['c', 'fresh'],
  ] as const)
    all.park(key(name), lane)
  const back = (...ours: string[]): unknown =>
    all.takeBack(({ name }) => ours.includes(name)).map(({ key, lane }) => [key.name, lane])
  assert.deepEqual(back('a', 'b'), [
    ['a', 'retry'],
    ['b', 'fresh'],
  ])
  assert.deepEqual(back('a', 'b', 'c'), [['c', 'fresh']])
  assert.deepEqual(back('a', 'b', 'c'), [])
})
