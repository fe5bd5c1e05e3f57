import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseArnList, withOwnArn } from './arn-list.ts'
import { isAnyOursIn, placeId } from './place.ts'

for (const [what, list, current, former, isPrimary, expected] of [
  ['an empty list', [], 'new', [], false, ['new']],
  ['a list of others', ['a', 'b'], 'new', [], false, ['a', 'b', 'new']],
  ['a list of others, as the primary one', ['a', 'b'], 'new', [], true, ['new', 'a', 'b']],
  ['the place of a former one', ['a', 'old', 'b'], 'new', ['old'], false, ['a', 'new', 'b']],
  ['the first place, which a former one has', ['old', 'a'], 'new', ['old'], false, ['new', 'a']],
  ['the place of the first of two former ones', ['a', 'old', 'b', 'older'], 'new', ['old', 'older'], false, ['a', 'new', 'b']],
  ['its own place', ['a', 'new', 'b'], 'new', ['old'], false, ['a', 'new', 'b']],
  ['the first place, from its own', ['a', 'new', 'b'], 'new', [], true, ['new', 'a', 'b']],
] as const)
  test(`an ARN that is put into ${what} leaves those of others in their order`, () =>
    assert.deepEqual(withOwnArn(list, { current, former: new Set<string>(former), isPrimary }), expected))

test('an ARN that is taken out takes the former ones with it, and nobody else’s', () => {
  assert.deepEqual(withOwnArn(['a', 'old', 'b'], { current: undefined, former: new Set(['old']), isPrimary: true }), ['a', 'b'])
})

test('a list is read without blanks, gaps and repetitions', () => {
  assert.deepEqual(parseArnList(' a, ,b,a,'), ['a', 'b'])
  assert.deepEqual([parseArnList(undefined), parseArnList('')], [[], []])
})

test('something of ours stands where an ARN was written, or may have been', () => {
  assert.deepEqual([undefined, {}, { mayHold: [] }, { mayHold: ['a'] }, { arn: 'a' }].map(isAnyOursIn), [
    false,
    false,
    false,
    true,
    true,
  ])
})

test('listeners of one Gateway are places of their own', () => {
  const gateway = { kind: 'Gateway', name: 'g' }
  const ids = [gateway, { ...gateway, listener: 'a' }, { ...gateway, protocolPort: 'a' }].map(placeId)
  assert.equal(new Set(ids).size, 3)
})
