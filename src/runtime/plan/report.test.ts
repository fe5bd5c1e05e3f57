import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '#base'
import { KubeError } from '#kube/client'
import { Stopped } from '../scope.ts'
import { decidingTrouble, type Outcome } from './outcome.ts'
import type { Plan } from './plan.ts'
import { foldOutcomes } from './report.ts'
import { asTrouble, Trouble, type TroubleKind, troubleReasons, unansweredTrouble } from './trouble.ts'

const plan: Plan = {
  actions: [],
  conditions: [{ type: 'Ready', status: 'True', reason: 'Done', message: 'all is well' }],
  status: { copies: 1 },
  next: { kind: 'await-change' },
}

function failed(kind: TroubleKind, reason = 'Reason'): Outcome {
  return { kind: 'failed', action: { kind: 'act:test', summary: 'test' }, trouble: new Trouble({ kind, reason, message: 'm' }) }
}

function fold(outcomes: readonly Outcome[], failures = 0) {
  return foldOutcomes({ plan, outcomes, failures, current: [], generation: 1, summary: 'Ready' })
}

test('when all succeeded, the plan is said', () => {
  assert.deepEqual(fold([]), { conditions: plan.conditions, status: { copies: 1 } })
})

interface Row {
  readonly why: string
  readonly outcomes: readonly Outcome[]
  readonly failures: number
  readonly reason: string | undefined
}

const rows: readonly Row[] = [
  { why: 'a conflict is no news', outcomes: [failed('soon')], failures: 9, reason: undefined },
  { why: 'weather that has just begun is no news', outcomes: [failed('backoff')], failures: 2, reason: undefined },
  { why: 'weather that lasts is', outcomes: [failed('backoff', 'Unreachable')], failures: 3, reason: 'Unreachable' },
  {
    why: 'a dependency that is held back has failed long enough',
    outcomes: [failed('backoff', 'DependencyDown')],
    failures: 1,
    reason: 'DependencyDown',
  },
  {
    why: 'what is missing is said at once',
    outcomes: [failed('wait', 'NamespaceMissing')],
    failures: 1,
    reason: 'NamespaceMissing',
  },
  {
    why: 'a cluster that is being listed is no news',
    outcomes: [failed('wait', 'CacheStarting')],
    failures: 9,
    reason: undefined,
  },
  {
    why: 'what a person has to mend comes before what passes',
    outcomes: [failed('wait', 'W'), failed('stop', 'S')],
    failures: 1,
    reason: 'S',
  },
  { why: 'not to lead is nothing to tell a claim', outcomes: [failed('backoff', 'NotLeader')], failures: 9, reason: undefined },
]

for (const row of rows) {
  test(row.why, () => {
    const report = fold(row.outcomes, row.failures)
    assert.deepEqual(
      report,
      row.reason === undefined
        ? undefined
        : { conditions: [{ type: 'Ready', status: 'False', reason: row.reason, message: 'm' }] },
    )
  })
}

test('the trouble that asks for the earliest look decides', () => {
  const troubles = (['stop', 'wait', 'soon', 'backoff'] as const).map(kind => new Trouble({ kind, reason: kind, message: '' }))
  assert.equal(decidingTrouble(troubles)?.kind, 'soon')
  assert.equal(decidingTrouble(troubles.slice(0, 2))?.kind, 'wait')
  assert.equal(decidingTrouble([]), undefined)
})

const refused = (httpStatus: number, reason: string, details: object = {}) =>
  new KubeError('refused', `told ${reason}`, {
    httpStatus,
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason, code: httpStatus, details },
  })

for (const [error, kind, reason] of [
  [refused(409, 'Conflict'), 'soon', 'Conflict'],
  [refused(409, 'AlreadyExists'), 'soon', 'Conflict'],
  [refused(404, 'NotFound', { kind: 'namespaces', name: 'x' }), 'wait', 'NamespaceMissing'],
  [refused(404, 'NotFound'), 'wait', 'KindMissing'],
  [refused(404, 'NotFound', { kind: 'configmaps', name: 'x' }), 'soon', 'NotFound'],
  [refused(403, 'Forbidden'), 'backoff', 'Forbidden'],
  [refused(403, 'Forbidden', { causes: [{ reason: 'NamespaceTerminating' }] }), 'wait', 'NamespaceTerminating'],
  [refused(422, 'Invalid'), 'stop', 'Rejected'],
  [refused(405, 'MethodNotAllowed'), 'stop', 'Rejected'],
  [new KubeError('throttled', 'x', { retryAfterMs: 5 }), 'backoff', 'Throttled'],
  [new KubeError('unreachable', 'x'), 'backoff', 'Unreachable'],
  [new KubeError('unknown-outcome', 'x'), 'backoff', 'OutcomeUnknown'],
  [new KubeError('unauthenticated', 'x'), 'backoff', 'Unauthenticated'],
  [new KubeError('malformed', 'x'), 'backoff', 'Malformed'],
  [new Stopped('fence', 'x'), 'soon', 'NotLeader'],
  [new Stopped('deadline', 'x'), 'backoff', 'DeadlineExceeded'],
  [new TypeError('x is undefined'), 'backoff', 'InternalError'],
] as const) {
  test(`${error.name} ${'code' in error ? error.code : ''} ${'reason' in error ? error.reason : ''} is ${kind}: ${reason} [P10]`, () => {
    const trouble = asTrouble(error)
    assert.deepEqual([trouble.kind, trouble.reason], [kind, reason])
    assert.ok(reason in troubleReasons)
    assert.doesNotMatch(trouble.message, /undefined/, 'what a defect says is for the log')
  })
}

test('what reaches a condition names no address, and no secret that the server repeats [S16]', () => {
  const jwt = `eyJhbGciOiJSUzI1NiJ9.${'e'.repeat(40)}.${'s'.repeat(40)}`
  const message = `spec.token: Invalid value: "${jwt}"`
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    reason: 'Invalid',
    code: 422,
    message,
  } as const
  const trouble = asTrouble(
    new KubeError('refused', `patch widgets a/w at https://10.0.0.1:6443: ${message}`, { httpStatus: 422, status }),
  )
  assert.match(trouble.message, /^spec\.token: Invalid value/)
  assert.doesNotMatch(trouble.message, /eyJ|10\.0\.0\.1/)
})

test('a service that gives no answer backs off under its name, and a call that we ended says so itself', () => {
  const said = (['unreachable', 'untrusted', 'timeout'] as const).map(code => {
    const trouble = unansweredTrouble(new HttpFailure(code, 'x'), 'IAM', 'aws:iam')
    return trouble instanceof Trouble && [trouble.kind, trouble.reason, trouble.message, trouble.dependency]
  })
  assert.deepEqual(said, [
    ['backoff', 'Unreachable', 'IAM cannot be reached', 'aws:iam'],
    ['backoff', 'Untrusted', 'the certificate of IAM is not trusted', 'aws:iam'],
    ['backoff', 'OutcomeUnknown', 'IAM did not answer as it should', 'aws:iam'],
  ])
  const ended = new HttpFailure('aborted', 'x')
  assert.equal(unansweredTrouble(ended, 'IAM', 'aws:iam'), ended)
})
