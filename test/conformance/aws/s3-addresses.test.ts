// S3 by presigned URLs, in other regions, and through chunked bodies.
import assert from 'node:assert/strict'
import { createHash, createHmac } from 'node:crypto'
import { test } from 'node:test'
import { CreateBucketCommand, HeadBucketCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { SignatureV4 } from '@smithy/signature-v4'
import { sdkRequestHandler } from '#emulator'
import { accountA, type Clients, clients, refusal } from './clients.ts'

class Sha256 {
  readonly #hash: ReturnType<typeof createHash>
  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    const key = typeof secret === 'string' ? secret : secret === undefined ? undefined : bytes(secret)
    this.#hash = (key === undefined ? createHash('sha256') : createHmac('sha256', key)) as ReturnType<typeof createHash>
  }
  update(data: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(typeof data === 'string' ? data : bytes(data))
  }
  digest(): Promise<Uint8Array> {
    return Promise.resolve(new Uint8Array(this.#hash.digest()))
  }
  reset(): void {}
}

function bytes(source: ArrayBuffer | ArrayBufferView): Uint8Array {
  return source instanceof ArrayBuffer
    ? new Uint8Array(source)
    : new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
}

async function presigned(world: Clients, path: string, expiresIn: number): Promise<string> {
  const signer = new SignatureV4({
    service: 's3',
    region: 'us-east-1',
    credentials: world.aws.adminCredentials(),
    sha256: Sha256,
    uriEscapePath: false,
  })
  const { query = {} } = await signer.presign(
    {
      method: 'GET',
      protocol: 'https:',
      hostname: 's3.us-east-1.amazonaws.com',
      path,
      headers: { host: 's3.us-east-1.amazonaws.com', 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' },
      query: {},
    },
    { expiresIn, signingDate: new Date(world.clock.now()) },
  )
  return `${path}?${new URLSearchParams(query as Record<string, string>).toString().replaceAll('+', '%20')}`
}

test('a presigned URL reads until it expires, and not when a character of it is changed', async () => {
  const world = clients()
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  await world.s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'k', Body: 'hello' }))
  const target = await presigned(world, '/data/k', 60)
  const get = (path: string): ReturnType<Clients['raw']> =>
    world.raw({ method: 'GET', target: path, headers: { host: 's3.us-east-1.amazonaws.com' } })
  assert.deepEqual([(await get(target)).status, (await get(target)).text], [200, 'hello'])
  const other = await get(target.replace('/data/k', '/data/l'))
  assert.deepEqual([other.status, /<Code>SignatureDoesNotMatch</.test(other.text)], [403, true])
  await world.clock.advance(61_000)
  const late = await get(target)
  assert.deepEqual([late.status, /<Code>AccessDenied</.test(late.text)], [403, true])
})

test('a bucket of another region redirects at host names, with the region in a header, and answers at IP addresses', async () => {
  const world = clients({ signatures: 'parse' })
  const west = world.as({ region: 'eu-west-1' })
  await west.s3.send(new CreateBucketCommand({ Bucket: 'west', CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }))
  const moved = await refusal(world.s3.send(new HeadBucketCommand({ Bucket: 'west' })))
  assert.equal(moved.status, 301)
  const answer = await world.raw({
    as: 's3',
    method: 'GET',
    target: '/west?acl',
    headers: { host: 's3.us-east-1.amazonaws.com' },
  })
  assert.deepEqual([answer.status, answer.headers['x-amz-bucket-region']], [301, 'eu-west-1'])
  assert.match(answer.text, /<Code>PermanentRedirect</)
  const byAddress = await world.raw({ as: 's3', method: 'GET', target: '/west?acl' })
  assert.equal(byAddress.status, 200)
})

test('virtual-host style is what the SDK sends by default, and names the same bucket', async () => {
  const world = clients()
  const s3 = new S3Client({
    region: 'us-east-1',
    credentials: world.aws.adminCredentials(accountA),
    requestHandler: sdkRequestHandler(world.aws.handle),
  })
  await s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  await s3.send(new PutObjectCommand({ Bucket: 'data', Key: 'a b/ü', Body: 'hello' }))
  await world.s3.send(new HeadBucketCommand({ Bucket: 'data' }))
  s3.destroy()
})

test('an unsigned chunked body with a checksum in its trailer is stored without its frames', async () => {
  const world = clients({ signatures: 'parse' })
  await world.s3.send(new CreateBucketCommand({ Bucket: 'data' }))
  const frames = (checksum: string): string => `5\r\nhello\r\n0\r\nx-amz-checksum-crc32:${checksum}\r\n\r\n`
  const put = (checksum: string): ReturnType<Clients['raw']> =>
    world.raw({
      as: 's3',
      method: 'PUT',
      target: '/data/k',
      headers: {
        'content-encoding': 'aws-chunked,gzip',
        'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
        'x-amz-decoded-content-length': '5',
        'x-amz-trailer': 'x-amz-checksum-crc32',
      },
      body: frames(checksum),
    })
  const wrong = await put('AAAAAA==')
  assert.deepEqual([wrong.status, /<Code>BadDigest</.test(wrong.text)], [400, true])
  assert.equal((await put('NhCmhg==')).status, 200)
  const { headers, text } = await world.raw({
    as: 's3',
    method: 'GET',
    target: '/data/k',
    headers: { 'x-amz-checksum-mode': 'ENABLED' },
  })
  assert.deepEqual([text, headers['content-encoding'], headers['x-amz-checksum-crc32']], ['hello', 'gzip', 'NhCmhg=='])
})
