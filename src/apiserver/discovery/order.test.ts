import assert from 'node:assert/strict'
import { test } from 'node:test'
import { groupRank, isOlderVersion } from './order.ts'

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

test('groups come in the order of a real server, those that it does not know after them', () => {
  const some = ['', 'apps', 'batch', 'storage.k8s.io', 'resource.k8s.io', 'flowcontrol.apiserver.k8s.io', 'example.com']
  assert.deepEqual(
    [...some].reverse().sort((a, b) => groupRank(a) - groupRank(b)),
    some,
  )
  assert.equal(groupRank('example.com'), groupRank('other.example.com'))
})
