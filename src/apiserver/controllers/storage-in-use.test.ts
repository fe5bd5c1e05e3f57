import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alone, type Given } from './alone.fixture.ts'
import { claimsInUse, volumesInUse } from './storage-in-use.ts'

const deletionTimestamp = '2026-01-01T00:00:00Z'
const claim = (metadata: object): Given => ({
  kind: 'PersistentVolumeClaim',
  metadata: { name: 'p-d', finalizers: ['a.b/c', 'kubernetes.io/pvc-protection'], ...metadata },
})
const volume = (metadata: object, status?: object): Given => ({
  kind: 'PersistentVolume',
  metadata: { name: 'v', finalizers: ['kubernetes.io/pv-protection', 'a.b/c'], ...metadata },
  ...(status && { status }),
})
const pod = (volumes: readonly object[] | undefined, more: object = { nodeName: 'n' }, metadata: object = {}): Given => ({
  kind: 'Pod',
  metadata: { name: 'p', ...metadata },
  spec: { ...(volumes && { volumes }), ...more },
})
const claimed = [
  { name: 'a', emptyDir: {} },
  { name: 'b', persistentVolumeClaim: { claimName: 'p-d' } },
]

for (const [said, using, isHeld] of [
  ['that nobody uses', [], false],
  ['of a pod without volumes', [pod(undefined)], false],
  ['of a pod on a node', [pod(undefined, {}, { name: 'o' }), pod(claimed)], true],
  ['of a pod that no node has yet', [pod(claimed, {})], false],
  ['of a pod in another namespace', [pod(claimed, { nodeName: 'n' }, { namespace: 'x' })], false],
  ['beside one that is used', [pod([{ name: 'a', persistentVolumeClaim: { claimName: 'other' } }])], false],
  ['that came with its pod', [pod([{ name: 'd', ephemeral: {} }])], true],
  ['of the name of a pod and another volume', [pod([{ name: 'd', emptyDir: {} }])], false],
] as const)
  test(`a claim ${said} ${isHeld ? 'is held' : 'is let go'} when it is deleted`, async () => {
    const world = new Alone(claimsInUse)
    world.put(claim({ deletionTimestamp }), ...using)
    const { asked, again } = await world.look('default/p-d')
    assert.equal(again, undefined)
    const { resourceVersion } = world.get('persistentvolumeclaims', 'default/p-d').metadata
    const body = { metadata: { resourceVersion, finalizers: ['a.b/c'] } }
    assert.deepEqual(asked, isHeld ? [] : [{ what: 'PATCH /api/v1/namespaces/default/persistentvolumeclaims/p-d', body }])
  })

for (const [said, metadata] of [
  ['is not deleted', {}],
  ['nothing protects', { deletionTimestamp, finalizers: ['a.b/c'] }],
  ['has no finalizers', { deletionTimestamp, finalizers: undefined }],
] as const)
  test(`what ${said} is left alone`, async () => {
    const claims = new Alone(claimsInUse)
    claims.put(claim(metadata))
    assert.deepEqual(await claims.requests('default/p-d'), [])
    const volumes = new Alone(volumesInUse)
    volumes.put(volume(metadata))
    assert.deepEqual(await volumes.requests('v'), [])
  })

for (const [status, isHeld] of [
  [undefined, false],
  [{ phase: 'Available' }, false],
  [{ phase: 'Bound' }, true],
] as const)
  test(`a volume with ${JSON.stringify(status ?? 'no status')} ${isHeld ? 'is held' : 'is let go'} when it is deleted`, async () => {
    const world = new Alone(volumesInUse)
    world.put(volume({ deletionTimestamp }, status))
    const { resourceVersion } = world.get('persistentvolumes', 'v').metadata
    const body = { metadata: { resourceVersion, finalizers: ['a.b/c'] } }
    assert.deepEqual((await world.look('v')).asked, isHeld ? [] : [{ what: 'PATCH /api/v1/persistentvolumes/v', body }])
  })

test('a claim is looked at when it changes and when a pod of it is gone', async () => {
  const world = new Alone(claimsInUse)
  assert.deepEqual(await world.requests('default/p-d'), [])
  assert.deepEqual(world.put(claim({})), ['default/p-d'])
  assert.deepEqual(world.put(pod([...claimed, { name: 'e', ephemeral: {} }])), [])
  assert.deepEqual(world.remove('pods', 'default/p'), ['default/p-d', 'default/p-e'])
  assert.deepEqual(world.remove('persistentvolumeclaims', 'default/p-d'), [])
  assert.deepEqual(world.put(volume({})), [])
  assert.deepEqual(world.remove('persistentvolumes', 'v'), [])
})

test('a volume is looked at when it changes', async () => {
  const world = new Alone(volumesInUse)
  assert.deepEqual(await world.requests('v'), [])
  assert.deepEqual(world.put(volume({})), ['v'])
  assert.deepEqual(world.remove('persistentvolumes', 'v'), [])
  assert.deepEqual(world.put(claim({})), [])
})
