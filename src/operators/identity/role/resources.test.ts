// Bindings through child objects that our own resources operator brings about, in the emulated AWS: nobody stands in for anybody.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { type ManualClock, seededRandom } from '#base'
import { type Aws, createAws } from '#emulator'
import { serviceAccounts } from '#kube'
import { createResourcesOperator } from '#operators/resources'
import { roleKind } from '../api/kinds.ts'
import { roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { account, binding, keyIn, type RoleWorld, roleWorld, serviceAccount } from '../testing/role-world.ts'

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

test('six writes in all for a binding with one managed policy, hub and target together [M4]', async () => {
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

test('a binding with a document comes to rest through real children: no write and no call for hours [M1]', async () => {
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

const whole = { policyDocument: document }

/** What the account is asked from the first wish to the last trace. */
async function callsOfALife(): Promise<{ readonly toMake: readonly string[]; readonly toRemove: readonly string[] }> {
  await using one = await room()
  const seen = (): string[] => {
    const operations = one.aws.calls.all().map(({ operation }) => operation)
    one.aws.calls.clear()
    return [...new Set(operations)].toSorted()
  }
  await makeBinding(one, whole)
  assert.equal(await readyOf(one), 'True/Ready')
  const toMake = seen()
  await one.world.client.delete(roleKind.type, keyIn('app1'))
  await one.world.advance(120_000)
  return { toMake, toRemove: seen() }
}

const reads = ['GetPolicy', 'GetPolicyVersion', 'GetRole', 'ListAttachedRolePolicies', 'ListRolePolicies']
const toMake = ['AttachRolePolicy', 'CreatePolicy', 'CreateRole', ...reads].toSorted()
const toRemove = ['DeletePolicy', 'DeleteRole', 'DetachRolePolicy', 'ListPolicyVersions', ...reads].toSorted()

function deny({ aws }: Room, operation: string): { remove(): void } {
  const message = `User: arn:aws:iam::${account}:user/ack is not authorized to perform: iam:${operation} on resource: *`
  return aws.faults.add({
    match: { service: 'iam', operation },
    effect: { kind: 'error', code: 'AccessDenied', http: 403, message },
  })
}

/** A binding that was there before the account changed its mind. */
async function makeNeighbour({ world }: Room): Promise<() => Promise<void>> {
  await world.targetClient.create(serviceAccounts, serviceAccount('app2'))
  await world.client.create(roleKind.type, binding('app2', whole))
  await world.advance(5_000)
  const before = await world.role('app2')
  assert.equal(before.status?.conditions?.find(({ type }) => type === 'Ready')?.status, 'True')
  return async () => {
    const after = await world.role('app2')
    assert.deepEqual(after.status, before.status, 'a binding that was Ready is unharmed')
    assert.notEqual(await world.annotationsOf('app2'), undefined)
  }
}

test('these are the calls of a life that can be denied one by one', async () => {
  assert.deepEqual(await callsOfALife(), { toMake, toRemove })
})

for (const operation of toMake) {
  test(`an account that denies ${operation}: Ready says so with the next step, a neighbour is unharmed, and it heals [M11]`, async () => {
    await using one = await room()
    const isUnharmed = await makeNeighbour(one)
    const denial = deny(one, operation)
    await makeBinding(one, whole)
    await one.world.advance(20_000)
    assert.equal(await readyOf(one), 'False/WaitingForACK')
    const ready = await conditionOf(one, 'Ready')
    assert.match(
      ready?.message ?? '',
      new RegExp(`AccessDenied: .*iam:${operation} .*; allow iam:${operation} to the controller`),
    )
    const status = (await one.world.role('app1')).status?.conditions ?? []
    const told = status.filter(({ reason, message }) => reason !== 'WaitingForACK' && message === ready?.message)
    assert.deepEqual(
      told.map(({ type, status: value, reason }) => [/^(?:Role|Policy)Ready$/.test(type), value, reason]),
      [[true, 'False', 'ACKResourceNotSynced']],
      'one condition has the reason, what follows from it waits',
    )
    await isUnharmed()
    denial.remove()
    await one.world.advance(30 * 60_000)
    assert.equal(await readyOf(one), 'True/Ready')
  })
}

for (const operation of toRemove) {
  test(`an account that denies ${operation} at the end: the claim stays and says so, a neighbour is unharmed, and it heals [M11, L4]`, async () => {
    await using one = await room()
    const isUnharmed = await makeNeighbour(one)
    await makeBinding(one, whole)
    const denial = deny(one, operation)
    await one.world.client.delete(roleKind.type, keyIn('app1'))
    await one.world.advance(60_000)
    const said = JSON.stringify((await one.world.role('app1')).status?.conditions)
    assert.match(said, new RegExp(`iam:${operation}`), said)
    await isUnharmed()
    denial.remove()
    await one.world.advance(30 * 60_000)
    await assert.rejects(one.world.role('app1'))
    for (const kind of [iamRoleKind, policyKind]) {
      const left = (await one.world.children(kind)).filter(({ metadata }) => metadata.name.includes('app1'))
      assert.deepEqual(left, [], kind.type.kind)
    }
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

test('after the deletion there is neither child nor role nor policy [L4]', async () => {
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
