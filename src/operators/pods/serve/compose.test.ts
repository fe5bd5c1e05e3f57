import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DialOptions, type HttpRequest, ManualClock, type Net } from '#base'
import { parseIdentityDocument, readComposition } from './compose.ts'

test('the partition follows the region of the instance [A-92, §2.11]', async () => {
  const regions = ['us-east-1', 'cn-north-1', 'us-gov-west-1', 'us-iso-east-1', 'us-isob-east-1', 'eusc-de-east-1', '']
  const found = await Promise.all(
    regions.map(region => parseIdentityDocument(JSON.stringify({ accountId: '111122223333', region }))),
  )
  assert.deepEqual(new Set(found.map(({ account }) => account)), new Set(['111122223333']))
  const partitions = found.map(({ partition }) => partition)
  assert.deepEqual(partitions, ['aws', 'aws-cn', 'aws-us-gov', 'aws-iso', 'aws-iso-b', 'aws-eusc', 'aws'])
})

test('account and region come from the instance metadata service, by a session token', async () => {
  const calls: string[] = []
  const net = metadataNet(({ method, target, headers }) => {
    calls.push(`${method} ${target} ${String(headers['x-aws-ec2-metadata-token'] ?? '')}`)
    return method === 'PUT' ? 'the-token' : JSON.stringify({ accountId: '111122223333', region: 'cn-north-1' })
  })
  const found = await readComposition('metadata-service', { net, clock: new ManualClock() }, neverAborted)
  assert.deepEqual(found, { account: '111122223333', partition: 'aws-cn' })
  assert.deepEqual(calls, ['PUT /latest/api/token ', 'GET /latest/dynamic/instance-identity/document the-token'])
})

test('without the metadata service the message names the way out', async () => {
  const net = metadataNet(() => {
    throw new Error('no route')
  })
  await assert.rejects(
    readComposition('metadata-service', { net, clock: new ManualClock() }, neverAborted),
    /no route.*set --aws-account-id and --aws-partition/,
  )
  await assert.rejects(parseIdentityDocument('{}'), /lacks accountId or region/)
})

const neverAborted = new AbortController().signal

function metadataNet(answer: (request: HttpRequest) => string): Net {
  const dial = ({ origin }: DialOptions) => {
    assert.equal(origin, 'http://169.254.169.254')
    return {
      exchange: async (request: HttpRequest) => ({ status: 200, headers: {}, body: Buffer.from(answer(request)) }),
      close: () => Promise.resolve(),
    }
  }
  return { dial, listen: () => Promise.reject(new Error('nobody listens here')) }
}
