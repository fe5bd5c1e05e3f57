import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure, type HttpFailureCode } from '#base'
import { KubeError, type KubeErrorCode } from '#kube/client'
import { Stopped } from '../scope.ts'
import { asTrouble, asTroubleUnder, isDependencyTrouble, Trouble, unansweredTrouble } from './trouble.ts'

const refused = (httpStatus: number, reason: string, details?: object): KubeError =>
  new KubeError('refused', 'no', {
    httpStatus,
    status: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason,
      code: httpStatus,
      ...(details === undefined ? {} : { details }),
    },
  })
const failed = (code: KubeErrorCode): KubeError => new KubeError(code, 'no')

for (const [what, error, kind, reason] of [
  ['a conflict', refused(409, 'Conflict'), 'soon', 'Conflict'],
  ['a name that is taken', refused(409, 'AlreadyExists'), 'soon', 'Conflict'],
  ['a namespace that is not there', refused(404, 'NotFound', { kind: 'namespaces', name: 'a' }), 'wait', 'NamespaceMissing'],
  ['a kind that is not there', refused(404, 'NotFound'), 'wait', 'KindMissing'],
  ['a kind that is not there, told with details', refused(404, 'NotFound', { name: '' }), 'wait', 'KindMissing'],
  ['an object that is not there', refused(404, 'NotFound', { kind: 'gears', name: 'x' }), 'soon', 'NotFound'],
  ['a right that is missing', refused(403, 'Forbidden'), 'backoff', 'Forbidden'],
  [
    'a namespace that ends',
    refused(403, 'Forbidden', { causes: [{ reason: 'Other' }, { reason: 'NamespaceTerminating' }] }),
    'wait',
    'NamespaceTerminating',
  ],
  [
    'a right that is missing for another cause',
    refused(403, 'Forbidden', { causes: [{ reason: 'Other' }] }),
    'backoff',
    'Forbidden',
  ],
  ['an object that is invalid', refused(422, 'Invalid'), 'stop', 'Rejected'],
  ['a request that cannot be read', refused(400, 'BadRequest'), 'stop', 'Rejected'],
  ['an object that is too large', refused(413, 'RequestEntityTooLarge'), 'stop', 'Rejected'],
  ['a refusal of another word', refused(499, 'Odd'), 'stop', 'Rejected'],
  ['a failure of another word', refused(500, 'Odd'), 'backoff', 'OutcomeUnknown'],
  ['a refusal without a status', failed('refused'), 'backoff', 'OutcomeUnknown'],
  ['a server that asks for patience', failed('throttled'), 'backoff', 'Throttled'],
  ['a server that cannot be reached', failed('unreachable'), 'backoff', 'Unreachable'],
  ['a server that cannot be trusted', failed('untrusted'), 'backoff', 'Untrusted'],
  ['a server that does not know us', failed('unauthenticated'), 'backoff', 'Unauthenticated'],
  ['an answer that did not come', failed('unknown-outcome'), 'backoff', 'OutcomeUnknown'],
  ['a call that was ended', failed('aborted'), 'backoff', 'OutcomeUnknown'],
  ['an answer of something else', failed('malformed'), 'backoff', 'Malformed'],
  ['a leadership that is not proved', new Stopped('fence', 'no'), 'soon', 'NotLeader'],
  ['a time that is over', new Stopped('deadline', 'no'), 'backoff', 'DeadlineExceeded'],
  ['a mistake of ours', new TypeError('no'), 'backoff', 'InternalError'],
  ['what is no error', 'no', 'backoff', 'InternalError'],
] as const)
  test(`${what} is trouble of the kind ${kind}, and called ${reason}`, () => {
    const trouble = asTrouble(error, 'hub')
    assert.deepEqual([trouble.kind, trouble.reason, trouble.dependency, trouble.cause], [kind, reason, 'hub', error])
    assert.equal(asTrouble(trouble), trouble)
    assert.equal(asTrouble(error).dependency, undefined)
  })

test('how long a server asks to be left alone is kept', () => {
  const error = new KubeError('throttled', 'no', { httpStatus: 429, retryAfterMs: 7_000 })
  assert.deepEqual([asTrouble(error).retryAfterMs, asTrouble(failed('throttled')).retryAfterMs], [7_000, undefined])
})

test('what fails in other words because we were stopped is told as the stop, and a mistake of ours as a mistake', () => {
  const stopped = AbortSignal.abort(new Stopped('deadline', 'the time is over'))
  const reasonOf = (signal: AbortSignal, error: unknown): string => asTroubleUnder(signal, error).reason
  assert.equal(reasonOf(stopped, new Error('socket hang up')), 'DeadlineExceeded')
  for (const mistake of [new TypeError('x'), new RangeError('x'), new ReferenceError('x')])
    assert.equal(reasonOf(stopped, mistake), 'InternalError')
  assert.equal(reasonOf(stopped, failed('unreachable')), 'Unreachable')
  assert.equal(reasonOf(AbortSignal.abort(new Error('other')), new Error('socket hang up')), 'InternalError')
  assert.equal(reasonOf(new AbortController().signal, new Error('socket hang up')), 'InternalError')
})

test('a service that gave no answer is trouble, unless we ended the call ourselves', () => {
  const told = (code: HttpFailureCode): unknown => {
    const failure = new HttpFailure(code, 'no')
    const trouble = unansweredTrouble(failure, 'IAM', 'aws')
    return trouble instanceof Trouble ? [trouble.kind, trouble.reason, trouble.message, trouble.dependency] : trouble === failure
  }
  assert.deepEqual(told('unreachable'), ['backoff', 'Unreachable', 'IAM cannot be reached', 'aws'])
  assert.deepEqual(told('untrusted'), ['backoff', 'Untrusted', 'the certificate of IAM is not trusted', 'aws'])
  assert.deepEqual(told('reset'), ['backoff', 'OutcomeUnknown', 'IAM did not answer as it should', 'aws'])
  assert.equal(told('aborted'), true)
})

test('a refusal is no trouble of the dependency, and no answer is', () => {
  const counts = [failed('throttled'), failed('unreachable'), failed('untrusted'), failed('unauthenticated')]
  for (const error of [...counts, failed('unknown-outcome'), failed('malformed')])
    assert.ok(isDependencyTrouble(asTrouble(error)))
  for (const error of [refused(403, 'Forbidden'), refused(409, 'Conflict'), new TypeError('x')])
    assert.ok(!isDependencyTrouble(asTrouble(error)))
})

const saying = (httpStatus: number, message: string | undefined): KubeError =>
  new KubeError('refused', 'no', {
    httpStatus,
    status: {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      reason: 'Odd',
      code: httpStatus,
      ...(message && { message }),
    },
  })

for (const [what, error, message] of [
  ['a namespace that has a name', refused(404, 'NotFound', { kind: 'namespaces', name: 'a' }), 'the namespace a does not exist'],
  ['a namespace without a name', refused(404, 'NotFound', { kind: 'namespaces' }), 'the namespace  does not exist'],
  ['an object of a kind', refused(404, 'NotFound', { kind: 'gears', name: 'x' }), 'gears x does not exist'],
  ['an object of no kind', refused(404, 'NotFound', { name: 'x' }), 'object x does not exist'],
  ['a failure', refused(503, 'Odd'), 'the API server answered 503'],
  ['a refusal without a status', failed('refused'), 'the API server answered an error'],
  ['a refusal in its own words', saying(418, 'it is a teapot'), 'it is a teapot'],
  ['a refusal without words', saying(418, undefined), 'the API server answered 418'],
] as const)
  test(`of ${what} it is told: ${message}`, () => assert.equal(asTrouble(error).message, message))
