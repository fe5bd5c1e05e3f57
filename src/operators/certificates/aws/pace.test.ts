// The boundaries of pace and patience: what is just allowed, what is just too long, and what nobody has to wait for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { ManualClock, type Random } from '#base'
import { accountOf, type LayeredCall } from './call.ts'
import { CallBuckets, LimiterBusy, type LimiterRates } from './limiter.ts'
import { isThrottled, RetriesExceeded, throttleRetry } from './throttle-retry.ts'
import { TokenBucket } from './token-bucket.ts'

const { signal } = new AbortController()
const rates: LimiterRates = {
  acm: { perSecond: 5, burst: 10 },
  route53Zone: { perSecond: 3, burst: 5 },
  route53Account: undefined,
}
const acm = (operation: string, more: Partial<LayeredCall> = {}): LayeredCall => ({
  service: 'acm',
  operation,
  input: {},
  ...more,
})
const inZone = (id: string, assumeRoleArn?: string): LayeredCall => ({
  service: 'route53',
  operation: 'GetChange',
  input: {},
  zone: { id, ...(assumeRoleArn !== undefined && { assumeRoleArn }) },
})

function buckets(more: Partial<LimiterRates> = {}) {
  const clock = new ManualClock()
  const waited: string[] = []
  const metrics = { readTokens: () => undefined, waited: (service: string, ms: number) => void waited.push(`${service} ${ms}`) }
  return { clock, waited, made: new CallBuckets({ clock, rates: { ...rates, ...more }, metrics: metrics as never }) }
}

/** For how long whoever asks now is sent away; 0 for nobody. */
async function busyMs(asking: () => unknown): Promise<number> {
  try {
    await asking()
    return 0
  } catch (error) {
    assert.ok(error instanceof LimiterBusy)
    return error.waitMs
  }
}

test('half a minute may be waited for in a pass, and a millisecond more may not', async () => {
  for (const [perSecond, busy] of [
    [1 / 30, 0],
    [1 / 30.001, 30_001],
  ] as const) {
    const { clock, waited, made } = buckets({ acm: { perSecond, burst: 1 } })
    await made.enter(acm('DescribeCertificate'), signal)
    const asking = busyMs(() => made.enter(acm('DescribeCertificate'), signal))
    await clock.advance(30_000)
    assert.equal(await asking, busy)
    assert.deepEqual(waited, busy === 0 ? ['acm 0', 'acm 30000'] : ['acm 0'])
  }
})

test('who waits one millisecond waits', async () => {
  const { clock, made } = buckets({ acm: { perSecond: 1_000, burst: 1 } })
  await made.enter(acm('DescribeCertificate'), signal)
  let isIn = false
  const entering = made.enter(acm('DescribeCertificate'), signal).then(() => (isIn = true))
  await new Promise(resolve => setImmediate(resolve))
  assert.equal(isIn, false)
  await clock.advance(1)
  await entering
})

test('calls of another region and of another account have a pace of their own', async () => {
  const { made } = buckets({ acm: { perSecond: 0.01, burst: 1 }, route53Zone: { perSecond: 0.01, burst: 1 } })
  await made.enter(acm('DescribeCertificate'), signal)
  await made.enter(acm('DescribeCertificate', { region: 'us-east-1' }), signal)
  await made.enter(inZone('Z1'), signal)
  await made.enter(inZone('Z1', 'role'), signal)
  assert.ok((await busyMs(() => made.enter(acm('DescribeCertificate'), signal))) > 0)
  assert.ok((await busyMs(() => made.enter(acm('DescribeCertificate', { region: 'us-east-1' }), signal))) > 0)
  assert.deepEqual([accountOf(inZone('Z1')), accountOf(inZone('Z1', 'role'))], ['', 'role'])
})

test('of a service the tokens are told where they are fewest, and none where nobody has called', async () => {
  const { made } = buckets()
  assert.equal(made.tokens('acm'), 0)
  await made.enter(acm('DescribeCertificate'), signal)
  await made.enter(acm('RequestCertificate'), signal)
  assert.equal(made.tokens('acm'), 2)
  await made.enter(inZone('Z1'), signal)
  assert.equal(made.tokens('route53'), 4)
})

test('a new certificate is asked for with what others leave, and comes back as soon as there may be something', async () => {
  const { clock, made } = buckets({ acm: { perSecond: 5, burst: 1 } })
  const request = acm('RequestCertificate', { comesBackAs: 'a' })
  made.awaitTurn(request)
  await made.enter(acm('DescribeCertificate'), signal)
  assert.equal(await busyMs(() => made.awaitTurn(request)), 200)
  await clock.advance(200)
  assert.equal(await busyMs(() => made.awaitTurn(request)), 0)
})

test('a call that comes back is sent away for as long as the slowest of its buckets says, and others only behind it', async () => {
  const { made } = buckets()
  const list = acm('ListCertificates', { comesBackAs: 'a' })
  made.awaitTurn(list)
  await made.enter(acm('ListCertificates'), signal)
  assert.equal(await busyMs(() => made.awaitTurn(list)), 2_000)
  assert.equal(await busyMs(() => made.awaitTurn({ ...list, comesBackAs: 'b' })), 4_000)
  for (const call of [acm('ListCertificates'), { ...inZone('Z1'), comesBackAs: 'c' }]) made.awaitTurn(call)
})

test('a call of a kind that has no bucket of its own waits in line by the pace that all share', async () => {
  const { made } = buckets({ acm: { perSecond: 0.5, burst: 1 } })
  const call = acm('DescribeCertificate', { comesBackAs: 'a' })
  await made.enter(acm('DescribeCertificate'), signal)
  assert.equal(await busyMs(() => made.awaitTurn(call)), 2_000)
})

test('a token that is whole is there at once', () => {
  const clock = new ManualClock()
  const bucket = new TokenBucket(clock, { perSecond: 1, burst: 1 })
  assert.deepEqual([bucket.waitMs(), bucket.tokens], [0, 1])
  bucket.take()
  assert.equal(bucket.waitMs(), 1_000)
})

const refused = (code: string, message = 'no'): AwsError =>
  new AwsError({ service: 'ACM', operation: 'X', code, message, httpStatus: 400 })

for (const [what, error, expected] of [
  ['of a service that says so by its code', refused('PriorRequestNotComplete'), true],
  ['of a service that says so in general', refused('ProvisionedThroughputExceededException'), true],
  ['that refuses', refused('AccessDenied'), false],
  ['that wraps one of patience', new Error('x', { cause: new Error('y', { cause: refused('Throttling') }) }), true],
  ['that wraps a refusal', new Error('x', { cause: refused('AccessDenied') }), false],
  ['that wraps nothing', new Error('Throttling'), false],
  ['that is none', { cause: refused('Throttling') }, false],
  ['that is nothing', undefined, false],
] as const)
  test(`an error ${what} ${expected ? 'asks for patience' : 'does not ask for patience'}`, () =>
    assert.equal(isThrottled(error), expected))

async function delays(
  retriesMax: number,
  more: { readonly jitter?: number; readonly drawn?: number; readonly delayMsMax?: number } = {},
) {
  const slept: number[] = []
  const clock = { sleep: async (ms: number) => void slept.push(ms) }
  const { jitter = 0, drawn = 0.5, delayMsMax = 1e12 } = more
  const random = { float: () => drawn } as unknown as Random
  const call = throttleRetry(() => Promise.reject(refused('Throttling')), {
    clock,
    random,
    retriesMax,
    delayMsMin: 1_000,
    delayMsMax,
    jitter,
  })
  await assert.rejects(call(acm('X'), { signal }), RetriesExceeded)
  return slept
}

test('each try waits twice as long as the one before, up to the most, and the doubling ends before numbers do', async () => {
  assert.deepEqual(await delays(4), [1_000, 2_000, 4_000, 8_000])
  assert.deepEqual(await delays(4, { delayMsMax: 3_000 }), [1_000, 2_000, 3_000, 3_000])
  const long = await delays(23)
  assert.deepEqual(
    long.slice(-3),
    [2 ** 20, 2 ** 20, 2 ** 20].map(times => times * 1_000),
  )
})

test('a band of a half lies a quarter around each wait, and without one nothing is drawn', async () => {
  assert.deepEqual(await delays(2, { jitter: 0.5, drawn: 0 }), [750, 1_500])
  assert.deepEqual(await delays(2, { jitter: 0.5, drawn: 0.5 }), [1_000, 2_000])
  assert.deepEqual(await delays(2, { jitter: 0.5, drawn: 1 }), [1_250, 2_500])
  assert.deepEqual(await delays(2, { jitter: 1, drawn: 1 }), [1_500, 3_000])
  assert.deepEqual(await delays(2, { jitter: 0, drawn: Number.NaN }), [1_000, 2_000])
})

test('the next try comes after its wait and not before', async () => {
  const clock = new ManualClock()
  let tries = 0
  const caller = () => (++tries < 2 ? Promise.reject(refused('Throttling')) : Promise.resolve({}))
  const random = { float: () => 0 } as unknown as Random
  const asked = throttleRetry(caller, { clock, random, retriesMax: 1, delayMsMin: 1_000, delayMsMax: 1_000, jitter: 0 })(
    acm('X'),
    { signal },
  )
  await clock.advance(999)
  assert.equal(tries, 1)
  await clock.advance(1)
  await asked
  assert.equal(tries, 2)
})
