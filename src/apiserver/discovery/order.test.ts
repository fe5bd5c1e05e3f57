import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupPriority, isOlderVersion } from './order.ts'

const newestFirst = [
  'v10',
  'v2',
  'v1',
  'v11beta2',
  'v10beta3',
  'v10beta2',
  'v3beta1',
  'v12alpha2',
  'v12alpha1',
  'v11alpha2',
  'foo1',
  'foo10',
  'v01',
  'v1gamma1',
]

test('versions are ordered by stability, then by their numbers; those that are no such versions come last, by name', () => {
  for (const [index, newer] of newestFirst.entries()) {
    assert.equal(isOlderVersion(newer, newer), false, newer)
    for (const older of newestFirst.slice(index + 1)) {
      assert.equal(isOlderVersion(older, newer), true, `${older} is older than ${newer}`)
      assert.equal(isOlderVersion(newer, older), false, `${newer} is not older than ${older}`)
    }
  }
})

test('a group that nobody knows comes after those that are known', () => {
  assert.ok(groupPriority('example.com') < groupPriority('resource.k8s.io'))
  assert.equal(groupPriority('example.com'), groupPriority('other.example.com'))
})
