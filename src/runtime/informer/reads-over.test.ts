import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Caches } from './caches.ts'
import { readsOver } from './reads-over.ts'

const type = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true }
const key = { namespace: 'team', name: 'a' }

function reading(strict: boolean, callTimeoutMs?: number) {
  const asked: (readonly unknown[])[] = []
  const ask =
    <T>(name: string, answer: T) =>
    (...given: readonly unknown[]): T => {
      asked.push([name, ...given.slice(1)])
      return answer
    }
  const found = { metadata: { name: 'a' } } as StoredObject
  const caches = {
    requireSynced: () => {
      throw new Error('it is not whole')
    },
    find: ask('find', found),
    list: ask('list', [found]),
    byIndex: ask('byIndex', [found]),
    client: { find: ask('read', Promise.resolve(found)), listAll: ask('readAll', Promise.resolve({ items: [found] })) },
  } as unknown as Caches
  const reads = readsOver(caches, { cluster: () => undefined, names: () => ['west'], strict, callTimeoutMs })
  return { reads, asked, found }
}

test('of a cache that is not whole decisions are refused an answer, and mappings get what there is', () => {
  for (const strict of [true, false]) {
    const { reads, found } = reading(strict)
    const answers = [() => reads.find(type, key), () => reads.list(type, 'team'), () => reads.byIndex(type, 'by', 'x')]
    for (const [index, answer] of answers.entries())
      if (strict) assert.throws(answer, /not whole/)
      else assert.deepEqual(answer(), index === 0 ? found : [found])
  }
})

for (const [given, timeoutMs] of [
  [undefined, 10_000],
  [500, 500],
] as const)
  test(`a read of the server may take ${timeoutMs} ms where ${given ?? 'nothing'} is said`, async () => {
    const { reads, asked, found } = reading(true, given)
    const { signal } = new AbortController()
    assert.deepEqual(await reads.read(type, key, signal), found)
    assert.deepEqual(await reads.readAll(type, { labelSelector: 'a=b' }, signal), [found])
    assert.deepEqual(asked, [
      ['read', key, { signal, timeoutMs }],
      ['readAll', { labelSelector: 'a=b', signal, timeoutMs }],
    ])
    assert.deepEqual(reads.clusters, ['west'])
  })
