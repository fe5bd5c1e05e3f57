// The role of a binding: what is read of it, the calls that make it as it is wanted, and what it is after a call was answered, by which the
// next pass decides without a look.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RoleActual, readRole, roleAfter, roleCalls, roleRemoval } from './iam-role.ts'
import { refusal, scriptedClient } from './scripted-client.fixture.ts'

const role: RoleActual = {
  arn: 'arn:aws:iam::111122223333:role/r',
  trustPolicy: 'old',
  maxSessionSeconds: 3_600,
  boundary: 'arn:aws:iam::aws:policy/Old',
  tags: { a: '1' },
  attached: ['p1', 'p2', 'p3'],
  inline: ['i1', 'i2', 'i3'],
}
const { boundary: _boundary, ...unbounded } = role

for (const [operation, input, after] of [
  ['AttachRolePolicy', { PolicyArn: 'p4' }, { ...role, attached: ['p1', 'p2', 'p3', 'p4'] }],
  ['DetachRolePolicy', { PolicyArn: 'p2' }, { ...role, attached: ['p1', 'p3'] }],
  ['DeleteRolePolicy', { PolicyName: 'i2' }, { ...role, inline: ['i1', 'i3'] }],
  ['UpdateAssumeRolePolicy', { PolicyDocument: 'new' }, { ...role, trustPolicy: 'new' }],
  ['UpdateRole', { MaxSessionDuration: 7_200 }, { ...role, maxSessionSeconds: 7_200 }],
  ['TagRole', { Tags: [{ Key: 'b', Value: '2' }] }, { ...role, tags: { a: '1', b: '2' } }],
  ['PutRolePermissionsBoundary', { PermissionsBoundary: 'b' }, { ...role, boundary: 'b' }],
  ['DeleteRolePermissionsBoundary', {}, unbounded],
  ['DeleteRole', {}, undefined],
] as const)
  test(`a role after ${operation} is as the call left it`, () => {
    assert.deepEqual(roleAfter(role, { operation, input }, {}), after)
    assert.equal(roleAfter(undefined, { operation, input }, {}), undefined, 'of a role that is not known nothing is known')
  })

test('a role after CreateRole is what was asked for, with the name that AWS gave it', () => {
  const input = {
    AssumeRolePolicyDocument: 'trust',
    MaxSessionDuration: 3_600,
    PermissionsBoundary: 'b',
    Tags: [{ Key: 'a', Value: '1' }],
  }
  const madeAt = new Date(5)
  const output = { Role: { Arn: role.arn, CreateDate: madeAt } }
  const { arn, tags, maxSessionSeconds } = role
  const made = { arn, trustPolicy: 'trust', maxSessionSeconds, tags, madeAt: 5, boundary: 'b', attached: [], inline: [] }
  assert.deepEqual(roleAfter(undefined, { operation: 'CreateRole', input }, output), made)
})

const place = { which: 'role', service: 'iam', region: 'us-east-1', memory: 'm' } as const
const trustOf = (service: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }],
  })
const boundary = 'arn:aws:iam::aws:policy/Boundary'
const wanted = { name: 'r', trustPolicy: trustOf('pods.eks.amazonaws.com'), policyArns: ['p1', 'p2'] }
const held: RoleActual = {
  arn: role.arn,
  trustPolicy: wanted.trustPolicy,
  maxSessionSeconds: 3_600,
  tags: { ours: 'yes', theirs: 'too' },
  attached: ['p1', 'p2'],
  inline: [],
}
const create = {
  Path: '/',
  AssumeRolePolicyDocument: wanted.trustPolicy,
  MaxSessionDuration: 3_600,
  Tags: [{ Key: 'ours', Value: 'yes' }],
}
const attached = [
  ['AttachRolePolicy', { PolicyArn: 'p1' }],
  ['AttachRolePolicy', { PolicyArn: 'p2' }],
]

for (const [what, bound, seen, calls] of [
  ['that is not there', undefined, undefined, [['CreateRole', create], ...attached]],
  [
    'that is not there and to be bounded',
    boundary,
    undefined,
    [['CreateRole', { ...create, PermissionsBoundary: boundary }], ...attached],
  ],
  ['as it is wanted', undefined, held, []],
  ['as it is wanted with a boundary', boundary, { ...held, boundary }, []],
  ['whose boundary is written as none', '', held, []],
  [
    'with another trust',
    undefined,
    { ...held, trustPolicy: trustOf('ec2.amazonaws.com') },
    [['UpdateAssumeRolePolicy', { PolicyDocument: wanted.trustPolicy }]],
  ],
  ['without its boundary', boundary, held, [['PutRolePermissionsBoundary', { PermissionsBoundary: boundary }]]],
  [
    'with another boundary',
    boundary,
    { ...held, boundary: 'other' },
    [['PutRolePermissionsBoundary', { PermissionsBoundary: boundary }]],
  ],
  ['with a boundary too many', undefined, { ...held, boundary }, [['DeleteRolePermissionsBoundary', {}]]],
  ['with a boundary where none is written', '', { ...held, boundary }, [['DeleteRolePermissionsBoundary', {}]]],
  [
    'with other policies',
    undefined,
    { ...held, attached: ['p0', 'p2'] },
    [['DetachRolePolicy', { PolicyArn: 'p0' }], attached[0]],
  ],
  ['with an inline policy', undefined, { ...held, inline: ['i'] }, [['DeleteRolePolicy', { PolicyName: 'i' }]]],
  ['with longer sessions', undefined, { ...held, maxSessionSeconds: 7_200 }, [['UpdateRole', { MaxSessionDuration: 3_600 }]]],
  ['without our tags', undefined, { ...held, tags: { theirs: 'too' } }, [['TagRole', { Tags: create.Tags }]]],
] as readonly (readonly [string, string | undefined, RoleActual | undefined, readonly unknown[]])[])
  test(`a role ${what} ${calls.length === 0 ? 'is left' : 'is put right'} [B30, S11]`, () => {
    const more = bound === undefined ? {} : { permissionsBoundary: bound }
    const made = roleCalls(place, { ...wanted, ...more }, { ours: 'yes' }, seen).map(
      ({ operation, input: { RoleName, ...input } }) => {
        assert.equal(RoleName, 'r')
        return [operation, input]
      },
    )
    assert.deepEqual(made, calls)
  })

test('a role goes after all that hangs on it', () => {
  const calls = roleRemoval(place, 'r', { ...held, inline: ['i'] }).map(({ operation, input }) => [operation, input])
  assert.deepEqual(calls, [
    ['DetachRolePolicy', { RoleName: 'r', PolicyArn: 'p1' }],
    ['DetachRolePolicy', { RoleName: 'r', PolicyArn: 'p2' }],
    ['DeleteRolePolicy', { RoleName: 'r', PolicyName: 'i' }],
    ['DeleteRole', { RoleName: 'r' }],
  ])
})

test('of a role all is read that is decided by', async () => {
  const client = scriptedClient({
    GetRole: {
      Role: {
        Arn: role.arn,
        AssumeRolePolicyDocument: encodeURIComponent(wanted.trustPolicy),
        MaxSessionDuration: 7_200,
        PermissionsBoundary: { PermissionsBoundaryArn: boundary },
        Tags: [{ Key: 'ours', Value: 'yes' }],
        CreateDate: new Date(5),
      },
    },
    ListAttachedRolePolicies: [{ AttachedPolicies: [{ PolicyArn: 'p1' }, {}] }, { AttachedPolicies: [{ PolicyArn: 'p2' }] }],
    ListRolePolicies: { PolicyNames: ['i', ''] },
  })
  assert.deepEqual(await readRole(client, 'r', new AbortController().signal), {
    arn: role.arn,
    trustPolicy: wanted.trustPolicy,
    maxSessionSeconds: 7_200,
    boundary,
    tags: { ours: 'yes' },
    attached: ['p1', 'p2'],
    inline: ['i'],
    madeAt: 5,
  })
  assert.deepEqual(
    client.asked.map(({ operation, input }) => [operation, input]),
    ['GetRole', 'ListAttachedRolePolicies', 'ListRolePolicies'].map(operation => [operation, { RoleName: 'r' }]),
  )
})

test('a role of which little is said has the sessions that AWS gives by itself', async () => {
  const client = scriptedClient({ GetRole: {}, ListAttachedRolePolicies: {}, ListRolePolicies: {} })
  const bare = { arn: '', trustPolicy: '', maxSessionSeconds: 3_600, tags: {}, attached: [], inline: [] }
  assert.deepEqual(await readRole(client, 'r', new AbortController().signal), bare)
})

test('a role that is not there takes one question', async () => {
  const client = scriptedClient({ GetRole: refusal('NoSuchEntity') })
  assert.equal(await readRole(client, 'r', new AbortController().signal), undefined)
  assert.equal(client.asked.length, 1)
})
