// What the conversion webhook takes, and the words with which it refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, silentLog } from '#base'
import { annotations } from '../api/names.ts'
import { answerReview, conversionHandler } from './review.ts'

const group = 'externaldns.olm.openshift.io'
const object = (more: object = {}): object => ({
  apiVersion: `${group}/v1beta1`,
  kind: 'ExternalDNS',
  metadata: { name: 'blue' },
  spec: { provider: { type: 'AWS' }, source: { type: 'OpenShiftRoute' } },
  ...more,
})

function ask(objects: readonly unknown[], desiredAPIVersion: unknown = `${group}/v1beta2`) {
  const counted: string[] = []
  const answer = answerReview(
    { uid: 'u', desiredAPIVersion, objects },
    () => undefined,
    (...words) => void counted.push(words.join(' ')),
  )
  return { ...answer, counted }
}

const odd = 'cannot be converted:'

for (const [what, bad, message] of [
  ['that is a text', 'x', `object 1 ${odd} it is no object`],
  ['that is nothing', null, `object 1 ${odd} it is no object`],
  ['that is a list', [], `object 1 ${odd} it is no object`],
  ['without a kind', object({ kind: undefined }), `object 1 (blue) ${odd} its kind is null, not ExternalDNS`],
  ['of another kind', object({ kind: 'Other' }), `object 1 (blue) ${odd} its kind is "Other", not ExternalDNS`],
  ['whose metadata is a text', object({ metadata: 'x' }), `object 1 ${odd} its metadata is no object`],
  [
    'whose annotations are a text',
    object({ metadata: { name: 'blue', annotations: 'x' } }),
    `object 1 (blue) ${odd} its annotations are no object`,
  ],
  [
    'whose name is a number',
    object({ kind: 'Other', metadata: { name: 1 } }),
    `object 1 ${odd} its kind is "Other", not ExternalDNS`,
  ],
  ['without a version', object({ apiVersion: undefined }), `object 1 (blue) ${odd} this knows no version null`],
  ['whose version is a number', object({ apiVersion: 1 }), `object 1 (blue) ${odd} this knows no version 1`],
  [
    'of a version that nobody knows',
    object({ apiVersion: `${group}/v9` }),
    `object 1 (blue) ${odd} this knows no version "${group}/v9"`,
  ],
] as const)
  test(`an object ${what} fails the review of it and of all others`, () => {
    const { convertedObjects, result, counted } = ask([object(), bad, object()])
    assert.deepEqual([convertedObjects, result], [[], { status: 'Failure', message }])
    assert.deepEqual(counted, ['v1beta1 v1beta2 success', 'unknown v1beta2 failure'])
  })

test('an object without metadata, or with annotations that are null, is converted', () => {
  for (const good of [object(), object({ metadata: undefined }), object({ metadata: { annotations: null } })])
    assert.deepEqual(ask([good]).result, { status: 'Success' })
})

test('a version that nobody knows is converted to by nobody', () => {
  for (const [version, said] of [
    [`${group}/v9`, `"${group}/v9"`],
    [1, '1'],
    [null, 'null'],
  ] as const)
    assert.deepEqual(ask([object()], version).result, { status: 'Failure', message: `this converts to no version ${said}` })
  const { result } = answerReview(
    { uid: 'u', desiredAPIVersion: undefined, objects: [] },
    () => undefined,
    () => undefined,
  )
  assert.equal(result.message, 'this converts to no version null')
})

const review = (request: unknown, more: object = {}): string => JSON.stringify({ kind: 'ConversionReview', request, ...more })
const request = { uid: 'u', desiredAPIVersion: `${group}/v1beta2`, objects: [object()] }
const posted = async (body: string | Uint8Array, contentType = 'application/json', log: Log = silentLog) => {
  const handle = conversionHandler(log, () => undefined)
  const answer = await handle({ contentType, body: Buffer.from(body) } as never)
  return { ...answer, text: Buffer.from(answer.body as Uint8Array).toString() }
}

for (const [what, body, contentType, status, text] of [
  ['in another language', review(request), 'text/plain', 415, 'the content type must be application/json'],
  ['that nests too deeply', `${'['.repeat(5_000)}${']'.repeat(5_000)}`, undefined, 400, /^the review cannot be taken: /],
  ['that is no JSON', '{', undefined, 400, 'the body is no JSON'],
  [
    'with bytes that are no text',
    Buffer.concat([Buffer.from('"'), Buffer.from([0xff]), Buffer.from('"')]),
    undefined,
    400,
    'the body is no JSON',
  ],
  ['that is a list', '[]', undefined, 400, 'the body is no ConversionReview'],
  ['of another kind', review(request, { kind: 'AdmissionReview' }), undefined, 400, 'the body is no ConversionReview'],
  ['without a request', review(undefined), undefined, 400, 'the review has no request with a uid'],
  ['without a uid', review({ objects: [] }), undefined, 400, 'the review has no request with a uid'],
  ['without objects', review({ uid: 'u' }), undefined, 400, 'the request of the review has no list of objects'],
] as const)
  test(`a review ${what} is refused with ${status}`, async () => {
    const answer = await posted(body, contentType)
    assert.equal(answer.status, status)
    if (typeof text === 'string') assert.equal(answer.text, `${text}\n`)
    else assert.match(answer.text, text)
  })

test('a review is answered under its uid, and a damaged annotation is told of by the name of its object', async () => {
  const told: unknown[] = []
  const log = { ...silentLog, warn: (...words: readonly unknown[]) => void told.push(words) }
  const damaged = object({ metadata: { name: 'red', annotations: { [annotations.conversionData]: '{' } } })
  const answer = await posted(review({ ...request, objects: [object(), damaged] }), undefined, log)
  assert.equal(answer.status, 200)
  const { response } = JSON.parse(answer.text)
  assert.deepEqual([response.uid, response.result, response.convertedObjects.length], ['u', { status: 'Success' }, 2])
  assert.deepEqual(told, [['the saved fields of an object cannot be read and are dropped', { name: 'red' }]])
})
