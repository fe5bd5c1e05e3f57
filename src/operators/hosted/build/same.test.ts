import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSameButFilledIn } from './same.ts'

const filledIn = { timeoutSeconds: 10, selector: {} }

const same: readonly (readonly [what: string, wanted: unknown, stored: unknown])[] = [
  ['the same', { name: 'a', ports: [1, 2] }, { ports: [1, 2], name: 'a' }],
  ['what the server fills in', { name: 'a' }, { name: 'a', timeoutSeconds: 10, selector: {} }],
  ['what it fills in within a list', [{ name: 'a' }, { name: 'b' }], [{ name: 'a', timeoutSeconds: 10 }, { name: 'b' }]],
  ['what it fills in deeper', { probe: { path: '/' } }, { probe: { path: '/', timeoutSeconds: 10 } }],
  ['nothing on either side', {}, {}],
  ['two empty lists', [], []],
]

for (const [what, wanted, stored] of same)
  test(`what is stored is what was wanted: ${what}`, () => {
    assert.equal(isSameButFilledIn(wanted, stored, filledIn), true)
  })

const another: readonly (readonly [what: string, wanted: unknown, stored: unknown])[] = [
  ['a field that nobody wanted', { name: 'a' }, { name: 'a', privileged: true }],
  ['a value other than the one that is filled in', { name: 'a' }, { name: 'a', timeoutSeconds: 11 }],
  ['a field that is filled in elsewhere', { name: 'a' }, { name: 'a', timeoutSeconds: {} }],
  ['a wanted value that is edited', { name: 'a', timeoutSeconds: 1 }, { name: 'a', timeoutSeconds: 10 }],
  ['a wanted field that is gone', { name: 'a', port: 1 }, { name: 'a' }],
  ['one field of two', { one: 1, two: 2 }, { one: 1, two: 3 }],
  ['a longer list', [1], [1, 2]],
  ['a shorter list', [1, 2], [1]],
  ['a list with another item', [1, 2], [1, 3]],
  ['a list in another order', [1, 2], [2, 1]],
  ['an object in place of an empty list', [], { length: 0 }],
  ['a list in place of an empty object', {}, []],
  ['an object in place of a text', '', {}],
  ['a number in place of an object', {}, 1],
  ['another text', 'a', 'b'],
]

for (const [what, wanted, stored] of another)
  test(`what is stored is another: ${what}`, () => {
    assert.equal(isSameButFilledIn(wanted, stored, filledIn), false)
  })
