// Which records find a place in the status, beside those that it lists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { CertValidationRecord } from '../api/status.ts'
import { inSyncEntry, issued, zone } from '../testing/cert-seen.fixture.ts'
import { askedBy, isCrowded, listedOf, unlisted, withRoom } from './room.ts'
import type { AskedRecord, Look } from './seen.ts'

const other = { name: 'other.dev', id: 'Z2' }
const asked = (name: string, of: AskedRecord['zone'] = zone): AskedRecord => ({ name, value: 'v', zone: of, domains: [] })
const held = (name: string, zoneId = zone.id): CertValidationRecord => ({ ...inSyncEntry, name, zoneId })
const many = <T>(count: number, make: (name: string) => T, from = 0): readonly T[] =>
  Array.from({ length: count }, (_, index) => make(`_${from + index}.dev`))
const asking = (records: readonly AskedRecord[]): Look => ({ kind: 'present', certificate: issued(), asked: records })

for (const [what, listed, records, isFull] of [
  ['all that are listed and asked for', many(100, held), many(1, asked, 100), false],
  ['one more than there is room for', many(100, held), many(2, asked, 100), true],
  ['those that are listed already', many(101, held), many(101, asked), false],
  ['one more beside a list that is full', many(101, held), many(1, asked, 101), true],
  ['one that is asked for twice', many(100, held), [asked('_x.dev'), asked('_x.dev')], false],
  ['the same name in another zone', many(100, held), [asked('_x.dev'), asked('_x.dev', other)], true],
  ['a listed name in another zone', many(101, held), [asked('_0.dev', other)], true],
] as const)
  test(`a list of 101 records has ${isFull ? 'no ' : ''}room for ${what} [S25]`, () =>
    assert.equal(isCrowded(listed, records), isFull))

test('what is asked for and not listed is told once, by its zone and its name [S25]', () => {
  const records = [asked('a'), asked('b'), asked('a'), asked('b', other), asked('c')]
  assert.deepEqual(unlisted([held('c'), held('a', 'Z2')], records), [asked('a'), asked('b'), asked('b', other)])
})

test('what stays listed is what is asked for, by its zone and its name [S25]', () => {
  const entries = [held('a'), held('b'), held('a', 'Z2'), held('b', 'Z2')]
  assert.deepEqual(listedOf(entries, [asked('a'), asked('b', other)]), [held('a'), held('b', 'Z2')])
})

test('a certificate that does not say which records it asks for asks for none', () => {
  assert.deepEqual(askedBy(undefined), [])
  assert.deepEqual(askedBy({ kind: 'absent', isConfirmed: true }), [])
  assert.deepEqual(askedBy({ kind: 'present', certificate: issued() }), [])
  assert.deepEqual(askedBy(asking([asked('a')])), [asked('a')])
})

test('of certificates that go the first one always has room, and those after it as long as all their records are listed [S25]', () => {
  const list = many(95, held)
  const [five, more, two] = [many(5, asked, 100), many(5, asked, 200), many(1, asked, 300)]
  const going = (...each: readonly (readonly AskedRecord[])[]) =>
    withRoom(
      list,
      each.map((records, index) => [`arn-${index}`, asking(records)] as const),
    )
  assert.deepEqual(going(five, more, two), ['arn-0', 'arn-2'])
  assert.deepEqual(going(many(50, asked, 100), []), ['arn-0'])
  assert.deepEqual(going(five, five, many(2, asked, 300)), ['arn-0', 'arn-1'])
  assert.deepEqual(withRoom(list, [['arn-0', undefined]]), ['arn-0'])
  assert.deepEqual(withRoom(list, []), [])
})
