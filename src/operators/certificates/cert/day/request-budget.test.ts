// The requests of a day: how many there are for whom, what counts as one, and what a new process knows of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { HttpFailure, ManualClock } from '#base'
import type { Cert, CertStatus } from '../../api.ts'
import { certificate, certSeen } from '../../testing/cert-seen.fixture.ts'
import { type DayRequest, dayRequestOf, requestsSince } from './day-requests.ts'
import { RequestBudget } from './request-budget.ts'

const dayMs = 86_400_000
const clockAt = (): ManualClock => new ManualClock(Date.UTC(2026, 5, 1, 6))
const budgetOf = (max: number, { isShared = true, clock = clockAt() } = {}): RequestBudget =>
  new RequestBudget(clock, { max, isShared })
const ofA: Omit<DayRequest, 'token'> = { namespace: 'a', isUrgent: false }

/** How many of so many tries go. */
async function takes(budget: RequestBudget, namespace: string, { tries = 1_000, isUrgent = false } = {}): Promise<number> {
  let taken = 0
  for (let index = 0; index < tries; index++) {
    const token = `${namespace}-${isUrgent}-${index}`
    const isDone = await budget.spend({ token, namespace, isUrgent }, () => Promise.resolve(true)).catch(() => false)
    if (isDone) taken++
  }
  return taken
}

test('once those at their end have had the tenth that is kept for them, nothing is kept from the others [16.11]', async () => {
  const budget = budgetOf(10)
  assert.equal(await takes(budget, 'z', { tries: 1, isUrgent: true }), 1)
  assert.equal(await takes(budget, 'a'), 5)
})

test('each namespace that takes all it can leaves as much to the others, and the tenth that is kept [16.11]', async () => {
  const budget = budgetOf(200)
  const taken: number[] = []
  for (const namespace of ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']) taken.push(await takes(budget, namespace))
  assert.deepEqual(taken, [90, 45, 23, 11, 6, 3, 1, 1, 0])
  assert.equal(budget.left(), 0)
  assert.match(
    budget.refusal({ ...ofA, token: 'new' }) ?? '',
    /^what is left of the 200 .* is kept for those that are at their end/,
  )
  assert.equal(await takes(budget, 'a', { isUrgent: true }), 10)
  assert.equal(await takes(budget, 'b', { isUrgent: true }), 5)
})

test('one that has taken its share is told how many, of how many, and when the next one may be asked for [16.11]', async () => {
  const budget = budgetOf(20)
  assert.equal(await takes(budget, 'a'), 9)
  const rest = 'had 9 of the 20 certificates of today (--max-requests-per-day), and the rest is for others'
  assert.equal(budget.refusal({ ...ofA, token: 'new' }), `namespace "a" ${rest}; the next one at 2026-06-02T00:00:00Z`)
  assert.equal(budget.refusal({ namespace: 'b', token: 'new', isUrgent: false }), undefined)
  assert.equal(budget.left(), 9)
})

test('who comes first has all of an unshared day, and nobody has more than all of it [16.11]', async () => {
  const budget = budgetOf(20, { isShared: false })
  assert.equal(await takes(budget, 'a'), 20)
  assert.equal(
    budget.refusal({ namespace: 'b', token: 'new', isUrgent: true }),
    '20 certificates were requested today, the most of --max-requests-per-day; the next one at 2026-06-02T00:00:00Z',
  )
})

test('another day has all of its requests again [16.11]', async () => {
  const clock = clockAt()
  const budget = budgetOf(20, { clock })
  assert.equal(await takes(budget, 'a'), 9)
  await clock.advance(dayMs)
  assert.equal(budget.left(), 18)
  assert.equal(await takes(budget, 'a'), 9)
})

test('the same token is one of the day, however often it is asked with; what AWS refuses is none [16.11]', async () => {
  const budget = budgetOf(20)
  const request = { ...ofA, token: 'one' }
  const refused = new AwsError({ service: 'ACM', operation: 'RequestCertificate', code: 'AccessDeniedException', message: 'no' })
  for (let round = 0; round < 3; round++) await assert.rejects(budget.spend(request, () => Promise.reject(refused)))
  assert.equal(budget.left(), 18)
  // Nobody knows whether it was made.
  await assert.rejects(budget.spend(request, () => Promise.reject(new HttpFailure('reset', 'cut'))))
  assert.equal(budget.left(), 17)
  await assert.rejects(budget.spend(request, () => Promise.reject(refused)))
  assert.equal(budget.left(), 17)
  await budget.spend(request, () => Promise.resolve())
  assert.equal(budget.left(), 17)
})

test('what AWS refused counts for no share of a namespace, urgent or not [16.11]', async () => {
  const refused = new AwsError({ service: 'ACM', operation: 'RequestCertificate', code: 'AccessDeniedException', message: 'no' })
  for (const isUrgent of [false, true]) {
    const budget = budgetOf(20)
    for (const token of ['one', 'two', 'three'])
      await assert.rejects(budget.spend({ ...ofA, isUrgent, token }, () => Promise.reject(refused)))
    assert.equal(await takes(budget, 'a', { isUrgent }), isUrgent ? 10 : 9)
  }
})

test('of one certificate a day one is for whoever comes first, and of three two [16.11]', async () => {
  for (const isUrgent of [false, true])
    assert.deepEqual(await Promise.all([1, 3].map(max => takes(budgetOf(max), 'a', { isUrgent }))), [1, 2])
})

const today = '2026-06-01T01:00:00Z'
const asked = { specHash: 'x', revision: 1, requestedAt: today }

function certOf(uid: string, status: CertStatus, namespace = 'a'): Cert {
  const { claim } = certSeen({ status, metadata: { uid, namespace } })
  return claim as Cert
}

test('a new process counts what the statuses say of today, of no namespace more than its share [16.11]', async () => {
  const loop = Array.from({ length: 50 }, (_, index) => certOf(`uid-${index}`, { request: asked, certificateArn: 'arn' }))
  const others = [
    certOf('pending', { request: asked, certificateArn: 'arn', certReady: true, pendingCertificateArn: 'next' }, 'b'),
    certOf('yesterday', { request: { ...asked, requestedAt: '2026-05-31T23:00:00Z' }, certificateArn: 'arn' }, 'c'),
    certOf('refused', { request: asked, state: 'Failed' }, 'c'),
    certOf('to be replaced', { request: asked, state: 'Failed', certReady: true, certificateArn: 'arn' }, 'c'),
    certOf('new', {}, 'c'),
  ]
  const budget = budgetOf(100)
  const notYet = new Error('what is cached is not whole yet')
  assert.throws(
    () =>
      budget.begin(() => {
        throw notYet
      }),
    notYet,
  )
  budget.begin(sinceMs => {
    assert.equal(sinceMs, Date.UTC(2026, 5, 1))
    return requestsSince([...others, ...loop], sinceMs)
  })
  assert.equal(budget.left(), 100 - 10 - 1 - 45)
  budget.begin(() => assert.fail('it was asked before'))
  assert.equal(await takes(budget, 'a'), 0)
  assert.equal(await takes(budget, 'c', { tries: 5 }), 5)
})

for (const [what, status, isCounted] of [
  ['has its certificate', { state: 'Ready', certReady: true, certificateArn: 'arn' }, true],
  ['has its certificate on its way', { state: 'Created', certificateArn: 'arn' }, true],
  ['failed, with what it asked for', { state: 'Failed', certificateArn: 'arn' }, true],
  ['is being taken up, with what it asked for', { state: 'Pending', certificateArn: 'arn' }, true],
  ['has another one on its way', { state: 'Created', certReady: true, certificateArn: 'arn', pendingCertificateArn: 'b' }, true],
  ['is to have another one', { state: 'Pending', certReady: true, certificateArn: 'arn' }, false],
  ['was refused another one', { state: 'Failed', certReady: true, certificateArn: 'arn' }, false],
  ['has none', { state: 'Created' }, false],
] as const)
  test(`the request of a Cert that ${what} is ${isCounted ? 'one' : 'none'} of the day [16.11]`, () => {
    assert.equal(requestsSince([certOf('uid', { request: asked, ...status })], 0).length, isCounted ? 1 : 0)
  })

test('the requests of a day are those since its first second, the earliest first [16.11]', () => {
  const at = (requestedAt: string, namespace: string): Cert =>
    certOf(namespace, { request: { ...asked, requestedAt }, certificateArn: 'arn' }, namespace)
  const certs = [
    at('2026-06-01T03:00:00Z', 'late'),
    at('2026-06-01T00:00:00Z', 'first'),
    at('2026-05-31T23:59:59Z', 'before'),
    at('2026-06-01T02:00:00Z', 'then'),
  ]
  assert.deepEqual(
    requestsSince(certs, Date.UTC(2026, 5, 1)).map(({ namespace }) => namespace),
    ['first', 'then', 'late'],
  )
})

test('urgent is what was issued and serves no more, or ends within a week: a value, and nothing that is only said [16.11]', () => {
  const nowMs = Date.parse(today)
  const ends = (days: number): CertStatus => ({
    certReady: true,
    certificateArn: 'arn',
    issuedAt: today,
    expirationDate: new Date(nowMs + days * dayMs).toISOString(),
  })
  const failure = (reason: string, message = 'x'): CertStatus => ({
    certReady: false,
    lastFailure: { reason, message, time: today, count: 1 },
  })
  const served: CertStatus = { certReady: false, issuedAt: today }
  const gone = { type: 'Ready', status: 'False', reason: 'CertificateMissing', message: '', lastTransitionTime: today } as const
  const rows: readonly (readonly [string, CertStatus, boolean])[] = [
    ['a first one', {}, false],
    ['one that serves for long', ends(8), false],
    ['one that ends within a week', ends(7), true],
    ['one that ends a moment after a week', ends(7 + 1 / dayMs), false],
    ['one that is past its end or revoked', { ...failure('Expired'), ...served }, true],
    ['one that somebody deleted', served, true],
    ['one that served once, and was refused since', { ...failure('QuotaExceeded'), ...served }, true],
    ['a first one that CAA forbids', failure('CAARestricted'), false],
    ['one that serves, whatever was said of it before', { ...ends(8), ...failure('Expired'), certReady: true }, false],
    ['words in a status', failure('QuotaExceeded', 'urgent: 20 certificates were requested today'), false],
    ['a reason in a status', { ...failure('Expired'), conditions: [gone] }, false],
  ]
  for (const [what, status, isUrgent] of rows)
    assert.deepEqual([what, dayRequestOf({ claim: certOf('uid', status), request: asked, nowMs }).isUrgent], [what, isUrgent])
})

test('when a certificate ends is what ACM says, where it was asked, and not what a status says [16.11]', () => {
  const nowMs = Date.parse(today)
  const isUrgent = (days: number, said: string): boolean => {
    const status: CertStatus = { certReady: true, certificateArn: 'arn', expirationDate: said }
    const current = { kind: 'present', certificate: certificate({ notAfterMs: nowMs + days * dayMs }) } as const
    return dayRequestOf({ claim: certOf('uid', status), request: asked, nowMs, current }).isUrgent
  }
  assert.deepEqual([isUrgent(90, today), isUrgent(3, '2027-06-01T00:00:00Z')], [false, true])
})
