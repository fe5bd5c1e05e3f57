// What a kind's controller looks things up with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAccountId } from '#aws'
import type { ObjectKey, ResourceType } from '#kube'
import type { Reads } from '#runtime'
import type { Resource } from './api.ts'
import { createEquipment } from './equipment.ts'
import { noDeviation } from './kinds/deviation.ts'
import { Memory } from './memory.ts'
import { settingsOf } from './options.ts'
import { shippedService } from './services/shipped.ts'
import { madeUpKind } from './testing/made-up-kind.ts'
import { modelOf } from './testing/parts.ts'

const { service } = shippedService('iam')
const parts = {
  model: modelOf('iam', 'Role'),
  deviation: noDeviation,
  settings: {} as never,
  services: [service],
  aws: {} as never,
  memory: new Memory(),
  nowMs: () => 5,
}
const equipment = createEquipment(parts)
const place = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }

const system = { metadata: { name: 'kube-system', annotations: { a: 'b' } } }
const team = { metadata: { name: 'team', annotations: { a: 'b' }, labels: { tier: 'one' } } }
const arn = 'arn:aws:iam::444455556666:role/worker'
const selector = {
  metadata: { name: 's', resourceVersion: '1' },
  spec: { arn, namespaceSelector: { labelSelector: { matchLabels: { tier: 'one' } } } },
}

function reads({ isSynced = true } = {}): Reads {
  return {
    isSynced: () => isSynced,
    list: () => [selector],
    find: (type: ResourceType, key: ObjectKey) =>
      type.kind === 'Namespace'
        ? [team, system].find(({ metadata }) => metadata.name === key.name)
        : { kind: type.kind, metadata: { ...key } },
  } as unknown as Reads
}
const claim = (namespace: string | undefined): Resource => ({ metadata: { name: 'x', namespace } }) as unknown as Resource

test('a namespace is annotated by whoever may, but for those of Kubernetes itself', () => {
  const of = (namespace: string | undefined) => equipment.namespaceAnnotations(reads(), claim(namespace))
  assert.deepEqual(of('team'), { a: 'b' })
  for (const namespace of ['gone', undefined, 'kube-system', 'kube-public', 'kube-node-lease'])
    assert.deepEqual(of(namespace), {})
})

test('an object that is referred to is found, absent while its kind is not there, and unserved where nobody knows it', () => {
  const target = { service: 'iam', resource: 'Policy', namespace: 'team', name: 'p' }
  assert.deepEqual(equipment.findReferenced(reads(), target), { kind: 'Policy', metadata: { namespace: 'team', name: 'p' } })
  assert.equal(equipment.findReferenced(reads({ isSynced: false }), target), undefined)
  assert.equal(equipment.findReferenced(reads(), { ...target, resource: 'None' }), 'unserved')
})

test('the kind of a reference is one of ours, by its name or that of its resource', () => {
  const of = (alias: string, resource: string) =>
    equipment.modelOf({ service: alias, resource, namespace: '', name: '' })?.kind.kind
  assert.deepEqual(
    [of('iam', 'Policy'), of('iam', 'openIDConnectProvider'), of('iam', 'None'), of('s3', 'Bucket')],
    ['Policy', 'OpenIDConnectProvider', undefined, undefined],
  )
})

test('selectors are matched with the labels of the namespace, and none is while they are not read', () => {
  const names = (namespace: string, isSynced = true) =>
    equipment.matchingSelectors(reads({ isSynced }), claim(namespace)).map(({ name }) => name)
  assert.deepEqual([names('team'), names('other'), names('team', false)], [['s'], [], []])
  assert.equal(equipment.nowMs(), 5)
})

test('a kind that is called otherwise than its resource is found by either', () => {
  const made = madeUpKind({ kind: 'Thing', resource: 'Item' })
  const { modelOf: find } = createEquipment({ ...parts, services: [made.service] })
  const of = (resource: string) => find({ service: 'madeup', resource, namespace: '', name: '' })?.kind.kind
  assert.deepEqual([of('item'), of('Thing'), of('Other')], ['Thing', 'Thing', undefined])
})

test('a read serves a thousand questions at once', async () => {
  const asked: number[] = []
  const caller = createEquipment({
    ...parts,
    settings: settingsOf({ services: [], home: place, aws: {} as never, nowMs: () => 0 }),
    aws: { for: () => ({}) } as never,
  }).caller(place, new AbortController().signal)
  const ask = (question: number) =>
    caller.together('topic', question, async (questions: readonly number[]) => {
      asked.push(questions.length)
      await new Promise(resolve => setImmediate(resolve))
      return questions.map(value => ({ ok: true, value }))
    })
  const answers = await Promise.all(Array.from({ length: 1_002 }, (_, index) => ask(index)))
  assert.deepEqual([asked, answers.at(-1)], [[1, 1_000, 1], 1_001])
})
