// Forms that a browser posts to a bucket (presigned POST): signed through their policy, and refused when they are not as it says.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  CreateBucketCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
} from '@aws-sdk/client-s3'
import type { AwsOptions } from '#emulator'
import { type Clients, clients } from './clients.ts'

const Bucket = 'forms'

async function withBucket(options: Pick<AwsOptions, 'signatures'> = {}): Promise<Clients> {
  const world = clients(options)
  await world.s3.send(new CreateBucketCommand({ Bucket }))
  return world
}

type Fields = Readonly<Record<string, string>>

interface Form {
  readonly fields?: Fields
  readonly conditions?: readonly unknown[]
  readonly file?: string
  readonly livesMs?: number
  readonly region?: string
  /** After it was signed. */
  readonly changed?: Fields
}

/** What `createPresignedPost` of the SDKs makes. */
function signedFields(
  { aws, clock }: Clients,
  { fields = {}, conditions = [], livesMs = 60_000, region = 'us-east-1' }: Form,
): Fields {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  const stamp = new Date(clock.now()).toISOString().slice(0, 19).replace(/[-:]/g, '').concat('Z')
  const day = stamp.slice(0, 8)
  const signer = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': `${accessKeyId}/${day}/${region}/s3/aws4_request`,
    'x-amz-date': stamp,
  }
  const all = { bucket: Bucket, ...fields, ...signer }
  const document = {
    expiration: new Date(clock.now() + livesMs).toISOString(),
    conditions: [...conditions, ...Object.entries(all).map(([name, value]) => ({ [name]: value }))],
  }
  const policy = Buffer.from(JSON.stringify(document)).toString('base64')
  const step = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
  const key = [day, region, 's3', 'aws4_request'].reduce<Buffer | string>(step, `AWS4${secretAccessKey}`)
  return { ...fields, ...signer, policy, 'x-amz-signature': step(key, policy).toString('hex') }
}

function post(world: Clients, form: Form): ReturnType<Clients['raw']> {
  return postFields(world, { ...signedFields(world, form), ...form.changed }, form.file ?? 'hello')
}

function postFields(world: Clients, fields: Fields, file: string): ReturnType<Clients['raw']> {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  parts.push('--edge\r\nContent-Disposition: form-data; name="file"; filename="note.txt"\r\nContent-Type: text/plain\r\n\r\n')
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
  return world.raw({ method: 'POST', target: `/${Bucket}`, headers, body: `${parts.join('')}${file}\r\n--edge--\r\n` })
}

const told = ({ status, text }: { status: number; text: string }): readonly unknown[] => [
  status,
  /<Code>(.*?)</.exec(text)?.[1],
  /<Message>(.*?)</.exec(text)?.[1],
]

const keys = async ({ s3 }: Clients): Promise<readonly (string | undefined)[]> =>
  ((await s3.send(new ListObjectsV2Command({ Bucket }))).Contents ?? []).map(({ Key }) => Key)

test('a signed form puts its file, with the headers that its fields name', async () => {
  const world = await withBucket()
  const tagging = '<Tagging><TagSet><Tag><Key>a</Key><Value>1 2</Value></Tag></TagSet></Tagging>'
  const fields = { key: 'in/${filename}', 'Content-Type': 'text/plain', 'x-amz-meta-who': 'me', tagging }
  const { status, headers, text } = await post(world, { fields })
  assert.deepEqual([status, text, headers['etag']], [204, '', '"5d41402abc4b2a76b9719d911017c592"'])
  const at = { Bucket, Key: 'in/note.txt' }
  const { Body, ContentType, Metadata } = await world.s3.send(new GetObjectCommand(at))
  assert.deepEqual([await Body?.transformToString(), ContentType, Metadata], ['hello', 'text/plain', { who: 'me' }])
  assert.deepEqual((await world.s3.send(new GetObjectTaggingCommand(at))).TagSet, [{ Key: 'a', Value: '1 2' }])
})

test('the answer is the one that the form asks for', async () => {
  const world = await withBucket()
  const created = await post(world, { fields: { key: 'a', success_action_status: '201' } })
  assert.equal(created.status, 201)
  assert.match(created.text, /<PostResponse><Location>.*<\/Location><Bucket>forms<\/Bucket><Key>a<\/Key><ETag>/)
  assert.equal((await post(world, { fields: { key: 'b', success_action_status: '200' } })).status, 200)
  const sent = await post(world, { fields: { key: 'c', success_action_redirect: 'https://example.org/done?x=1' } })
  assert.deepEqual([sent.status, new URL(sent.headers['location'] ?? '').searchParams.get('key')], [303, 'c'])
})

test('conditions on beginnings and lengths hold, and what none of them names is refused', async () => {
  const world = await withBucket()
  const conditions = [
    ['starts-with', '$key', 'user/'],
    ['content-length-range', 2, 10],
  ]
  const free = (key: string, file?: string, more: Fields = {}): ReturnType<Clients['raw']> =>
    post(world, { conditions, changed: { key, ...more }, ...(file !== undefined && { file }) })
  assert.equal((await free('user/a')).status, 204)
  assert.deepEqual(told(await free('other/a')), [
    403,
    'AccessDenied',
    'Invalid according to Policy: Policy Condition failed: [&quot;starts-with&quot;, &quot;$key&quot;, &quot;user/&quot;]',
  ])
  assert.deepEqual(told(await free('user/b', 'x'.repeat(11))).slice(0, 2), [400, 'EntityTooLarge'])
  assert.deepEqual(told(await free('user/b', 'x')).slice(0, 2), [400, 'EntityTooSmall'])
  const extra = [403, 'AccessDenied', 'Invalid according to Policy: Extra input fields: acl']
  assert.deepEqual(told(await free('user/b', 'hello', { acl: 'private' })), extra)
  assert.equal((await free('user/c', 'hello', { 'x-ignore-this': '1' })).status, 204)
  assert.deepEqual(await keys(world), ['user/a', 'user/c'])
})

test('a form whose policy was changed, or signed for elsewhere, or by nobody, puts nothing', async () => {
  const world = await withBucket()
  const policy = Buffer.from(JSON.stringify({ expiration: '2999-01-01T00:00:00Z', conditions: [['starts-with', '$x', '']] }))
  const lax = signedFields(world, { fields: { key: 'a' } })
  const open = {
    expiration: '2999-01-01T00:00:00Z',
    conditions: Object.entries({ ...lax, bucket: Bucket }).map(([name]) => ['starts-with', `$${name}`, '']),
  }
  const forged = { ...lax, policy: Buffer.from(JSON.stringify(open)).toString('base64') }
  assert.deepEqual(told(await postFields(world, forged, 'hello')).slice(0, 2), [403, 'SignatureDoesNotMatch'])
  assert.equal((await post(world, { fields: { key: 'a' }, changed: { policy: policy.toString('base64') } })).status, 403)
  assert.deepEqual(told(await post(world, { fields: { key: 'a' }, region: 'eu-west-1' })).slice(0, 2), [
    400,
    'AuthorizationHeaderMalformed',
  ])
  assert.deepEqual(told(await postFields(world, { key: 'a' }, 'hello')).slice(0, 2), [403, 'AccessDenied'])
  assert.deepEqual(told(await postFields(world, {}, 'hello')).slice(0, 2), [400, 'InvalidArgument'])
  assert.deepEqual(await keys(world), [])
})

for (const signatures of ['off', 'parse', 'verify'] as const) {
  test(`a form ends with its policy, with signatures ${signatures}`, async () => {
    const world = await withBucket({ signatures })
    assert.equal((await post(world, { fields: { key: 'a' }, livesMs: 0 })).status, 204)
    const expired = [403, 'AccessDenied', 'Invalid according to Policy: Policy expired.']
    assert.deepEqual(told(await post(world, { fields: { key: 'b' }, livesMs: -1_000 })), expired)
  })
}

test('what is no form is refused, and not taken for one', async () => {
  const world = await withBucket()
  const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
  for (const body of ['', 'hello', '--edge', '--edge\r\n\r\n', '--edge\r\nContent-Disposition: form-data\r\n\r\n--edge--']) {
    const answer = await world.raw({ method: 'POST', target: `/${Bucket}`, headers, body })
    assert.deepEqual(told(answer).slice(0, 2), [400, 'MalformedPOSTRequest'], JSON.stringify(body))
  }
  const noFile = await world.raw({ method: 'POST', target: `/${Bucket}`, headers, body: '--edge--\r\n' })
  assert.deepEqual(told(noFile).slice(0, 2), [400, 'InvalidArgument'])
  await assert.rejects(world.s3.send(new HeadObjectCommand({ Bucket, Key: 'a' })))
})
