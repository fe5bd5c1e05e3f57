import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isNamed, NamedObjectsError, parseNamedObjects } from './named-objects.ts'

test('a list names single objects, all of a namespace, or all that there are', () => {
  const list = parseNamedObjects(['a/db', 'a/db', 'a/other.name', 'b/x', 'b/*', 'b/y'])
  assert.deepEqual(
    [...list.within],
    [
      ['a', ['db', 'other.name']],
      ['b', 'all'],
    ],
  )
  const listed = (namespace: string, name: string): boolean => isNamed(list, { namespace, name })
  assert.deepEqual(
    [listed('a', 'db'), listed('a', 'x'), listed('b', 'anything'), listed('c', 'db'), listed('', 'db')],
    [true, false, true, false, false],
  )
  assert.equal(isNamed(parseNamedObjects(['*', 'a/db']), { namespace: 'c', name: 'x' }), true)
  assert.equal(isNamed(parseNamedObjects([]), { namespace: 'a', name: 'db' }), false)
})

test('what names no object is refused, whatever stands beside it', () => {
  for (const wrong of ['db', 'a/', '/db', '*/db', 'a/b/c', 'A/db', 'a/d b', 'a/**', 'a.b/c', '-a/b', 'constructor'])
    assert.throws(() => parseNamedObjects(['*', wrong]), NamedObjectsError, wrong)
})
