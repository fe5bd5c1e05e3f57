// The layers between a decision and AWS, each alone: pace, patience, breaker, memory.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { HttpFailure, ManualClock, seededRandom } from '#base'
import { type BreakerSettings, CircuitOpen, circuitBreaker } from './breaker.ts'
import { CertificateCache } from './cache.ts'
import type { LayerCaller, LayeredCall } from './call.ts'
import { faultOf } from './faults.ts'
import { CallBuckets, LimiterBusy, limiter } from './limiter.ts'
import { RetriesExceeded, throttleRetry } from './throttle-retry.ts'

const random = seededRandom(1)
const { signal } = new AbortController()

const describe = (arn = 'a', isFresh = false): LayeredCall => ({
  service: 'acm',
  operation: 'DescribeCertificate',
  input: { CertificateArn: arn },
  isFresh,
})
const inZone = (id: string): LayeredCall => ({ service: 'route53', operation: 'GetChange', input: {}, zone: { id } })

function refused(code: string, httpStatus = 400): AwsError {
  return new AwsError({ service: 'ACM', operation: 'X', code, message: 'no', httpStatus })
}

/** Answers in turn; the last one for ever. */
function answering(...answers: readonly (Error | object)[]): { readonly caller: LayerCaller; calls(): number } {
  let count = 0
  const caller: LayerCaller = () => {
    const answer = answers[Math.min(count, answers.length - 1)]
    count += 1
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ ...answer })
  }
  return { caller, calls: () => count }
}

const rates = { acm: { perSecond: 5, burst: 10 }, route53Zone: { perSecond: 3, burst: 5 }, route53Account: undefined }

async function startedAt(clock: ManualClock, caller: LayerCaller, calls: readonly LayeredCall[]): Promise<readonly number[]> {
  const times: number[] = []
  const all = calls.map(async call => {
    await caller(call, { signal })
    times.push(clock.monotonicMs())
  })
  await clock.advance(60_000)
  await Promise.all(all)
  return times
}

test('after the burst of ten, calls of ACM keep to five a second [9.3, #95]', async () => {
  const clock = new ManualClock()
  const paced = limiter(answering({}).caller, new CallBuckets({ clock, rates }))
  const times = await startedAt(
    clock,
    paced,
    Array.from({ length: 40 }, () => describe()),
  )
  const from = times[0] ?? 0
  assert.equal(times.filter(at => at === from).length, 10)
  assert.equal((times.at(-1) ?? 0) - from, 6_000)
})

test('lists of ACM keep to one in two seconds [9.3]', async () => {
  const clock = new ManualClock()
  const paced = limiter(answering({}).caller, new CallBuckets({ clock, rates }))
  const list: LayeredCall = { service: 'acm', operation: 'ListCertificates', input: {} }
  const times = await startedAt(clock, paced, [list, list, list])
  assert.deepEqual(
    times.map(at => at - (times[0] ?? 0)),
    [0, 2_000, 4_000],
  )
})

test('a busy zone holds no other zone up [9.3, #96]', async () => {
  const clock = new ManualClock()
  const paced = limiter(answering({}).caller, new CallBuckets({ clock, rates }))
  const times = await startedAt(clock, paced, [...Array.from({ length: 20 }, () => inZone('A')), inZone('B')])
  assert.equal(times.filter(at => at === times[0]).length, 6)
})

test('zones of one account share its pace where that is chosen [9.3]', async () => {
  const clock = new ManualClock()
  const shared = { ...rates, route53Account: { perSecond: 4, burst: 5 } }
  const paced = limiter(answering({}).caller, new CallBuckets({ clock, rates: shared }))
  const zones = ['A', 'B', 'C', 'D', 'E', 'F', 'G']
  const times = await startedAt(clock, paced, zones.map(inZone))
  assert.deepEqual(
    times.map(at => at - (times[0] ?? 0)),
    [0, 0, 0, 0, 0, 250, 500],
  )
})

test('who gives up waiting uses no token [9.3, #99]', async () => {
  const clock = new ManualClock()
  const paced = limiter(answering({}).caller, new CallBuckets({ clock, rates }))
  await Promise.all(Array.from({ length: 10 }, () => paced(describe(), { signal })))
  const stop = new AbortController()
  const left = paced(describe(), { signal: stop.signal })
  const stays = paced(describe(), { signal })
  stop.abort(new Error('enough'))
  await assert.rejects(left, /enough/)
  // Behind ten of the burst and the one that stays: the token that was given back is the next one's.
  const next = paced(describe(), { signal }).then(() => clock.monotonicMs())
  const from = clock.monotonicMs()
  await clock.advance(2_000)
  await stays
  assert.equal((await next) - from, 400)
})

test('a wait that no pass outlives is refused at once [9.3]', async () => {
  const clock = new ManualClock()
  const paced = limiter(answering({}).caller, new CallBuckets({ clock, rates: { ...rates, acm: { perSecond: 0.01, burst: 1 } } }))
  await paced(describe(), { signal })
  await assert.rejects(paced(describe(), { signal }), LimiterBusy)
})

const retry = { random, retriesMax: 5, delayMsMin: 1_000, delayMsMax: 30_000, jitter: 0 }

test('five throttled tries and an answer are one answer [9.4, #97]', async () => {
  const clock = new ManualClock()
  const { caller, calls } = answering(...Array.from({ length: 5 }, () => refused('ThrottlingException')), { Ok: 1 })
  const asked = throttleRetry(caller, { ...retry, clock })(describe(), { signal })
  await clock.advance(31_000)
  assert.deepEqual([await asked, calls()], [{ Ok: 1 }, 6])
})

test('six throttled tries are too many, and still known as throttling [9.4, #98]', async () => {
  const clock = new ManualClock()
  const { caller, calls } = answering(refused('ThrottlingException'))
  const asked = assert.rejects(
    throttleRetry(caller, { ...retry, clock })(describe(), { signal }),
    (error: unknown) =>
      error instanceof RetriesExceeded &&
      error.message.startsWith('max retries exceeded: ') &&
      faultOf(error)?.class === 'throttled',
  )
  await clock.advance(60_000)
  await asked
  assert.equal(calls(), 6)
})

test('what is not throttled is not repeated [9.4]', async () => {
  const { caller, calls } = answering(refused('ValidationException'))
  await assert.rejects(throttleRetry(caller, { ...retry, clock: new ManualClock() })(describe(), { signal }))
  assert.equal(calls(), 1)
})

const settings: BreakerSettings = {
  failuresMax: 5,
  windowMs: 60_000,
  ratioMax: 0.5,
  callsMin: 20,
  openMsMin: 30_000,
  openMsMax: 300_000,
}
const outage = new HttpFailure('timeout', 'no answer')

test('five outages in a row open the breaker; a probe after half a minute, and two that go well close it [9.5, #100, #101]', async () => {
  const clock = new ManualClock()
  const { caller, calls } = answering(outage, outage, outage, outage, outage, outage, {}, {}, {})
  const guarded = circuitBreaker(caller, { clock, random, settings })
  const ask = (): Promise<string> =>
    guarded(describe(), { signal }).then(
      () => 'ok',
      (error: unknown) => (error instanceof CircuitOpen ? 'open' : 'failed'),
    )
  for (let tries = 0; tries < 5; tries++) assert.equal(await ask(), 'failed')
  assert.deepEqual([await ask(), calls()], ['open', 5])
  await clock.advance(33_001)
  assert.equal(await ask(), 'failed')
  await clock.advance(33_001)
  assert.equal(await ask(), 'open')
  await clock.advance(33_001)
  assert.deepEqual([await ask(), await ask(), await ask(), calls()], ['ok', 'ok', 'ok', 9])
})

test('an open breaker of Route 53 lets calls of ACM through [9.5, #102]', async () => {
  const clock = new ManualClock()
  const guarded = circuitBreaker(call => (call.service === 'acm' ? Promise.resolve({}) : Promise.reject(outage)), {
    clock,
    random,
    settings,
  })
  for (let tries = 0; tries < 5; tries++) await assert.rejects(guarded(inZone('A'), { signal }))
  await assert.rejects(guarded(inZone('A'), { signal }), CircuitOpen)
  assert.deepEqual(await guarded(describe(), { signal }), {})
})

test('refusals do not open it: who refuses is there [9.5]', async () => {
  const guarded = circuitBreaker(answering(refused('AccessDeniedException')).caller, {
    clock: new ManualClock(),
    random,
    settings,
  })
  for (let tries = 0; tries < 30; tries++)
    await assert.rejects(guarded(describe(), { signal }), (error: unknown) => error instanceof AwsError)
})

const shown = (Status: string, DomainName = 'a.b.c', CreatedAt = 1): object => ({
  Certificate: { Status, DomainName, CreatedAt },
})

test('an issued certificate is remembered for minutes, one on its way for seconds [9.6, #105]', async () => {
  const clock = new ManualClock()
  for (const [status, after, asked] of [
    ['ISSUED', 299_000, 1],
    ['ISSUED', 301_000, 2],
    ['PENDING_VALIDATION', 14_000, 1],
    ['PENDING_VALIDATION', 16_000, 2],
  ] as const) {
    const { caller, calls } = answering(shown(status))
    const cached = new CertificateCache({ clock, ttlMs: 300_000, entriesMax: 10 }).layer(caller)
    await cached(describe(), { signal })
    await clock.advance(after)
    await cached(describe(), { signal })
    assert.equal(calls(), asked, `${status} after ${after}`)
  }
})

test('a fresh look goes past the memory, and a deletion empties it [9.6, #106]', async () => {
  const { caller, calls } = answering(shown('ISSUED'))
  const cached = new CertificateCache({ clock: new ManualClock(), ttlMs: 300_000, entriesMax: 10 }).layer(caller)
  await cached(describe(), { signal })
  await cached(describe('a', true), { signal })
  assert.equal(calls(), 2)
  await cached({ service: 'acm', operation: 'DeleteCertificate', input: { CertificateArn: 'a' } }, { signal })
  await cached(describe(), { signal })
  assert.equal(calls(), 4)
})

test('what was read by ARN is known by name: the issued one first, then the newest [9.6, #103]', async () => {
  const cache = new CertificateCache({ clock: new ManualClock(), ttlMs: 300_000, entriesMax: 10 })
  const cached = cache.layer(answering(shown('PENDING_VALIDATION', 'x.y.z', 9), shown('ISSUED', 'x.y.z', 1)).caller)
  await cached(describe('new'), { signal })
  assert.equal(cache.arnOf('x.y.z'), 'new')
  await cached(describe('old'), { signal })
  assert.deepEqual([cache.arnOf('x.y.z'), cache.arnOf('other')], ['old', undefined])
})

test('a full memory forgets what was asked for longest ago, by ARN and by name [9.6, #104]', async () => {
  const cache = new CertificateCache({ clock: new ManualClock(), ttlMs: 300_000, entriesMax: 2 })
  const cached = cache.layer(answering(shown('ISSUED', 'one'), shown('ISSUED', 'two'), shown('ISSUED', 'three')).caller)
  for (const arn of ['1', '2', '1', '3']) await cached(describe(arn), { signal })
  assert.deepEqual([cache.size, cache.arnOf('one'), cache.arnOf('two'), cache.arnOf('three')], [2, '1', undefined, '3'])
})

test('those who ask for one certificate at once share a call, and its failure is not kept [9.6]', async () => {
  const { caller, calls } = answering(refused('ThrottlingException'), shown('ISSUED'))
  const cached = new CertificateCache({ clock: new ManualClock(), ttlMs: 300_000, entriesMax: 2 }).layer(caller)
  const both = await Promise.allSettled([cached(describe(), { signal }), cached(describe(), { signal })])
  assert.deepEqual([both.map(({ status }) => status), calls()], [['rejected', 'rejected'], 1])
  await cached(describe(), { signal })
  assert.equal(calls(), 2)
})
