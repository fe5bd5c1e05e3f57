import assert from 'node:assert/strict'
import { test } from 'node:test'
import { appendAll, isObject, type PatchValue, prepend, readList, renderOperations, setEntry } from './patch.ts'

test('an object is neither null nor a list', () => {
  const values = [{}, { a: 1 }, null, undefined, [], [{}], '', 'x', 0, true]
  assert.deepEqual(values.filter(isObject), [{}, { a: 1 }])
})

test('a list that is missing or null, or is none, is missing', () => {
  for (const parent of [{}, { env: null }, { env: {} }, { env: 'x' }])
    assert.deepEqual(readList(parent, '/spec', 'env'), { path: '/spec/env', items: [], isMissing: true })
})

test('a list of objects is read as it is, and what is no object in a list counts as an empty one at its place', () => {
  const objects = [{ name: 'a' }, { name: 'b' }]
  assert.equal(readList({ list: objects }, '', 'list').items, objects)
  assert.deepEqual(readList({ list: [] }, '', 'list'), { path: '/list', items: [], isMissing: false })
  assert.deepEqual(readList({ list: [{ name: 'a' }, null, 'x', [1]] }, '', 'list'), {
    path: '/list',
    items: [{ name: 'a' }, {}, {}, {}],
    isMissing: false,
  })
})

test('what is added makes the list that is missing, and otherwise stands at its end or in front', () => {
  const [there, missing] = [readList({ l: [{}] }, '', 'l'), readList({}, '', 'l')]
  assert.deepEqual([appendAll(there, []), appendAll(missing, [])], [[], []])
  assert.deepEqual(appendAll(there, [1, 2]), [
    { op: 'add', path: '/l/-', value: 1 },
    { op: 'add', path: '/l/-', value: 2 },
  ])
  assert.deepEqual(appendAll(missing, [1, 2]), [{ op: 'add', path: '/l', value: [1, 2] }])
  assert.deepEqual(
    [prepend(there, 1), prepend(missing, 1)],
    [
      { op: 'add', path: '/l/0', value: 1 },
      { op: 'add', path: '/l', value: [1] },
    ],
  )
})

test('an entry makes the map that is missing, and one that has the value already is left alone', () => {
  const set = (parent: { readonly m?: PatchValue }): unknown => setEntry(parent, '/metadata', 'm', 'a/b', 'x')
  for (const parent of [{}, { m: null }])
    assert.deepEqual(set(parent), [{ op: 'add', path: '/metadata/m', value: { 'a/b': 'x' } }])
  for (const m of [{}, { 'a/b': 'y' }]) assert.deepEqual(set({ m }), [{ op: 'add', path: '/metadata/m/a~1b', value: 'x' }])
  assert.deepEqual(set({ m: { 'a/b': 'x' } }), [])
})

/** A value that counts how often its text is made. */
function counted(): { readonly value: { readonly a: number }; count: () => number } {
  let made = 0
  const value = {
    get a(): number {
      return ++made
    },
  }
  return { value, count: () => made }
}

const addTwice = (value: PatchValue): string =>
  renderOperations([
    { op: 'add', path: '/a', value },
    { op: 'add', path: '/b', value },
  ])

test('the text of a value that containers share is made once, and of a frozen one once for all pods', () => {
  const [shared, frozen] = [counted(), counted()]
  Object.freeze(frozen.value)
  const rendered = '[{"op":"add","path":"/a","value":{"a":1}},{"op":"add","path":"/b","value":{"a":1}}]'
  assert.deepEqual([addTwice(shared.value), shared.count()], [rendered, 1])
  assert.deepEqual([addTwice(frozen.value), addTwice(frozen.value), frozen.count()], [rendered, rendered, 1])
})

test('the text of a value that may change is made anew for each pod', () => {
  const value = { a: 1 }
  const first = addTwice(value)
  value.a = 2
  assert.equal(addTwice(value), first.replaceAll('{"a":1}', '{"a":2}'))
})
