import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { CredentialsError, InputError } from '#aws/client'
import { HttpFailure } from '#base'
import { Trouble } from '#runtime'
import { cloudTrouble, notVisibleYet, type TroubleContext } from './trouble.ts'

const context: TroubleContext = { dependency: 'aws iam', service: 'IAM', isFinal: () => false }
const refused = (code: string, httpStatus: number, more: object = {}): AwsError =>
  new AwsError({ service: 'IAM', operation: 'CreateRole', code, httpStatus, message: 'no', ...more })

function troubleOf(error: unknown, more: Partial<TroubleContext> = {}): Trouble {
  const found = cloudTrouble(error, { ...context, ...more })
  assert.ok(found instanceof Trouble)
  assert.equal(found.cause, error)
  assert.equal(found.dependency, 'aws iam')
  return found
}

const table: readonly (readonly [unknown, kind: string, reason: string])[] = [
  [refused('Throttling', 400), 'backoff', 'Throttled'],
  [refused('AccessDenied', 403), 'backoff', 'MissingPermission'],
  [refused('ExpiredToken', 403), 'backoff', 'Unauthenticated'],
  [refused('RequestTimeTooSkewed', 403), 'backoff', 'Unauthenticated'],
  [refused('ServiceFailure', 500), 'backoff', 'OutcomeUnknown'],
  [refused('LimitExceeded', 409), 'backoff', 'QuotaExceeded'],
  [refused('DeleteConflict', 409), 'backoff', 'InUse'],
  [refused('NoSuchEntity', 404), 'backoff', 'NotFound'],
  [refused('MalformedPolicyDocument', 400), 'backoff', 'Refused'],
  [new InputError('CreateRole', 'RoleName', 'is missing'), 'stop', 'InvalidManifest'],
  [new CredentialsError('no credentials'), 'backoff', 'Unauthenticated'],
  [new HttpFailure('unreachable', 'x'), 'backoff', 'Unreachable'],
]

test('each failure of a call is one kind of trouble under one reason, whoever made the call', () => {
  for (const [error, kind, reason] of table) {
    const found = troubleOf(error)
    assert.deepEqual([found.kind, found.reason], [kind, reason], String(error))
  }
})

test('what no repetition changes stops, but never for want of a permission or of patience', () => {
  const isFinal = (): boolean => true
  for (const [error, , reason] of table) {
    if (!(error instanceof AwsError)) continue
    const found = troubleOf(error, { isFinal })
    const stays = ['Throttled', 'MissingPermission'].includes(reason)
    assert.deepEqual([found.kind, found.reason], stays ? ['backoff', reason] : ['stop', 'InvalidManifest'], error.code)
  }
})

test('a full quota is told by the name under which it is raised, in whatever words the refusal is told', () => {
  assert.equal(
    troubleOf(refused('LimitExceeded', 409)).message,
    'IAM CreateRole: LimitExceeded: no; the quota is "Roles per account" (1000 per account by default, L-FE177D64 in Service Quotas)',
  )
  assert.match(
    troubleOf(refused('LimitExceeded', 409), { wordsFor: () => 'full.' }).message,
    /^full; the quota is "Roles per account"/,
  )
  assert.equal(
    troubleOf(refused('LimitExceeded', 409, { operation: 'constructor' })).message,
    'IAM constructor: LimitExceeded: no',
  )
})

test('what is none of AWS is left as it is', () => {
  const other = new TypeError('x')
  assert.equal(cloudTrouble(other, context), other)
})

test('how long a service asks to be left alone is kept, and what may not be visible yet is looked for after the time that is given', () => {
  for (const code of ['Throttling', 'ServiceFailure']) {
    const httpStatus = code === 'Throttling' ? 400 : 503
    assert.equal(troubleOf(refused(code, httpStatus, { retryAfterMs: 7_000 })).retryAfterMs, 7_000)
    assert.equal(troubleOf(refused(code, httpStatus)).retryAfterMs, undefined)
  }
  const { kind, reason, message, dependency, retryAfterMs } = notVisibleYet('role', 'aws iam', 3_000)
  assert.deepEqual([kind, reason, dependency, retryAfterMs], ['backoff', 'OutcomeUnknown', 'aws iam', 3_000])
  assert.equal(message, 'the role was asked for a moment ago: it may be there and not be visible yet')
})

test('the words of a refusal are those of the caller where there are any; of patience and of what may pass they are ours', () => {
  const wordsFor = (): string => 'in other words'
  assert.equal(troubleOf(refused('AccessDenied', 403), { wordsFor }).message, 'in other words')
  assert.equal(troubleOf(refused('AccessDenied', 403)).message, 'IAM CreateRole: AccessDenied: no')
  assert.equal(troubleOf(refused('Throttling', 400), { wordsFor }).message, 'IAM asks for patience')
  assert.equal(troubleOf(refused('ServiceFailure', 500), { wordsFor }).message, 'IAM CreateRole: ServiceFailure')
})
