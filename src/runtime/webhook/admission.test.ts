// What a review is answered with, word by word, and which bodies are none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AdmissionAnswer, type Admit, admissionHandler } from './admission.ts'
import type { WebhookCall } from './host.ts'

const request = {
  uid: 'u-1',
  kind: { group: '', version: 'v1', kind: 'Pod' },
  resource: { group: '', version: 'v1', resource: 'pods' },
  operation: 'CREATE',
}
const review = { apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request }

async function answered(body: unknown, admit: Admit = () => ({ kind: 'allow' }), contentType = 'application/json') {
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
  const { signal } = new AbortController()
  const call = { contentType, body: bytes, signal } as unknown as WebhookCall
  const { status, headers, body: said } = await admissionHandler(admit)(call)
  return { status, type: headers['content-type'], text: Buffer.from(said as Uint8Array).toString() }
}

const noReview = 'the body is no AdmissionReview'
const noUid = 'the review has no request with a uid'
const lacking = 'the request of the review lacks kind, resource or operation'
const inTheMiddle = Buffer.from(JSON.stringify({ ...review, request: { ...request, name: 'x#y' } }))
inTheMiddle[inTheMiddle.indexOf('#')] = 0xff

for (const [what, body, said] of [
  ['nothing', Buffer.alloc(0), 'the body is no JSON'],
  ['half of a text', Buffer.from('{"kind":'), 'the body is no JSON'],
  ['a review with bytes that are no text', inTheMiddle, 'the body is no JSON'],
  ['null', null, noReview],
  ['a list', [], noReview],
  ['another kind', { ...review, kind: 'Pod' }, noReview],
  ['another version', { ...review, apiVersion: 'v1beta1' }, 'only admission.k8s.io/v1 is spoken here, not v1beta1'],
  [
    'a version without an end',
    { ...review, apiVersion: `a${'x'.repeat(200)}` },
    `only admission.k8s.io/v1 is spoken here, not a${'x'.repeat(99)}`,
  ],
  ['no request', { ...review, request: undefined }, noUid],
  ['a request that is a text', { ...review, request: 'u-1' }, noUid],
  ['no uid', { ...review, request: { ...request, uid: undefined } }, noUid],
  ['a uid that is empty', { ...review, request: { ...request, uid: '' } }, noUid],
  ['a uid that is a number', { ...review, request: { ...request, uid: 7 } }, noUid],
  ['no kind', { ...review, request: { ...request, kind: 'Pod' } }, lacking],
  ['no resource', { ...review, request: { ...request, resource: 'pods' } }, lacking],
  ['no operation', { ...review, request: { ...request, operation: 1 } }, lacking],
  ['more levels than are taken', Buffer.from('['.repeat(201)), 'the review cannot be taken: it is nested deeper than 200'],
] as const)
  test(`a body that has ${what} is refused by the word, and nobody decides on it`, async () => {
    const admit = (): never => assert.fail('somebody decided')
    assert.deepEqual(await answered(body, admit), { status: 400, type: 'text/plain; charset=utf-8', text: `${said}\n` })
  })

test('what is sent as something else than JSON is refused', async () => {
  assert.deepEqual(await answered(review, undefined, 'text/plain'), {
    status: 415,
    type: 'text/plain; charset=utf-8',
    text: 'the content type must be application/json\n',
  })
})

const long = 'm'.repeat(4_097)

for (const [what, answer, response] of [
  ['nothing more', { kind: 'allow' }, { allowed: true }],
  ['no operation and no warning', { kind: 'allow', patch: [], warnings: [] }, { allowed: true }],
  [
    'a patch',
    { kind: 'allow', patch: [{ op: 'remove', path: '/x' }] },
    { allowed: true, patchType: 'JSONPatch', patch: Buffer.from('[{"op":"remove","path":"/x"}]').toString('base64') },
  ],
  [
    'warnings and notes',
    { kind: 'allow', warnings: ['w'.repeat(256), 'w'.repeat(257)], audit: { a: 'b' } },
    { allowed: true, warnings: ['w'.repeat(256), `${'w'.repeat(255)}…`], auditAnnotations: { a: 'b' } },
  ],
  ['a refusal', { kind: 'deny', message: 'no' }, { allowed: false, status: { code: 403, reason: 'Forbidden', message: 'no' } }],
  [
    'a refusal of its own kind',
    { kind: 'deny', code: 422, reason: 'Invalid', message: long.slice(1), warnings: ['w'] },
    { allowed: false, warnings: ['w'], status: { code: 422, reason: 'Invalid', message: long.slice(1) } },
  ],
  [
    'a refusal that is too long',
    { kind: 'deny', message: long },
    { allowed: false, status: { code: 403, reason: 'Forbidden', message: `${long.slice(2)}…` } },
  ],
] as readonly (readonly [string, AdmissionAnswer, object])[])
  test(`a decision with ${what} is told with the uid of its review, be it there at once or later`, async () => {
    for (const admit of [() => answer, () => Promise.resolve(answer)]) {
      const { status, type, text } = await answered(review, admit)
      assert.deepEqual([status, type], [200, 'application/json'])
      assert.deepEqual(JSON.parse(text), {
        apiVersion: 'admission.k8s.io/v1',
        kind: 'AdmissionReview',
        response: { uid: 'u-1', ...response },
      })
    }
  })
