// A living binding moves from one name of its role to another: at no moment is its ServiceAccount without a role that is there.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventObject, events, findCondition, type StoredObject, serviceAccounts } from '#kube'
import { operatorConfigKind, roleKind } from '../api/kinds.ts'
import { annotations, labels } from '../api/labels.ts'
import { associationKind, roleKind as iamRoleKind } from '../children/kinds.ts'
import { stableRoleName } from '../names.ts'
import { binding, cluster, keyIn, type RoleWorld, roleWorld, serviceAccount, type WorldOptions } from '../testing/role-world.ts'
import { visibleMs } from './naming.ts'

const readOnly = { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }
const stable = stableRoleName(cluster, { namespace: 'apps', name: 'app1' })

async function movable(options: WorldOptions = {}): Promise<{ readonly world: RoleWorld; readonly first: string }> {
  const world = await roleWorld(options)
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.client.create(roleKind.type, binding('app1'))
  await world.converge()
  const [role] = await world.children(iamRoleKind)
  return { world, first: role?.metadata.name ?? '' }
}

const annotate = (world: RoleWorld, held: Readonly<Record<string, string | null>>): Promise<unknown> =>
  world.client.patch(roleKind.type, keyIn('app1'), 'merge', { metadata: { annotations: held } })

const allow = (world: RoleWorld, ...allowed: readonly object[]): Promise<unknown> =>
  world.client.patch(operatorConfigKind.type, { namespace: '', name: 'default' }, 'merge', {
    spec: { allowedRoleNames: allowed },
  })

const choose = (world: RoleWorld, roleName: string | null): Promise<unknown> =>
  world.client.patch(roleKind.type, keyIn('app1'), 'merge', { spec: { roleName } })

const said = async (world: RoleWorld, type: string): Promise<string> => {
  const found = findCondition((await world.role('app1')).status?.conditions, type)
  return `${found?.status}/${found?.reason}`
}

const namesOf = async (world: RoleWorld): Promise<readonly string[]> =>
  (await world.children(iamRoleKind)).map(({ metadata }) => metadata.name).sort()

const annotatedRole = async (world: RoleWorld): Promise<string | undefined> =>
  (await world.annotationsOf('app1'))?.['eks.amazonaws.com/role-arn']?.split('/').at(-1)

const arnsEnded = async (world: RoleWorld): Promise<readonly string[]> =>
  ((await world.client.list(events)).items as readonly (StoredObject & EventObject)[])
    .filter(({ reason }) => reason === 'RoleARNEnds')
    .map(({ message }) => message.split(' ')[0] ?? '')

/** Lets everybody work, half a second at a time, and looks each time whether the ServiceAccount has a role that its controller made. */
async function withoutAGap(world: RoleWorld, forMs: number): Promise<void> {
  for (let passedMs = 0; passedMs < forMs; passedMs += 500) {
    await world.advance(500)
    await world.ack()
    await world.settle()
    const held = (await world.annotationsOf('app1'))?.['eks.amazonaws.com/role-arn']
    const made = (await world.children(iamRoleKind)) as readonly (StoredObject & {
      readonly status?: { readonly ackResourceMetadata?: { readonly arn?: string } }
    })[]
    const served = made.filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    assert.ok(
      served.some(({ status }) => status?.ackResourceMetadata?.arn === held),
      `annotated with ${held} at ${passedMs} ms`,
    )
    assert.equal(await said(world, 'Ready'), 'True/Ready', `at ${passedMs} ms`)
  }
}

test('a living binding moves to the name that stays: the second role is there before the first is left, which goes when it is released', async () => {
  const { world, first } = await movable()
  await using _world = world
  await annotate(world, { [annotations.roleNames]: 'ServiceAccount' })
  world.passes.length = 0
  await withoutAGap(world, 10_000)
  assert.deepEqual(await namesOf(world), [first, stable].sort())
  assert.deepEqual([await said(world, 'RoleMigrated'), await annotatedRole(world)], ['False/RoleMigrating', first])
  await withoutAGap(world, visibleMs)
  assert.deepEqual([await said(world, 'RoleMigrated'), await annotatedRole(world)], ['True/FormerRoleKept', stable])
  assert.equal((await world.role('app1')).status?.roleARN?.endsWith(`:role/${stable}`), true)
  const { writes } = { writes: world.writes().map(({ verb, type, subresource = '' }) => `${verb} ${type.plural}/${subresource}`) }
  assert.deepEqual(writes.slice(0, 2), ['patch awsserviceaccountroles/status', 'create roles/'])
  assert.equal(writes.filter(write => write === 'patch serviceaccounts/').length, 1)
  // Left alone both stay.
  await withoutAGap(world, 5_000)
  assert.deepEqual((await namesOf(world)).length, 2)
  await annotate(world, { [annotations.releaseRole]: first })
  await withoutAGap(world, 5_000)
  assert.deepEqual([await namesOf(world), await said(world, 'RoleMigrated')], [[stable], 'True/RoleMigrated'])
  // Nor does the status speak of it any more.
  assert.deepEqual(
    (await world.role('app1')).status?.ackResources?.map(({ name }) => name),
    [stable],
  )
  assert.deepEqual(
    (await arnsEnded(world)).map(arn => arn.split('/').at(-1)),
    [first],
  )
  world.passes.length = 0
  await world.advance(2 * 3_600_000)
  assert.deepEqual(world.writes(), [])
})

test('a move is taken back from wherever it is, and goes the other way as well', async () => {
  const { world, first } = await movable()
  await using _world = world
  await annotate(world, { [annotations.roleNames]: 'ServiceAccount' })
  await withoutAGap(world, 3_000)
  // Before the second was in force: it is the former one now, which nobody has, and goes when it is released.
  await annotate(world, { [annotations.roleNames]: 'ObjectUID' })
  await withoutAGap(world, 3_000)
  assert.deepEqual([await annotatedRole(world), await said(world, 'RoleMigrated')], [first, 'True/FormerRoleKept'])
  await annotate(world, { [annotations.roleNames]: 'ServiceAccount' })
  await withoutAGap(world, 2 * visibleMs)
  assert.equal(await annotatedRole(world), stable)
  await annotate(world, { [annotations.roleNames]: 'ObjectUID' })
  await withoutAGap(world, 2 * visibleMs)
  assert.equal(await annotatedRole(world), first)
  await annotate(world, { [annotations.releaseRole]: stable })
  await withoutAGap(world, 5_000)
  assert.deepEqual([await namesOf(world), (await world.role('app1')).status?.roleName], [[first], undefined])
})

test('a role of somebody else at the new name is left alone and told, and what works goes on to work [S2]', async () => {
  const { world, first } = await movable()
  await using _world = world
  const { group, version, kind } = iamRoleKind.type
  const marked = { [labels.bindingUid]: 'somebody' }
  const stranger = {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { namespace: cluster, name: stable, labels: marked },
    spec: { name: stable },
  }
  await world.client.create(iamRoleKind.type, stranger as never)
  await annotate(world, { [annotations.roleNames]: 'ServiceAccount' })
  await withoutAGap(world, 2 * visibleMs)
  assert.deepEqual([await annotatedRole(world), await said(world, 'RoleMigrated')], [first, 'False/RoleMigrating'])
  const held = await world.client.get(iamRoleKind.type, { namespace: cluster, name: stable })
  assert.deepEqual([held.metadata.labels, held.metadata.ownerReferences], [marked, undefined])
  // Neither is it released as if it were ours.
  await annotate(world, { [annotations.roleNames]: null, [annotations.releaseRole]: stable })
  await withoutAGap(world, 3_000)
  assert.deepEqual(await namesOf(world), [first, stable].sort())
})

test('a binding that ends while it moves takes both roles with it, and the annotation, whichever it names', async () => {
  for (const movedForMs of [3_000, 2 * visibleMs]) {
    const { world } = await movable()
    await using _world = world
    await annotate(world, { [annotations.roleNames]: 'ServiceAccount' })
    await withoutAGap(world, movedForMs)
    assert.equal((await namesOf(world)).length, 2)
    await world.client.delete(roleKind.type, keyIn('app1'))
    await world.converge()
    await world.advance(5_000)
    assert.deepEqual([await namesOf(world), await annotatedRole(world)], [[], undefined], `after ${movedForMs} ms`)
    assert.equal(await world.client.find(roleKind.type, keyIn('app1')), undefined)
  }
})

test('a restart in the middle goes on where it was, and makes nothing a second time', async () => {
  const { world, first } = await movable()
  await using _world = world
  await annotate(world, { [annotations.roleNames]: 'ServiceAccount' })
  for (let turn = 0; turn < 4; turn++) {
    await withoutAGap(world, 6_000)
    await world.restart()
  }
  assert.deepEqual([await namesOf(world), await annotatedRole(world)], [[first, stable].sort(), stable])
})

test('where EKS delivers, the association is changed to the new role, and made once', async () => {
  const { world, first } = await movable({ delivery: 'EKSPodIdentity' })
  await using _world = world
  const associated = async (): Promise<readonly (string | undefined)[]> =>
    (
      (await world.children(associationKind)) as readonly (StoredObject & { readonly spec?: { readonly roleARN?: string } })[]
    ).map(({ metadata, spec }) => `${metadata.uid} ${spec?.roleARN?.split('/').at(-1)}`)
  const [before] = await associated()
  assert.ok(before?.endsWith(first))
  await annotate(world, { [annotations.roleNames]: 'ServiceAccount' })
  for (let turn = 0; turn < 40; turn++) {
    await world.advance(500)
    await world.ack()
    assert.equal(await said(world, 'Ready'), 'True/Ready')
  }
  assert.deepEqual(await associated(), [before?.replace(first, stable)])
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.converge()
  await world.advance(5_000)
  assert.deepEqual(await namesOf(world), [])
})

test('the end of a role whose name rests on the uid is told where EKS delivers, too', async () => {
  const { world, first } = await movable({ delivery: 'EKSPodIdentity' })
  await using _world = world
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.converge()
  assert.deepEqual(
    (await arnsEnded(world)).map(arn => arn.split('/').at(-1)),
    [first],
  )
})

test('spec.roleName is the name of the role where the platform allows it, and refused with the reason where it does not', async () => {
  await using world = await roleWorld()
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.client.create(roleKind.type, binding('app1', { ...readOnly, roleName: 'payments-reader' }))
  await world.converge()
  assert.deepEqual([await said(world, 'Ready'), await namesOf(world)], ['False/InvalidSpec', []])
  await allow(world, { clusters: ['wlc-b'], names: ['payments-*'] }, { names: ['billing-*'] })
  await world.converge()
  assert.equal(await said(world, 'Ready'), 'False/InvalidSpec')
  await allow(world, { clusters: ['wlc-*'], names: ['payments-*'] })
  await world.converge()
  assert.deepEqual([await said(world, 'Ready'), await annotatedRole(world)], ['True/Ready', 'payments-reader'])
  // What is made keeps its name when the platform thinks otherwise.
  await allow(world)
  await world.converge()
  assert.deepEqual([await said(world, 'Ready'), await namesOf(world)], ['True/Ready', ['payments-reader']])
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.converge()
  assert.deepEqual([await namesOf(world), await arnsEnded(world)], [[], []])
})

test('a living binding that chooses a name is not Ready until its role is in force, and its pods have one all the while [S27]', async () => {
  const { world, first } = await movable()
  await using _world = world
  await choose(world, 'payments-reader')
  await world.converge()
  assert.deepEqual([await said(world, 'Ready'), await said(world, 'RoleMigrated')], ['False/WaitingForACK', 'False/InvalidSpec'])
  assert.equal(await annotatedRole(world), first)
  await allow(world, { names: ['payments-*'] })
  await world.converge()
  assert.deepEqual([await said(world, 'RoleMigrated'), await annotatedRole(world)], ['False/RoleMigrating', first])
  await world.advance(visibleMs)
  await world.converge()
  assert.deepEqual([await said(world, 'Ready'), await annotatedRole(world)], ['True/Ready', 'payments-reader'])
  await assert.rejects(choose(world, 'another'), /spec.roleName can be set, and neither changed nor taken away/)
  await assert.rejects(choose(world, null), /spec.roleName can be set, and neither changed nor taken away/)
})

test('names that the operator makes cannot be chosen, so nobody is there first [S2]', async () => {
  await using world = await roleWorld()
  await assert.rejects(
    world.client.create(roleKind.type, binding('app1', { ...readOnly, roleName: stable })),
    /spec.roleName must not begin with awi-/,
  )
})

test('another word than the two is told and moves nothing', async () => {
  const { world, first } = await movable()
  await using _world = world
  await annotate(world, { [annotations.roleNames]: 'serviceaccount' })
  await world.converge()
  assert.deepEqual([await said(world, 'RoleMigrated'), await namesOf(world)], ['False/InvalidSpec', [first]])
})
