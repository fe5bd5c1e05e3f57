import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KubeError } from './client.ts'
import { discover, type FetchJson } from './discovery.ts'

const widget = { name: 'widgets', kind: 'Widget', namespaced: true, verbs: ['get'] }

/** A server of the older form, with two groups; the documents of the second are what `broken` says. */
function served(broken: () => unknown): FetchJson {
  const documents: Readonly<Record<string, () => unknown>> = {
    '/api': () => ({ kind: 'APIVersions', versions: ['v1'] }),
    '/apis': () => ({
      kind: 'APIGroupList',
      groups: ['a.example.com', 'b.example.com'].map(name => ({ name, versions: [{ version: 'v1' }] })),
    }),
    '/api/v1': () => ({ resources: [{ name: 'pods', kind: 'Pod', namespaced: true, verbs: ['get'] }] }),
    '/apis/a.example.com/v1': () => ({ resources: [widget] }),
    '/apis/b.example.com/v1': broken,
  }
  return async <T>(path: string): Promise<T> => (documents[path] ?? assert.fail(path))() as T
}

function refusedWith(httpStatus: number): () => never {
  return () => {
    throw new KubeError('refused', 'no', { httpStatus })
  }
}

test('a group that is away or gone meanwhile hides no other', async () => {
  const all = await discover(served(() => ({ resources: [{ ...widget, name: 'gadgets', kind: 'Gadget' }] })))
  assert.deepEqual(
    all.map(({ group, kind }) => [group, kind]),
    [
      ['', 'Pod'],
      ['a.example.com', 'Widget'],
      ['b.example.com', 'Gadget'],
    ],
  )
  for (const httpStatus of [503, 404])
    assert.deepEqual(
      (await discover(served(refusedWith(httpStatus)))).map(({ kind }) => kind),
      ['Pod', 'Widget'],
    )
})

test('any other trouble is told: what is not known is not taken for nothing', async () => {
  await assert.rejects(discover(served(refusedWith(403))), KubeError)
  const cut = new TypeError('cut')
  await assert.rejects(
    discover(
      served(() => {
        throw cut
      }),
    ),
    cut,
  )
})

test('what a server of the older form leaves out of a resource has no verbs, no short names and no subresources', async () => {
  const all = await discover(served(() => ({ resources: [{ name: 'gadgets', kind: 'Gadget' }, { name: 'gadgets/status' }] })))
  const { verbs, shortNames, singular, namespaced, subresources } = all.find(({ kind }) => kind === 'Gadget') ?? assert.fail()
  assert.deepEqual(
    { verbs, shortNames, singular, namespaced, subresources },
    {
      verbs: [],
      shortNames: [],
      singular: '',
      namespaced: false,
      subresources: ['status'],
    },
  )
})
