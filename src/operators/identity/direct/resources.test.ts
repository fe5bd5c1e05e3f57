// What is seen of the resources of a binding in AWS, which calls make and remove them, and what is remembered after each.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '#base'
import { clusterProfileKind, managedClusterLabels } from '#fleet'
import type { ResourceType } from '#kube'
import { type Reads, Trouble } from '#runtime'
import { configKind, type RoleStatus, type ServiceAccountRole, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { associationKind, roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { propertyNames } from '../inventory/properties.ts'
import { type ResourceName, resourceNames, roleNamesOf } from '../role/resources.ts'
import { account, child, claim, config, policyArn, recorded, roleArn, roleName, uid } from '../role/role-seen.fixture.ts'
import { type AwsAction, awsCall } from './action.ts'
import { type DirectStates, directResources, driftMsDefault } from './resources.ts'
import { refusal, type Script, scriptedClients } from './scripted-client.fixture.ts'

const never = new AbortController().signal
const uidTag = 'aws.identity.appthrust.io/binding-uid'
const eksArn = `arn:aws:eks:eu-west-1:${account}:cluster/prod`
const trustIn = (arn: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      { Effect: 'Allow', Principal: '*', Action: 'sts:AssumeRole' },
      {
        Effect: 'Allow',
        Principal: '*',
        Action: 'sts:AssumeRole',
        Condition: { StringEquals: { 'aws:RequestTag/eks-cluster-arn': arn } },
      },
    ],
  })

interface RoleMore {
  readonly owner?: string
  readonly delivery?: string
  readonly trust?: string
}

const marks = (owner = uid): readonly object[] => [{ Key: uidTag, Value: owner }]
const roleWith = ({ owner, delivery, trust }: RoleMore = {}): Script => ({
  GetRole: ({ RoleName }) => ({
    Role: {
      Arn: `arn:aws:iam::${account}:role/${String(RoleName)}`,
      Tags: [
        ...marks(owner),
        ...(delivery === undefined ? [] : [{ Key: 'aws.identity.appthrust.io/delivery', Value: delivery }]),
      ],
      ...(trust === undefined ? {} : { AssumeRolePolicyDocument: trust }),
      CreateDate: new Date(5),
    },
  }),
  ListAttachedRolePolicies: {},
  ListRolePolicies: {},
})
const policyWith = (owner?: string): Script => ({
  GetCallerIdentity: { Account: account, Arn: `arn:aws:iam::${account}:user/x` },
  GetPolicy: { Policy: { DefaultVersionId: 'v1', Tags: marks(owner) } },
  GetPolicyVersion: { PolicyVersion: { Document: '{}' } },
  ListPolicyVersions: {},
})
const associationWith = (owner = uid): Script => ({
  ListPodIdentityAssociations: { associations: [{ associationId: 'a-1' }] },
  DescribePodIdentityAssociation: { association: { associationId: 'a-1', associationArn: 'arn', tags: { [uidTag]: owner } } },
})
const all: Script = { ...roleWith(), ...policyWith(), ...associationWith() }
const noRole: Script = { GetRole: refusal('NoSuchEntity') }
const noPolicy: Script = { GetPolicy: refusal('NoSuchEntity') }
const noAssociation: Script = { ListPodIdentityAssociations: { associations: [] } }

const document = { policyDocument: { Version: '2012-10-17', Statement: [] } } as unknown as Partial<ServiceAccountRole['spec']>
const isGoing = { deletionTimestamp: '2026-01-01T00:00:00Z' }
const profile = (properties: Readonly<Record<string, string>>): object => ({
  metadata: { namespace: 'awio-system', name: 'wlc-a', labels: managedClusterLabels('wlc-a') },
  spec: {},
  status: {
    accessProviders: [{ name: 'first' }],
    properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
  },
})
const prod = { [propertyNames.eksClusterName]: 'prod', [propertyNames.eksClusterArn]: eksArn }

interface Life {
  readonly script?: Script
  readonly object?: ServiceAccountRole
  readonly config?: WorkloadIdentityConfig | undefined
  readonly profiles?: readonly object[]
  /** Objects of the other way of writing. */
  readonly left?: readonly ResourceName[]
  readonly driftMs?: number
}

const kindOf = { role: iamRoleKind, policy: policyKind, association: associationKind, other: iamRoleKind }

/** One side of AWS before an account that answers by a script, which may change. */
function life(given: Life = {}) {
  const { object = claim(), profiles = [profile(prod)], left = [], driftMs } = given
  let { script = all } = given
  let ms = 0
  const { asked, clients } = scriptedClients(() => script)
  const options = { clients, region: 'us-east-1', clock: { monotonicMs: () => ms }, ...(driftMs && { driftMs }) }
  const resources = directResources(options as unknown as Parameters<typeof directResources>[0])
  const inNames = resourceNames(object)
  const world = {
    isSynced: () => true,
    find: (type: ResourceType, { name }: { readonly name: string }) => {
      if (type === configKind.type) return 'config' in given ? given.config : config()
      const which = left.find(one => kindOf[one].type === type && inNames[one] === name)
      const found = which && (which === 'other' ? child('role', { metadata: { name } }) : child(which as 'policy'))
      return found?.object
    },
    byIndex: (type: ResourceType) => (type === clusterProfileKind.type ? profiles : []),
  } as unknown as Reads
  return {
    resources,
    asked,
    object,
    pass: (by: number) => void (ms += by),
    answer: (next: Script) => void (script = next),
    observe: (of = object) => resources.observe(of, world, never),
    /** Whether it changed anything, or its trouble in words. */
    act: async (which: ResourceName, operation: string, more: object = {}): Promise<unknown> => {
      const service = which === 'association' ? 'eks' : 'iam'
      const memory = which === 'role' || which === 'other' ? `${uid}/${inNames[which] ?? ''}` : uid
      const action = { ...awsCall({ which, service, region: 'us-east-1', memory }, operation, {}, 'x'), ...more }
      try {
        return (await resources.act?.(action, { signal: never, checkFence: () => {} } as never))?.changed
      } catch (error) {
        assert.ok(error instanceof Trouble, String(error))
        return `${error.kind} ${error.reason} ${error.dependency ?? ''}`.trim()
      }
    },
  }
}

const ownedIn = ({ role, policy, association, other }: DirectStates): string =>
  [role, policy, association, other].map(({ owned, object }) => `${owned}${object === undefined ? '' : '*'}`).join(' ')
const eks = config('EKSPodIdentity')
const moving = (more: Partial<RoleStatus> = {}, metadata: object = {}): ServiceAccountRole =>
  claim({}, recorded({ roleName, otherRoleName: roleNamesOf(claim()).ServiceAccount, ...more }), metadata)

const rows: readonly (readonly [what: string, given: Life, owned: string, asked: string])[] = [
  ['a role alone', {}, 'ours none none none', 'GetRole'],
  ['a role of somebody else', { script: roleWith({ owner: 'other' }) }, 'foreign none none none', 'GetRole'],
  ['no role', { script: noRole }, 'none none none none', 'GetRole'],
  ['a role and a policy', { object: claim(document) }, 'ours ours none none', 'GetRole GetCallerIdentity GetPolicy'],
  [
    'a policy on record',
    { object: claim({}, recorded({ generatedPolicyARN: policyArn })) },
    'ours ours none none',
    'GetRole GetCallerIdentity GetPolicy',
  ],
  [
    'a policy of a spec that changed',
    { object: claim({}, undefined, { generation: 2 }) },
    'ours ours none none',
    'GetRole GetCallerIdentity GetPolicy',
  ],
  [
    'no policy of a spec that never changed',
    { object: claim({}, undefined, { generation: 1 }) },
    'ours none none none',
    'GetRole',
  ],
  [
    'no policy of a spec of which nobody counts changes',
    { object: claim({}, undefined, { generation: undefined as never }) },
    'ours none none none',
    'GetRole',
  ],
  [
    'a policy of somebody else',
    { object: claim(document), script: { ...all, ...policyWith('other') } },
    'ours foreign none none',
    'GetRole GetCallerIdentity GetPolicy',
  ],
  [
    'an association',
    { config: eks },
    'ours none ours none',
    'GetRole ListPodIdentityAssociations DescribePodIdentityAssociation',
  ],
  [
    'no association',
    { config: eks, script: { ...all, ...noAssociation } },
    'ours none none none',
    'GetRole ListPodIdentityAssociations',
  ],
  [
    'an association of somebody else',
    { config: eks, script: { ...all, ...associationWith('other') } },
    'ours none foreign none',
    'GetRole ListPodIdentityAssociations DescribePodIdentityAssociation',
  ],
  [
    'an association that was delivered',
    { object: claim({}, recorded({ deliveryType: 'EKSPodIdentity' })) },
    'ours none ours none',
    'GetRole ListPodIdentityAssociations DescribePodIdentityAssociation',
  ],
  [
    'an association of which the role tells',
    { config: undefined, script: { ...all, ...roleWith({ delivery: 'EKSPodIdentity' }) } },
    'ours none ours none',
    'GetRole ListPodIdentityAssociations DescribePodIdentityAssociation',
  ],
  ['two roles', { object: moving() }, 'ours none none ours', 'GetRole GetRole'],
  ['objects for role and policy', { object: claim(document), left: ['role', 'policy'] }, 'ours* ours* none none', ''],
  ['an object for the other role', { object: moving(), left: ['other'] }, 'ours none none ours*', 'GetRole'],
  ['an object for the association', { config: eks, left: ['association'] }, 'ours none ours* none', 'GetRole'],
]
const questions = /^(?:GetRole|GetPolicy|GetCallerIdentity|ListPod\w+|Describe\w+)$/
for (const [what, given, owned, operations] of rows)
  test(`of a binding ${what} is seen, and no more is asked than that takes [S2]`, async () => {
    const { observe, asked } = life(given)
    assert.equal(ownedIn(await observe()), owned)
    const names = asked.map(each => each.split(' ')[2] ?? '').filter(name => questions.test(name))
    assert.deepEqual(names.toSorted(), operations.split(' ').filter(Boolean).toSorted())
  })

test('of what is ours is told what a status needs', async () => {
  const { observe } = life({ object: claim(document), config: eks })
  const { role, policy, association, actual, eks: where } = await observe()
  assert.deepEqual([role.arn, policy.arn, association.arn, role.madeAt], [roleArn, policyArn, undefined, 5])
  for (const state of [role, policy, association]) {
    assert.ok(state.owned === 'ours' && state.stage === 'synced')
    assert.ok(state.entry !== undefined)
  }
  assert.deepEqual([actual.role?.arn, actual.policy?.arn, actual.association?.id], [roleArn, policyArn, 'a-1'])
  assert.deepEqual(where, { clusterName: 'prod', region: 'eu-west-1' })
  const foreign = (await life({ script: roleWith({ owner: 'other' }) }).observe()).role
  assert.deepEqual(foreign, { owned: 'foreign', lookAgainMs: 60_000 })
})

const other = `arn:aws:eks:us-west-2:${account}:cluster/other`
const inProd = { clusterName: 'prod', region: 'eu-west-1' }
const inOther = { clusterName: 'other', region: 'us-west-2' }
const goingEks = claim({}, recorded({ deliveryType: 'EKSPodIdentity' }), isGoing)
const untrusted: Script = { ...all, ...roleWith({ trust: 'no policy' }) }
const trusting: Script = { ...all, ...roleWith({ trust: trustIn(other) }) }
for (const [what, given, where] of [
  ['the inventory says it', {}, inProd],
  ['the inventory says it and the role trusts another', { script: trusting }, inProd],
  ['the inventory does not say it and the role trusts one', { script: trusting, profiles: [] }, inOther],
  [
    'the inventory names no ARN and the role trusts one',
    { script: trusting, profiles: [profile({ [propertyNames.eksClusterName]: 'prod' })] },
    inOther,
  ],
  [
    'the inventory names no cluster and the role trusts one',
    { script: trusting, profiles: [profile({ [propertyNames.eksClusterArn]: eksArn })] },
    inOther,
  ],
  [
    'the inventory says what is no ARN',
    { script: trusting, profiles: [profile({ ...prod, [propertyNames.eksClusterArn]: 'x' })] },
    inOther,
  ],
  ['nobody says it', { profiles: [] }, undefined],
  ['the binding goes and its role trusts one', { script: trusting, object: goingEks }, inOther],
  ['the binding goes and its role trusts none', { script: untrusted, object: goingEks }, inProd],
  [
    'the binding goes, nobody says it and there is no role',
    { script: { ...all, ...noRole }, object: claim({}, { deliveryType: 'EKSPodIdentity' }, isGoing), profiles: [] },
    undefined,
  ],
  ['the role trusts what is no cluster', { script: { ...all, ...roleWith({ trust: trustIn('x') }) }, profiles: [] }, undefined],
] as readonly (readonly [string, Life, unknown])[])
  test(`where ${what}, the association is ${where === undefined ? 'nowhere' : 'looked for there'} [P5]`, async () => {
    const { observe, asked } = life({ config: eks, ...given })
    assert.deepEqual((await observe()).eks, where)
    const looked = asked.filter(each => each.startsWith('EKS')).map(each => each.split(' ')[1])
    assert.deepEqual([...new Set(looked)], where === undefined ? [] : [(where as typeof inProd).region])
  })

test('a binding that goes and whose cluster nobody names any more waits for a person [P5]', async () => {
  const { observe } = life({ config: eks, object: goingEks, profiles: [], script: untrusted })
  await assert.rejects(observe(), { name: 'Trouble', kind: 'wait', reason: 'NotFound' })
})

test('what is refused is told by service', async () => {
  const denied = refusal('AccessDenied')
  const refused = (dependency: string): object => ({ name: 'Trouble', reason: 'MissingPermission', dependency })
  await assert.rejects(life({ script: { ...all, GetRole: denied } }).observe(), refused('aws:iam'))
  await assert.rejects(life({ object: claim(document), script: { ...all, GetPolicy: denied } }).observe(), refused('aws:iam'))
  const eksDenied = { ...all, ListPodIdentityAssociations: refusal('AccessDeniedException') }
  await assert.rejects(life({ config: eks, script: eksDenied }).observe(), refused('aws:eks'))
})

const unseen = (which: string, dependency: string, retryAfterMs = 5_000): object => ({
  reason: 'OutcomeUnknown',
  dependency,
  retryAfterMs,
  message: `the ${which} was asked for a moment ago: it may be there and not be visible yet`,
})
const was = recorded({ generatedPolicyARN: policyArn, deliveryType: 'EKSPodIdentity' })
for (const [what, given, which, dependency] of [
  ['a role', { object: claim({}, recorded(), isGoing), script: { ...all, ...noRole } }, 'role', 'aws:iam'],
  ['a policy', { object: claim({}, was, isGoing), script: { ...all, ...noPolicy } }, 'policy', 'aws:iam'],
  ['an association', { object: claim({}, was, isGoing), script: { ...all, ...noAssociation } }, 'association', 'aws:eks'],
  [
    'the other role',
    {
      object: moving({}, isGoing),
      script: {
        ...all,
        GetRole: ({ RoleName }) => (RoleName === roleName ? { Role: { Tags: marks() } } : refusal('NoSuchEntity')),
      },
    },
    'other',
    'aws:iam',
  ],
  [
    'the other role that is released',
    {
      object: moving({}, { annotations: { 'aws.identity.appthrust.io/release-role': roleNamesOf(claim()).ServiceAccount } }),
      script: {
        ...all,
        GetRole: ({ RoleName }) => (RoleName === roleName ? { Role: { Tags: marks() } } : refusal('NoSuchEntity')),
      },
    },
    'other',
    'aws:iam',
  ],
] as readonly (readonly [string, Life, string, string])[])
  test(`${what} on record is gone when two looks five seconds apart miss it [P5, S6]`, async () => {
    const { observe, pass } = life(given)
    await assert.rejects(observe(), unseen(which, dependency))
    pass(4_999)
    await assert.rejects(observe(), unseen(which, dependency, 1))
    pass(1)
    await observe()
  })

for (const [what, given] of [
  ['of a binding that stays', { object: claim({}, recorded()), script: { ...all, ...noRole } }],
  ['that was never on record', { object: claim({}, {}, isGoing), script: { ...all, ...noRole, ...noPolicy } }],
  [
    'that an object describes',
    { object: claim({}, recorded(), isGoing), script: { ...all, ...noRole, ...noPolicy }, left: ['role'] },
  ],
  [
    'under a name that is released, which an object describes',
    {
      object: moving({}, { annotations: { 'aws.identity.appthrust.io/release-role': roleNamesOf(claim()).ServiceAccount } }),
      left: ['other'],
    },
  ],
  [
    'under the other name, of which another one is released',
    {
      object: moving({}, { annotations: { 'aws.identity.appthrust.io/release-role': 'third' } }),
      script: {
        ...all,
        GetRole: ({ RoleName }) => (RoleName === roleName ? { Role: { Tags: marks() } } : refusal('NoSuchEntity')),
      },
    },
  ],
] as readonly (readonly [string, Life])[])
  test(`a role ${what} needs no proof of its absence`, async () => void (await life(given).observe()))

for (const [what, driftMs, ageMs] of [
  ['ten hours', undefined, 36_000_000],
  ['as long as is said', 1_000, 1_000],
] as const)
  test(`what is ours is remembered for ${what} [M2]`, async () => {
    assert.equal(driftMsDefault, 36_000_000)
    const { observe, asked, pass } = life({ object: claim(document), config: eks, ...(driftMs && { driftMs }) })
    await observe()
    const once = asked.length
    pass(ageMs - 1)
    await observe()
    assert.equal(asked.length, once)
    pass(1)
    await observe()
    assert.ok(asked.length > once)
  })

test('what is a stranger’s is asked for at each look [B23]', async () => {
  const { observe, asked } = life({ script: roleWith({ owner: 'other' }) })
  await observe()
  await observe()
  assert.equal(asked.filter(each => each.endsWith('GetRole')).length, 2)
})

const parent = { object: claim(), labels: { [uidTag]: uid }, uidLabel: uidTag }
const wantedRole = { name: roleName, trustPolicy: '', policyArns: [] }
const callsIn = (actions: readonly unknown[]): readonly string[] =>
  (actions as readonly AwsAction[]).map(({ which, region, memory, operation }) => `${which} ${region} ${memory} ${operation}`)

for (const [what, given, calls] of [
  [
    'what is not there',
    { script: { ...noRole, ...noPolicy, ...noAssociation, GetCallerIdentity: all['GetCallerIdentity'] ?? {} } },
    true,
  ],
  ['what is a stranger’s', { script: { ...roleWith({ owner: 'x' }), ...policyWith('x'), ...associationWith('x') } }, false],
  ['what objects describe', { left: ['role', 'policy', 'association'] }, false],
] as readonly (readonly [string, Life, boolean])[])
  test(`${what} is ${calls ? 'made' : 'left alone'} [S2]`, async () => {
    const { resources, observe } = life({ object: claim(document), config: eks, ...given })
    const seen = await observe()
    const made = [
      ...resources.ensureRole(seen, parent, wantedRole, 'role'),
      ...resources.ensurePolicy(seen, parent, { name: 'p', binding: 'b', document: '{}' }),
      ...resources.ensureAssociation(seen, parent, { clusterName: 'prod', serviceAccount: {}, name: 'app1' } as never),
    ]
    const expected = [
      `role us-east-1 ${uid}/${roleName} CreateRole`,
      `policy us-east-1 ${uid} CreatePolicy`,
      `association eu-west-1 ${uid} CreatePodIdentityAssociation`,
    ]
    assert.deepEqual(callsIn(made), calls ? expected : [])
  })

const stable = roleNamesOf(claim()).ServiceAccount
const moved = { ...moving(), spec: claim(document).spec }
const everything: readonly ResourceName[] = ['role', 'policy', 'association', 'other']
for (const [what, given, removed, held] of [
  [
    'of ours',
    { object: moved },
    [
      `role us-east-1 ${uid}/${roleName} DeleteRole`,
      `policy us-east-1 ${uid} DeletePolicy`,
      `association eu-west-1 ${uid} DeletePodIdentityAssociation`,
      `other us-east-1 ${uid}/${stable} DeleteRole`,
    ],
    [true, true, true, true],
  ],
  [
    'of somebody else',
    { object: moved, script: { ...roleWith({ owner: 'x' }), ...policyWith('x'), ...associationWith('x') } },
    [],
    [false, false, false, false],
  ],
  ['that objects describe', { object: moved, left: everything }, [], [true, true, true, true]],
] as readonly (readonly [string, Life, readonly string[], readonly boolean[]])[])
  test(`what is ${what} is ${removed.length > 0 ? 'removed' : 'not removed'} [S2]`, async () => {
    const { resources, observe, object } = life({ config: eks, ...given })
    const seen = await observe()
    assert.deepEqual(callsIn(everything.flatMap(which => resources.remove(seen, object, which))), removed)
    assert.deepEqual(
      everything.map(which => resources.isHeld(seen, object, which)),
      held,
    )
  })

test('a binding with one role has no other one to remove', async () => {
  const { resources, observe } = life({ object: moving() })
  assert.deepEqual(resources.remove(await observe(), claim(), 'other'), [])
})

test('how a role is delivered is believed of ours alone', async () => {
  for (const [owner, told] of [
    [uid, 'SelfHostedIRSA'],
    ['other', undefined],
  ] as const) {
    const { resources, observe } = life({ script: { ...all, ...roleWith({ owner, delivery: 'SelfHostedIRSA' }) } })
    assert.equal(resources.deliveryOf(await observe()), told)
  }
})

test('an action is of the resource that it names, and what it made is there when it succeeded', () => {
  const { resources, object } = life()
  const action = awsCall({ which: 'policy', service: 'iam', region: 'r', memory: 'm' }, 'CreatePolicy', {}, 'p')
  assert.equal(resources.resourceOf(action, object), 'policy')
  assert.equal(resources.resourceOf({ ...action, kind: 'act:other' } as never, object), undefined)
  assert.equal(resources.settlesAtOnce, true)
})

test('a role is made without a look, changed until half a minute after one, and not later [P4]', async () => {
  const { observe, act, pass } = life({ script: { ...all, TagRole: {}, CreateRole: {} } })
  assert.equal(await act('role', 'TagRole'), 'soon Stale')
  assert.equal(await act('role', 'CreateRole', { input: { Tags: marks() } }), true)
  await observe()
  pass(30_000)
  assert.equal(await act('role', 'TagRole'), true)
  pass(1)
  assert.equal(await act('role', 'TagRole'), 'soon Stale')
})

test('what a call made of a resource is known without a look', async () => {
  const tags = { Tags: [{ Key: 'b', Value: '2' }] }
  const script = { ...all, TagRole: {}, TagPolicy: {}, TagResource: {} }
  const { observe, act, asked, object } = life({ script, object: moved, config: eks })
  await observe()
  const before = asked.length
  assert.deepEqual(
    [
      await act('role', 'TagRole', { input: tags }),
      await act('other', 'TagRole', { input: tags }),
      await act('policy', 'TagPolicy', { input: tags }),
      await act('association', 'TagResource', { input: { tags: { b: '2' } } }),
    ],
    [true, true, true, true],
  )
  const { role, other: second, policy, association } = (await observe(object)).actual
  assert.equal(asked.length, before + 4)
  for (const actual of [role, second, policy, association]) assert.deepEqual(actual?.tags, { [uidTag]: uid, b: '2' })
})

test('a call that is refused names its dependency, and what was to go and is not there is gone', async () => {
  const { observe, act, answer } = life()
  await observe()
  answer({ ...all, TagRole: refusal('AccessDenied'), CreateRole: refusal('AccessDenied') })
  assert.equal(await act('role', 'TagRole'), 'backoff MissingPermission aws:iam:us-east-1')
  assert.equal(await act('role', 'CreateRole', { dependency: undefined }), 'backoff MissingPermission iam')
  await observe()
  answer({ ...all, DeleteRole: refusal('NoSuchEntity') })
  assert.equal(await act('role', 'DeleteRole'), false)
})

const unanswered = new HttpFailure('timeout', 'no answer')
for (const [what, operation, error, isUnproven] of [
  ['a creation without an answer', 'CreateRole', unanswered, true],
  ['a creation that was refused', 'CreateRole', refusal('AccessDenied'), false],
] as const)
  test(`after ${what} an absence ${isUnproven ? 'proves nothing yet' : 'is one'} [W7, P5]`, async () => {
    const object = claim({}, {}, isGoing)
    const { act, observe, pass } = life({ object, script: { ...all, ...noRole, ...noPolicy, [operation]: error } })
    assert.match(String(await act('role', operation)), /^backoff /)
    if (isUnproven) await assert.rejects(observe(), unseen('role', 'aws:iam', 30_000))
    pass(isUnproven ? 30_000 : 0)
    await observe()
  })

test('after a change without an answer an absence is one', async () => {
  const object = claim({}, {}, isGoing)
  const { act, observe, answer, pass } = life({ object, script: { ...all, TagRole: unanswered } })
  await observe()
  assert.match(String(await act('role', 'TagRole')), /^backoff /)
  answer({ ...all, ...noRole, ...noPolicy })
  await assert.rejects(observe(), unseen('role', 'aws:iam', 5_000))
  pass(5_000)
  await observe()
})
