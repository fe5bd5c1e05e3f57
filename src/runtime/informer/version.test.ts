import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compareVersions, isOlder } from './version.ts'

for (const [a, b, order] of [
  ['9', '10', -1],
  ['10', '9', 1],
  ['7', '7', 0],
  ['0', '1', -1],
  ['18446744073709551615', '18446744073709551614', 1],
  ['x', 'x', 0],
  ['x', '1', undefined],
  ['1', '2/', undefined],
  ['1', '2:', undefined],
  ['01', '2', undefined],
  ['', '1', undefined],
] as const)
  test(`of the versions ${JSON.stringify(a)} and ${JSON.stringify(b)} ${order === undefined ? 'nobody knows which is older' : `the order is ${order}`}`, () => {
    const compared = compareVersions(a, b)
    assert.equal(compared === undefined ? undefined : Math.sign(compared), order)
    assert.equal(isOlder(a, b), order === -1)
  })
