// Service and resource control policies (§4.5 step 2): levels above the accounts, given by knobs.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateRoleCommand, ListRolesCommand } from '@aws-sdk/client-iam'
import {
  CreateBucketCommand,
  DeleteBucketCommand,
  GetObjectCommand,
  PutBucketPolicyCommand,
  PutObjectCommand,
  PutPublicAccessBlockCommand,
} from '@aws-sdk/client-s3'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { accountA, accountB, clients, refusal } from './clients.ts'

const management = '111111111111'
const outsider = '999999999999'
const policy = (...Statement: object[]): string => JSON.stringify({ Version: '2012-10-17', Statement })
const allowAll = policy({ Effect: 'Allow', Action: '*', Resource: '*' })

test('a service control policy binds every principal of its account, the administrator too, and nobody else', async () => {
  const guard = policy({ Sid: 'Keep', Effect: 'Deny', Action: 's3:DeleteBucket', Resource: '*' })
  const world = clients({
    enforce: 'full',
    knobs: { serviceControlPolicies: { [accountA]: [[allowAll, guard]], [management]: [guard] } },
  })
  const remove = async (account: string, Bucket: string): Promise<unknown> => {
    const { s3 } = world.as({ account })
    await s3.send(new CreateBucketCommand({ Bucket }))
    return s3.send(new DeleteBucketCommand({ Bucket })).then(
      () => 'ok',
      (error: Error) => error.message,
    )
  }
  assert.match(String(await remove(accountA, 'a-bucket')), /with an explicit deny in a service control policy$/)
  const steps = world.aws.explain(world.aws.calls.last({ operation: 'DeleteBucket' })?.requestId ?? '')?.steps ?? []
  assert.match(steps.find(({ holds }) => !holds)?.detail ?? '', /SCP 1\.2 of account 123456789012, statement 1 "Keep"/)
  assert.equal(await remove(accountB, 'b-bucket'), 'ok')
  assert.equal(await remove(management, 'c-bucket'), 'ok', 'the management account is never bound')
})

test('each level must allow: what a service control policy does not name is refused, but for GetCallerIdentity', async () => {
  const onlyS3 = policy({ Effect: 'Allow', Action: 's3:*', Resource: '*' })
  const world = clients({ enforce: 'full', knobs: { serviceControlPolicies: { [accountA]: [allowAll, onlyS3] } } })
  const { code, message } = await refusal(world.iam.send(new ListRolesCommand({})))
  assert.equal(code, 'AccessDenied')
  assert.match(message, /because no service control policy allows the iam:ListRoles action$/)
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  await world.sts.send(new GetCallerIdentityCommand({}))
  const trust = policy({ Effect: 'Allow', Principal: { AWS: accountB }, Action: 'sts:AssumeRole' })
  await world.as({ account: accountB }).iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust }))
})

test('a resource control policy keeps those outside the organization from a bucket that lets everyone in', async () => {
  const fence = policy(
    { Effect: 'Allow', Principal: '*', Action: '*', Resource: '*' },
    {
      Effect: 'Deny',
      Principal: '*',
      Action: 's3:*',
      Resource: '*',
      Condition: { StringNotEqualsIfExists: { 'aws:PrincipalOrgID': 'o-emulator00' } },
    },
  )
  const read = async (fenced: boolean, account: string): Promise<unknown> => {
    const knobs = fenced ? { resourceControlPolicies: { [accountA]: [fence] } } : {}
    const world = clients({ accounts: [accountA, accountB], knobs })
    await world.s3.send(new CreateBucketCommand({ Bucket: 'open' }))
    await world.s3.send(new PutPublicAccessBlockCommand({ Bucket: 'open', PublicAccessBlockConfiguration: {} }))
    const everyone = policy({ Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::open/*' })
    await world.s3.send(new PutBucketPolicyCommand({ Bucket: 'open', Policy: everyone }))
    await world.s3.send(new PutObjectCommand({ Bucket: 'open', Key: 'k', Body: 'x' }))
    return world
      .as({ account })
      .s3.send(new GetObjectCommand({ Bucket: 'open', Key: 'k' }))
      .then(
        () => 'ok',
        (error: Error) => error.name,
      )
  }
  assert.deepEqual(
    [await read(false, outsider), await read(true, outsider), await read(true, accountB), await read(true, accountA)],
    ['ok', 'AccessDenied', 'ok', 'ok'],
  )
})
