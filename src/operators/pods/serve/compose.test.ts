import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DialOptions, drain, type HttpRequest, ManualClock, type Net } from '#base'
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

for (const document of [{ accountId: '1' }, { region: 'eu-west-1' }, { accountId: 1, region: 'eu-west-1' }])
  test(`a document of ${JSON.stringify(document)} says not enough`, async () => {
    await assert.rejects(parseIdentityDocument(JSON.stringify(document)), /^Error: the document lacks accountId or region$/)
  })

for (const wanted of [undefined, { account: '111122223333', partition: 'aws-cn' }])
  test(`where flags say ${wanted === undefined ? 'that nothing is completed' : 'account and partition'} nobody is asked`, async () => {
    const net = metadataNet(() => assert.fail('asked'))
    assert.equal(await readComposition(wanted, { net, clock: new ManualClock() }, neverAborted), wanted)
  })

test('an answer with another status is none, and is told with what was asked', async () => {
  const net = metadataNet(({ method }) => (method === 'PUT' ? 'the-token' : 'not here'), 404)
  await assert.rejects(
    readComposition('metadata-service', { net, clock: new ManualClock() }, neverAborted),
    /does not give them \(PUT \/latest\/api\/token was answered with 404\)/,
  )
})

test('an answer that is too long is none, whatever its status', async () => {
  async function* tooLong(): AsyncGenerator<Uint8Array> {
    yield Buffer.alloc(65_537)
  }
  const exchange = () => Promise.resolve({ status: 404, headers: {}, body: tooLong() })
  const net: Net = {
    dial: () => ({ exchange, close: () => Promise.resolve() }),
    listen: () => Promise.reject(new Error('nobody')),
  }
  await assert.rejects(
    readComposition('metadata-service', { net, clock: new ManualClock() }, neverAborted),
    /does not give them \(the answer is too long\)/,
  )
})

test('the metadata service is waited for five seconds, and its connection is closed', async () => {
  const clock = new ManualClock()
  const closing: (() => void)[] = []
  const dialled: DialOptions[] = []
  const dial = (options: DialOptions) => {
    dialled.push(options)
    const exchange = ({ signal }: HttpRequest) =>
      new Promise<never>((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }))
    return { exchange, close: () => new Promise<void>(resolve => closing.push(resolve)) }
  }
  const net: Net = { dial, listen: () => Promise.reject(new Error('nobody listens here')) }
  const ends: string[] = []
  void readComposition('metadata-service', { net, clock }, neverAborted).catch((error: Error) => ends.push(error.message))
  await clock.advance(4_999)
  assert.equal(closing.length, 0)
  await clock.advance(1)
  assert.deepEqual([closing.length, ends], [1, []])
  closing[0]?.()
  await drain()
  assert.match(ends.join(), /^--compose-role-arn needs account and region/)
  assert.deepEqual(dialled, [{ origin: 'http://169.254.169.254', protocol: 'http/1.1', connectTimeoutMs: 5_000 }])
})

const neverAborted = new AbortController().signal

function metadataNet(answer: (request: HttpRequest) => string, status = 200): Net {
  const dial = ({ origin }: DialOptions) => {
    assert.equal(origin, 'http://169.254.169.254')
    return {
      exchange: async (request: HttpRequest) => ({ status, headers: {}, body: Buffer.from(answer(request)) }),
      close: () => Promise.resolve(),
    }
  }
  return { dial, listen: () => Promise.reject(new Error('nobody listens here')) }
}
