// `--aws-writer direct`: the same roles, policies and associations by calls of our own. Hub, target and AWS in one process.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceModel } from '#aws'
import { type AwsClient, AwsClients, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type HttpExchange, HttpFailure, type HttpRequest, type ManualClock, seededRandom } from '#base'
import { type Aws, createAws } from '#emulator'
import { serviceAccounts } from '#kube'
import { roleKind } from '../api/kinds.ts'
import { stableRoleName } from '../names.ts'
import { createRoleController } from '../role/controller.ts'
import { makeEksCluster } from '../testing/life.ts'
import {
  account,
  binding,
  cluster,
  keyIn,
  type RoleWorld,
  roleWorld,
  serviceAccount,
  type WorldOptions,
} from '../testing/role-world.ts'
import { directResources } from './resources.ts'

const readOnly = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
const document = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] }
const uidTag = 'aws.identity.appthrust.io/binding-uid'

interface DirectWorld {
  readonly world: RoleWorld
  readonly aws: Aws
  iam(operation: string, input: object): Promise<Record<string, unknown>>
  client(service: 'iam' | 'eks'): AwsClient
  /** Mutating calls of the operator, by name. */
  calls(): readonly string[]
  /** All of them. */
  reads(): number
  forget(): void
}

/** `between` gets between the operator and AWS. */
async function directWorld(
  options: WorldOptions & { readonly between?: (exchange: HttpExchange) => HttpExchange } = {},
): Promise<DirectWorld & AsyncDisposable> {
  let aws: Aws | undefined
  const clientsOf = (clock: ManualClock): AwsClients => {
    aws ??= createAws({ seed: 1, clock, accounts: [account], region: 'eu-west-1', profile: 'instant' })
    const handle = options.between === undefined ? aws.handle : options.between(aws.handle)
    return new AwsClients({
      credentials: staticCredentials(aws.adminCredentials()),
      transport: inProcessTransport(handle),
      clock,
      random: seededRandom(3),
      userAgent: 'operator',
    })
  }
  const world = await roleWorld({
    ...options,
    controller: clock =>
      createRoleController({ resources: directResources({ clients: clientsOf(clock), region: 'us-east-1', clock }) }),
  })
  const emulator = aws as unknown as Aws
  const client = (service: 'iam' | 'eks'): AwsClient =>
    createAwsClient({
      model: serviceModel(service),
      region: service === 'eks' ? 'eu-west-1' : 'us-east-1',
      credentials: staticCredentials(emulator.adminCredentials()),
      transport: inProcessTransport(emulator.handle),
      clock: world.clock,
      random: seededRandom(4),
      userAgent: 'test',
    })
  const iam = client('iam')
  let from = 0
  const own = (): ReturnType<Aws['calls']['all']> =>
    emulator.calls
      .all()
      .slice(from)
      .filter(({ userAgent }) => userAgent.includes('operator'))
  return {
    world,
    aws: emulator,
    client,
    iam: (operation, input) => iam.call(operation, { ...input }) as Promise<Record<string, unknown>>,
    calls: () =>
      own()
        .map(({ operation }) => operation)
        .filter(name => !/^(Get|List|Describe)/.test(name)),
    reads: () => own().filter(({ operation }) => /^(Get|List|Describe)/.test(operation)).length,
    forget: () => {
      from = emulator.calls.all().length
      world.passes.length = 0
    },
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      await emulator.close()
    },
  }
}

const ec2Trust =
  '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Service":"ec2.amazonaws.com"},"Action":"sts:AssumeRole"}]}'
const isDeletion = ({ body }: HttpRequest): boolean =>
  body instanceof Uint8Array && /Action=(?:Delete|Detach)/.test(Buffer.from(body).toString('utf8'))

const readyOf = async ({ world }: DirectWorld, name = 'app1'): Promise<string | undefined> => {
  const condition = (await world.role(name)).status?.conditions?.find(({ type }) => type === 'Ready')
  return condition === undefined ? undefined : `${condition.status}/${condition.reason}`
}
const roleArnOf = async ({ world }: DirectWorld): Promise<string> => (await world.role('app1')).status?.roleARN ?? ''
const nameIn = (arn: string): string => arn.split('/').at(-1) ?? ''

async function makeBinding(direct: DirectWorld, spec: object = { policyARNs: [readOnly] }): Promise<void> {
  const { world } = direct
  await world.targetClient.create(serviceAccounts, serviceAccount('app1'))
  await world.client.create(roleKind.type, binding('app1', spec))
  await world.settle()
}

test('a role name that stays: on record first, found again by the next binding of the ServiceAccount, and a stranger’s is left [S2]', async () => {
  await using direct = await directWorld()
  const { world } = direct
  const type = {
    group: 'aws.identity.appthrust.io',
    version: 'v1alpha1',
    kind: 'x',
    plural: 'awsworkloadidentityoperatorconfigs',
    namespaced: false,
  }
  await world.client.patch(type, { namespace: '', name: 'default' }, 'merge', { spec: { roleNames: 'ServiceAccount' } })
  await world.settle()
  await makeBinding(direct)
  const arn = await roleArnOf(direct)
  assert.match(arn, /:role\/awi-wlc-a-apps-app1-[0-9a-f]{10}$/)
  assert.deepEqual(direct.calls(), ['CreateRole', 'AttachRolePolicy'])
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.advance(5_000)
  await assert.rejects(direct.iam('GetRole', { RoleName: nameIn(arn) }))
  await world.client.create(roleKind.type, binding('app1', { policyARNs: [readOnly] }))
  await world.advance(5_000)
  assert.deepEqual([await roleArnOf(direct), await readyOf(direct)], [arn, 'True/Ready'])
  const other = stableRoleName('wlc-a', { namespace: 'apps', name: 'app2' })
  await direct.iam('CreateRole', {
    RoleName: other,
    AssumeRolePolicyDocument: ec2Trust,
  })
  direct.forget()
  await world.targetClient.create(serviceAccounts, serviceAccount('app2'))
  await world.client.create(roleKind.type, binding('app2', { policyARNs: [readOnly] }))
  await world.settle()
  assert.deepEqual([await readyOf(direct, 'app2'), direct.calls()], ['False/ChildApplyFailed', []])
})

test('a living binding moves to another name by calls: made, waited for, annotated, and the former role goes when it is released', async () => {
  await using direct = await directWorld()
  const { world } = direct
  await makeBinding(direct)
  const former = nameIn(await roleArnOf(direct))
  const stable = stableRoleName('wlc-a', { namespace: 'apps', name: 'app1' })
  const annotate = (held: object) =>
    world.client.patch(roleKind.type, keyIn('app1'), 'merge', { metadata: { annotations: held } })
  const annotated = async (): Promise<string> => nameIn((await world.annotationsOf('app1'))?.['eks.amazonaws.com/role-arn'] ?? '')
  direct.forget()
  await annotate({ 'aws.identity.appthrust.io/role-names': 'ServiceAccount' })
  for (let turn = 0; turn < 50; turn++) {
    await world.advance(500)
    // Whatever is annotated is there, and the binding says so.
    await direct.iam('GetRole', { RoleName: await annotated() })
    assert.equal(await readyOf(direct), 'True/Ready')
  }
  assert.deepEqual([await annotated(), direct.calls()], [stable, ['CreateRole', 'AttachRolePolicy']])
  await world.restart()
  await world.advance(5_000)
  direct.forget()
  await annotate({ 'aws.identity.appthrust.io/release-role': former })
  await world.advance(5_000)
  assert.deepEqual(direct.calls(), ['DetachRolePolicy', 'DeleteRole'])
  await assert.rejects(direct.iam('GetRole', { RoleName: former }))
  assert.deepEqual([await annotated(), await readyOf(direct)], [stable, 'True/Ready'])
  direct.forget()
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.advance(5_000)
  await assert.rejects(direct.iam('GetRole', { RoleName: stable }))
})

test('a binding that ends with two roles takes both of them with it, by calls', async () => {
  await using direct = await directWorld()
  const { world } = direct
  await makeBinding(direct)
  const former = nameIn(await roleArnOf(direct))
  const body = { metadata: { annotations: { 'aws.identity.appthrust.io/role-names': 'ServiceAccount' } } }
  await world.client.patch(roleKind.type, keyIn('app1'), 'merge', body)
  await world.advance(25_000)
  const moved = nameIn(await roleArnOf(direct))
  assert.notEqual(moved, former)
  await world.client.delete(roleKind.type, keyIn('app1'))
  await world.advance(10_000)
  for (const RoleName of [former, moved]) await assert.rejects(direct.iam('GetRole', { RoleName }))
  assert.equal(await world.client.find(roleKind.type, keyIn('app1')), undefined)
})

test('a binding takes three writes: its finalizer, the annotation, its status [M4]', async () => {
  await using direct = await directWorld()
  await makeBinding(direct)
  assert.equal(await readyOf(direct), 'True/Ready')
  const { world } = direct
  assert.deepEqual(
    world.writes().map(({ verb, type, subresource }) => [verb, type.plural, subresource]),
    [
      ['patch', 'awsserviceaccountroles', undefined],
      ['patch', 'serviceaccounts', undefined],
      ['patch', 'awsserviceaccountroles', 'status'],
    ],
  )
  assert.deepEqual(direct.calls(), ['CreateRole', 'AttachRolePolicy'])
  const arn = await roleArnOf(direct)
  assert.equal((await world.annotationsOf('app1'))?.['eks.amazonaws.com/role-arn'], arn)
  const { Role } = (await direct.iam('GetRole', { RoleName: nameIn(arn) })) as {
    Role: { Tags: { Key: string; Value: string }[]; Path: string; MaxSessionDuration: number }
  }
  const { uid } = (await world.role('app1')).metadata
  assert.deepEqual(
    Role.Tags.find(({ Key }) => Key === uidTag),
    { Key: uidTag, Value: uid },
  )
  assert.deepEqual([Role.Path, Role.MaxSessionDuration], ['/', 3600])
  const conditions = (await world.role('app1')).status?.conditions?.map(
    ({ type, status, reason }) => `${type}=${status}/${reason}`,
  )
  assert.deepEqual(conditions?.slice(4), [
    'PolicyReady=True/ManagedPoliciesOnly',
    'RoleReady=True/ACKResourceSynced',
    'ServiceAccountAnnotationReady=True/Ready',
    'DeliveryReady=True/HubResourcesReady',
    'Ready=True/Ready',
  ])
})

test('at rest nothing is written and AWS is not asked, until the drift budget allows a look [M1, B7]', async () => {
  await using direct = await directWorld()
  await makeBinding(direct, { policyDocument: document })
  assert.equal(await readyOf(direct), 'True/Ready')
  direct.forget()
  await direct.world.advance(6 * 3_600_000)
  assert.deepEqual([direct.world.writes(), direct.calls(), direct.reads()], [[], [], 0])
  await direct.world.advance(6 * 3_600_000)
  assert.deepEqual([direct.world.writes(), direct.calls()], [[], []])
  assert.ok(direct.reads() > 0 && direct.reads() <= 8, String(direct.reads()))
})

test('a restart with everything in order looks, and changes nothing [D4]', async () => {
  await using direct = await directWorld()
  await makeBinding(direct, { policyDocument: document })
  direct.forget()
  await direct.world.restart()
  await direct.world.advance(60_000)
  assert.deepEqual([direct.world.writes(), direct.calls()], [[], []])
  assert.equal(await readyOf(direct), 'True/Ready')
})

test('a policy document becomes a policy that is attached; a change is a new version, at most five of them; without it the policy goes', async () => {
  await using direct = await directWorld()
  await makeBinding(direct, { policyDocument: document })
  const { world } = direct
  const arn = (await world.role('app1')).status?.generatedPolicyARN
  const attached = async (): Promise<unknown> =>
    (await direct.iam('ListAttachedRolePolicies', { RoleName: nameIn(await roleArnOf(direct)) })).AttachedPolicies
  assert.deepEqual(await attached(), [{ PolicyName: nameIn(arn ?? ''), PolicyArn: arn }])
  for (let round = 0; round < 7; round++) {
    const next = { ...document, Statement: [{ ...document.Statement[0], Resource: `arn:aws:s3:::b${round}/*` }] }
    await world.client.patch(roleKind.type, keyIn('app1'), 'merge', { spec: { policyDocument: next } })
    await world.advance(1_000)
    assert.equal(await readyOf(direct), 'True/Ready')
  }
  // Calls are signed in turns of the real queue, of which a busy machine may need more than the clock's: what is under way is let finish.
  await world.advance(5_000)
  const { Versions } = (await direct.iam('ListPolicyVersions', { PolicyArn: arn })) as { Versions: unknown[] }
  assert.equal(Versions.length, 5)
  await world.client.patch(roleKind.type, keyIn('app1'), 'merge', { spec: { policyDocument: null, policyARNs: [readOnly] } })
  await world.advance(1_000)
  assert.deepEqual(await attached(), [{ PolicyName: 'ReadOnlyAccess', PolicyArn: readOnly }])
  await assert.rejects(direct.iam('GetPolicy', { PolicyArn: arn }), /NoSuchEntity|not found/i)
  assert.equal(await readyOf(direct), 'True/Ready')
})

test('a deletion leaves nothing: annotation, role, policy, in this order [S6, L4]', async () => {
  await using direct = await directWorld()
  await makeBinding(direct, { policyDocument: document })
  const { status } = await direct.world.role('app1')
  direct.forget()
  await direct.world.client.delete(roleKind.type, keyIn('app1'))
  await direct.world.advance(5_000)
  await assert.rejects(direct.world.role('app1'))
  assert.equal(await direct.world.annotationsOf('app1'), undefined)
  await assert.rejects(direct.iam('GetRole', { RoleName: nameIn(status?.roleARN ?? '') }))
  await assert.rejects(direct.iam('GetPolicy', { PolicyArn: status?.generatedPolicyARN }))
  assert.deepEqual(direct.calls(), ['DetachRolePolicy', 'DeleteRole', 'DeletePolicy'])
})

test('a role of that name without our mark is not touched, neither to make it ours nor to delete it [S2]', async () => {
  await using direct = await directWorld()
  await makeBinding(direct)
  const name = nameIn(await roleArnOf(direct))
  await direct.iam('UntagRole', { RoleName: name, TagKeys: [uidTag] })
  direct.forget()
  await direct.world.restart()
  await direct.world.client.patch(roleKind.type, keyIn('app1'), 'merge', { spec: { policyARNs: [], policyDocument: document } })
  await direct.world.settle()
  assert.equal(await readyOf(direct), 'False/ChildApplyFailed')
  await direct.world.client.delete(roleKind.type, keyIn('app1'))
  await direct.world.advance(5_000)
  await assert.rejects(direct.world.role('app1'))
  assert.deepEqual(
    direct.calls().filter(call => call.includes('Role')),
    [],
  )
  assert.ok(await direct.iam('GetRole', { RoleName: name }))
})

test('a name that a stranger had and gave back is taken within minutes, and not when the drift is looked at [B23, L7]', async () => {
  await using direct = await directWorld()
  await makeBinding(direct)
  const RoleName = nameIn(await roleArnOf(direct))
  await direct.iam('UntagRole', { RoleName, TagKeys: [uidTag] })
  await direct.world.restart()
  await direct.world.settle()
  assert.equal(await readyOf(direct), 'False/ChildApplyFailed')
  await direct.iam('DetachRolePolicy', { RoleName, PolicyArn: readOnly })
  await direct.iam('DeleteRole', { RoleName })
  await direct.world.advance(90_000)
  assert.equal(await readyOf(direct), 'True/Ready')
})

test('whichever answer is lost after its effect, there is one role and one policy, and the binding becomes Ready [B2]', async () => {
  for (const lost of ['CreateRole', 'CreatePolicy', 'AttachRolePolicy']) {
    let isLost = false
    await using direct = await directWorld({
      between: exchange => async request => {
        const response = await exchange(request)
        if (isLost || !(await textOf(request)).includes(`Action=${lost}&`)) return response
        isLost = true
        throw new HttpFailure('reset', 'the answer is lost')
      },
    })
    await makeBinding(direct, { policyDocument: document })
    await direct.world.advance(60_000)
    assert.ok(isLost, lost)
    assert.equal(await readyOf(direct), 'True/Ready', lost)
    assert.deepEqual(await madeIn(direct), [1, 1], lost)
  }
})

const bad = {
  throttled: { code: 'Throttling', http: 400 },
  failing: { code: 'ServiceFailure', http: 500 },
  conflicting: { code: 'EntityAlreadyExists', http: 409 },
  denied: { code: 'AccessDenied', http: 403 },
} as const

for (const [name, error] of Object.entries(bad)) {
  test(`a call that is ${name} is tried again when it may be answered otherwise, long before the drift is looked at [P10]`, async () => {
    await using direct = await directWorld()
    const rule = direct.aws.faults.add({ match: { operation: 'CreateRole' }, effect: { kind: 'error', ...error } })
    await makeBinding(direct)
    await direct.world.advance(10_000)
    assert.notEqual(await readyOf(direct), 'True/Ready')
    rule.remove()
    await direct.world.advance(90_000)
    assert.equal(await readyOf(direct), 'True/Ready')
  })

  test(`a look that is ${name} is no absence: the binding that goes waits, and leaves nothing [P5]`, async () => {
    await using direct = await directWorld()
    await makeBinding(direct, { policyDocument: document })
    // Nothing is remembered any more, so the look decides.
    const rules = ['GetRole', 'GetPolicy'].map(operation =>
      direct.aws.faults.add({ match: { operation }, effect: { kind: 'error', ...error } }),
    )
    await direct.world.restart()
    await direct.world.client.delete(roleKind.type, keyIn('app1'))
    await direct.world.advance(60_000)
    assert.ok((await direct.world.role('app1')).metadata.deletionTimestamp, 'the binding waits')
    for (const rule of rules) rule.remove()
    await direct.world.advance(300_000)
    await assert.rejects(direct.world.role('app1'))
    assert.deepEqual(await madeIn(direct), [0, 0])
  })
}

/** How many roles and policies of ours there are. */
async function madeIn(direct: DirectWorld): Promise<readonly [roles: number, policies: number]> {
  const { Roles } = (await direct.iam('ListRoles', {})) as { Roles: readonly { RoleName: string }[] }
  const { Policies } = (await direct.iam('ListPolicies', { Scope: 'Local' })) as { Policies: readonly unknown[] }
  return [Roles.filter(({ RoleName }) => RoleName.startsWith('awi-')).length, Policies.length]
}

test('a deletion whose answer was lost is looked for, and not sent again [B2]', async () => {
  for (const lost of ['DeleteRole', 'DeletePolicy']) {
    await using direct = await directWorld()
    await makeBinding(direct, { policyDocument: document })
    direct.forget()
    direct.aws.faults.add({ match: { operation: lost }, effect: { kind: 'timeout-after' }, times: 1 })
    await direct.world.client.delete(roleKind.type, keyIn('app1'))
    // Shorter than what was read is believed for.
    await direct.world.advance(25_000)
    await assert.rejects(direct.world.role('app1'), lost)
    assert.equal(direct.calls().filter(call => call === lost).length, 1, lost)
  }
})

test('an account that denies a call: the condition names the call to allow, and it heals without a restart [M11]', async () => {
  for (const [denied, condition] of [
    ['CreateRole', 'RoleReady'],
    ['AttachRolePolicy', 'RoleReady'],
    ['CreatePolicy', 'PolicyReady'],
  ] as const) {
    let isDenied = true
    await using direct = await directWorld({
      between: exchange => async request => {
        if (!isDenied || !(await textOf(request)).includes(`Action=${denied}&`)) return exchange(request)
        return denial(denied)
      },
    })
    await makeBinding(direct, { policyDocument: document })
    await direct.world.advance(1_000)
    const held = (await direct.world.role('app1')).status?.conditions ?? []
    const found = held.find(({ type }) => type === condition)
    assert.deepEqual([found?.status, found?.reason], ['False', 'ACKResourceNotSynced'], denied)
    assert.match(found?.message ?? '', new RegExp(`AccessDenied: .*iam:${denied}.*; allow iam:${denied} to the controller`))
    assert.equal(await readyOf(direct), 'False/WaitingForACK')
    assert.equal(held.find(({ type }) => type === 'OperatorConfigReady')?.status, 'True', 'what is known is said')
    isDenied = false
    await direct.world.advance(90_000)
    assert.equal(await readyOf(direct), 'True/Ready', denied)
  }
})

test('what others changed of ours comes back within the drift budget, what they added besides stays [B30]', async () => {
  await using direct = await directWorld()
  await makeBinding(direct)
  const RoleName = nameIn(await roleArnOf(direct))
  await direct.iam('TagRole', {
    RoleName,
    Tags: [
      { Key: 'team', Value: 'a' },
      { Key: 'app.kubernetes.io/managed-by', Value: 'me' },
    ],
  })
  await direct.iam('DetachRolePolicy', { RoleName, PolicyArn: readOnly })
  await direct.iam('PutRolePolicy', { RoleName, PolicyName: 'x', PolicyDocument: JSON.stringify(document) })
  await direct.iam('UpdateAssumeRolePolicy', {
    RoleName,
    PolicyDocument:
      '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"AWS":"arn:aws:iam::123456789012:root"},"Action":"sts:AssumeRole"}]}',
  })
  direct.forget()
  await direct.world.advance(12 * 3_600_000)
  assert.deepEqual(direct.calls(), ['UpdateAssumeRolePolicy', 'DeleteRolePolicy', 'TagRole', 'AttachRolePolicy'])
  const { Role } = (await direct.iam('GetRole', { RoleName })) as { Role: { Tags: { Key: string; Value: string }[] } }
  assert.equal(Role.Tags.find(({ Key }) => Key === 'team')?.Value, 'a')
  assert.equal(await readyOf(direct), 'True/Ready')
})

test('a role whose creation was not answered is not gone because it is not visible yet [W7, P5, S6]', async () => {
  await using direct = await directWorld()
  direct.aws.faults.add({ match: { operation: 'CreateRole' }, effect: { kind: 'timeout-after' }, times: 1 })
  const late = direct.aws.faults.add({
    match: { operation: 'GetRole' },
    effect: { kind: 'error', code: 'NoSuchEntity', http: 404 },
  })
  await direct.world.client.create(roleKind.type, binding('app1'))
  await direct.world.advance(2_000)
  await direct.world.client.delete(roleKind.type, keyIn('app1'))
  await direct.world.advance(10_000)
  assert.ok((await direct.world.role('app1')).metadata.deletionTimestamp, 'the binding waits')
  late.remove()
  await direct.world.advance(120_000)
  await assert.rejects(direct.world.role('app1'))
  assert.deepEqual(await madeIn(direct), [0, 0], 'no orphan')
})

test('a role and a policy that AWS does not find, as of before they were made, are deleted before the binding goes [P5, S6]', async () => {
  let lagUntilMs: number | undefined
  await using direct: DirectWorld & AsyncDisposable = await directWorld({
    // The part of AWS that answers the first deletion does not know of them yet, and answers the looks that follow as well.
    between: exchange => request => {
      const { faults } = direct.aws
      if (lagUntilMs === undefined && isDeletion(request)) {
        const untilMs = direct.world.clock.now() + 4_000
        lagUntilMs = untilMs
        faults.add({ match: { service: 'iam' }, untilMs, effect: { kind: 'stale-read', ageMs: 40_000 } })
      }
      return exchange(request)
    },
  })
  await direct.iam('CreateRole', { RoleName: 'other', AssumeRolePolicyDocument: ec2Trust })
  await direct.world.advance(60_000)
  await makeBinding(direct, { policyDocument: document })
  await direct.world.advance(20_000)
  assert.equal(await readyOf(direct), 'True/Ready')
  await direct.world.client.delete(roleKind.type, keyIn('app1'))
  await direct.world.advance(120_000)
  await assert.rejects(direct.world.role('app1'))
  assert.notEqual(lagUntilMs, undefined, 'AWS lagged')
  await direct.iam('DeleteRole', { RoleName: 'other' })
  assert.deepEqual(await madeIn(direct), [0, 0], 'no orphan')
})

test('EKSPodIdentity: the association in two writes, and its end although the inventory forgot the cluster', async () => {
  await using direct = await directWorld({ delivery: 'EKSPodIdentity' })
  await makeCluster(direct)
  await makeBinding(direct)
  assert.equal(await readyOf(direct), 'True/Ready')
  assert.deepEqual(direct.calls(), ['CreateRole', 'AttachRolePolicy', 'CreatePodIdentityAssociation'])
  assert.ok(direct.world.writes().length <= 3)
  const eks = direct.client('eks')
  const list = async (): Promise<unknown[]> =>
    (await eks.call('ListPodIdentityAssociations', { clusterName: 'prod' })).associations as unknown[]
  assert.equal((await list()).length, 1)
  const profiles = {
    group: 'multicluster.x-k8s.io',
    version: 'v1alpha1',
    kind: 'ClusterProfile',
    plural: 'clusterprofiles',
    namespaced: true,
  }
  await direct.world.client.delete(profiles, { namespace: 'awio-system', name: cluster })
  await direct.world.client.delete(roleKind.type, keyIn('app1'))
  await direct.world.advance(5_000)
  await assert.rejects(direct.world.role('app1'))
  assert.equal((await list()).length, 0)
})

test('killed at whichever write or call, a successor finishes the binding once, and its deletion leaves nothing [B1]', async () => {
  for (const phase of ['create', 'delete'] as const) {
    for (let at = 1; at <= 12; at++) {
      let countdown = Number.POSITIVE_INFINITY
      let isDead = false
      const kill =
        (exchange: HttpExchange): HttpExchange =>
        async request => {
          if (isDead) return new Promise(() => {})
          const isRead = request.method === 'GET' || /Action=(Get|List|Describe)/.test(await textOf(request))
          const response = await exchange(request)
          if (isRead || --countdown > 0) return response
          // The effect is there, and nobody is left to hear of it.
          isDead = true
          return new Promise(() => {})
        }
      await using direct = await directWorld({ between: kill, through: kill })
      const { world } = direct
      if (phase === 'create') countdown = at
      await makeBinding(direct, { policyDocument: document })
      if (phase === 'delete') {
        countdown = at
        await world.client.delete(roleKind.type, keyIn('app1'))
        await world.settle()
      }
      const died = isDead
      isDead = false
      countdown = Number.POSITIVE_INFINITY
      await world.restart()
      await world.advance(60_000)
      if (phase === 'create') {
        assert.equal(await readyOf(direct), 'True/Ready', `${phase} ${at}`)
        await world.client.delete(roleKind.type, keyIn('app1'))
        await world.advance(60_000)
      }
      await assert.rejects(world.role('app1'), `${phase} ${at}`)
      assert.equal(await world.annotationsOf('app1'), undefined)
      assert.deepEqual(await madeIn(direct), [0, 0], `${phase} ${at}`)
      if (!died) break
    }
  }
})

async function makeCluster(direct: DirectWorld): Promise<void> {
  await makeEksCluster(direct.client)
  await direct.world.advance(60_000)
}

/** The request stays readable for whoever comes after us: its body is a value here. */
async function textOf(request: Parameters<HttpExchange>[0]): Promise<string> {
  const { body } = request
  return body instanceof Uint8Array ? Buffer.from(body).toString() : ''
}

function denial(operation: string): Awaited<ReturnType<HttpExchange>> {
  const message = `User: arn:aws:iam::${account}:user/op is not authorized to perform: iam:${operation} on resource: *`
  const xml = `<ErrorResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><Error><Type>Sender</Type><Code>AccessDenied</Code><Message>${message}</Message></Error><RequestId>0b7c4e0e-1111-2222-3333-444444444444</RequestId></ErrorResponse>`
  return { status: 403, headers: { 'content-type': 'text/xml' }, body: Buffer.from(xml) } as unknown as Awaited<
    ReturnType<HttpExchange>
  >
}
