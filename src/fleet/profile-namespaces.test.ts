import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readProfileNamespaces } from './profile-namespaces.ts'

const rows: readonly (readonly [string, readonly string[] | undefined])[] = [
  ['inventory', ['inventory']],
  [' a , b,a ', ['a', 'b']],
  ['*', undefined],
]

for (const [list, wanted] of rows)
  test(`namespaces of profiles: ${JSON.stringify(list)}`, () => assert.deepEqual(readProfileNamespaces(list), wanted))

const flag = '--cluster-profile-namespaces'
const refused: readonly (readonly [string, string])[] = [
  [' ', `${flag} is required: namespaces separated by commas, or * for all`],
  ['a,,b', `${flag} has an empty entry; leave it out`],
  ['*,a', `${flag} has * beside names; give one or the other`],
  ['a,Not_One', `${flag}: "Not_One" is no name of a namespace`],
]

for (const [list, message] of refused)
  test(`namespaces of profiles: ${JSON.stringify(list)} is refused with the next step`, () =>
    assert.throws(() => readProfileNamespaces(list), { message }))
