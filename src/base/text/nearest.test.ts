import assert from 'node:assert/strict'
import { test } from 'node:test'
import { didYouMean, isNear, nearest } from './nearest.ts'

const kinds = ['Bucket', 'Certificate', 'HostedZone', 'Policy', 'Role', 'RoleAlias']

const meant: readonly (readonly [name: string, candidate: string | undefined, why: string])[] = [
  ['bucket', 'Bucket', 'case does not count'],
  ['Buket', 'Bucket', 'a letter is missing'],
  ['Buckett', 'Bucket', 'a letter is there twice'],
  ['Bukcet', 'Bucket', 'two letters changed places'],
  ['ubcket', 'Bucket', 'so did the first two'],
  ['Bockat', 'Bucket', 'two letters are others'],
  ['Backat', 'Bucket', 'as many as two may be'],
  ['Packat', undefined, 'three are too many for six letters'],
  ['Certifcatse', 'Certificate', 'a third of a long name may be wrong'],
  ['HxxxedZoen', undefined, 'three letters are others and two changed places, which is a fourth slip'],
  ['HstdZon', undefined, 'three letters are missing, and seven have room for two'],
  ['Rol', 'Role', 'the nearest wins'],
  ['Roof', undefined, 'two are too many for four letters'],
  ['Ro', undefined, 'of two letters none may be wrong'],
  ['x', undefined, 'a letter alone is near to nothing'],
  ['', undefined, 'nothing is near to nothing'],
]

for (const [name, candidate, why] of meant)
  test(`the name that was meant by ${JSON.stringify(name)}: ${why}`, () => {
    assert.equal(nearest(name, kinds), candidate)
  })

test('of two that are as near the first by name is meant, in whatever order they come', () => {
  assert.equal(nearest('cat', ['rat', 'bat']), 'bat')
  assert.equal(didYouMean('rolle', kinds), '; did you mean "Role"?')
  assert.equal(didYouMean('queue', kinds), '')
})

test('a slip is one letter in a short name and two in a longer one', () => {
  assert.deepEqual(
    [
      isNear('tap', ['tag']),
      isNear('tops', ['tags']),
      isNear('names', ['named']),
      isNear('nemas', ['names']),
      isNear('nomos', ['names']),
    ],
    [true, false, true, true, true],
  )
  assert.equal(isNear('numbers', ['names']), false)
})
