import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { HttpFailure, ManualClock, type Random } from '#base'
import { type BreakerSettings, CircuitBreaker, CircuitOpen, circuitBreaker } from './breaker.ts'

const settings: BreakerSettings = {
  failuresMax: 3,
  windowMs: 1_000,
  ratioMax: 0.5,
  callsMin: 4,
  openMsMin: 100,
  openMsMax: 350,
}

function breaker(more: Partial<BreakerSettings> = {}, drawn = 0.5) {
  const clock = new ManualClock()
  const opened: string[] = []
  const random = { float: () => drawn } as unknown as Random
  const onOpen = (service: string): void => void opened.push(service)
  const made = new CircuitBreaker('acm', { clock, random, settings: { ...settings, ...more }, onOpen })
  /** Calls that go well (`+`), fail (`-`) or say nothing (`.`), one after the other. */
  const calls = (results: string): void => {
    for (const result of results) {
      made.enter()
      if (result === '+') made.succeeded()
      else if (result === '-') made.failed()
      else made.leave()
    }
  }
  /** How long whoever comes now is sent away for; 0 for nobody. */
  const awayMs = (): number => {
    try {
      made.enter()
    } catch (error) {
      return error instanceof CircuitOpen && error.service === 'acm' ? error.retryAfterMs : Number.NaN
    }
    made.leave()
    return 0
  }
  return { clock, made, opened, calls, awayMs }
}

const histories: readonly (readonly [results: string, state: string, why: string])[] = [
  ['--', 'closed', 'two failures in a row are not three'],
  ['---', 'open', 'three failures in a row are too many'],
  ['--+-', 'open', 'of four calls three failed'],
  ['+-+-', 'open', 'of four calls two failed, which is half'],
  ['++-', 'closed', 'three calls are too few for a share'],
  ['-+-', 'closed', 'three calls are too few for a share, whatever it is'],
  ['+++--', 'closed', 'two of five is less than half'],
  ['--.-', 'open', 'a call that we ended interrupts no row'],
]

for (const [results, state, why] of histories)
  test(`after ${results} the breaker is ${state}: ${why} [9.5]`, () => {
    const { made, calls, opened } = breaker()
    calls(results)
    assert.equal(made.state, state)
    assert.deepEqual(opened, state === 'open' ? ['acm'] : [])
  })

test('calls count for the share as long as the window, and no longer [9.5]', async () => {
  for (const [restMs, state] of [
    [999, 'open'],
    [1_000, 'closed'],
  ] as const) {
    const { clock, made, calls } = breaker({ failuresMax: 9 })
    calls('-')
    await clock.advance(restMs)
    calls('+-+')
    assert.equal(made.state, 'closed')
    calls('-')
    // Three of five, or two of four and none from before.
    assert.equal(made.state, 'open')
    const other = breaker({ failuresMax: 9 })
    other.calls('--')
    await other.clock.advance(restMs)
    other.calls('++-')
    assert.equal(other.made.state, state)
  }
})

test('an open breaker sends everybody away for its time, a tenth more or less, and then lets one through at a time [9.5]', async () => {
  for (const [drawn, openMs] of [
    [0, 90],
    [0.5, 100],
    [1, 110],
  ] as const) {
    const { clock, made, calls, awayMs } = breaker({}, drawn)
    calls('---')
    assert.equal(Math.round(awayMs()), openMs)
    await clock.advance(openMs - 1)
    assert.equal(Math.round(awayMs()), 1)
    await clock.advance(2)
    made.enter()
    assert.equal(made.state, 'half-open')
    assert.equal(awayMs(), 1_000)
    made.leave()
    assert.equal(awayMs(), 0)
  }
})

test('two probes that go well close it, and what was before counts no more [9.5]', async () => {
  const { clock, made, calls } = breaker()
  calls('---')
  await clock.advance(101)
  calls('+')
  assert.equal(made.state, 'half-open')
  calls('+')
  assert.equal(made.state, 'closed')
  calls('+--')
  assert.equal(made.state, 'closed')
})

test('a probe that fails opens it for twice as long, up to the most, and once it closed for the least again [9.5]', async () => {
  const { clock, made, calls, awayMs, opened } = breaker()
  calls('---')
  for (const openMs of [100, 200, 350, 350]) {
    assert.equal(Math.round(awayMs()), openMs)
    await clock.advance(openMs + 1)
    // One that went well before does not save it.
    calls('+-')
    assert.equal(made.state, 'open')
  }
  assert.equal(opened.length, 5)
  await clock.advance(351)
  calls('++---')
  assert.equal(Math.round(awayMs()), 100)
})

test('at the very time that was told the first call goes [9.5]', async () => {
  const { clock, made, calls } = breaker()
  calls('---')
  await clock.advance(99)
  assert.throws(() => made.enter(), CircuitOpen)
  await clock.advance(1)
  made.enter()
  assert.equal(made.state, 'half-open')
})

const awsError = (code: string, httpStatus: number): AwsError =>
  new AwsError({ service: 'ACM', operation: 'X', code, message: 'no', httpStatus })
for (const [what, error, opens] of [
  ['an error of the service itself', awsError('InternalFailure', 500), true],
  ['throttling', awsError('ThrottlingException', 400), true],
  ['no answer', new HttpFailure('timeout', 'no'), true],
  ['a call that we ended', new HttpFailure('aborted', 'no'), false],
  ['a refusal', awsError('AccessDeniedException', 400), false],
  ['a defect', new TypeError('x'), false],
] as const)
  test(`${what} ${opens ? 'says' : 'does not say'} that the service is away [9.5]`, async () => {
    const random = { float: () => 0.5 } as unknown as Random
    const call = circuitBreaker(() => Promise.reject(error), { clock: new ManualClock(), random, settings })
    const asking = () => call({ service: 'acm', operation: 'X', input: {} }, { signal: new AbortController().signal })
    for (let times = 0; times < 3; times++) await assert.rejects(asking(), error)
    await assert.rejects(asking(), opens ? CircuitOpen : error)
  })
