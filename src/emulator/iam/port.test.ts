import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultKnobs } from '../knobs.ts'
import type { RoleView } from '../ports.ts'
import type { SessionPrincipal, UserPrincipal } from '../principal.ts'
import type { Context } from '../service.ts'
import { SortedMap } from '../state/sorted-map.ts'
import { emptyState, type Group, type IamState, type Role, type User } from './model.ts'
import { type At, iamPorts } from './port.ts'

const account = '123456789012'
const entity: Group = {
  name: 'n',
  path: '/',
  id: 'AROAABCDEFGHIJKLMNOPQ',
  arn: `arn:aws:iam::${account}:role/n`,
  createdAtMs: 0,
  inline: {},
  attached: [],
  boundary: undefined,
  tags: [],
  writtenBy: { atMs: 0, key: 'k' },
}
const role: Role = { ...entity, trustPolicy: '{}', description: undefined, maxSessionDurationS: 3_600, serviceLinked: undefined }
const user: User = { ...entity, id: 'AIDAABCDEFGHIJKLMNOPQ', arn: `arn:aws:iam::${account}:user/n`, groups: ['g'] }

/** What was written at 0 is seen from 100 on. */
function ports(changes: Partial<IamState> = {}, now = 100): ReturnType<typeof iamPorts> {
  let state: IamState = { ...emptyState, ...changes }
  const store = { get: () => state, set: (next: IamState) => void (state = next) }
  const at: At = (place = {}) =>
    ({
      partition: 'aws',
      account,
      region: 'r',
      now,
      accounts: [account],
      store,
      stores: () => [{ account, region: 'r', store }],
      delay: () => 100,
      knobs: defaultKnobs,
      ports: { awsPolicies: new Map() },
      ...place,
    }) as unknown as Context<IamState>
  return iamPorts(at)
}
const only = <T>(key: string, value: T): SortedMap<readonly [{ readonly atMs: number; readonly value: T }]> =>
  SortedMap.empty<readonly [{ readonly atMs: number; readonly value: T }]>().set(key, [{ atMs: 0, value }])

const provider = { url: 'a.example.com', arn: 'arn', clientIds: [], thumbprints: [], createdAtMs: 0, tags: [] }

test('a provider is there at once for IAM, and after its delay for others', () => {
  const providers = only('a.example.com', provider)
  const seen = (now: number): readonly unknown[] =>
    (['newest', 'late'] as const).map(view => ports({ providers }, now).providers.find(account, 'a.example.com', view)?.arn)
  assert.deepEqual(
    [seen(99), seen(100)],
    [
      ['arn', undefined],
      ['arn', 'arn'],
    ],
  )
})

test('a role is there at once for IAM, and after its delay for others, under its own ARN only', () => {
  const roles = only('n', role)
  const seen = (arn: string, now = 100): readonly unknown[] =>
    (['newest', 'late'] as const).map(view => ports({ roles }, now).roles.find(arn, view)?.name)
  assert.deepEqual(
    [seen(role.arn, 99), seen(role.arn)],
    [
      ['n', undefined],
      ['n', 'n'],
    ],
  )
  for (const arn of [
    `arn:aws:iam::${account}:role/x/n`,
    `arn:aws-cn:iam::${account}:role/n`,
    `arn:aws:iam::${account}:user/n`,
    'n',
  ])
    assert.deepEqual(seen(arn), [undefined, undefined], arn)
})

const view: RoleView = { arn: role.arn, id: role.id, name: 'n', account, trustPolicy: '{}', maxSessionDurationS: 3_600, tags: {} }
const pods = { Principal: { Service: 'pods.eks.amazonaws.com' }, Action: 'sts:AssumeRole' }

const trusts: readonly (readonly [
  what: string,
  statements: readonly object[],
  context: object,
  allowed: boolean,
  detail: string,
])[] = [
  ['allows', [{ Effect: 'Allow', ...pods }], {}, true, 'n allows sts:AssumeRole'],
  ['says nothing', [], {}, false, 'no statement speaks of sts:AssumeRole'],
  [
    'names somebody else',
    [{ Effect: 'Allow', ...pods, Principal: { Service: 'ec2.amazonaws.com' } }],
    {},
    false,
    'statement 1: its principals do not cover the caller',
  ],
  [
    'allows and denies',
    [
      { Effect: 'Allow', ...pods },
      { Effect: 'Deny', ...pods, Sid: 'No' },
    ],
    {},
    false,
    'statement 2 "No" denies sts:AssumeRole',
  ],
  [
    'wants a text that the request has',
    [{ Effect: 'Allow', ...pods, Condition: { StringEquals: { 'aws:SourceAccount': account } } }],
    { 'aws:sourceaccount': account },
    true,
    'n allows sts:AssumeRole',
  ],
  [
    'wants one of several values',
    [{ Effect: 'Allow', ...pods, Condition: { 'ForAnyValue:StringEquals': { 'aws:TagKeys': 'b' } } }],
    { 'aws:TagKeys': ['a', 'b'] },
    true,
    'n allows sts:AssumeRole',
  ],
]
for (const [what, statements, context, allowed, detail] of trusts) {
  test(`a trust policy that ${what}: ${allowed ? 'allowed' : 'refused'}`, () => {
    const trustPolicy = JSON.stringify({ Version: '2012-10-17', Statement: statements })
    const question = {
      role: { ...view, trustPolicy },
      caller: { kind: 'service', service: 'pods.eks.amazonaws.com' } as const,
      actions: ['sts:AssumeRole'],
      context: context as Readonly<Record<string, string>>,
    }
    const steps = [{ link: 'trust policy', holds: allowed, detail }]
    assert.deepEqual(ports().roles.trustAllows(question), { allowed, steps })
  })
}

test('every action has to be allowed by the trust policy', () => {
  const question = {
    role: { ...view, trustPolicy: JSON.stringify({ Statement: [{ Effect: 'Allow', ...pods }] }) },
    caller: { kind: 'service', service: 'pods.eks.amazonaws.com' } as const,
    actions: ['sts:AssumeRole', 'sts:TagSession'],
    context: {},
  }
  const { allowed, steps } = ports().roles.trustAllows(question)
  assert.deepEqual([allowed, steps[0]?.detail], [false, 'no statement speaks of sts:TagSession'])
})

const caller: UserPrincipal = {
  kind: 'user',
  partition: 'aws',
  account,
  arn: user.arn,
  userId: user.id,
  accessKeyId: 'AKIA',
  userName: 'n',
  managed: true,
}
const session = {
  kind: 'session',
  account,
  roleName: 'n',
  roleId: role.id,
  policy: '{"inline":1}',
  policyArns: ['arn:aws:iam::123456789012:policy/none'],
} as unknown as SessionPrincipal

test('a caller has the policies of his groups, a boundary that is gone allows nothing, and so does a session policy', () => {
  const group: Group = { ...entity, arn: 'group', inline: { i: '{"group":1}' } }
  const found = ports({
    users: only('n', {
      ...user,
      groups: ['g', 'gone'],
      inline: { i: '{"user":1}' },
      boundary: 'arn:aws:iam::123456789012:policy/none',
    }),
    groups: only('g', group),
  }).identities.policiesOf(caller)
  assert.deepEqual(found, {
    identity: [
      { name: `inline policy i of ${user.arn}`, text: '{"user":1}' },
      { name: 'inline policy i of group', text: '{"group":1}' },
    ],
    boundary: { name: 'permissions boundary arn:aws:iam::123456789012:policy/none', text: '{}' },
    session: [],
  })
  assert.deepEqual(ports({ roles: only('n', role) }).identities.policiesOf(session), {
    identity: [],
    boundary: undefined,
    session: [
      { name: 'inline session policy', text: '{"inline":1}' },
      { name: 'session policy arn:aws:iam::123456789012:policy/none', text: '{}' },
    ],
  })
})

test('a session of a role that was made again has neither its policies nor its tags', () => {
  const again = ports({
    roles: only('n', { ...role, id: 'AROAQQQQQQQQQQQQQQQQQ', inline: { i: '{}' }, tags: [{ Key: 'k', Value: 'v' }] }),
  })
  assert.deepEqual(again.identities.policiesOf(session).identity, [])
  assert.deepEqual(again.identities.tagsOf(session), {})
  assert.equal(again.identities.roleLives(role.arn, role.id), false)
  const same = ports({ roles: only('n', { ...role, tags: [{ Key: 'k', Value: 'v' }] }) })
  assert.deepEqual(same.identities.tagsOf(session), { k: 'v' })
  assert.equal(same.identities.roleLives(role.arn, role.id), true)
})
