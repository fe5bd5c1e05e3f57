// What is read of a binding, and by what it is found.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { clusterNameLabel } from '#fleet'
import type { StoredObject } from '#kube'
import type { Reads } from '#runtime'
import { roleKind, type ServiceAccountRole } from '../api/kinds.ts'
import { observeRole } from './observe.ts'
import { claim, seen } from './role-seen.fixture.ts'
import { clusterProfileSource, roleSource } from './sources.ts'

describe('of the bindings of one ServiceAccount', () => {
  const made = (name: string, creationTimestamp: string | undefined, more: object = {}): ServiceAccountRole =>
    claim({}, undefined, { name, uid: `uid-${name}`, ...(creationTimestamp === undefined ? {} : { creationTimestamp }), ...more })
  const [early, late] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z']
  async function siblingsOf(
    own: ServiceAccountRole,
    listed: readonly ServiceAccountRole[],
  ): Promise<readonly string[] | undefined> {
    const world = {
      find: ({ kind }: { readonly kind: string }) => (kind === roleKind.type.kind ? own : undefined),
      byIndex: (_type: unknown, index: string) => (index === 'spec.serviceAccount' ? listed : []),
      cluster: () => undefined,
    } as unknown as Reads
    const resources = { observe: async () => seen().resources, deliveryOf: () => undefined }
    const key = { namespace: 'wlc-a', name: own.metadata.name }
    return (await observeRole(key, world, new AbortController().signal, { resources }))?.siblings
  }
  test('the oldest comes first, and of one second the one whose uid does [#119]', async () => {
    assert.deepEqual(await siblingsOf(made('own', late), [made('z', early)]), ['wlc-a/z', 'wlc-a/own'])
    assert.deepEqual(await siblingsOf(made('own', early), [made('a', late)]), ['wlc-a/own', 'wlc-a/a'])
    assert.deepEqual(await siblingsOf(made('own', early), [made('a', early), made('z', early)]), [
      'wlc-a/a',
      'wlc-a/own',
      'wlc-a/z',
    ])
    assert.deepEqual(await siblingsOf(made('own', undefined), [made('a', early)]), ['wlc-a/own', 'wlc-a/a'])
    assert.deepEqual(await siblingsOf(made('own', early), [made('a', undefined)]), ['wlc-a/a', 'wlc-a/own'])
  })
  test('this one counts once, and one that goes not at all [#119]', async () => {
    const own = made('own', early)
    assert.deepEqual(await siblingsOf(own, [own]), ['wlc-a/own'])
    assert.deepEqual(await siblingsOf(own, []), ['wlc-a/own'])
    assert.deepEqual(await siblingsOf(own, [own, made('gone', early, { deletionTimestamp: late })]), ['wlc-a/own'])
    assert.deepEqual(await siblingsOf(made('own', early, { deletionTimestamp: late }), [made('a', late)]), [
      'wlc-a/own',
      'wlc-a/a',
    ])
  })
})

test('a binding is found by its ServiceAccount, by the name of its association, and by the ReplicaSet that it names', () => {
  const foundBy = (object: unknown, index: string): unknown => roleSource.indexes?.[index]?.of(object as StoredObject)
  const set = { annotations: { 'aws.identity.appthrust.io/replicaset-owner-ref': 'wlc-a/set' } }
  assert.deepEqual(foundBy(claim(), 'spec.serviceAccount'), ['wlc-a/apps/app1'])
  assert.deepEqual(foundBy(claim(), 'association-name'), ['wlc-a/awi-pia-app1'])
  assert.deepEqual(foundBy(claim({}, undefined, set), 'replicaset-owner-ref'), ['wlc-a/set'])
  assert.deepEqual(foundBy(claim(), 'replicaset-owner-ref'), [])
})

test('a profile is found by the cluster that it stands for, and one that names none by nothing', () => {
  const index = clusterProfileSource().indexes?.['cluster-name']
  const foundBy = (labels?: Readonly<Record<string, string>>): unknown => index?.of({ metadata: { name: 'p', labels } } as never)
  assert.deepEqual(
    [foundBy({ [clusterNameLabel]: 'wlc-a' }), foundBy({ [clusterNameLabel]: '' }), foundBy({}), foundBy()],
    [['wlc-a'], [], [], []],
  )
})
