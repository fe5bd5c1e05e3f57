// AdoptedResources over the embedded API server and the emulator: what is made for them, what is refused, and what stays when they go.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import { type KubeObject, namespaces, type ObjectKey } from '#kube'
import { annotations, conditions, type Resource } from '../api.ts'
import { resourceRights } from '../rights.ts'
import { account, type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'
import { type AdoptedResource, adoptedFinalizer, adoptedResourceKind } from './api.ts'

const { type } = adoptedResourceKind
const at = (name: string): ObjectKey => ({ namespace: 'default', name })

function adoptingWorld(): ResourceWorld {
  return resourceWorld({ kinds: ['Role', 'Policy'], adoptedResources: true })
}

async function makeInAws(world: ResourceWorld, ...names: readonly string[]): Promise<void> {
  for (const RoleName of names)
    await world.client('iam').call('CreateRole', { RoleName, AssumeRolePolicyDocument: trust(), Description: 'by hand' })
}

interface Asked {
  readonly aws?: object
  readonly group?: string
  readonly kind?: string
  readonly target?: object
  readonly metadata?: object
}

async function ask(world: ResourceWorld, name: string, asked: Asked = {}): Promise<AdoptedResource> {
  const { aws = { nameOrID: 'old' }, group = 'iam.services.k8s.aws', kind = 'Role', target } = asked
  const made = await world.kube.create(type, {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'AdoptedResource',
    metadata: { namespace: 'default', name, ...asked.metadata },
    spec: { aws, kubernetes: { group, kind, ...given({ metadata: target }) } },
  } as KubeObject)
  await world.advance(2_000)
  return made as AdoptedResource
}

/** `TYPE=STATUS REASON message`, but for what only sums it up and for our note to ourselves. */
async function saidOf(world: ResourceWorld, name: string): Promise<readonly string[]> {
  const found = await world.kube.get<AdoptedResource>(type, at(name))
  return (found.status?.conditions ?? [])
    .filter(each => each.type !== conditions.ready && each.type !== conditions.ownership)
    .map(each => `${each.type}=${each.status} ${each.reason} ${each.message}`)
}

const adopted = (name: string, role: string): readonly string[] => [
  `${conditions.adopted}=True Adopted adopted as Role default/${name}: {"name":"${role}"}`,
]

test('an AdoptedResource has the object of its resource made, which takes the resource over [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old')
  world.start()
  await ask(world, 'mine', { target: { name: 'reader', labels: { team: 'blue' } } })
  const role = await world.get('Role', 'reader')
  assert.equal(role?.status?.ackResourceMetadata?.arn, `arn:aws:iam::${account}:role/old`)
  assert.deepEqual([role.spec?.['description'], role.metadata.labels], ['by hand', { team: 'blue' }])
  assert.equal(await world.condition('Role', 'reader', conditions.ready).then(told => told?.status), 'True')
  assert.deepEqual(await saidOf(world, 'mine'), adopted('reader', 'old'))
})

test('a read that fails takes nothing back of what an AdoptedResource is done with [6.13]', async () => {
  let failing = false
  await using world = resourceWorld({
    kinds: ['Role'],
    adoptedResources: true,
    throughKube: exchange => async request => {
      if (failing && request.method === 'GET' && request.target.includes('/roles/')) throw new Error('the connection broke')
      return exchange(request)
    },
  })
  await makeInAws(world, 'old')
  world.start()
  await ask(world, 'mine')
  failing = true
  await world.patch('Role', 'mine', { metadata: { annotations: { [annotations.deletionPolicy]: 'retain' } } })
  await world.remove('Role', 'mine')
  await world.kube.patch(type, at('mine'), 'merge', { metadata: { labels: { touched: 'true' } } })
  await world.advance(60_000)
  failing = false
  await world.advance(3_600_000)
  assert.equal(await world.get('Role', 'mine'), undefined)
  assert.deepEqual(await saidOf(world, 'mine'), adopted('mine', 'old'))
})

test('what an AdoptedResource had made stays when it goes, and is not made again when that goes [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old', 'other')
  world.start()
  await ask(world, 'mine')
  await world.patch('Role', 'mine', { metadata: { annotations: { [annotations.deletionPolicy]: 'retain' } } })
  await world.remove('Role', 'mine')
  await world.advance(3_600_000)
  assert.equal(await world.get('Role', 'mine'), undefined)
  assert.deepEqual(await saidOf(world, 'mine'), adopted('mine', 'old'))
  // Another wish is another adoption.
  const spec = { aws: { nameOrID: 'other' }, kubernetes: { metadata: { name: 'another' } } }
  await world.kube.patch(type, at('mine'), 'merge', { spec })
  await world.advance(2_000)
  assert.deepEqual(await saidOf(world, 'mine'), adopted('another', 'other'))
  await world.kube.delete(type, at('mine'))
  await world.advance(2_000)
  assert.equal(await world.kube.find(type, at('mine')), undefined)
  assert.notEqual(await world.get('Role', 'another'), undefined)
  assert.equal(world.calls().includes('DeleteRole'), false)
})

test('an AdoptedResource reaches no other namespace and nothing that somebody else made [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old')
  await world.kube.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'theirs' },
  })
  world.start()
  const before = await world.create('Role', 'taken', { name: 'taken', assumeRolePolicyDocument: trust() })
  await world.advance(2_000)
  await ask(world, 'away', { target: { namespace: 'theirs', name: 'reader' } })
  await ask(world, 'taken')
  assert.match((await saidOf(world, 'away')).join(), /ACK\.Terminal=True TargetRefused .* its own namespace only, not in theirs/)
  assert.match((await saidOf(world, 'taken')).join(), /ACK\.Terminal=True TargetRefused Role default\/taken is there already/)
  const roles = (await world.kube.list<Resource>(world.typeOf('Role'))).items
  assert.deepEqual(
    roles.map(({ metadata }) => [metadata.name, metadata.uid, metadata.annotations?.[annotations.adoptionPolicy]]),
    [['taken', before.metadata.uid, undefined]],
  )
  // The name becomes free: what is refused is looked at again.
  await world.remove('Role', 'taken')
  await world.advance(120_000)
  assert.deepEqual(await saidOf(world, 'taken'), adopted('taken', 'old'))
})

test('an AdoptedResource tells what keeps its object from adopting, and goes on when that is mended [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'held')
  world.start()
  await world.create('Role', 'holder', undefined, {
    annotations: { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"held"}' },
  })
  await world.advance(2_000)
  await ask(world, 'second', { aws: { nameOrID: 'held' } })
  assert.match((await saidOf(world, 'second')).join(), /ACK\.Terminal=True DuplicateOwner Role default\/second: .*holder/)
  await ask(world, 'keyless', { aws: {} })
  assert.match((await saidOf(world, 'keyless')).join(), /ACK\.Terminal=True InvalidManifest .* neither arn nor nameOrID/)
  await ask(world, 'early', { aws: { nameOrID: 'late' } })
  assert.match((await saidOf(world, 'early')).join(), /ACK\.Adopted=False .* Role default\/early: .*not found/)
  await makeInAws(world, 'late')
  await world.advance(600_000)
  assert.deepEqual(await saidOf(world, 'early'), adopted('early', 'late'))
})

test('AdoptedResources of ACK that are done stay as they are, and those of kinds that others look after are left to them [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old')
  const { metadata } = await ask(world, 'moved', { metadata: { finalizers: [adoptedFinalizer] } })
  const told = { type: conditions.adopted, status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z' }
  await world.kube.patch(type, at('moved'), 'merge', { status: { conditions: [told] } }, { subresource: 'status' })
  world.start()
  await ask(world, 'foreign', { group: 'sqs.services.k8s.aws', kind: 'Queue' })
  assert.deepEqual((await world.kube.list(world.typeOf('Role'))).items, [])
  assert.deepEqual(await saidOf(world, 'moved'), [`${conditions.adopted}=True Adopted `])
  const foreign = await world.kube.get<AdoptedResource>(type, at('foreign'))
  assert.equal(foreign.status, undefined)
  await world.kube.delete(type, at('moved'), { preconditions: { uid: metadata.uid } })
  await world.advance(2_000)
  assert.equal(await world.kube.find(type, at('moved')), undefined)
})

test('an AdoptedResource that went before its object was made, and a process that ends in between, leave one object [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old')
  const first = world.start()
  await world.kube.create(type, {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'AdoptedResource',
    metadata: { namespace: 'default', name: 'mine' },
    spec: { aws: { nameOrID: 'old' }, kubernetes: { group: 'iam.services.k8s.aws', kind: 'Role' } },
  } as KubeObject)
  for (let turn = 0; turn < 100 && (await world.get('Role', 'mine')) === undefined; turn++) await world.server.settle()
  await first.stop()
  world.start()
  await world.advance(2_000)
  const roles = (await world.kube.list<Resource>(world.typeOf('Role'))).items
  assert.deepEqual(
    roles.map(({ metadata }) => metadata.name),
    ['mine'],
  )
  assert.deepEqual(await saidOf(world, 'mine'), adopted('mine', 'old'))
})

async function noteOf(world: ResourceWorld, name: string): Promise<Readonly<Record<string, unknown>>> {
  const found = await world.kube.get<AdoptedResource>(type, at(name))
  const note = found.status?.conditions?.find(each => each.type === conditions.ownership)
  return JSON.parse(note?.message ?? '{}') as Readonly<Record<string, unknown>>
}

async function says(world: ResourceWorld, name: string, conditions: readonly object[]): Promise<void> {
  await world.kube.patch(type, at(name), 'merge', { status: { conditions } }, { subresource: 'status' })
}

test('what is done is known by the uid of the object, and not by the words of a condition [6.13, ADR 20]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old')
  world.start()
  await ask(world, 'mine')
  const role = await world.get('Role', 'mine')
  const wish = { group: 'iam.services.k8s.aws', kind: 'Role', namespace: 'default', name: 'mine', fields: '{"name":"old"}' }
  assert.deepEqual(await noteOf(world, 'mine'), { uid: role?.metadata.uid, ...wish })
  // Words that people changed, or that another version of this operator chose, are put right and change nothing else.
  const { status } = await world.kube.get<AdoptedResource>(type, at('mine'))
  await says(
    world,
    'mine',
    (status?.conditions ?? []).map(each => (each.type === conditions.adopted ? { ...each, message: 'other words' } : each)),
  )
  await world.patch('Role', 'mine', { metadata: { annotations: { [annotations.deletionPolicy]: 'retain' } } })
  await world.remove('Role', 'mine')
  await world.advance(3_600_000)
  assert.equal(await world.get('Role', 'mine'), undefined)
  assert.deepEqual(await saidOf(world, 'mine'), adopted('mine', 'old'))
})

test('a note that the object itself contradicts is none: what says that it is done goes on until it is [6.13, ADR 20]', async () => {
  await using world = adoptingWorld()
  world.start()
  await ask(world, 'mine')
  const role = await world.get('Role', 'mine')
  assert.match((await saidOf(world, 'mine')).join(), /ACK\.Adopted=False/)
  const wish = { group: 'iam.services.k8s.aws', kind: 'Role', namespace: 'default', name: 'mine', fields: '{"name":"old"}' }
  const note = { status: 'True', reason: 'Adopted', lastTransitionTime: '2024-01-01T00:00:00Z' }
  await says(world, 'mine', [
    { ...note, type: conditions.adopted, message: 'adopted as Role default/mine: {"name":"old"}' },
    { ...note, type: conditions.ownership, message: JSON.stringify({ uid: role?.metadata.uid, ...wish }) },
  ])
  await world.advance(2_000)
  assert.match((await saidOf(world, 'mine')).join(), /ACK\.Adopted=False/)
  await makeInAws(world, 'old')
  await world.advance(600_000)
  assert.deepEqual(await saidOf(world, 'mine'), adopted('mine', 'old'))
})

test('an object that names the resource and has another one is none of an AdoptedResource [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old')
  world.start()
  // Made as a role of its own; that it adopts is written on it later, when nothing is adopted any more.
  await world.create('Role', 'mine', { name: 'another', assumeRolePolicyDocument: trust() })
  await world.advance(2_000)
  const notes = { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"old"}' }
  await world.patch('Role', 'mine', { metadata: { annotations: notes } })
  await ask(world, 'mine')
  assert.match((await saidOf(world, 'mine')).join(), /ACK\.Terminal=True TargetRefused Role default\/mine has another resource/)
})

test('what ACK adopted is noted where its object is seen [6.13]', async () => {
  await using world = adoptingWorld()
  await makeInAws(world, 'old')
  const told = { type: conditions.adopted, status: 'True', lastTransitionTime: '2024-01-01T00:00:00Z' }
  await ask(world, 'mine')
  await says(world, 'mine', [told])
  const notes = { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"old"}' }
  const role = await world.create('Role', 'mine', undefined, { annotations: notes })
  world.start()
  await world.advance(2_000)
  assert.equal((await noteOf(world, 'mine'))['uid'], role.metadata.uid)
  assert.deepEqual(await saidOf(world, 'mine'), adopted('mine', 'old'))
})

test('the right to create objects is taken only with AdoptedResources [6.13]', () => {
  const creating = (adoptedResources: boolean): readonly string[] =>
    resourceRights({ services: ['iam'], kinds: ['Role'], fieldExport: false, adoptedResources })
      .filter(({ verbs }) => verbs.includes('create'))
      .map(({ resource }) => resource)
  assert.deepEqual([creating(false), creating(true)], [['events'], ['events', 'roles']])
})
