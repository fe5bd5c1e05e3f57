// Bindings through child objects that our own resources operator brings about, in the emulated AWS: nobody stands in for anybody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { type ManualClock, seededRandom } from '#base'
import { type Aws, createAws } from '#emulator'
import { serviceAccounts } from '#kube'
import { createResourcesOperator } from '#operators/resources'
import { roleKind } from '../../src/operators/identity/api/kinds.ts'
import { roleKind as iamRoleKind, policyKind } from '../../src/operators/identity/children/kinds.ts'
import { account, binding, keyIn, type RoleWorld, roleWorld, serviceAccount } from './role-world.ts'

const region = 'eu-west-1'
const document = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] }

interface Room {
  readonly world: RoleWorld
  readonly aws: Aws
}

async function room(): Promise<Room & AsyncDisposable> {
  let aws: Aws | undefined
  const world = await roleWorld({
    beside: (clock: ManualClock) => {
      aws = createAws({ seed: 1, clock, accounts: [account], region, profile: 'instant' })
      const clients = new AwsClients({
        credentials: staticCredentials(aws.adminCredentials()),
        transport: inProcessTransport(aws.handle),
        clock,
        random: seededRandom(5),
      })
      return createResourcesOperator({
        services: ['iam', 's3', 'eks'],
        aws: clients,
        home: { account, region, partition: 'aws' },
        nowMs: () => clock.now(),
        fieldExport: false,
      })
    },
  })
  const emulator = aws as unknown as Aws
  return {
    world,
    aws: emulator,
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await emulator.close()
    },
  }
}

async function makeBinding({ world }: Room, spec: object): Promise<void> {
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.settle()
  world.passes.length = 0
  await world.client.create(roleKind.type, binding('app1', spec))
  await world.advance(3_000)
}

const conditionOf = async ({ world }: Room, type: string) =>
  (await world.role('app1')).status?.conditions?.find(condition => condition.type === type)
const readyOf = async (one: Room): Promise<string> => {
  const ready = await conditionOf(one, 'Ready')
  return `${ready?.status}/${ready?.reason}`
}

test('M4: six writes in all for a binding with one managed policy, hub and target together', async () => {
  await using one = await room()
  await makeBinding(one, { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] })
  assert.equal(await readyOf(one), 'True/Ready')
  const writes = one.world
    .writes()
    .map(({ verb, type, subresource }) => `${verb} ${type.plural}${subresource === undefined ? '' : '/status'}`)
  assert.deepEqual(writes.toSorted(), [
    'create roles',
    'patch awsserviceaccountroles',
    'patch awsserviceaccountroles/status',
    'patch roles',
    'patch roles/status',
    'patch serviceaccounts',
  ])
})

test('M1: a binding with a document comes to rest through real children: no write and no call for hours', async () => {
  await using one = await room()
  await makeBinding(one, { policyDocument: document })
  assert.equal(await readyOf(one), 'True/Ready')
  await one.world.advance(10_000)
  one.world.passes.length = 0
  one.aws.calls.clear()
  await one.world.advance(2 * 3_600_000)
  assert.deepEqual(one.world.writes(), [])
  assert.deepEqual(
    one.aws.calls.all().filter(({ operation }) => !/^(?:Get|List|Describe)/.test(operation)),
    [],
  )
})

const denials = [
  ['CreateRole', 'RoleReady'],
  ['AttachRolePolicy', 'RoleReady'],
  ['CreatePolicy', 'PolicyReady'],
] as const
for (const [operation, type] of denials) {
  test(`M11: an account that denies ${operation}: ${type} says so in the child's words with the next step, and it heals`, async () => {
    await using one = await room()
    const message = `User: arn:aws:iam::${account}:user/ack is not authorized to perform: iam:${operation} on resource: *`
    const denial = one.aws.faults.add({
      match: { service: 'iam', operation },
      effect: { kind: 'error', code: 'AccessDenied', http: 403, message },
    })
    await makeBinding(one, { policyDocument: document })
    await one.world.advance(20_000)
    const condition = await conditionOf(one, type)
    assert.deepEqual([condition?.status, condition?.reason], ['False', 'ACKResourceNotSynced'])
    assert.match(
      condition?.message ?? '',
      new RegExp(`AccessDenied: .*iam:${operation} .*; allow iam:${operation} to the controller`),
    )
    assert.equal(await readyOf(one), 'False/WaitingForACK')
    assert.equal((await conditionOf(one, 'Ready'))?.message, condition?.message, 'and so does Ready')
    denial.remove()
    await one.world.advance(30 * 60_000)
    assert.equal(await readyOf(one), 'True/Ready')
  })
}

test('a policy that IAM calls malformed: told as what to correct, and the correction is taken up', async () => {
  await using one = await room()
  await makeBinding(one, {
    policyDocument: { Version: '2012-10-17', Statement: [{ Effect: 'Perhaps', Action: '*', Resource: '*' }] },
  })
  await one.world.advance(20_000)
  const condition = await conditionOf(one, 'PolicyReady')
  assert.equal(condition?.status, 'False')
  assert.match(condition?.message ?? '', /MalformedPolicyDocument.*correct the policy document/)
  await one.world.client.patch(roleKind.type, keyIn('app1'), 'merge', { spec: { policyDocument: document } })
  await one.world.advance(60_000)
  assert.equal(await readyOf(one), 'True/Ready')
})

test('L4: after the deletion there is neither child nor role nor policy', async () => {
  await using one = await room()
  await makeBinding(one, { policyDocument: document })
  await one.world.client.delete(roleKind.type, keyIn('app1'))
  await one.world.advance(120_000)
  await assert.rejects(one.world.role('app1'))
  for (const kind of [iamRoleKind, policyKind]) assert.deepEqual(await one.world.children(kind), [], kind.type.kind)
  assert.equal(await one.world.annotationsOf('app1'), undefined)
  const deletions = one.aws.calls
    .all()
    .filter(({ operation, result }) => /^Delete(?:Role|Policy)$/.test(operation) && result === 'ok')
  assert.deepEqual(deletions.map(({ operation }) => operation).toSorted(), ['DeletePolicy', 'DeleteRole'])
})
