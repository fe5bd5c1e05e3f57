import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PodOperation, renderOperations } from './patch.ts'
import { answerReview, type DecideReview, reviewBytesMax } from './review.ts'

const nothing: DecideReview = () => ({ kind: 'allow', operations: [] })
const label: DecideReview = () => ({
  kind: 'allow',
  operations: [{ op: 'add', path: '/metadata/labels', value: { a: 'b' } }],
})
const bytes = (value: unknown): Uint8Array => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value))
const review = (more: object = {}) => ({
  apiVersion: 'admission.k8s.io/v1',
  kind: 'AdmissionReview',
  request: { uid: 'u-1', namespace: 'ns', object: { kind: 'Pod' }, ...more },
})
const ask = async (body: unknown, decide = nothing, type = 'application/json') => {
  const answer = await answerReview(type, bytes(body), decide)
  return { ...answer, body: answer.contentType === 'text/plain' ? answer.body : (JSON.parse(answer.body) as unknown) }
}

test('nothing to do is allowed without a patch', async () => {
  assert.deepEqual((await ask(review())).body, {
    kind: 'AdmissionReview',
    apiVersion: 'admission.k8s.io/v1',
    response: { uid: 'u-1', allowed: true },
  })
})

test('a patch comes with its type, in base64', async () => {
  const { response } = (await ask(review(), label)).body as { response: { patchType: string; patch: string } }
  assert.equal(response.patchType, 'JSONPatch')
  assert.deepEqual(JSON.parse(Buffer.from(response.patch, 'base64').toString()), [
    { op: 'add', path: '/metadata/labels', value: { a: 'b' } },
  ])
})

test('the version of the review is repeated [A-94]', async () => {
  const { body } = await ask({ ...review(), apiVersion: 'admission.k8s.io/v1beta1' })
  assert.equal((body as { apiVersion: string }).apiVersion, 'admission.k8s.io/v1beta1')
})

test('a review without a version is answered in v1 [P-02, F-10]', async () => {
  const { body } = await ask({ request: { uid: 'u-2', object: {} } })
  assert.deepEqual(body, { kind: 'AdmissionReview', apiVersion: 'admission.k8s.io/v1', response: { uid: 'u-2', allowed: true } })
})

for (const body of ['', 'null', '{}', '[]', '{"request":null}']) {
  test(`${JSON.stringify(body)} is bad content, refused with an empty uid [A-97]`, async () => {
    const answer = await ask(body)
    assert.equal(answer.httpStatus, 200)
    assert.deepEqual((answer.body as { response: unknown }).response, {
      uid: '',
      allowed: false,
      status: { message: 'bad content' },
    })
  })
}

test('what is no JSON is refused with the reason [A-97]', async () => {
  const { response } = (await ask('{')).body as { response: { allowed: boolean; uid: string; status: { message: string } } }
  assert.deepEqual([response.allowed, response.uid], [false, ''])
  assert.match(response.status.message, /JSON/)
})

test('a review without an object is refused with its uid', async () => {
  assert.deepEqual(((await ask(review({ object: undefined }))).body as { response: unknown }).response, {
    uid: 'u-1',
    allowed: false,
    status: { message: 'unexpected end of JSON input' },
  })
})

test('a charset does not matter [A-98, F-13]', async () => {
  assert.equal((await ask(review(), nothing, 'application/json; charset=utf-8')).httpStatus, 200)
})

test('another media type is refused [A-99]', async () => {
  assert.equal((await ask(review(), nothing, 'application/xml')).httpStatus, 415)
})

test('the limit of the body is exact [P-04, F-11, X6]', async () => {
  const answer = async (size: number) => (await answerReview('application/json', new Uint8Array(size), nothing)).httpStatus
  assert.deepEqual(
    [await answer(reviewBytesMax - 1), await answer(reviewBytesMax), await answer(reviewBytesMax + 1)],
    [200, 200, 413],
  )
})

test('a patch stands in the answer whole, whatever stands around it', async () => {
  const uid = 'quoted "}} \\ and \u2028'
  const verdict: DecideReview = () => ({
    kind: 'allow',
    operations: [{ op: 'add', path: '/a', value: 'b' }],
    warnings: ['odd "}}'],
    audit: { key: '"}}' },
  })
  const { body } = await ask({ ...review(), request: { uid, object: {} } }, verdict)
  assert.deepEqual((body as { response: unknown }).response, {
    uid,
    allowed: true,
    patchType: 'JSONPatch',
    warnings: ['odd "}}'],
    auditAnnotations: { key: '"}}' },
    patch: Buffer.from('[{"op":"add","path":"/a","value":"b"}]').toString('base64'),
  })
})

test('operations are rendered as JSON has them, values that several share too', () => {
  const shared = { name: 'é "quoted" \u2028', list: [1, null, { deep: true }] }
  const operations: readonly PodOperation[] = [
    { op: 'add', path: '/metadata/labels/a~1b"c', value: shared },
    { op: 'replace', path: '/spec/volumes/0', value: [] },
    { op: 'add', path: '/spec/containers/0/env/-', value: shared },
    { op: 'add', path: '', value: null },
    { op: 'add', path: '/x', value: '' },
  ]
  for (let count = 0; count <= operations.length; count++) {
    const some = operations.slice(0, count)
    assert.equal(renderOperations(some), JSON.stringify(some))
  }
})
