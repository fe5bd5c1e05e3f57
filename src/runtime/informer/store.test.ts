import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { ObjectStore } from './store.ts'

const object = (path: string, colours: string): StoredObject => {
  const [namespace = '', name = ''] = path.split('/')
  return {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { namespace, name, uid: path, resourceVersion: '1', labels: { colours } },
  } as StoredObject
}
const named = (objects: Iterable<StoredObject> | undefined): readonly string[] =>
  [...(objects ?? [])].map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)

function storeOf(...objects: readonly StoredObject[]): ObjectStore<StoredObject> {
  const store = new ObjectStore({ colour: ({ metadata }) => metadata.labels?.['colours']?.split(' ') ?? [] })
  for (const each of objects) store.set(each)
  return store
}

test('objects are found by namespace and name, and listed in the order in which they came', () => {
  const store = storeOf(object('b/1', ''), object('a/1', ''), object('b/2', ''))
  assert.equal(store.size, 3)
  assert.deepEqual(named(store.values()), ['b/1', 'b/2', 'a/1'])
  assert.deepEqual([named(store.values('b')), named(store.values('a')), named(store.values('c'))], [['b/1', 'b/2'], ['a/1'], []])
  assert.equal(store.get('a', '1')?.metadata.uid, 'a/1')
  assert.deepEqual([store.get('a', '2'), store.get('c', '1')], [undefined, undefined])
})

test('an object that changes is one object, found by what it says now', () => {
  const store = storeOf(object('a/1', 'red blue'), object('a/1', 'blue green'))
  assert.equal(store.size, 1)
  assert.deepEqual(
    ['red', 'blue', 'green'].map(colour => named(store.byIndex('colour', colour))),
    [[], ['a/1'], ['a/1']],
  )
})

test('under one value there are as many objects as say it, from none to three and back', () => {
  const store = storeOf()
  const found = (): readonly string[] => named(store.byIndex('colour', 'red'))
  const seen = [found()]
  for (const path of ['a/1', 'a/2', 'a/3']) {
    store.set(object(path, 'red red'))
    seen.push(found())
  }
  for (const name of ['2', '1', '3']) {
    assert.equal(store.delete('a', name)?.metadata.name, name)
    seen.push(found())
  }
  assert.deepEqual(seen, [[], ['a/1'], ['a/1', 'a/2'], ['a/1', 'a/2', 'a/3'], ['a/1', 'a/3'], ['a/3'], []])
  assert.equal(store.size, 0)
  assert.deepEqual(named(store.values()), [])
})

test('what is not there cannot be deleted, and an index that is not there is told from one without objects', () => {
  const store = storeOf(object('a/1', 'red'))
  assert.deepEqual([store.delete('a', '2'), store.delete('b', '1')], [undefined, undefined])
  assert.equal(store.size, 1)
  assert.deepEqual([store.byIndex('size', 'red'), store.byIndex('colour', 'blue')], [undefined, []])
})
