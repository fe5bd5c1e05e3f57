// What is worth a pass, and what wakes whom: calls to AWS are not free.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Reads, Watch } from '#runtime'
import { annotations, type Resource } from './api.ts'
import { isWorth, type KindControllerOptions, kindController } from './controller.ts'
import type { KindModel } from './model/kind-model.ts'
import { type ResourcesOptions, settingsOf } from './options.ts'
import { roleSelectorKind } from './place/role-selector.ts'
import { madeUpKind } from './testing/made-up-kind.ts'
import { claimOf } from './testing/situation.ts'

const change = (
  metadata: object,
  spec: object = {},
  before: { readonly metadata?: object; readonly spec?: object } = {},
): boolean =>
  isWorth({
    kind: 'changed',
    object: claimOf({ metadata, spec }),
    previous: claimOf({ ...(before.metadata === undefined ? {} : { metadata: before.metadata }), ...before }),
  })

test('another object, a deletion, or another manifest is worth a pass; what is gone is not', () => {
  const object = claimOf({})
  assert.deepEqual([isWorth({ kind: 'removed', object }), isWorth({ kind: 'removed', object, previous: object })], [false, false])
  assert.equal(isWorth({ kind: 'added', object }), true)
  assert.equal(change({}), false)
  assert.equal(change({ uid: 'u2' }), true)
  assert.equal(change({ deletionTimestamp: '2026-01-01T00:00:00Z' }), true)
  assert.equal(change({ generation: 2 }, { description: 'new' }), true)
  assert.equal(change({ labels: { a: '1' }, resourceVersion: '8' }), false)
})

test('a finalizer that somebody took away is worth a pass, and one that was put on is not', () => {
  const [ours = ''] = claimOf({}).metadata.finalizers ?? []
  assert.equal(change({ finalizers: [] }), true)
  assert.equal(change({ finalizers: undefined }), true)
  assert.equal(change({ finalizers: [ours, 'x'] }), false)
  assert.equal(change({ finalizers: [ours] }, {}, { metadata: { finalizers: [ours, 'x'] } }), true)
  assert.equal(change({ finalizers: [ours] }, {}, { metadata: { finalizers: undefined } }), false)
})

test('an annotation that speaks to us is worth a pass, in whatever order; our own notes and those of others are not', () => {
  const noted = (now: object | undefined, before: object | undefined = {}): boolean =>
    change({ annotations: now }, {}, { metadata: { annotations: before } })
  const paused = { [annotations.paused]: 'true' }
  assert.deepEqual([noted(paused), noted({}, paused), noted(paused, paused)], [true, true, false])
  assert.equal(noted({ ...paused, [annotations.plan]: 'true' }, { [annotations.plan]: 'true', ...paused }), false)
  assert.equal(noted({ 'example.com/a': '1' }), false)
  for (const own of [annotations.createIntent, annotations.adopted, annotations.inStepWith])
    assert.equal(noted({ [own]: 'x' }), false)
  assert.deepEqual([noted(undefined), noted({}, undefined)], [false, false])
})

test('fields that were empty and that we filled ourselves are not worth a pass', () => {
  const filled = (managed: object, spec: object, before: object = {}): boolean =>
    change({ generation: 2, managedFields: [{ manager: 'other' }, managed] }, spec, { spec: before })
  const ours = { manager: 'vouch-resources', fieldsV1: { 'f:spec': { 'f:description': {}, 'f:tags': {} } } }
  assert.equal(filled(ours, { description: 'd' }), false)
  assert.equal(filled(ours, { description: 'd', tags: [] }), false)
  assert.equal(filled(ours, { description: 'd', path: '/x/' }), true, 'the path is somebody else’s')
  assert.equal(filled(ours, { description: 'd' }, { description: 'before' }), true)
  assert.equal(filled({ ...ours, manager: 'another' }, { description: 'd' }), true)
  assert.equal(filled({ ...ours, subresource: 'status' }, { description: 'd' }), true)
  assert.equal(filled({ manager: 'vouch-resources' }, { description: 'd' }), true)
  assert.equal(change({ generation: 2 }, { description: 'd' }), true, 'nobody says who wrote it')
  const bare = (object: Resource): Resource => ({ ...object, spec: undefined }) as unknown as Resource
  const [now, before] = [claimOf({ metadata: { generation: 2, managedFields: [ours] } }), claimOf({})]
  assert.equal(isWorth({ kind: 'changed', object: bare(now), previous: before }), true)
  assert.equal(isWorth({ kind: 'changed', object: now, previous: bare(before) }), true)
})

const things = madeUpKind({
  spec: {
    RoleRef: { type: { kind: 'reference' }, referenceFor: 'Role', reference: { resource: 'Thing', path: 'Spec.Name' } } as never,
    Name: 'string',
  },
})

function controller(options: Partial<ResourcesOptions> = {}, model: KindModel = things) {
  const settings = settingsOf({
    services: [],
    home: { account: '111122223333', partition: 'aws', region: 'eu-west-1' },
    aws: undefined as never,
    nowMs: () => 0,
    ...options,
  })
  return kindController({
    model,
    settings,
    services: [model.service],
    followsEvents: false,
  } as unknown as KindControllerOptions)
}

test('how many claims are worked on at once, and how often at least, is said for the kind or for all', () => {
  assert.deepEqual([controller({ workersOf: { Thing: 7 }, workers: 3 }).workers, controller({ workers: 3 }).workers], [7, 3])
  assert.equal(controller({ workersOf: { Other: 7 }, workers: 3 }).workers, 3)
  const configured = madeUpKind({ settings: { resyncSeconds: 300 } })
  assert.equal(controller({ resyncSecondsOf: { Thing: 200 }, resyncSeconds: 400 }, configured).driftMs, 200_000)
  assert.equal(controller({ resyncSeconds: 400 }, configured).driftMs, 300_000)
  assert.deepEqual([controller({ resyncSeconds: 400 }).driftMs, controller().driftMs], [400_000, 36_000_000])
})

test('a kind that is not installed yet is waited for, and a pass has three minutes', () => {
  const { claims, deadlineMs } = controller()
  assert.deepEqual([claims.optional, deadlineMs], [true, 180_000])
})

const watchOf = (watches: readonly Watch[] | undefined, plural: string): Watch =>
  watches?.find(({ type }) => type.plural === plural) ?? assert.fail(plural)
const claim = claimOf({ model: things })
const key = { namespace: 'default', name: 'one' }

function world(selectors: readonly object[], isSynced = true): Reads {
  return {
    list: (type: { readonly kind: string }) => (type.kind === roleSelectorKind.type.kind ? selectors : [claim]),
    isSynced: () => isSynced,
    byIndex: () => [claim],
  } as unknown as Reads
}

test('a namespace wakes its claims where it speaks to us, or where its labels are selected', () => {
  const woken = (notes: object | undefined, of: Reads, gates: object = { IAMRoleSelector: true }): unknown => {
    const watch = watchOf(controller({ gates }).watches, 'namespaces')
    assert.equal(watch.metadataOnly, true)
    return watch.toClaims({ metadata: { name: 'default', annotations: notes } } as unknown as StoredObject, of, 'hub')
  }
  const plain = world([])
  assert.deepEqual(woken({ 'example.com/a': '1', [annotations.region]: 'eu-west-1' }, plain), [key])
  assert.deepEqual([woken({ 'example.com/a': '1' }, plain), woken(undefined, plain), woken({}, plain)], [[], [], []])
  const selecting = { spec: { namespaceSelector: { labelSelector: {} } } }
  const labels = world([{ spec: {} }, selecting])
  assert.deepEqual([woken({}, labels), woken({}, world([{ spec: {} }]))], [[key], []])
  assert.deepEqual(woken({}, world([selecting], false)), [], 'no selector is known yet')
  assert.deepEqual(woken({}, labels, { IAMRoleSelector: false }), [])
})

test('a selector wakes every claim, and a referenced object those that refer to it', () => {
  const selectors = watchOf(controller({ gates: { IAMRoleSelector: true } }).watches, roleSelectorKind.type.plural)
  assert.deepEqual([selectors.optional, selectors.toClaims(claim, world([]), 'hub')], [true, [key]])
  const references = watchOf(controller().watches, 'things')
  assert.deepEqual([references.optional, references.toClaims(claim, world([]), 'hub')], [true, [key]])
})
