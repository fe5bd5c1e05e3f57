// Faults that are played on purpose (§15), met by the SDK's clients: over a socket where their retries are the point.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CreateClusterCommand,
  CreatePodIdentityAssociationCommand,
  EKSClient,
  ListPodIdentityAssociationsCommand,
} from '@aws-sdk/client-eks'
import { CreateRoleCommand, GetRoleCommand, IAMClient } from '@aws-sdk/client-iam'
import { CreateBucketCommand, GetObjectCommand, HeadObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { type Aws, type AwsOptions, createAws } from '#emulator'
import { accountA, clients, refusal } from './clients.ts'
import { assume, bucket, federation, issuer, tokenOf } from './issuer.ts'

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    {
      Effect: 'Allow',
      Principal: { Service: ['eks.amazonaws.com', 'pods.eks.amazonaws.com'] },
      Action: ['sts:AssumeRole', 'sts:TagSession'],
    },
  ],
})

/** An emulator on a socket and what an SDK client needs to find it. */
async function listening(options: AwsOptions = {}): Promise<{
  aws: Aws
  common: { endpoint: string; region: string; credentials: { accessKeyId: string; secretAccessKey: string } }
  [Symbol.asyncDispose](): Promise<void>
}> {
  const aws = createAws({ signatures: 'verify', ...options })
  const { host, port } = await aws.listen()
  const common = { endpoint: `http://${host}:${port}`, region: 'us-east-1', credentials: aws.adminCredentials() }
  return { aws, common, [Symbol.asyncDispose]: () => aws.close() }
}

test('corrupt-object: the bytes that arrive are not those that were put, and a client that checks notices', async () => {
  const world = clients({ signatures: 'parse' })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  await world.s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'k', Body: 'abcdef' }))
  const checked = async (): Promise<string | undefined> =>
    (await world.s3.send(new GetObjectCommand({ Bucket: 'data', Key: 'k', ChecksumMode: 'ENABLED' }))).Body?.transformToString()
  const unchecked = async (): Promise<string> => (await world.raw({ method: 'GET', target: '/data/k', as: 's3' })).text
  world.aws.faults.add({ match: { operation: 'GetObject', resource: 'data k' }, effect: { kind: 'corrupt-object' }, times: 2 })
  await assert.rejects(checked(), /[Cc]hecksum mismatch/)
  assert.match(await unchecked(), /^abc[^d]ef$/)
  assert.deepEqual([await checked(), await unchecked()], ['abcdef', 'abcdef'])
})

test('wrong-content-type: the answer says it is plain text, and its body is what it was', async () => {
  const world = clients({ signatures: 'parse' })
  world.aws.faults.add({ match: { operation: 'ListRoles' }, effect: { kind: 'wrong-content-type' }, times: 1 })
  const ask = (): ReturnType<typeof world.raw> =>
    world.raw({
      method: 'POST',
      target: '/',
      as: 'iam',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'Action=ListRoles&Version=2010-05-08',
    })
  const [wrong, right] = [await ask(), await ask()]
  assert.deepEqual([wrong.headers['content-type'], right.headers['content-type']], ['text/plain', 'text/xml'])
  const withoutId = (text: string): string => text.replace(/<RequestId>.*<\/RequestId>/, '')
  assert.equal(withoutId(wrong.text), withoutId(right.text))
})

test('clock-skew: the service believes another time, so a fresh signature is refused until the skew is over', async () => {
  const world = clients()
  const read = (): Promise<unknown> => world.iam.send(new GetRoleCommand({ RoleName: 'absent' }))
  const fault = world.aws.faults.add({ match: { service: 'iam' }, effect: { kind: 'clock-skew', ms: 6 * 60_000 } })
  const late = await refusal(read())
  assert.deepEqual([late.code, late.status], ['SignatureDoesNotMatch', 403])
  assert.match(late.message, /^Signature expired: /)
  fault.remove()
  const early = world.aws.faults.add({ match: { service: 'iam' }, effect: { kind: 'clock-skew', ms: -6 * 60_000 } })
  assert.match((await refusal(read())).message, /^Signature not yet current: /)
  early.remove()
  world.aws.faults.add({ match: { service: 'iam' }, effect: { kind: 'clock-skew', ms: 4 * 60_000 } })
  assert.equal((await refusal(read())).code, 'NoSuchEntityException', 'within the five minutes nothing is noticed')
})

test('drop-jwks: the discovery document is there and the key set is not, until the fault is over', async () => {
  const world = clients()
  await federation(world)
  world.aws.faults.add({ match: { resource: issuer }, effect: { kind: 'drop-jwks' }, times: 1 })
  const { code, status, message } = await refusal(assume(world, tokenOf(world)))
  assert.deepEqual([code, status], ['InvalidIdentityTokenException', 400])
  assert.match(message, /^Couldn't retrieve verification key/)
  assert.deepEqual(
    world.aws.issuerFetches().map(({ url, outcome }) => [url.slice(issuer.length), outcome]),
    [
      ['/.well-known/openid-configuration', '200'],
      ['/keys.json', '404'],
    ],
  )
  assert.equal((await assume(world, tokenOf(world))).Audience, 'sts.amazonaws.com')
  await world.s3.send(new HeadObjectCommand({ Bucket: bucket, Key: 'keys.json' }))
})

test('when the answer to CreateRole is lost, the SDK tries again by itself and meets the role that it made [#105]', async () => {
  await using server = await listening()
  const iam = new IAMClient(server.common)
  server.aws.faults.add({ match: { operation: 'CreateRole' }, effect: { kind: 'timeout-after' }, times: 1 })
  const { code } = await refusal(iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust })))
  assert.equal(code, 'EntityAlreadyExistsException')
  assert.equal(server.aws.calls.count({ operation: 'CreateRole' }), 2)
  iam.destroy()
})

test('when the answer to an association is lost, the SDK’s retry carries the same token and gets that association [#106]', async () => {
  await using server = await listening()
  const [iam, eks] = [new IAMClient(server.common), new EKSClient(server.common)]
  await iam.send(new CreateRoleCommand({ RoleName: 'r', AssumeRolePolicyDocument: trust }))
  const roleArn = `arn:aws:iam::${accountA}:role/r`
  await eks.send(new CreateClusterCommand({ name: 'c', roleArn, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } }))
  server.aws.faults.add({ match: { operation: 'CreatePodIdentityAssociation' }, effect: { kind: 'timeout-after' }, times: 1 })
  const create = new CreatePodIdentityAssociationCommand({ clusterName: 'c', namespace: 'n', serviceAccount: 's', roleArn })
  const { association, $metadata } = await eks.send(create)
  assert.equal($metadata.attempts, 2)
  const { associations } = await eks.send(new ListPodIdentityAssociationsCommand({ clusterName: 'c' }))
  assert.deepEqual(
    associations?.map(one => one.associationId),
    [association?.associationId],
  )
  for (const client of [iam, eks]) client.destroy()
})
