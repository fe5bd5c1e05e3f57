// Which changes of Certs and of targets are worth a look at what is published.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Change, Reads, Watch } from '#runtime'
import type { CertStatus } from '../api/status.ts'
import { certSeen, type SeenOptions } from '../testing/cert-seen.fixture.ts'
import { publishController } from './controller.ts'
import { publishTypesDefault as types } from './kinds.ts'

const controller = publishController({ types, readyMs: 1, namespaces: undefined, workers: undefined })
const certOf = (seen: SeenOptions): StoredObject => (certSeen(seen).claim ?? assert.fail()) as StoredObject
const changed = (previous: StoredObject, object: StoredObject): Change => ({ kind: 'changed', object, previous }) as Change

const serving: CertStatus = { certificateArn: 'a', certReady: true, expirationDate: 'x', domainName: 'd' }
for (const [what, before, after, isWorthIt] of [
  ['nothing', {}, {}, false],
  ['another spec', {}, { metadata: { generation: 2 } }, true],
  ['a deletion', {}, { metadata: { deletionTimestamp: '2026-06-01T00:00:00Z' } }, true],
  ['a finalizer that goes', {}, { metadata: { finalizers: [] } }, true],
  ['another certificate', { status: serving }, { status: { ...serving, certificateArn: 'b' } }, true],
  ['the end of one', { status: serving }, { status: { ...serving, certReady: false } }, true],
  ['a renewal', { status: serving }, { status: { ...serving, expirationDate: 'y' } }, true],
  ['another name', { status: serving }, { status: { ...serving, domainName: 'e' } }, true],
  ['a message', { status: serving }, { status: { ...serving, message: 'x' } }, false],
  ['a note', {}, { annotations: { a: 'b' } }, false],
] satisfies readonly (readonly [string, SeenOptions, SeenOptions, boolean])[])
  test(`of a Cert ${what} is ${isWorthIt ? '' : 'not '}worth a look at what is published [16.5]`, () =>
    assert.equal(controller.isWorth?.(changed(certOf(before), certOf(after))), isWorthIt))

test('a Cert that comes or goes is worth a look [16.5]', () => {
  for (const kind of ['added', 'removed'] as const)
    assert.equal(controller.isWorth?.({ kind, object: certOf({}), previous: certOf({}) } as unknown as Change), true)
})

const watchOf = (name: string): Watch => controller.watches?.find(each => each.name === name) ?? assert.fail()
const target = (labels?: object): StoredObject =>
  ({
    apiVersion: 'v1',
    kind: 'Ingress',
    metadata: { namespace: 'team', name: 'web', uid: 'u', resourceVersion: '1', ...(labels && { labels }) },
  }) as StoredObject

test('a target that came, went or has other labels is news, and nothing else of it [16.5]', () => {
  const { isWorth } = watchOf('certsForIngress')
  for (const kind of ['added', 'removed'] as const)
    assert.equal(isWorth?.({ kind, object: target(), previous: target() } as never), true)
  assert.equal(isWorth?.(changed(target({ a: '1' }), target({ a: '2' }))), true)
  assert.equal(isWorth?.(changed(target(), target({ a: '2' }))), true)
  assert.equal(isWorth?.(changed(target({ a: '1' }), target({ a: '1' }))), false)
  assert.equal(isWorth?.(changed(target(), target())), false)
})

test('only the marks of targets are kept, and kinds that are not there keep nobody from starting [16.5]', () => {
  assert.deepEqual(
    controller.watches?.map(({ type, metadataOnly, optional }) => [type.kind, metadataOnly, optional]),
    Object.keys(types).map(kind => [kind, true, true]),
  )
  assert.deepEqual([controller.workers, controller.status], [3, { kind: 'subresource', observedGeneration: false }])
})

test('a target is news to the Certs that name it, and to those that select by labels [16.5]', () => {
  const index = controller.claims.indexes?.['publish-target'] ?? assert.fail()
  const publish = (...targets: readonly object[]) => certOf({ spec: { publish: targets as never } })
  assert.deepEqual(index.of(certOf({})), [])
  assert.deepEqual(
    index.of(
      publish(
        { kind: 'Ingress', name: 'web' },
        { kind: 'Ingress', name: 'web', primary: true },
        { kind: 'Gateway', selector: {} },
      ),
    ),
    ['Ingress/team/web', 'Gateway/team/*'],
  )
  const asked: string[] = []
  const world = { byIndex: (_: unknown, __: string, key: string) => (asked.push(key), [certOf({})]) } as unknown as Reads
  const found = watchOf('certsForIngress').toClaims(target(), world, 'hub')
  assert.deepEqual(asked, ['Ingress/team/web', 'Ingress/team/*'])
  assert.deepEqual(found, [
    { namespace: 'team', name: 'api' },
    { namespace: 'team', name: 'api' },
  ])
})
