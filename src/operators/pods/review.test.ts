import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PodOperation, renderOperations } from './patch.ts'
import { answerReview, type DecideReview, mediaType, type ReviewVerdict } from './review.ts'

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
  assert.deepEqual([await answer(7_340_031), await answer(7_340_032), await answer(7_340_033)], [200, 200, 413])
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

const responseOf = async (body: unknown, decide: DecideReview = nothing): Promise<unknown> =>
  ((await ask(body, decide)).body as { response: unknown }).response

for (const [what, verdict, response] of [
  ['with its sentence', { kind: 'refuse', message: 'no' }, { message: 'no' }],
  [
    'with a code, a reason and a time to try again where they are given',
    { kind: 'refuse', message: 'later', code: 429, reason: 'TooManyRequests', retryAfterSeconds: 1 },
    { message: 'later', code: 429, reason: 'TooManyRequests', details: { retryAfterSeconds: 1 } },
  ],
] as const satisfies readonly (readonly [string, ReviewVerdict, object])[])
  test(`a pod is refused ${what}`, async () => {
    assert.deepEqual(await responseOf(review(), () => verdict), { uid: 'u-1', allowed: false, status: response })
  })

test('what nobody could decide is an error of the call, in plain text', async () => {
  assert.deepEqual(await ask(review(), () => ({ kind: 'fail', message: 'not now' })), {
    httpStatus: 500,
    contentType: 'text/plain',
    body: 'not now\n',
    result: 'error',
  })
})

test('an answer is counted by what became of the pod', async () => {
  const refuse: DecideReview = () => ({ kind: 'refuse', message: 'no' })
  const resultOf = async (decide: DecideReview): Promise<readonly unknown[]> => {
    const { httpStatus, contentType, result } = await ask(review(), decide)
    return [httpStatus, contentType, result]
  }
  assert.deepEqual(await resultOf(nothing), [200, 'application/json', 'unchanged'])
  assert.deepEqual(await resultOf(label), [200, 'application/json', 'mutated'])
  assert.deepEqual(await resultOf(refuse), [200, 'application/json', 'denied'])
})

test('five warnings of 256 characters are passed on, and none to a server of v1beta1 [§5.1]', async () => {
  const warned: DecideReview = () => ({
    kind: 'allow',
    operations: [],
    warnings: Array.from({ length: 7 }, () => 'w'.repeat(300)),
  })
  const { warnings } = (await responseOf(review(), warned)) as { warnings: readonly string[] }
  assert.deepEqual(
    warnings,
    Array.from({ length: 5 }, () => 'w'.repeat(256)),
  )
  const beta = { ...review(), apiVersion: 'admission.k8s.io/v1beta1' }
  assert.deepEqual(await responseOf(beta, warned), { uid: 'u-1', allowed: true })
})

for (const [what, body, uid, message] of [
  ['whose object is null', review({ object: null }), 'u-1', 'unexpected end of JSON input'],
  ['whose object is a list', review({ object: [] }), 'u-1', 'the object of the review is no JSON object'],
  [
    'whose pod has a part of another type',
    review({ object: { spec: 1 } }),
    'u-1',
    'json: cannot decode: spec is a number, not an object',
  ],
  ['that is misshapen around the pod', { ...review(), kind: 1 }, '', 'json: cannot decode: kind is a number, not a string'],
] as const)
  test(`a review ${what} is refused with that, and nobody is asked`, async () => {
    const never: DecideReview = () => assert.fail('asked')
    assert.deepEqual(await responseOf(body, never), { uid, allowed: false, status: { message } })
  })

test('what is no UTF-8 is refused as that', async () => {
  const answer = await answerReview('application/json', Uint8Array.of(0x22, 0xff, 0x22), nothing)
  assert.match(answer.body, /"message":"the review is no UTF-8"/)
})

test('a review that cannot be taken by its shape is refused with the words of whoever looked, 256 characters of it [§5.9]', async () => {
  const answer = await answerReview('application/json', bytes(review()), nothing, () => 'x'.repeat(1_000))
  const { response } = JSON.parse(answer.body) as { response: { uid: string; status: { message: string } } }
  assert.deepEqual([response.uid, response.status.message], ['', `the review cannot be taken: ${'x'.repeat(228)}`])
})

test('a review is read from where it stands among other bytes', async () => {
  const text = JSON.stringify(review())
  const around = Buffer.from(`xx${text}yy`)
  const answer = await answerReview('application/json', around.subarray(2, 2 + text.length), nothing)
  assert.match(answer.body, /"uid":"u-1","allowed":true/)
})

test('the pod is decided on in the namespace of the request, which may be missing', async () => {
  const asked: unknown[] = []
  const remember: DecideReview = subject => {
    asked.push(subject)
    return { kind: 'allow', operations: [] }
  }
  for (const namespace of ['ns', undefined]) await ask(review({ namespace }), remember)
  assert.deepEqual(asked, [
    { namespace: 'ns', object: { kind: 'Pod' } },
    { namespace: '', object: { kind: 'Pod' } },
  ])
})

test('of a content type the part before its parameters counts, in any letter case', () => {
  const types = ['application/json', ' Application/JSON ; charset=utf-8', '', ';a', undefined]
  assert.deepEqual(types.map(mediaType), ['application/json', 'application/json', '', '', ''])
})
