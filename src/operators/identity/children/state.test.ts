import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KubeError } from '#kube/client'
import { type Reads, Trouble } from '#runtime'
import type { ChildKind } from './kinds.ts'
import { findChild } from './state.ts'

const kind = {
  type: { group: 'iam.services.k8s.aws', version: 'v1alpha1', kind: 'Role', plural: 'roles', namespaced: true },
} as unknown as ChildKind
const key = { namespace: 'a', name: 'x' }
const child = { metadata: { name: 'x' } }
const refused = (httpStatus: number, reason: string): KubeError =>
  new KubeError('refused', 'no', {
    httpStatus,
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code: httpStatus },
  })

interface World {
  readonly cached?: object
  readonly isSynced?: boolean
  readonly read?: () => Promise<unknown>
  readonly hasDefinition?: boolean
}

function look({ cached, isSynced = false, read, hasDefinition = false }: World): Promise<unknown> {
  const world = {
    isSynced: () => isSynced,
    find: ({ plural }: { readonly plural: string }, { name }: { readonly name: string }) => {
      if (plural === 'roles') return cached
      return hasDefinition && name === 'roles.iam.services.k8s.aws' ? { metadata: { name } } : undefined
    },
    read: read ?? (() => assert.fail('the server is asked')),
  }
  return findChild(world as unknown as Reads, kind, key, new AbortController().signal)
}

test('a child is taken from the cache where that is whole, and nobody is asked', async () => {
  assert.equal(await look({ isSynced: true, cached: child }), child)
  assert.equal(await look({ isSynced: true }), undefined)
})

test('without a whole cache the server is asked, and what it answers counts', async () => {
  assert.equal(await look({ read: () => Promise.resolve(child) }), child)
  assert.equal(await look({ read: () => Promise.resolve(undefined) }), undefined)
})

test('a kind that is not there has no objects, unless its definition is there: then nothing is known', async () => {
  const read = (): Promise<never> => Promise.reject(refused(404, 'NotFound'))
  assert.equal(await look({ read }), undefined)
  await assert.rejects(look({ read, hasDefinition: true }), (error: unknown) => {
    assert.ok(error instanceof Trouble)
    assert.deepEqual([error.kind, error.reason], ['backoff', 'KindMissing'])
    return true
  })
})

for (const error of [refused(403, 'Forbidden'), new KubeError('unreachable', 'away'), new TypeError('a fault')])
  test(`${String(error)} is passed on, and is no absence`, () =>
    assert.rejects(look({ read: () => Promise.reject(error) }), thrown => thrown === error))
