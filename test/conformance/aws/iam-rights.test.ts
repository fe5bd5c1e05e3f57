// What a caller of IAM must be allowed: on which ARN, and with which keys its policies may be conditioned.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AttachRolePolicyCommand,
  CreateAccessKeyCommand,
  CreateInstanceProfileCommand,
  CreateOpenIDConnectProviderCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  DeleteAccessKeyCommand,
  DeleteRolePermissionsBoundaryCommand,
  DeleteUserPermissionsBoundaryCommand,
  GetAccessKeyLastUsedCommand,
  GetInstanceProfileCommand,
  GetOpenIDConnectProviderCommand,
  GetPolicyCommand,
  GetRoleCommand,
  GetUserCommand,
  type IAMClient,
  ListEntitiesForPolicyCommand,
  ListRolePoliciesCommand,
  ListRoleTagsCommand,
  PutRolePermissionsBoundaryCommand,
  PutUserPolicyCommand,
  TagUserCommand,
} from '@aws-sdk/client-iam'
import { accountA, type Clients, clients, refusal } from './clients.ts'

const account = `arn:aws:iam::${accountA}`
const policy = (...statements: readonly object[]): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: statements.map(statement => ({ Effect: 'Allow', Resource: '*', ...statement })),
  })
const AssumeRolePolicyDocument = policy({ Principal: { AWS: accountA }, Action: 'sts:AssumeRole', Resource: undefined })

interface Rights {
  readonly world: Clients
  /** The client of a user who may do just that. */
  readonly iam: IAMClient
}

async function userWith(...statements: readonly object[]): Promise<Rights> {
  const world = clients({ enforce: 'full' })
  const UserName = 'caller'
  await world.iam.send(new CreateUserCommand({ UserName }))
  await world.iam.send(new PutUserPolicyCommand({ UserName, PolicyName: 'p', PolicyDocument: policy(...statements) }))
  const { AccessKey } = await world.iam.send(new CreateAccessKeyCommand({ UserName }))
  const { AccessKeyId: accessKeyId = '', SecretAccessKey: secretAccessKey = '' } = AccessKey ?? {}
  assert.match(secretAccessKey, /^[A-Za-z0-9+/]{40}$/)
  return { world, iam: world.as({ credentials: { accessKeyId, secretAccessKey } }).iam }
}

const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: Error) => error.name,
  )

test('a create with a tag needs the right to tag, one without does not', async () => {
  const { iam } = await userWith({ Action: 'iam:CreateRole' })
  const create = (RoleName: string, Tags: { Key: string; Value: string }[]): Promise<string> =>
    outcome(iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument, Tags })))
  assert.equal(await create('a', []), 'ok')
  assert.equal(await create('b', [{ Key: 'k', Value: 'v' }]), 'AccessDenied')
})

test('rights are asked on the ARN with its path, and on one without a path where nothing is', async () => {
  const { world, iam } = await userWith({ Action: 'iam:Get*', Resource: [`${account}:role/x/pathed`, `${account}:role/none`] })
  for (const [RoleName, Path] of [
    ['pathed', '/x/'],
    ['plain', '/'],
  ] as const)
    await world.iam.send(new CreateRoleCommand({ RoleName, Path, AssumeRolePolicyDocument }))
  const get = (RoleName: string): Promise<string> => outcome(iam.send(new GetRoleCommand({ RoleName })))
  assert.deepEqual(await Promise.all(['pathed', 'plain', 'none', 'nobody'].map(get)), [
    'ok',
    'AccessDenied',
    'NoSuchEntityException',
    'AccessDenied',
  ])
})

const Tags = [{ Key: 'team', Value: 'a' }]
const PolicyArn = `${account}:policy/`
const provider = `${account}:oidc-provider/`
/** With a tag there is an answer of its own; the same of what has no tag is not allowed. */
const tagged: readonly (readonly [what: string, read: (iam: IAMClient, name: string) => Promise<unknown>, answer: string])[] = [
  ['a role', (iam, RoleName) => iam.send(new GetRoleCommand({ RoleName })), 'ok'],
  ['the tags of a role', (iam, RoleName) => iam.send(new ListRoleTagsCommand({ RoleName })), 'ok'],
  ['the policies of a role', (iam, RoleName) => iam.send(new ListRolePoliciesCommand({ RoleName })), 'ok'],
  [
    'the boundary of a role',
    (iam, RoleName) => iam.send(new DeleteRolePermissionsBoundaryCommand({ RoleName })),
    'NoSuchEntityException',
  ],
  ['a user', (iam, UserName) => iam.send(new GetUserCommand({ UserName })), 'ok'],
  [
    'the boundary of a user',
    (iam, UserName) => iam.send(new DeleteUserPermissionsBoundaryCommand({ UserName })),
    'NoSuchEntityException',
  ],
  ['a policy', (iam, name) => iam.send(new GetPolicyCommand({ PolicyArn: PolicyArn + name })), 'ok'],
  ['who has a policy', (iam, name) => iam.send(new ListEntitiesForPolicyCommand({ PolicyArn: PolicyArn + name })), 'ok'],
  [
    'a provider',
    (iam, name) => iam.send(new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: provider + name })),
    'ok',
  ],
  ['an instance profile', (iam, InstanceProfileName) => iam.send(new GetInstanceProfileCommand({ InstanceProfileName })), 'ok'],
]
for (const key of ['iam:ResourceTag/team', 'aws:ResourceTag/team']) {
  test(`${key} is known of everything in IAM that has tags`, async () => {
    const { world, iam } = await userWith({ Action: 'iam:*', Condition: { StringEquals: { [key]: 'a' } } })
    for (const [name, more] of [
      ['with', { Tags }],
      ['without', {}],
    ] as const) {
      await world.iam.send(new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument, ...more }))
      await world.iam.send(new CreateUserCommand({ UserName: name, ...more }))
      await world.iam.send(
        new CreatePolicyCommand({ PolicyName: name, PolicyDocument: policy({ Action: 's3:GetObject' }), ...more }),
      )
      await world.iam.send(
        new CreateOpenIDConnectProviderCommand({ Url: `https://${name}`, ThumbprintList: ['a'.repeat(40)], ...more }),
      )
      await world.iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: name, ...more }))
    }
    for (const [what, read, answer] of tagged) {
      assert.equal(await outcome(read(iam, 'with')), answer, what)
      assert.equal(await outcome(read(iam, 'without')), 'AccessDenied', what)
    }
  })
}

test('the tags of the caller are known too', async () => {
  const { world, iam } = await userWith({ Action: 'iam:GetRole', Condition: { StringEquals: { 'aws:PrincipalTag/team': 'a' } } })
  await world.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument }))
  const get = (): Promise<string> => outcome(iam.send(new GetRoleCommand({ RoleName: 'r' })))
  assert.equal(await get(), 'AccessDenied')
  await world.iam.send(new TagUserCommand({ UserName: 'caller', Tags }))
  assert.equal(await get(), 'ok')
})

test('a policy may say which policies are attached, and under which boundary roles are made', async () => {
  const read = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
  const { world, iam } = await userWith(
    { Action: 'iam:AttachRolePolicy', Condition: { ArnEquals: { 'iam:PolicyARN': read } } },
    {
      Action: ['iam:CreateRole', 'iam:CreateUser', 'iam:PutRolePermissionsBoundary', 'iam:DeleteRolePermissionsBoundary'],
      Condition: { StringEquals: { 'iam:PermissionsBoundary': read } },
    },
  )
  const other = 'arn:aws:iam::aws:policy/AdministratorAccess'
  await world.iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument }))
  const attach = (arn: string): Promise<string> =>
    outcome(iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn: arn })))
  assert.deepEqual([await attach(read), await attach(other)], ['ok', 'AccessDenied'])
  const create = (RoleName: string, PermissionsBoundary?: string): Promise<string> =>
    outcome(
      iam.send(
        new CreateRoleCommand({
          RoleName,
          AssumeRolePolicyDocument,
          ...(PermissionsBoundary !== undefined && { PermissionsBoundary }),
        }),
      ),
    )
  assert.deepEqual([await create('a', read), await create('b', other), await create('c')], ['ok', 'AccessDenied', 'AccessDenied'])
  const bound = (PermissionsBoundary: string): Promise<string> =>
    outcome(iam.send(new PutRolePermissionsBoundaryCommand({ RoleName: 'r', PermissionsBoundary })))
  const free = (): Promise<string> => outcome(iam.send(new DeleteRolePermissionsBoundaryCommand({ RoleName: 'r' })))
  assert.equal(await free(), 'AccessDenied')
  assert.deepEqual([await bound(other), await bound(read)], ['AccessDenied', 'ok'])
  assert.equal(await free(), 'ok')
})

test('what is known of a key is told to those who may ask of its user', async () => {
  const { world, iam } = await userWith({ Action: 'iam:GetAccessKeyLastUsed', Resource: `${account}:user/x/other` })
  const key = async (UserName: string, Path: string): Promise<string> => {
    await world.iam.send(new CreateUserCommand({ UserName, Path }))
    return (await world.iam.send(new CreateAccessKeyCommand({ UserName }))).AccessKey?.AccessKeyId ?? ''
  }
  const [mine, theirs] = [await key('other', '/x/'), await key('stranger', '/')]
  const used = (AccessKeyId: string): Promise<string> => outcome(iam.send(new GetAccessKeyLastUsedCommand({ AccessKeyId })))
  assert.deepEqual([await used(mine), await used(theirs)], ['ok', 'AccessDenied'])
  const remove = (AccessKeyId: string): ReturnType<typeof refusal> =>
    refusal(world.iam.send(new DeleteAccessKeyCommand({ UserName: 'other', AccessKeyId })))
  for (const id of [theirs, 'AKIAABSENTABSENTABSE'])
    assert.deepEqual(await remove(id), {
      code: 'NoSuchEntityException',
      status: 404,
      message: `The Access Key with id ${id} cannot be found.`,
    })
})
