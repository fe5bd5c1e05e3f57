// Signatures that are good and meant for something else: another region, another service, another time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateBucketCommand, HeadBucketCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { createAws } from '#emulator'
import { type Clients, clients, refusal } from './clients.ts'
import { signedRequest } from './signed.ts'

const identity = 'Action=GetCallerIdentity&Version=2011-06-15'
const form = { 'content-type': 'application/x-www-form-urlencoded' }

const codeOf = (text: string): string | undefined => /<Code>(\w+)<|"__type":"(\w+)"/.exec(text)?.slice(1).find(Boolean)

test('a signature for another region than the host name’s is refused', async () => {
  const world = clients()
  const ask = async (host: string, region: string, service = 'sts'): Promise<readonly unknown[]> => {
    const headers = { ...form, host }
    const request = await signedRequest(world, { service, region, method: 'POST', target: '/', headers, body: identity })
    const { status, text } = await world.raw(request)
    return [status, codeOf(text)]
  }
  assert.deepEqual(await ask('sts.eu-west-1.amazonaws.com', 'eu-west-1'), [200, undefined])
  assert.deepEqual(await ask('sts.eu-west-1.amazonaws.com', 'us-east-1'), [403, 'SignatureDoesNotMatch'])
  assert.deepEqual(await ask('sts.amazonaws.com', 'us-east-1'), [200, undefined])
  assert.deepEqual(await ask('sts.amazonaws.com', 'eu-west-1'), [403, 'SignatureDoesNotMatch'])
  assert.deepEqual(await ask('127.0.0.1', 'eu-west-1'), [200, undefined])
  assert.deepEqual(await ask('127.0.0.1', 'mars'), [403, 'SignatureDoesNotMatch'])
  assert.deepEqual(await ask('sts.eu-west-1.amazonaws.com', 'eu-west-1', 'iam'), [403, 'SignatureDoesNotMatch'])
})

test('IAM has one region, whose name is signed', async () => {
  const world = clients()
  const ask = async (region: string): Promise<number> => {
    const headers = { ...form, host: 'iam.amazonaws.com' }
    const body = 'Action=ListRoles&Version=2010-05-08'
    const request = await signedRequest(world, { service: 'iam', region, method: 'POST', target: '/', headers, body })
    return (await world.raw(request)).status
  }
  assert.deepEqual([await ask('us-east-1'), await ask('eu-west-1')], [200, 403])
})

test('a bucket of another region says which one has to be signed', async () => {
  const world = clients()
  const there = world.as({ region: 'eu-west-1' })
  const CreateBucketConfiguration = { LocationConstraint: 'eu-west-1' } as const
  await there.s3.send(new CreateBucketCommand({ Bucket: 'far', CreateBucketConfiguration }))
  await there.s3.send(new HeadBucketCommand({ Bucket: 'far' }))
  const ask = async (region: string): ReturnType<Clients['raw']> =>
    world.raw(await signedRequest(world, { service: 's3', region, method: 'GET', target: '/far?list-type=2' }))
  assert.equal((await ask('eu-west-1')).status, 200)
  const { status, headers, text } = await ask('us-east-1')
  assert.deepEqual([status, codeOf(text)], [400, 'AuthorizationHeaderMalformed'])
  assert.match(text, /the region 'us-east-1' is wrong; expecting 'eu-west-1'/)
  assert.deepEqual([headers['x-amz-bucket-region'], /<Region>(.*?)</.exec(text)?.[1]], ['eu-west-1', 'eu-west-1'])
})

const unsigned = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }

const presigned = async (world: Clients): Promise<Parameters<Clients['raw']>[0]> => {
  await world.s3.send(new CreateBucketCommand({ Bucket: 'given' }))
  await world.s3.send(new PutObjectCommand({ Bucket: 'given', Key: 'a', Body: 'hello' }))
  return signedRequest(world, { service: 's3', method: 'GET', target: '/given/a', presign: true, headers: unsigned })
}

for (const signatures of ['off', 'parse', 'verify'] as const) {
  test(`an address that was signed beforehand ends with its time, with signatures ${signatures}`, async () => {
    const world = clients({ signatures })
    const request = await presigned(world)
    await world.clock.advance(59_000)
    assert.equal((await world.raw(request)).text, 'hello')
    await world.clock.advance(2_000)
    const { status, text } = await world.raw(request)
    assert.deepEqual([status, /<Message>(.*?)</.exec(text)?.[1]], [403, 'Request has expired'])
  })
}

test('signatures are verified unless somebody says otherwise', async () => {
  const aws = createAws()
  const world = clients({}, { aws, clock: clients().clock })
  const wrong = world.as({ credentials: { ...aws.adminCredentials(), secretAccessKey: 'not the secret' } })
  assert.equal((await refusal(wrong.s3.send(new CreateBucketCommand({ Bucket: 'mine' })))).code, 'SignatureDoesNotMatch')
  const { status } = await world.raw({ method: 'GET', target: '/', as: 's3' })
  assert.equal(status, 403)
})
