import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import {
  AttachRolePolicyCommand,
  CreateAccessKeyCommand,
  CreatePolicyCommand,
  CreateRoleCommand,
  CreateUserCommand,
  PutRolePermissionsBoundaryCommand,
  PutRolePolicyCommand,
  PutUserPolicyCommand,
  SimulatePrincipalPolicyCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam'
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
} from '@aws-sdk/client-s3'
import {
  AssumeRoleCommand,
  type AssumeRoleCommandInput,
  GetAccessKeyInfoCommand,
  GetCallerIdentityCommand,
  GetSessionTokenCommand,
} from '@aws-sdk/client-sts'
import { given } from '#base'
import type { EmulatorCredentials } from '#emulator'
import { accountA, accountB, type Clients, clients, refusal } from './clients.ts'
import { assume, federation, tokenOf } from './issuer.ts'

type Someone = ReturnType<Clients['as']>

const policy = (...statements: readonly object[]): string => JSON.stringify({ Version: '2012-10-17', Statement: statements })
const allow = (Action: string | readonly string[], Resource = '*', more: object = {}): object => ({
  Effect: 'Allow',
  Action,
  Resource,
  ...more,
})
const trust = (AWS: string, more: object = {}): string =>
  policy({ Effect: 'Allow', Principal: { AWS }, Action: 'sts:AssumeRole', ...more })

function credentialsOf(
  made: { AccessKeyId?: string | undefined; SecretAccessKey?: string | undefined; SessionToken?: string | undefined } | undefined,
): EmulatorCredentials {
  const { AccessKeyId = '', SecretAccessKey = '', SessionToken } = made ?? {}
  return {
    accessKeyId: AccessKeyId,
    secretAccessKey: SecretAccessKey,
    ...given({ sessionToken: SessionToken }),
  }
}

async function userIn(world: Clients, name: string, account = accountA): Promise<Someone> {
  const { iam } = world.as({ account })
  await iam.send(new CreateUserCommand({ UserName: name }))
  const { AccessKey } = await iam.send(new CreateAccessKeyCommand({ UserName: name }))
  return world.as({ credentials: credentialsOf(AccessKey) })
}

async function roleIn(
  { iam }: Pick<Clients, 'iam'>,
  name: string,
  document = trust(accountA),
  actions?: readonly object[],
): Promise<string> {
  const { Role } = await iam.send(new CreateRoleCommand({ RoleName: name, AssumeRolePolicyDocument: document }))
  if (actions !== undefined)
    await iam.send(new PutRolePolicyCommand({ RoleName: name, PolicyName: 'inline', PolicyDocument: policy(...actions) }))
  return Role?.Arn ?? ''
}

async function sessionOf(
  world: Clients,
  by: Pick<Clients, 'sts'>,
  RoleArn: string,
  more: Partial<AssumeRoleCommandInput> = {},
): Promise<Someone> {
  const { Credentials: made } = await by.sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'session', ...more }))
  return world.as({ credentials: credentialsOf(made) })
}

const code = async (promise: Promise<unknown>): Promise<string> => (await refusal(promise)).code
const outcome = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'allowed',
    (error: Error) => error.name,
  )

test('user, session and root each see themselves, and a Deny cannot hide them from themselves [#41]', async () => {
  const world = clients()
  const user = await userIn(world, 'u')
  await world.iam.send(
    new PutUserPolicyCommand({
      UserName: 'u',
      PolicyName: 'deny',
      PolicyDocument: policy({ Effect: 'Deny', Action: '*', Resource: '*' }),
    }),
  )
  const seen = await user.sts.send(new GetCallerIdentityCommand({}))
  assert.equal(seen.Arn, `arn:aws:iam::${accountA}:user/u`)
  assert.match(seen.UserId ?? '', /^AIDA/)
  const session = await sessionOf(world, world, await roleIn(world, 'r'))
  const { Arn, UserId } = await session.sts.send(new GetCallerIdentityCommand({}))
  assert.equal(Arn, `arn:aws:sts::${accountA}:assumed-role/r/session`)
  assert.match(UserId ?? '', /^AROA[A-Z2-7]{17}:session$/)
  const root = clients({ signatures: 'parse' }).as({ credentials: { accessKeyId: accountB, secretAccessKey: 'x' } })
  assert.deepEqual(
    await root.sts.send(new GetCallerIdentityCommand({})).then(({ Account, UserId: id, Arn: arn }) => [Account, id, arn]),
    [accountB, accountB, `arn:aws:iam::${accountB}:root`],
  )
})

test('a session is no longer than its role allows, and a chained one no longer than an hour [#56]', async () => {
  const world = clients()
  const first = await roleIn(world, 'first', trust(accountA), [allow('sts:AssumeRole')])
  const second = await roleIn(world, 'second', trust(accountA))
  assert.equal(
    (await refusal(sessionOf(world, world, first, { DurationSeconds: 7200 }))).message,
    'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
  )
  const session = await sessionOf(world, world, first)
  assert.equal(
    (await refusal(sessionOf(world, session, second, { DurationSeconds: 3601 }))).message,
    'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
  )
  await sessionOf(world, session, second, { DurationSeconds: 3600 })
})

test('a session policy takes away what it does not name [#57]', async () => {
  const world = clients()
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  await world.s3.send(new PutObjectCommand({ Bucket: 'bucket-1', Key: 'k', Body: 'x' }))
  const role = await roleIn(world, 'r', trust(accountA), [allow('s3:*')])
  const { s3 } = await sessionOf(world, world, role, { Policy: policy(allow('s3:GetObject')) })
  await s3.send(new GetObjectCommand({ Bucket: 'bucket-1', Key: 'k' }))
  assert.equal(await code(s3.send(new PutObjectCommand({ Bucket: 'bucket-1', Key: 'k', Body: 'y' }))), 'AccessDenied')
})

test('across accounts both sides must agree [#58]', async () => {
  const world = clients({ enforce: 'full' })
  const outsider = await userIn(world, 'outsider', accountB)
  const grant = (): Promise<unknown> =>
    world
      .as({ account: accountB })
      .iam.send(
        new PutUserPolicyCommand({ UserName: 'outsider', PolicyName: 'p', PolicyDocument: policy(allow('sts:AssumeRole')) }),
      )
  const trusted = await roleIn(world, 'trusted', trust(accountB))
  const closed = await roleIn(world, 'closed', trust(accountA))
  assert.equal(await code(sessionOf(world, outsider, trusted)), 'AccessDenied')
  await grant()
  assert.equal(
    (await refusal(sessionOf(world, outsider, closed))).message,
    `User: arn:aws:iam::${accountB}:user/outsider is not authorized to perform: sts:AssumeRole on resource: ${closed}`,
  )
  await sessionOf(world, outsider, trusted)
})

test('inside one account a trust policy that names the very caller is enough, one that names the account is not [#58]', async () => {
  const world = clients({ enforce: 'full' })
  const user = await userIn(world, 'u')
  const byAccount = await roleIn(world, 'by-account', trust(accountA))
  const byName = await roleIn(world, 'by-name', trust(`arn:aws:iam::${accountA}:user/u`))
  assert.equal(await code(sessionOf(world, user, byAccount)), 'AccessDenied')
  await sessionOf(world, user, byName)
})

test('an external id must be there and be right [#59]', async () => {
  const world = clients()
  const role = await roleIn(world, 'r', trust(accountA, { Condition: { StringEquals: { 'sts:ExternalId': 'right' } } }))
  assert.equal(await code(sessionOf(world, world, role)), 'AccessDenied')
  assert.equal(await code(sessionOf(world, world, role, { ExternalId: 'wrong' })), 'AccessDenied')
  await sessionOf(world, world, role, { ExternalId: 'right' })
})

test('a boundary holds against identity policies and the role named by a bucket, not against a named session [#61]', async () => {
  const world = clients()
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  const role = await roleIn(world, 'r', trust(accountA), [allow('s3:*')])
  const { Policy } = await world.iam.send(
    new CreatePolicyCommand({ PolicyName: 'b', PolicyDocument: policy(allow('s3:GetObject')) }),
  )
  await world.iam.send(new PutRolePermissionsBoundaryCommand({ RoleName: 'r', PermissionsBoundary: Policy?.Arn }))
  const { s3 } = await sessionOf(world, world, role)
  const write = (): Promise<string> => outcome(s3.send(new PutObjectCommand({ Bucket: 'bucket-1', Key: 'k', Body: 'x' })))
  const open = (AWS: string): Promise<unknown> =>
    world.s3.send(
      new PutBucketPolicyCommand({
        Bucket: 'bucket-1',
        Policy: policy({ Effect: 'Allow', Principal: { AWS }, Action: 's3:PutObject', Resource: 'arn:aws:s3:::bucket-1/*' }),
      }),
    )
  assert.equal(await write(), 'AccessDenied')
  await open(`arn:aws:sts::${accountA}:assumed-role/r/session`)
  assert.equal(await write(), 'allowed')
  await open(role)
  assert.equal(await write(), 'AccessDenied')
})

test('the simulator says what real calls meet [#62]', async () => {
  const world = clients()
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  await world.s3.send(new PutObjectCommand({ Bucket: 'bucket-1', Key: 'k', Body: 'x' }))
  const object = 'arn:aws:s3:::bucket-1/k'
  const role = await roleIn(world, 'r', trust(accountA), [
    allow(['s3:GetObject', 's3:DeleteObject']),
    { Effect: 'Deny', Action: 's3:DeleteObject', Resource: object },
  ])
  const { s3 } = await sessionOf(world, world, role)
  const actions = ['s3:GetObject', 's3:PutObject', 's3:DeleteObject']
  const at = { Bucket: 'bucket-1', Key: 'k' }
  const real = [
    await outcome(s3.send(new GetObjectCommand(at))),
    await outcome(s3.send(new PutObjectCommand({ ...at, Body: 'y' }))),
    await outcome(s3.send(new DeleteObjectCommand(at))),
  ]
  const { EvaluationResults } = await world.iam.send(
    new SimulatePrincipalPolicyCommand({ PolicySourceArn: role, ActionNames: actions, ResourceArns: [object] }),
  )
  assert.deepEqual(
    EvaluationResults?.map(result => result.EvalDecision),
    ['allowed', 'implicitDeny', 'explicitDeny'],
  )
  assert.deepEqual(real, ['allowed', 'AccessDenied', 'AccessDenied'])
  const source = `arn:aws:sts::${accountA}:assumed-role/r/session`
  assert.equal(
    await code(world.iam.send(new SimulatePrincipalPolicyCommand({ PolicySourceArn: source, ActionNames: actions }))),
    'InvalidInputException',
  )
})

test('transitive tags go down the chain and cannot be overridden', async () => {
  const world = clients()
  const tagging = (AWS: string): string =>
    policy({ Effect: 'Allow', Principal: { AWS }, Action: ['sts:AssumeRole', 'sts:TagSession'] })
  const first = await roleIn(world, 'first', tagging(accountA), [allow(['sts:AssumeRole', 'sts:TagSession'])])
  const second = await roleIn(world, 'second', tagging(accountA), [
    allow('s3:*', '*', { Condition: { StringEquals: { 'aws:PrincipalTag/team': 'a' } } }),
  ])
  const session = await sessionOf(world, world, first, { Tags: [{ Key: 'team', Value: 'a' }], TransitiveTagKeys: ['team'] })
  assert.equal(await code(sessionOf(world, session, second, { Tags: [{ Key: 'Team', Value: 'b' }] })), 'AccessDenied')
  const chained = await sessionOf(world, session, second)
  await chained.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
})

test('a role that is deleted takes its sessions along, and a new one of its name does not bring them back', async () => {
  const world = clients()
  const role = await roleIn(world, 'r')
  const session = await sessionOf(world, world, role)
  const { DeleteRoleCommand } = await import('@aws-sdk/client-iam')
  await world.iam.send(new DeleteRoleCommand({ RoleName: 'r' }))
  const expected = {
    code: 'InvalidClientTokenId',
    status: 403,
    message: 'The security token included in the request is invalid.',
  }
  assert.deepEqual(await refusal(session.sts.send(new GetCallerIdentityCommand({}))), expected)
  await roleIn(world, 'r')
  assert.deepEqual(await refusal(session.sts.send(new GetCallerIdentityCommand({}))), expected)
})

test('session policies that are malformed, missing or too large to pack are refused', async () => {
  const world = clients()
  const role = await roleIn(
    world,
    'r',
    policy({ Effect: 'Allow', Principal: { AWS: accountA }, Action: ['sts:AssumeRole', 'sts:TagSession'] }),
  )
  assert.equal(await code(sessionOf(world, world, role, { Policy: '{}' })), 'MalformedPolicyDocumentException')
  assert.equal(
    await code(sessionOf(world, world, role, { PolicyArns: [{ arn: `arn:aws:iam::${accountA}:policy/none` }] })),
    'ValidationError',
  )
  const noise = Array.from({ length: 50 }, (_, index) => ({
    Key: `key-${index}`,
    Value: createHash('sha256').update(String(index)).digest('hex'),
  }))
  assert.equal(await code(sessionOf(world, world, role, { Tags: noise })), 'PackedPolicyTooLargeException')
  const { PackedPolicySize } = await world.sts.send(
    new AssumeRoleCommand({ RoleArn: role, RoleSessionName: 'session', Policy: policy(allow('s3:*')) }),
  )
  assert.ok((PackedPolicySize ?? 0) > 0 && (PackedPolicySize ?? 0) <= 100)
})

test('a managed session policy limits like an inline one', async () => {
  const world = clients()
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  const role = await roleIn(world, 'r')
  await world.iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' }))
  const { s3 } = await sessionOf(world, world, role, { PolicyArns: [{ arn: 'arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess' }] })
  assert.equal(await code(s3.send(new PutObjectCommand({ Bucket: 'bucket-1', Key: 'k', Body: 'x' }))), 'AccessDenied')
})

test('the long message names the caller, the action, the resource and the kind of policy that was missing', async () => {
  const world = clients({ enforce: 'full' })
  const user = await userIn(world, 'u')
  const { message } = await refusal(user.iam.send(new CreateUserCommand({ UserName: 'v' })))
  assert.equal(
    message,
    `User: arn:aws:iam::${accountA}:user/u is not authorized to perform: iam:CreateUser on resource: arn:aws:iam::${accountA}:user/v because no identity-based policy allows the iam:CreateUser action`,
  )
  const requestId = world.aws.calls.last()?.requestId ?? ''
  assert.equal(world.aws.explain(requestId)?.decision, 'denied')
  await world.iam.send(
    new PutUserPolicyCommand({
      UserName: 'u',
      PolicyName: 'p',
      PolicyDocument: policy(allow('iam:*'), { Sid: 'Never', Effect: 'Deny', Action: 'iam:CreateUser', Resource: '*' }),
    }),
  )
  const denied = await refusal(user.iam.send(new CreateUserCommand({ UserName: 'v' })))
  assert.match(denied.message, /with an explicit deny in an identity-based policy$/)
  const steps = world.aws.explain(world.aws.calls.last()?.requestId ?? '')?.steps ?? []
  assert.match(steps.find(step => !step.holds)?.detail ?? '', /inline policy p of .*, statement 2 "Never" denies it/)
})

test('what canPod says is what the pod meets', async () => {
  const world = clients()
  await federation(world)
  const bucket = 'issuer-bucket'
  await world.iam.send(
    new PutRolePolicyCommand({
      RoleName: 'app',
      PolicyName: 'p',
      PolicyDocument: policy(allow('s3:PutObject', `arn:aws:s3:::${bucket}/data/*`)),
    }),
  )
  const { Credentials: made } = await assume(world, tokenOf(world))
  const { s3 } = world.as({ credentials: credentialsOf(made) })
  const subject = {
    kind: 'web-identity',
    issuer: `https://s3.us-east-1.amazonaws.com/${bucket}`,
    audience: 'sts.amazonaws.com',
    subject: 'system:serviceaccount:team-a:app',
  } as const
  const roleArn = `arn:aws:iam::${accountA}:role/app`
  for (const key of ['data/x', 'other/x']) {
    const said = await world.aws.canPod({ subject, roleArn, action: 's3:PutObject', resource: `arn:aws:s3:::${bucket}/${key}` })
    const met = await outcome(s3.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body: 'x' })))
    assert.deepEqual([said.decision, met], key === 'data/x' ? ['allowed', 'allowed'] : ['denied', 'AccessDenied'])
  }
  const stranger = { ...subject, subject: 'system:serviceaccount:team-b:app' }
  const said = await world.aws.canPod({ subject: stranger, roleArn, action: 's3:PutObject', resource: '*' })
  assert.deepEqual([said.decision, said.steps.at(-1)?.link], ['denied', 'trust policy'])
  await world.iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: 'app', PolicyDocument: trust(accountA) }))
  assert.equal((await world.aws.canPod({ subject, roleArn, action: 's3:PutObject', resource: '*' })).decision, 'denied')
})

test('GetSessionToken is for users, and a key tells its account', async () => {
  const world = clients()
  const user = await userIn(world, 'u')
  const { Credentials: made } = await user.sts.send(new GetSessionTokenCommand({ DurationSeconds: 900 }))
  const { Arn } = await world.as({ credentials: credentialsOf(made) }).sts.send(new GetCallerIdentityCommand({}))
  assert.equal(Arn, `arn:aws:iam::${accountA}:user/u`)
  assert.equal((await world.sts.send(new GetAccessKeyInfoCommand({ AccessKeyId: made?.AccessKeyId }))).Account, accountA)
  assert.equal(
    (await world.sts.send(new GetAccessKeyInfoCommand({ AccessKeyId: world.aws.adminCredentials(accountB).accessKeyId })))
      .Account,
    accountB,
  )
})

test('a region that is switched off has no STS', async () => {
  const world = clients({ knobs: { disabledRegions: ['ap-east-1'] } })
  const role = await roleIn(world, 'r')
  const { code: name, status } = await refusal(sessionOf(world, world.as({ region: 'ap-east-1' }), role))
  assert.deepEqual([name, status], ['RegionDisabledException', 403])
})
