// What is wrong with a review, in the words of the Azure webhook, and what is observed of it. That whole pods get their answers, rows.test.ts says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PatchObject } from '../patch.ts'
import { type DecideReview, type ReviewVerdict, reviewBytesMax } from '../review.ts'
import { azureAnswer } from './answer.ts'

const unchanged: DecideReview = () => ({ kind: 'allow', operations: [] })

interface Answered {
  readonly status: number
  readonly said: { readonly apiVersion?: string; readonly response?: PatchObject } | string
  readonly observed: readonly (readonly [string, number])[]
}

/** A review that takes two and a half seconds. */
async function answered(
  body: unknown,
  decide: DecideReview = unchanged,
  contentType: string | undefined = 'application/json',
): Promise<Answered> {
  const observed: (readonly [string, number])[] = []
  const times = [5_000, 7_500]
  const answer = azureAnswer({
    clock: { monotonicMs: () => times.shift() ?? 0 },
    observe: (namespace, seconds) => void observed.push([namespace, seconds]),
  })
  const bytes = body instanceof Uint8Array ? body : Buffer.from(JSON.stringify(body))
  const { httpStatus, contentType: type, body: text } = await answer(contentType, bytes, decide)
  return { status: httpStatus, said: type === 'text/plain' ? text : (JSON.parse(text) as object), observed }
}

const reviewOf = (object: unknown, namespace?: string): object => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u', namespace, object },
})
const undecodable = (why: string): string => `couldn't get version/kind; json parse error: ${why}`
const never: DecideReview = () => assert.fail('asked')

for (const [what, body, uid, message] of [
  ['that is empty', new Uint8Array(0), '', 'request body is empty'],
  ['that is null', null, '', 'there is no content to decode'],
  ['that is a list', [], '', undecodable('a review is an object')],
  ['of another type', { kind: 1 }, '', 'json: cannot decode: kind is a number, not a string'],
  ['without an object', reviewOf(undefined), 'u', 'there is no content to decode'],
  ['whose object is null', reviewOf(null), 'u', 'there is no content to decode'],
  ['whose object is a list', reviewOf([]), 'u', undecodable('a pod is an object')],
  ['whose pod has a number as apiVersion', reviewOf({ apiVersion: 1 }), 'u', undecodable('apiVersion and kind are strings')],
  ['whose pod has a number as kind', reviewOf({ kind: 1 }), 'u', undecodable('apiVersion and kind are strings')],
  ['of no pod', reviewOf({ apiVersion: 'v1', kind: 'Secret' }), 'u', 'unable to decode /v1, Kind=Secret into *v1.Pod'],
  [
    'whose pod has a field of another type',
    reviewOf({ spec: { hostNetwork: 'yes' } }),
    'u',
    'json: cannot unmarshal string into Go struct field PodSpec.spec.hostNetwork of type bool',
  ],
] as const)
  test(`a review ${what} is denied with that in a reply of 200, and nobody is asked [§3.10]`, async () => {
    const { status, said } = await answered(body, never)
    assert.equal(status, 200)
    assert.deepEqual((said as { response: unknown }).response, { uid, allowed: false, status: { message, code: 400 } })
  })

test('a review as long as the limit is read, and one that is a byte longer is denied with the limit [§3.10]', async () => {
  const messageOf = async (length: number): Promise<unknown> => {
    const { said } = await answered(new Uint8Array(length), never)
    return (said as { response: { status: object } }).response.status
  }
  const { message } = (await messageOf(reviewBytesMax)) as { message: string }
  assert.match(message, /^couldn't get version\/kind; json parse error: /)
  assert.deepEqual(await messageOf(reviewBytesMax + 1), {
    message: `request entity is too large: limit is ${reviewBytesMax} bytes`,
    code: 413,
  })
})

test('a content type that is missing or another is told, in 512 characters at most [§5.9]', async () => {
  const messageOf = async (contentType: string | undefined): Promise<string> => {
    const observe = (): void => assert.fail('observed')
    const answer = azureAnswer({ clock: { monotonicMs: () => 0 }, observe })
    const { body } = await answer(contentType, Buffer.from('{}'), never)
    return (JSON.parse(body) as { response: { status: { message: string } } }).response.status.message
  }
  assert.equal(await messageOf(undefined), 'contentType=, expected application/json')
  assert.equal(await messageOf('text/plain'), 'contentType=text/plain, expected application/json')
  assert.equal(await messageOf('x'.repeat(1_000)), `contentType=${'x'.repeat(500)}`)
})

test('the media type counts with blanks around it and without its parameters [F-13]', async () => {
  const { said } = await answered(reviewOf({}), unchanged, ' application/json ; charset=utf-8')
  assert.deepEqual((said as { response: unknown }).response, { status: { code: 200 }, uid: 'u', allowed: true })
})

test('an object whose apiVersion and kind are null counts as a pod [Z-64]', async () => {
  const { said } = await answered(reviewOf({ apiVersion: null, kind: null }))
  assert.deepEqual((said as { response: unknown }).response, { status: { code: 200 }, uid: 'u', allowed: true })
})

for (const [what, verdict, status] of [
  ['400 where it has none of its own', { kind: 'refuse', message: 'no' }, { message: 'no', code: 400 }],
  ['its own', { kind: 'refuse', message: 'later', code: 429 }, { message: 'later', code: 429 }],
] as const satisfies readonly (readonly [string, ReviewVerdict, object])[])
  test(`a refusal has the code ${what}`, async () => {
    const { said } = await answered(reviewOf({}), () => verdict)
    assert.deepEqual((said as { response: unknown }).response, { uid: 'u', allowed: false, status })
  })

test('what nobody could decide is an error of the call, for the failure policy [F-21]', async () => {
  const { status, said } = await answered(reviewOf({}), () => ({ kind: 'fail', message: 'not now' }))
  assert.deepEqual([status, said], [500, 'not now\n'])
})

test('how long a review took is observed in seconds for its namespace, and of what is no review nothing', async () => {
  assert.deepEqual((await answered(reviewOf({}, 'ns1'))).observed, [['ns1', 2.5]])
  assert.deepEqual((await answered(reviewOf(null))).observed, [['', 2.5]], 'a denied one too')
  assert.deepEqual((await answered([])).observed, [])
  assert.deepEqual((await answered(new Uint8Array(0))).observed, [])
})
