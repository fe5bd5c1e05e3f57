import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ObjectKey, ResourceType, StoredObject } from '#kube'
import type { Reads } from '#runtime'
import { type KindModel, kindModel } from '../model/kind-model.ts'
import { shippedService } from '../services/shipped.ts'
import { modelOf } from '../testing/parts.ts'
import { claimsConcerned, eventIndex } from './concerned.ts'
import { namesIn } from './names.ts'
import type { Notice } from './notice.ts'

const { service } = shippedService('route53')
const kind = service.kinds['RecordSet']
if (kind === undefined) throw new Error('no RecordSet is shipped')
const model = kindModel(service, kind)

function record(name: string, hostedZoneID: string): StoredObject {
  const metadata = { namespace: 'apps', name, uid: name, resourceVersion: '1' }
  const status = { ackResourceMetadata: { ownerAccountID: '111122223333', region: 'eu-west-1' } }
  return { apiVersion: 'v1', kind: 'RecordSet', metadata, spec: { name, hostedZoneID }, status } as StoredObject
}

const held = [record('www', 'Z1'), record('mail', 'Z1'), record('www2', 'Z2')]
const world: Pick<Reads, 'byIndex' | 'isSynced'> = {
  isSynced: () => true,
  byIndex: ((_type: ResourceType, _index: string, value: string) =>
    held.filter(object => eventIndex(model).of(object).includes(value))) as Reads['byIndex'],
}

function concerned(named: readonly unknown[], account = '111122223333'): readonly ObjectKey[] {
  const source = 'route53.amazonaws.com'
  const notice = { source, account, region: 'us-east-1', requestId: undefined, isHarmless: false, names: namesIn(named) }
  return claimsConcerned(model, notice, world)
}

test('an event concerns what is known by several names only when it says all of them [9.7]', () => {
  assert.deepEqual(concerned(['/hostedzone/Z1', 'www.example.com.']), [{ namespace: 'apps', name: 'www', uid: 'www' }])
  assert.deepEqual(concerned(['/hostedzone/Z1']), [])
  assert.deepEqual(concerned(['/hostedzone/Z1', 'ftp.example.com.']), [])
})

test('an event of another account concerns nothing of ours [9.7]', () => {
  assert.deepEqual(concerned(['/hostedzone/Z1', 'www.example.com.'], '999900001111'), [])
})

const metadata = (name: string) => ({ namespace: 'apps', name, uid: name, resourceVersion: '1' })
const made = { ownerAccountID: '111122223333', region: 'eu-west-1' }

interface Told {
  readonly source?: string | undefined
  readonly account?: string | undefined
  readonly region?: string | undefined
}

/** An event that names these, and says no more than it is told to. */
function noticeOf(named: readonly string[], told: Told = {}): Notice {
  const unsaid = { source: undefined, account: undefined, region: undefined, requestId: undefined, isHarmless: false }
  return { ...unsaid, names: namesIn(named), ...told }
}

/** Whether the event that names these concerns a claim of the kind. */
function concerns(of: KindModel, claim: object, named: readonly string[], told: Told = {}, isSynced = true): boolean {
  const object = { apiVersion: 'v1', kind: of.kind.kind, metadata: metadata('x'), ...claim } as StoredObject
  const byIndex = ((_type: ResourceType, _index: string, value: string) =>
    eventIndex(of).of(object).includes(value) ? [object] : []) as Reads['byIndex']
  return claimsConcerned(of, noticeOf(named, told), { isSynced: () => isSynced, byIndex }).length > 0
}

const [role, bucket, cluster] = [modelOf('iam', 'Role'), modelOf('s3', 'Bucket'), modelOf('eks', 'Cluster')]
const arn = 'arn:aws:iam::111122223333:role/reader'
const reader = { spec: { name: 'reader' }, status: { ackResourceMetadata: { ...made, arn } } }
const nodes = modelOf('eks', 'Nodegroup')
const unmade = { spec: { name: 'reader' } }
const elsewhere = { region: 'us-east-1' }

for (const [what, of, claim, named, told, isConcerned] of [
  ['its ARN', role, reader, [arn], {}, true],
  ['its ARN, in an event of another service', role, reader, [arn], { source: 's3.amazonaws.com' }, true],
  ['its ARN, in another account', role, reader, [arn], { account: '999900001111' }, false],
  ['its name, in an event of nobody', role, reader, ['reader'], {}, true],
  ['its name, in an event of its service', role, reader, ['reader'], { source: 'iam.amazonaws.com' }, true],
  ['its name, in an event of another service', role, reader, ['reader'], { source: 's3.amazonaws.com' }, false],
  ['the name of what was not made yet', role, unmade, ['reader'], { account: '999900001111', ...elsewhere }, true],
  ['a global name, in the first region', role, reader, ['reader'], elsewhere, true],
  [
    'the name of a bucket, from elsewhere',
    bucket,
    { spec: { name: 'data' }, status: { ackResourceMetadata: made } },
    ['data'],
    elsewhere,
    true,
  ],
  [
    'the name of a cluster, from elsewhere',
    cluster,
    { spec: { name: 'c' }, status: { ackResourceMetadata: made } },
    ['c'],
    elsewhere,
    false,
  ],
  [
    'the name of a cluster, from its region',
    cluster,
    { spec: { name: 'c' }, status: { ackResourceMetadata: made } },
    ['c'],
    { region: 'eu-west-1' },
    true,
  ],
  ['the name of a cluster of which no region is known', cluster, { spec: { name: 'c' } }, ['c'], elsewhere, true],
  ['the name of what is known by its ARN', modelOf('iam', 'Policy'), { spec: { name: 'read' } }, ['read'], {}, true],
  [
    'the id that AWS gave',
    modelOf('route53', 'HostedZone'),
    { spec: { name: 'a.' }, status: { id: '/hostedzone/Z1' } },
    ['Z1'],
    {},
    true,
  ],
  [
    'the name alone of what has an id',
    modelOf('route53', 'HostedZone'),
    { spec: { name: 'a.' }, status: { id: 'Z1' } },
    ['a.'],
    {},
    false,
  ],
  ['the name of what stands in a cluster that a reference names', nodes, { spec: { name: 'ng' } }, ['ng'], {}, true],
  ['the name of what stands in another cluster', nodes, { spec: { name: 'ng', clusterName: 'c' } }, ['ng', 'd'], {}, false],
  ['another name', role, reader, ['writer'], {}, false],
  ['nothing of what has no name', role, { spec: { name: '' } }, [''], {}, false],
  ['a name that is none', role, { spec: { name: 5 } }, ['5'], {}, false],
] as const)
  test(`an event with ${what} ${isConcerned ? 'concerns' : 'does not concern'} it [9.7]`, () =>
    assert.equal(concerns(of, claim, named, told), isConcerned))

test('what is not read yet is concerned by nothing: it is looked at anyway', () =>
  assert.equal(concerns(role, reader, [arn], {}, false), false))

test('an event that touches more than a thousand objects wakes a thousand, each once', () => {
  const objects = Array.from({ length: 1_001 }, (_, index) => ({
    ...reader,
    metadata: { ...metadata(`x${index}`), namespace: undefined },
  }))
  const of = (held: readonly object[]) =>
    claimsConcerned(role, noticeOf([arn, 'reader']), {
      isSynced: () => true,
      byIndex: (() => held) as unknown as Reads['byIndex'],
    })
  assert.equal(of(objects).length, 1_000)
  assert.deepEqual(of(objects.slice(0, 2)), [
    { namespace: '', name: 'x0', uid: 'x0' },
    { namespace: '', name: 'x1', uid: 'x1' },
  ])
})
