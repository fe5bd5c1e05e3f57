// What failures mean, what the clock of AWS is, and as whom calls are made.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { HttpFailure } from '#base'
import { CircuitOpen } from './breaker.ts'
import type { LayeredCall } from './call.ts'
import { clientCaller } from './client-caller.ts'
import { measuringTransport } from './cloud-clock.ts'
import { faultOf, isAbsence, weather } from './faults.ts'
import { LimiterBusy } from './limiter.ts'
import { instant, record, records, text, texts } from './values.ts'

const refused = (code: string, httpStatus = 400, message = 'no'): AwsError =>
  new AwsError({ service: 'ACM', operation: 'X', code, message, httpStatus })

for (const [what, error, expected] of [
  [
    'that our own pace holds back',
    new LimiterBusy(7),
    { class: 'held-back', message: new LimiterBusy(7).message, retryAfterMs: 7, isOurPace: true },
  ],
  [
    'that an outage holds back',
    new CircuitOpen('acm', 9),
    { class: 'held-back', message: 'acm is not called, because it does not answer', retryAfterMs: 9 },
  ],
  ['without an answer', new HttpFailure('timeout', 'no'), { class: 'transient', message: 'AWS cannot be reached' }],
  ['that we ended', new HttpFailure('aborted', 'no'), undefined],
  ['of our own', new TypeError('no'), undefined],
] as const)
  test(`a failure ${what} is ${expected?.class ?? 'nothing of a cloud'}`, () => assert.deepEqual(faultOf(error), expected))

for (const [code, httpStatus, expected] of [
  ['ResourceNotFoundException', 400, 'not-found'],
  ['NoSuchHostedZone', 404, 'zone-gone'],
  ['LimitExceededException', 400, 'quota'],
  ['InvalidChangeBatch', 400, 'record-conflict'],
  ['constructor', 400, 'invalid'],
  ['InternalFailure', 500, 'transient'],
] as const)
  test(`the refusal ${code} is of the class ${expected}`, () => {
    assert.equal(faultOf(refused(code, httpStatus))?.class, expected)
    assert.equal(isAbsence(refused(code, httpStatus)), expected === 'not-found')
  })

test('weather is told by its code alone, since its words change, and a refusal by its words without what is secret', () => {
  assert.equal(faultOf(refused('InternalFailure', 500, 'try again at 12:00'))?.message, 'InternalFailure')
  const words = faultOf(refused('ValidationException', 400, 'arn:aws:acm:x:111122223333:certificate/1 is odd'))?.message ?? ''
  assert.match(words, /\[ARN\] is odd/)
})

test('weather says whether AWS asked for patience or gave no answer', () => {
  const reasonOf = (error: Error): string => {
    const fault = faultOf(error)
    assert.ok(fault !== undefined)
    return weather(fault).reason
  }
  assert.equal(reasonOf(refused('ThrottlingException')), 'Throttled')
  assert.equal(reasonOf(new HttpFailure('timeout', 'no')), 'OutcomeUnknown')
})

async function skewAfter(...dates: readonly unknown[]): Promise<number> {
  const nowMs = Date.UTC(2026, 0, 1)
  const answers = dates.map(date => (typeof date === 'number' ? new Date(nowMs + date).toUTCString() : date))
  const closed: string[] = []
  const transport = {
    close: async () => void closed.push('closed'),
    to: () => async () => ({ status: 200, headers: { date: answers.shift() }, body: null }),
  }
  const measured = measuringTransport(transport as never, { now: () => nowMs })
  assert.equal(measured.skewMs(), 0)
  for (const _ of dates) await measured.transport.to(new URL('https://acm.example.com') as never)({} as never)
  await measured.transport.close()
  assert.deepEqual(closed, ['closed'])
  return measured.skewMs()
}

const day = 86_400_000

for (const [what, dates, expected] of [
  ['as ours', [0], 0],
  ['four seconds ahead', [4_000], 0],
  ['five seconds ahead', [5_000], 5_000],
  ['five seconds behind', [-5_000], -5_000],
  ['almost a day ahead', [day - 1_000], day - 1_000],
  ['a day ahead, which is no clock', [day], 0],
  ['a day behind, which is no clock', [-day], 0],
  ['not told', [undefined], 0],
  ['no date', ['yesterday'], 0],
  ['told twice', [60_000, ['x']], 60_000],
  ['right again', [60_000, 1_000], 0],
] as const)
  test(`where the clock of AWS is ${what}, it is ${expected} ms ahead of ours`, async () =>
    assert.equal(await skewAfter(...dates), expected))

async function called(call: Partial<LayeredCall>, fails = false, clusterId = 'east') {
  const seen: unknown[] = []
  const clients = {
    for: ({ region, role }: { readonly region: string; readonly role: unknown }) => {
      seen.push(region, role)
      return {
        send: async (_operation: string, _input: unknown, options: { readonly retryAmbiguous: boolean }) => {
          seen.push(options.retryAmbiguous)
          if (fails) throw new Error('no')
          return { output: { Ok: 1 } }
        },
      }
    },
  }
  const metrics = { begin: (operation: string) => (succeeded: boolean) => void seen.push(`${operation} ${succeeded}`) }
  const caller = clientCaller({ clients: clients as never, region: 'eu-west-1', clusterId, metrics: metrics as never })
  const whole: LayeredCall = { service: 'acm', operation: 'X', input: {}, ...call }
  const answer = await caller(whole, { signal: new AbortController().signal }).catch((error: unknown) => String(error))
  return { answer, seen }
}

test('a call is made once in the region of the operator, or in its own, and counted by its end', async () => {
  assert.deepEqual(await called({}), { answer: { Ok: 1 }, seen: ['eu-west-1', undefined, false, 'X true'] })
  assert.deepEqual(await called({ region: 'us-east-1' }, true), {
    answer: 'Error: no',
    seen: ['us-east-1', undefined, false, 'X false'],
  })
})

test('in a zone of another account a call is made as its role, under a name that AWS takes', async () => {
  const zone = { id: 'Z1', assumeRoleArn: 'arn:aws:iam::111122223333:role/dns' }
  const role = { roleArn: zone.assumeRoleArn, sessionName: 'cert-operator-east', durationSeconds: 900 }
  assert.deepEqual((await called({ zone })).seen[1], role)
  assert.deepEqual((await called({ zone: { ...zone, externalId: 'id' } })).seen[1], { ...role, externalId: 'id' })
  const { sessionName } = (await called({ zone }, false, 'x'.repeat(80))).seen[1] as typeof role
  assert.equal(sessionName, `cert-operator-${'x'.repeat(50)}`)
  assert.equal((await called({ zone: { id: 'Z1' } })).seen[1], undefined)
})

test('a value of an answer is what it should be, or is not there', () => {
  assert.deepEqual([record({ a: 1 }), record('x'), record(null)], [{ a: 1 }, {}, {}])
  assert.deepEqual([records([{ a: 1 }, 'x']), records('x')], [[{ a: 1 }, {}], []])
  assert.deepEqual(['x', '', 1, undefined].map(text), ['x', undefined, undefined, undefined])
  assert.deepEqual([texts(['x', 1, 'y']), texts('x')], [['x', 'y'], []])
  assert.deepEqual([new Date(5), 5, '5', undefined].map(instant), [5, 5_000, undefined, undefined])
})
