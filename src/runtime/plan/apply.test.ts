// Which calls make an object so: what is known of it before, whose it is, and what the server makes of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject, ManagedFieldsEntry, ResourceType, StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import { Altered } from './altered.ts'
import { type Applying, carryOutApply, carryOutCreate } from './apply.ts'
import type { OwnerMark } from './plan.ts'
import type { CachedObject, Target } from './target.ts'

const type: ResourceType = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', namespaced: true }
const mark: OwnerMark = { labels: { by: 'us' }, annotations: { of: 'a/w' } }
const wanted: KubeObject = {
  apiVersion: 'example.com/v1',
  kind: 'Widget',
  metadata: { namespace: 'a', name: 'w', ...mark },
  spec: { size: 1 },
} as KubeObject

/** Our field set, as an apply or a creation left it. */
const owned = (operation: 'Apply' | 'Update', spec: object, more: Partial<ManagedFieldsEntry> = {}): ManagedFieldsEntry =>
  ({ manager: 'us', operation, fieldsV1: { 'f:spec': spec }, ...more }) as ManagedFieldsEntry

function widget(spec: object, metadata: Partial<StoredObject['metadata']> = {}): StoredObject {
  const all = { namespace: 'a', name: 'w', uid: 'u', resourceVersion: '5', ...mark, ...metadata }
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: all, spec } as unknown as StoredObject
}

const exists = new KubeError('refused', 'it is there', {
  httpStatus: 409,
  status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason: 'AlreadyExists', code: 409 },
})

interface World {
  readonly cached?: CachedObject
  /** What the reads to come find. */
  readonly live?: readonly (StoredObject | undefined)[]
  /** How the creations to come end. */
  readonly created?: readonly (Error | undefined)[]
  /** What the server makes of an apply. */
  readonly applied?: StoredObject
  readonly mark?: OwnerMark | undefined
  readonly object?: KubeObject
  readonly isNobodys?: boolean
}

function applying(world: World) {
  const calls: string[] = []
  const bodies: unknown[] = []
  const [live, created] = [[...(world.live ?? [])], [...(world.created ?? [])]]
  const writer = {
    newest: (_target: Target, _type: ResourceType, seen: StoredObject) => seen,
    find: async () => {
      calls.push('read')
      return live.shift()
    },
    create: async () => {
      const error = created.shift()
      calls.push('create')
      if (error !== undefined) throw error
      return widget({ size: 1 }, { resourceVersion: 'made' })
    },
    apply: async (_place: unknown, body: unknown, { force }: { readonly force: boolean }) => {
      calls.push(force ? 'apply' : 'ask to apply')
      bodies.push(body)
      return world.applied ?? widget({ size: 1 }, { resourceVersion: 'applied' })
    },
    patch: async (_place: unknown, _kind: string, body: unknown) => {
      calls.push('patch')
      bodies.push(body)
      return widget({ size: 1 }, { resourceVersion: 'patched' })
    },
  } as unknown as Applying['writer']
  const target = { cached: () => world.cached ?? { kind: 'unwatched' } } as unknown as Target
  const how: Applying = {
    writer,
    target,
    altered: new Altered(),
    fieldManager: 'us',
    beforeCreate: async () => {
      if (world.isNobodys === true) throw new Error('the claim is gone')
    },
  }
  const owner = 'mark' in world ? world.mark : mark
  const action = { type, object: world.object ?? wanted, ...(owner && { mark: owner }) }
  const end = (work: Promise<StoredObject | undefined>): Promise<string> =>
    work.then(
      object => object?.metadata.resourceVersion ?? 'nothing',
      (error: Error) => error.message,
    )
  return {
    calls,
    bodies,
    altered: how.altered,
    apply: () => end(carryOutApply(how, { kind: 'apply', ...action })),
    create: () => end(carryOutCreate(how, { kind: 'create', ...action })),
  }
}

const present = (object: StoredObject, partial = false): CachedObject => ({ kind: 'present', object, partial })
const absent: CachedObject = { kind: 'absent' }
const same = widget({ size: 1 })
const other = widget({ size: 2 })
const foreign = widget({ size: 2 }, { labels: {}, annotations: {} })
const notOurs = 'Widget a/w exists and is not ours: delete it, or mark it as ours'
const broken = new KubeError('unreachable', 'nobody answers', {})

for (const [what, world, calls, ended] of [
  ['is not there', { cached: absent }, ['create'], 'made'],
  ['is not there, and would be nobody’s', { cached: absent, isNobodys: true }, [], 'the claim is gone'],
  ['cannot be made', { cached: absent, created: [broken] }, ['create'], 'nobody answers'],
  ['was just made, as wanted', { cached: absent, created: [exists], live: [same] }, ['create', 'read'], '5'],
  ['was just made otherwise', { cached: absent, created: [exists], live: [other] }, ['create', 'read', 'apply'], 'applied'],
  ['was just made by another', { cached: absent, created: [exists], live: [foreign] }, ['create', 'read'], notOurs],
  ['was made and went', { cached: absent, created: [exists, undefined] }, ['create', 'read', 'create'], 'made'],
  ['comes and goes', { cached: absent, created: [exists, exists] }, ['create', 'read', 'create'], 'Widget a/w comes and goes'],
  ['nobody watches, and is not there', {}, ['read', 'create'], 'made'],
  ['nobody watches, and is as wanted', { live: [same] }, ['read'], '5'],
  ['nobody watches, and is otherwise', { live: [other] }, ['read', 'apply'], 'applied'],
  ['is as wanted', { cached: present(same) }, [], '5'],
  ['is as wanted as far as is known', { cached: present(same, true) }, [], '5'],
  ['is otherwise', { cached: present(other) }, ['apply'], 'applied'],
  ['may be otherwise', { cached: present(other, true), live: [same] }, ['read'], '5'],
  ['is otherwise and has no mark yet', { cached: present(foreign), live: [other] }, ['read', 'apply'], 'applied'],
  ['is another one’s', { cached: present(foreign), live: [foreign] }, ['read'], notOurs],
  [
    'is anybody’s',
    { cached: present(foreign), mark: undefined, object: { ...wanted, metadata: { namespace: 'a', name: 'w' } } },
    ['apply'],
    'applied',
  ],
] as const satisfies readonly (readonly [string, World, readonly string[], string])[])
  test(`to make an object so that ${what}, the calls are ${calls.join(', ') || 'none'} [P3, P8]`, async () => {
    const one = applying(world)
    assert.equal(await one.apply(), ended)
    assert.deepEqual(one.calls, calls)
  })

for (const [what, world, calls, ended] of [
  ['is not there', { cached: absent }, ['create'], 'made'],
  ['nobody watches', {}, ['create'], 'made'],
  ['would be nobody’s', { isNobodys: true }, [], 'the claim is gone'],
  ['cannot be made', { created: [broken] }, ['create'], 'nobody answers'],
  ['is there and ours', { cached: present(other) }, [], '5'],
  ['is there, and got its mark just now', { cached: present(foreign), live: [other] }, ['read'], '5'],
  ['is there and another one’s', { cached: present(foreign), live: [foreign] }, ['read'], notOurs],
  ['was there and went', { cached: present(foreign), live: [undefined] }, ['read'], 'nothing'],
  ['was just made', { created: [exists], live: [other] }, ['create', 'read'], '5'],
  ['was just made by another', { created: [exists], live: [foreign] }, ['create', 'read'], notOurs],
] as const satisfies readonly (readonly [string, World, readonly string[], string])[])
  test(`to create an object that ${what}, the calls are ${calls.join(', ') || 'none'} [P3]`, async () => {
    const one = applying(world)
    assert.equal(await one.create(), ended)
    assert.deepEqual(one.calls, calls)
  })

for (const [what, metadata, isOurs] of [
  ['both marks and others', { labels: { by: 'us', and: 'x' }, annotations: { of: 'a/w', and: 'x' } }, true],
  ['its label alone', { labels: { by: 'us' }, annotations: {} }, false],
  ['its annotation alone', { labels: {}, annotations: { of: 'a/w' } }, false],
  ['a label of another', { labels: { by: 'them' }, annotations: { of: 'a/w' } }, false],
  ['none', { labels: undefined, annotations: undefined }, false],
] as const)
  test(`an object with ${what} is ${isOurs ? 'ours' : 'another one’s'} [S2]`, async () => {
    const found = widget({ size: 2 }, metadata as unknown as Partial<StoredObject['metadata']>)
    assert.equal(await applying({ live: [found] }).apply(), isOurs ? 'applied' : notOurs)
  })

test('a mark of several labels is whole or none, and one without labels asks for none', async () => {
  const two = { labels: { by: 'us', of: 'w' } }
  assert.equal(await applying({ live: [widget({ size: 2 }, { labels: { by: 'us' } })], mark: two }).apply(), notOurs)
  assert.equal(
    await applying({ live: [widget({ size: 2 }, { labels: {} })], mark: { annotations: { of: 'a/w' } } }).apply(),
    'applied',
  )
})

for (const [what, managedFields, calls] of [
  ['that we applied', [owned('Apply', { 'f:size': {}, 'f:old': {} })], ['apply']],
  ['that we made it with', [owned('Update', { 'f:size': {}, 'f:old': {} })], ['patch']],
  ['that others applied', [owned('Apply', { 'f:old': {} }, { manager: 'them' })], []],
  ['that we wrote with its status', [owned('Apply', { 'f:old': {} }, { subresource: 'status' })], []],
  ['that nobody remembers', [], []],
] as const)
  test(`a field ${what}, and that is not wanted any more, ${calls.length === 0 ? 'stays' : `goes by ${calls[0]}`} [P7]`, async () => {
    const held = widget({ size: 1, old: true }, { managedFields })
    const one = applying({ cached: present(held) })
    await one.apply()
    assert.deepEqual(one.calls, calls)
  })

test('what is left over from its creation is taken away from the last to the first, each as it was seen', async () => {
  const held = widget({ size: 1, old: 'a', older: 'b' }, { managedFields: [owned('Update', { 'f:old': {}, 'f:older': {} })] })
  const one = applying({ cached: present(held) })
  assert.equal(await one.apply(), 'patched')
  assert.deepEqual(one.bodies, [
    [
      { op: 'test', path: '/metadata/uid', value: 'u' },
      { op: 'test', path: '/spec/older', value: 'b' },
      { op: 'remove', path: '/spec/older' },
      { op: 'test', path: '/spec/old', value: 'a' },
      { op: 'remove', path: '/spec/old' },
    ],
  ])
})

test('what the server gave is no wish of ours, and what is applied is for this very object', async () => {
  const { metadata } = wanted
  const given = { uid: 'x', resourceVersion: '1', generation: 9, creationTimestamp: 'then', managedFields: [] }
  const one = applying({ cached: present(other), object: { ...wanted, metadata: { ...metadata, ...given } } as KubeObject })
  await one.apply()
  assert.deepEqual(one.bodies, [{ ...wanted, metadata: { ...metadata, uid: 'u' } }])
})

test('what a server alters is applied once, and again only when one side is new; what it takes is forgotten [B25]', async () => {
  const made = widget({ size: 3 })
  const one = applying({ cached: present(made), applied: made })
  await one.apply()
  await one.apply()
  assert.deepEqual(one.calls, ['apply'])
  const taken = applying({ cached: present(other), applied: same })
  await taken.apply()
  await taken.apply()
  assert.deepEqual(taken.calls, ['apply', 'apply'])
})

test('items of others in a list that is a map are no difference, neither before nor after', async () => {
  const managedFields = [owned('Apply', { 'f:parts': { 'k:{"name":"a"}': { '.': {}, 'f:name': {} } } })]
  const [parts, more] = [[{ name: 'a' }], [{ name: 'a' }, { name: 'theirs' }]]
  const object = { ...wanted, spec: { parts } } as KubeObject
  const quiet = applying({ cached: present(widget({ parts: more }, { managedFields })), object })
  await quiet.apply()
  assert.deepEqual(quiet.calls, [])
  const late = applying({ cached: present(widget({ parts: [] })), applied: widget({ parts: more }, { managedFields }), object })
  await late.apply()
  assert.deepEqual([late.calls, late.altered.size], [['apply'], 0])
})
