import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../../api.ts'
import { changes } from '../../testing/changes.ts'
import { account, region, resourceWorld } from '../../testing/world.ts'

const policy = (bucket: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: { AWS: 'arn:aws:iam::111122223333:root' },
        Action: 's3:GetObject',
        Resource: `arn:aws:s3:::${bucket}/*`,
      },
    ],
  })

test('Bucket: made in its region, with its settings in order, in at most twelve calls beside them [7.4]', async () => {
  await using world = resourceWorld({ services: ['s3'] })
  world.start()
  const publicAccessBlock = {
    blockPublicACLs: true,
    blockPublicPolicy: true,
    ignorePublicACLs: true,
    restrictPublicBuckets: true,
  }
  await world.create('Bucket', 'data', { name: 'data-1b2c', publicAccessBlock, policy: policy('data-1b2c') })
  await world.settle()
  const bucket = await world.get('Bucket', 'data')
  assert.equal((await world.condition('Bucket', 'data', conditions.ready))?.status, 'True', JSON.stringify(bucket?.status))
  assert.equal(bucket?.status?.ackResourceMetadata?.arn, 'arn:aws:s3:::data-1b2c')
  assert.deepEqual(changes(world), ['CreateBucket', 'PutPublicAccessBlock', 'PutBucketPolicy', 'PutBucketTagging'])
  const create = world.aws.calls.last({ operation: 'CreateBucket' })?.parameters
  assert.deepEqual(create?.['CreateBucketConfiguration'], { LocationConstraint: 'eu-west-1' })
  assert.ok(world.calls().length <= 12, world.calls().join(' '))
  // What AWS sets by itself is copied into the manifest.
  assert.notEqual(bucket?.spec?.['encryption'], undefined)
})

test('Bucket: in us-east-1 no constraint is sent [10.4]', async () => {
  const home = { account: '111122223333', partition: 'aws', region: 'us-east-1' }
  await using world = resourceWorld({ services: ['s3'], home })
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.settle()
  assert.equal(world.aws.calls.last({ operation: 'CreateBucket' })?.parameters['CreateBucketConfiguration'], undefined)
  assert.equal((await world.condition('Bucket', 'data', conditions.ready))?.status, 'True')
})

test('Bucket: versions come before replication, and a setting that leaves the manifest is deleted [10.4]', async () => {
  await using world = resourceWorld({ services: ['s3'] })
  world.start()
  const corsRules = [{ allowedMethods: ['GET'], allowedOrigins: ['https://example.com'] }]
  await world.create('Bucket', 'data', { name: 'data-1b2c', cors: { corsRules } })
  await world.create('Bucket', 'copy', { name: 'copy-1b2c', versioning: { status: 'Enabled' } })
  await world.advance(120_000)
  assert.equal((await world.condition('Bucket', 'data', conditions.ready))?.status, 'True')
  world.aws.calls.clear()
  const rules = [
    {
      id: 'all',
      status: 'Enabled',
      priority: 1,
      filter: { prefix: '' },
      deleteMarkerReplication: { status: 'Disabled' },
      destination: { bucket: 'arn:aws:s3:::copy-1b2c' },
    },
  ]
  const role = 'arn:aws:iam::111122223333:role/replication'
  await world.patch('Bucket', 'data', { spec: { cors: null, versioning: { status: 'Enabled' }, replication: { role, rules } } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), ['DeleteBucketCors', 'PutBucketVersioning', 'PutBucketReplication'])
  assert.equal(
    (await world.condition('Bucket', 'data', conditions.ready))?.status,
    'True',
    JSON.stringify((await world.get('Bucket', 'data'))?.status),
  )
})

test('Bucket: one that is not empty stays, and says so [7.4]', async () => {
  await using world = resourceWorld({ services: ['s3'] })
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.settle()
  const s3 = world.client('s3')
  await s3.call('PutObject', { Bucket: 'data-1b2c', Key: 'a', Body: 'x' })
  await world.remove('Bucket', 'data')
  await world.advance(5_000)
  const recoverable = await world.condition('Bucket', 'data', conditions.recoverable)
  assert.equal(recoverable?.reason, 'InUse')
  assert.match(recoverable?.message ?? '', /BucketNotEmpty/)
  await s3.call('DeleteObject', { Bucket: 'data-1b2c', Key: 'a' })
  await world.advance(600_000)
  assert.equal(await world.get('Bucket', 'data'), undefined)
})

test('Bucket: with force-delete everything in it goes first: versions, markers and uploads, a page at a time [7.4, 9.26]', async () => {
  await using world = resourceWorld({ services: ['s3'] })
  world.start()
  const metadata = { annotations: { 's3.services.k8s.aws/force-delete': 'true' } }
  await world.create('Bucket', 'data', { name: 'data-1b2c', versioning: { status: 'Enabled' } }, metadata)
  await world.advance(5_000)
  const s3 = world.client('s3')
  for (const [Key, Body] of [
    ['a', 'one'],
    ['a', 'two'],
    ['b', 'three'],
  ])
    await s3.call('PutObject', { Bucket: 'data-1b2c', Key, Body })
  await s3.call('DeleteObject', { Bucket: 'data-1b2c', Key: 'b' })
  await s3.call('CreateMultipartUpload', { Bucket: 'data-1b2c', Key: 'c' })
  world.aws.calls.clear()
  await world.remove('Bucket', 'data')
  await world.advance(30_000)
  assert.equal(await world.get('Bucket', 'data'), undefined)
  assert.deepEqual(changes(world), ['DeleteObjects', 'AbortMultipartUpload', 'DeleteBucket'])
})

test('Bucket: a directory bucket is refused what such buckets do not have, by name [7.4]', async () => {
  await using world = resourceWorld({ services: ['s3'] })
  world.start()
  const createBucketConfiguration = { location: { name: 'euw1-az1', type: 'AvailabilityZone' } }
  const name = 'data--euw1-az1--x-s3'
  await world.create('Bucket', 'data', {
    name,
    createBucketConfiguration,
    versioning: { status: 'Enabled' },
    cors: { corsRules: [] },
  })
  await world.advance(5_000)
  const terminal = await world.condition('Bucket', 'data', conditions.terminal)
  assert.equal(terminal?.message, 'a directory bucket has no cors, versioning')
  // Only the list of such buckets was asked for, at a host that the emulator does not have.
  assert.deepEqual(world.calls(), ['GET'])
})

test('Bucket: tags of a directory bucket are read and changed through S3 Control [7.4]', async () => {
  const tags = new Map<string, string>([['stray', 'x']])
  const asked: string[] = []
  await using world = resourceWorld({
    services: ['s3'],
    resourceTags: [],
    ownershipTags: false,
    throughAws: exchange => request => {
      const text = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      const answer = (status: number, body: string): ReturnType<typeof exchange> =>
        Promise.resolve({ status, headers: { 'content-type': 'application/xml' }, body: new TextEncoder().encode(body) })
      // The emulator has no directory buckets: there is one, and its tags.
      if (request.target.startsWith('/v20180820/tags/')) {
        const { host, 'x-amz-account-id': owner, authorization } = request.headers
        assert.deepEqual([host, owner], [`s3express-control.${region}.amazonaws.com`, account])
        assert.match(String(authorization), /\/s3express\/aws4_request/)
        assert.equal(request.headers['content-md5'] !== undefined, request.method === 'POST')
        asked.push(`${request.method} ${decodeURIComponent(request.target)}`)
        if (request.method === 'DELETE')
          for (const key of new URL(`http://x${request.target}`).searchParams.getAll('tagKeys')) tags.delete(key)
        for (const [, key = '', value = ''] of text.matchAll(/<Tag><Key>(.*?)<\/Key><Value>(.*?)<\/Value><\/Tag>/g))
          tags.set(key, value)
        const held = [...tags].map(([key, value]) => `<Tag><Key>${key}</Key><Value>${value}</Value></Tag>`).join('')
        return request.method === 'GET'
          ? answer(200, `<ListTagsForResourceResult><Tags>${held}</Tags></ListTagsForResourceResult>`)
          : answer(204, '')
      }
      if (String(request.headers['host']).startsWith('s3express-control') || request.target.includes('ListDirectoryBuckets'))
        return answer(
          200,
          `<ListAllMyDirectoryBucketsResult><Buckets><Bucket><Name>${directory}</Name></Bucket></Buckets></ListAllMyDirectoryBucketsResult>`,
        )
      if (!String(request.headers['host']).includes(directory) && !request.target.includes(directory)) return exchange(request)
      const isPolicy = request.target.includes('policy')
      const missing = isPolicy
        ? 'NoSuchBucketPolicy'
        : request.target.includes('lifecycle')
          ? 'NoSuchLifecycleConfiguration'
          : 'ServerSideEncryptionConfigurationNotFoundError'
      return answer(404, `<Error><Code>${missing}</Code></Error>`)
    },
  })
  world.start()
  const arn = `arn:aws:s3express:${region}:${account}:bucket/${directory}`
  await world.create(
    'Bucket',
    'data',
    { name: directory, tagging: { tagSet: [{ key: 'team', value: 'blue' }] } },
    { annotations: { 'services.k8s.aws/adoption-policy': 'adopt-or-create' } },
  )
  await world.advance(10_000)
  assert.equal(
    (await world.condition('Bucket', 'data', conditions.ready))?.status,
    'True',
    JSON.stringify((await world.get('Bucket', 'data'))?.status),
  )
  assert.deepEqual(Object.fromEntries(tags), { team: 'blue' })
  assert.deepEqual(
    [...new Set(asked)],
    [`GET /v20180820/tags/${arn}`, `DELETE /v20180820/tags/${arn}?tagKeys=stray`, `POST /v20180820/tags/${arn}`],
  )
})

const directory = 'data--euw1-az1--x-s3'
