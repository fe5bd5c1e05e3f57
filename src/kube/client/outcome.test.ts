// What each answer means to whoever called: the code decides whether the call may be repeated, the text what a person does next.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DeadlineExceeded, HttpFailure, type HttpHeaders } from '#base'
import { failureOf, refusalOf } from './outcome.ts'

const attempt = { what: 'get configmaps a/b', address: 'https://host' }
const front = 'get configmaps a/b at https://host: '
const status = (fields: object): string => JSON.stringify({ kind: 'Status', status: 'Failure', ...fields })

interface Answer {
  readonly status: number
  readonly headers?: HttpHeaders
  readonly body?: string
}

function refusal({ status: httpStatus, headers = {}, body = '' }: Answer): readonly unknown[] {
  const bytes = Buffer.from(body)
  const { code, message, retryAfterMs } = refusalOf(attempt, { status: httpStatus, headers, body: bytes }, bytes)
  return [code, message.slice(front.length), retryAfterMs]
}

const strangers = '; check the server address in the kubeconfig'
const refusals: Readonly<Record<string, readonly [Answer, readonly unknown[]]>> = {
  'the message, before the reason': [
    { status: 409, body: status({ message: 'it changed', reason: 'Conflict' }) },
    ['refused', 'it changed', undefined],
  ],
  'the reason, where there is no message': [
    { status: 403, body: status({ reason: 'Forbidden' }) },
    ['refused', 'Forbidden', undefined],
  ],
  'the number, where there is neither': [{ status: 418, body: status({}) }, ['refused', 'HTTP 418', undefined]],
  'credentials that are not accepted, with what to check': [
    { status: 401, body: status({ message: 'Unauthorized' }) },
    ['unauthenticated', 'Unauthorized; check the credentials of this user in the kubeconfig', undefined],
  ],
  'too many calls': [{ status: 429, body: status({ message: 'slow' }) }, ['throttled', 'slow', undefined]],
  'a server that says when to come back, by its header': [
    { status: 503, headers: { 'retry-after': '7' }, body: status({ message: 'busy' }) },
    ['throttled', 'busy', 7_000],
  ],
  'or by its status': [
    { status: 503, body: status({ message: 'busy', details: { retryAfterSeconds: 3 } }) },
    ['throttled', 'busy', 3_000],
  ],
  'a status that says "in no seconds", which is no hint': [
    { status: 503, body: status({ message: 'busy', details: { retryAfterSeconds: 0 } }) },
    ['unknown-outcome', 'busy', undefined],
  ],
  'a header that is no number, which is no hint': [
    { status: 503, headers: { 'retry-after': 'Tue, 1 Jan' }, body: status({ message: 'busy' }) },
    ['unknown-outcome', 'busy', undefined],
  ],
  'an error of the server, after which nobody knows': [
    { status: 500, body: status({ message: 'etcd' }) },
    ['unknown-outcome', 'etcd', undefined],
  ],
  'a server that waited too long': [{ status: 408, body: status({ message: 'late' }) }, ['unknown-outcome', 'late', undefined]],
  'markup, by its type': [
    { status: 299, headers: { 'content-type': 'text/html' }, body: 'hello' },
    ['malformed', `the server answers HTML (HTTP 299), as no Kubernetes API server does${strangers}`, undefined],
  ],
  'markup, by its first words': [
    { status: 299, body: ' <!DOCTYPE html><p>hello' },
    ['malformed', `the server answers HTML (HTTP 299), as no Kubernetes API server does${strangers}`, undefined],
  ],
  'a redirect, which is not followed': [
    { status: 300, headers: { location: 'https://login' } },
    ['malformed', `the server redirects to https://login, which is not followed${strangers}`, undefined],
  ],
  'an answer of something else': [
    { status: 299, body: '{"kind":"Pod"}' },
    ['malformed', `the answer (HTTP 299) is not what an API server says${strangers}`, undefined],
  ],
}

for (const [what, [answer, expected]] of Object.entries(refusals))
  test(`a refusal is told by ${what}`, () => assert.deepEqual(refusal(answer), expected))

test('a call without an answer is told by what happened to it', () => {
  const codeOf = (error: unknown, signal?: AbortSignal): string => failureOf(attempt, error, signal).code
  assert.equal(codeOf(new DeadlineExceeded(1_000)), 'unknown-outcome')
  assert.equal(codeOf(new HttpFailure('unreachable', 'no way')), 'unreachable')
  assert.equal(codeOf(new HttpFailure('reset', 'cut')), 'unknown-outcome')
  assert.equal(codeOf(new HttpFailure('too-large', 'much')), 'malformed')
  assert.equal(codeOf(new Error('?')), 'unknown-outcome')
  assert.equal(codeOf(new Error('?'), AbortSignal.abort()), 'aborted')
  const refused = failureOf(attempt, new Error('?'))
  assert.equal(failureOf(attempt, refused, AbortSignal.abort()), refused)
  assert.match(failureOf(attempt, new HttpFailure('untrusted', 'no')).message, /: no; check certificate-authority and tls-/)
})
