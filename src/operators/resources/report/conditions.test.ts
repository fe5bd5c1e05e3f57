// What a status says over time (6.10), when a resource is looked at again (6.8), and what follows from adoption and policies (9.5, 9.27).

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { seededRandom } from '#base'
import { customResourceDefinitions } from '#kube'
import { annotations, conditions } from '../api.ts'
import { settingsOf } from '../options.ts'
import { resyncMs } from '../resync.ts'
import { changes } from '../testing/changes.ts'
import { at, modelOf } from '../testing/parts.ts'
import { account, type ResourceWorld, region, resourceWorld, trust } from '../testing/world.ts'

const kinds = ['Role', 'Policy']
const role = (more: object = {}): object => ({ name: 'reader', assumeRolePolicyDocument: trust(), ...more })
const denied = { kind: 'error', code: 'AccessDenied', http: 403 } as const

test('how often a resource is looked at: its annotation, its kind, the flag, ten hours; a tenth either way [6.8]', () => {
  const model = modelOf('iam', 'Role')
  const home = { account, partition: 'aws', region }
  const hoursOf = (more: object, notes: Readonly<Record<string, string>> = {}, uid = 'u1'): number => {
    const { claim } = at({}, { metadata: { ...at({}).claim.metadata, uid, annotations: notes } })
    const settings = settingsOf({ services: [], home, aws: undefined as never, nowMs: () => 0, ...more })
    return resyncMs({ claim, model, settings }) / 3_600_000
  }
  const near = (hours: number, wanted: number): void =>
    assert.ok(Math.abs(hours - wanted) <= wanted / 10, `${hours}, not ${wanted}`)
  near(hoursOf({}), 10)
  near(hoursOf({ resyncSeconds: 7_200 }), 2)
  near(hoursOf({ resyncSeconds: 7_200, resyncSecondsOf: { Role: 3_600 } }), 1)
  near(hoursOf({ resyncSeconds: 7_200, resyncSecondsOf: { Role: 3_600 } }, { [annotations.resyncSeconds]: '10800' }), 3)
  near(hoursOf({ resyncSeconds: 7_200 }, { [annotations.resyncSeconds]: 'often' }), 2)
  const random = seededRandom(1)
  const many = Array.from({ length: 50 }, () => hoursOf({}, {}, random.uuid()))
  assert.ok(new Set(many).size > 20 && Math.max(...many) - Math.min(...many) > 1)
})

test('a transition time changes with its status only, and with strict conditions a reason is one word [6.10.3]', async () => {
  await using world = resourceWorld({ kinds, strictConditions: true, resyncSeconds: 600 })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  const before = await world.condition('Role', 'reader', conditions.synced)
  await world.patch('Role', 'reader', { spec: { description: 'writes' } })
  await world.advance(1_300_000)
  assert.deepEqual(await world.condition('Role', 'reader', conditions.synced), before)
  world.aws.faults.add({ match: { service: 'iam', operation: 'GetRole' }, effect: denied })
  await world.advance(1_300_000)
  const { status } = (await world.get('Role', 'reader')) ?? {}
  for (const { type, reason } of status?.conditions ?? []) assert.match(reason ?? '', /^[A-Za-z.]+$/, type)
  const synced = await world.condition('Role', 'reader', conditions.synced)
  assert.equal(synced?.status, 'Unknown')
  assert.notEqual(synced?.lastTransitionTime, before?.lastTransitionTime)
})

test('Ready repeats what is wrong; without strict conditions Synced has the error as its reason [6.10.2]', async () => {
  await using world = resourceWorld({ kinds })
  world.aws.faults.add({ match: { service: 'iam', operation: 'CreateRole' }, effect: denied })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  const [ready, synced, recoverable] = await Promise.all(
    [conditions.ready, conditions.synced, conditions.recoverable].map(type => world.condition('Role', 'reader', type)),
  )
  assert.deepEqual([ready?.status, ready?.reason, ready?.message], ['False', 'ACK.Recoverable', recoverable?.message])
  assert.deepEqual([synced?.status, synced?.reason], ['Unknown', recoverable?.message])
  assert.equal(synced?.message, 'Unable to determine if desired resource state matches latest observed state')
})

async function adopted(world: ResourceWorld, policy: string): Promise<void> {
  await world.client('iam').call('CreateRole', { RoleName: 'reader', AssumeRolePolicyDocument: trust() })
  world.start()
  const notes = { [annotations.adoptionPolicy]: policy, [annotations.adoptionFields]: '{"name":"reader"}' }
  await world.create('Role', 'reader', policy === 'adopt' ? undefined : role(), { annotations: notes })
  await world.advance(30_000)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  await world.client('iam').call('DeleteRole', { RoleName: 'reader' })
  world.aws.calls.clear()
  await world.advance(1_300_000)
}

test('what was adopted and is deleted by hand: made again with adopt-or-create, told with adopt [9.27]', async () => {
  const options = { kinds, resyncSeconds: 600 }
  await using again = resourceWorld(options)
  await adopted(again, 'adopt-or-create')
  assert.equal(again.aws.calls.count({ operation: 'CreateRole', result: 'ok' }), 1)
  assert.equal((await again.condition('Role', 'reader', conditions.ready))?.status, 'True')
  await using told = resourceWorld(options)
  await adopted(told, 'adopt')
  assert.deepEqual(changes(told), [])
  const recoverable = await told.condition('Role', 'reader', conditions.recoverable)
  assert.deepEqual([recoverable?.status, recoverable?.reason], ['True', 'AdoptedResourceNotFound'])
})

test('a deletion policy that changes while a deletion is stuck takes effect at once [9.5]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  world.aws.faults.add({ match: { service: 'iam', operation: 'DeleteRole' }, effect: denied })
  await world.remove('Role', 'reader')
  await world.advance(30_000)
  assert.match((await world.condition('Role', 'reader', conditions.deleting))?.message ?? '', /MissingPermission/)
  await world.patch('Role', 'reader', { metadata: { annotations: { [annotations.deletionPolicy]: 'retain' } } })
  await world.settle()
  assert.equal(await world.get('Role', 'reader'), undefined)
  assert.equal(((await world.client('iam').call('ListRoles'))['Roles'] as unknown[]).length, 1)
})

test('kinds that are not asked for are not followed, and one whose CRD comes later is from then on [9.1, 9.31]', async () => {
  const asked = new Set<string>()
  await using world = resourceWorld({
    kinds: ['Role', 'Policy'],
    throughKube: exchange => request => {
      asked.add(request.target.split('?')[0] ?? '')
      return exchange(request)
    },
  })
  const crds = await world.kube.list(customResourceDefinitions)
  const roles = crds.items.find(({ metadata }) => metadata.name === 'roles.iam.services.k8s.aws')
  assert.ok(roles)
  await world.kube.delete(customResourceDefinitions, { namespace: '', name: roles.metadata.name })
  await world.settle()
  world.start()
  await world.settle()
  const { uid: _uid, resourceVersion: _version, ...metadata } = roles.metadata
  await world.kube.create(customResourceDefinitions, { ...roles, metadata } as never)
  await world.advance(60_000)
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  const followed = [...asked].filter(target => /^\/apis\/iam\.services\.k8s\.aws\/v1alpha1\/\w+$/.test(target))
  assert.deepEqual(followed.map(target => target.split('/').at(-1) ?? '').toSorted(), ['policies', 'roles'])
})
