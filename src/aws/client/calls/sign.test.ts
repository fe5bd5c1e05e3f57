// Vectors of the published signature test suite, and the worked examples of the S3 documentation.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WireRequest } from '../wire/protocols.ts'
import { presignRequest, type SigningScope, signRequest } from './sign.ts'

const suiteCredentials = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY' }
const suiteScope: SigningScope = {
  service: 'service',
  region: 'us-east-1',
  atMs: Date.UTC(2015, 7, 30, 12, 36, 0),
  escapePath: true,
  contentHash: false,
}

interface Vector {
  readonly name: string
  readonly request: Partial<WireRequest>
  readonly signedHeaders: string
  readonly signature: string
}

const suite: readonly Vector[] = [
  {
    name: 'get-vanilla',
    request: {},
    signedHeaders: 'host;x-amz-date',
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  {
    name: 'get-vanilla-query-order-key-case',
    request: { query: { Param2: 'value2', Param1: 'value1' } },
    signedHeaders: 'host;x-amz-date',
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  {
    name: 'get-vanilla-utf8-query',
    request: { query: { ሴ: 'bar' } },
    signedHeaders: 'host;x-amz-date',
    signature: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04',
  },
  {
    name: 'get-unreserved',
    request: { path: '/-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz' },
    signedHeaders: 'host;x-amz-date',
    signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f',
  },
  {
    name: 'get-header-value-trim',
    request: { headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' } },
    signedHeaders: 'host;my-header1;my-header2;x-amz-date',
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  {
    name: 'post-vanilla',
    request: { method: 'POST' },
    signedHeaders: 'host;x-amz-date',
    signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b',
  },
  {
    name: 'post-vanilla-query',
    request: { method: 'POST', query: { Param1: 'value1' } },
    signedHeaders: 'host;x-amz-date',
    signature: '28038455d6de14eafc1f9222cf5aa6f1a96197d7deb8263271d420d138af7f11',
  },
  {
    name: 'post-header-key-sort',
    request: { method: 'POST', headers: { 'my-header1': 'value1' } },
    signedHeaders: 'host;my-header1;x-amz-date',
    signature: 'c5410059b04c1ee005303aed430f6e6645f61f4dc9e1461ec8f8916fdf18852c',
  },
  {
    name: 'post-x-www-form-urlencoded',
    request: { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'Param1=value1' },
    signedHeaders: 'content-type;host;x-amz-date',
    signature: 'ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a',
  },
]

for (const { name, request, signedHeaders, signature } of suite) {
  test(`a request is signed as in the published vector ${name}`, async () => {
    const signed = await signRequest(wire(request), suiteCredentials, suiteScope)
    assert.equal(
      signed.headers['authorization'],
      `AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=${signedHeaders}, Signature=${signature}`,
    )
  })
}

const s3Credentials = { accessKeyId: 'AKIAIOSFODNN7EXAMPLE', secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY' }
const s3Scope: SigningScope = { service: 's3', region: 'us-east-1', atMs: Date.UTC(2013, 4, 24), escapePath: false }
const s3Host = 'examplebucket.s3.amazonaws.com'

const s3Examples: readonly (readonly [string, Partial<WireRequest>, string])[] = [
  [
    'GET object',
    { path: '/test.txt', headers: { host: s3Host, range: 'bytes=0-9' } },
    'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  ],
  [
    'GET bucket lifecycle',
    { query: { lifecycle: '' }, headers: { host: s3Host } },
    'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543',
  ],
  [
    'GET bucket (list objects)',
    { query: { 'max-keys': '2', prefix: 'J' }, headers: { host: s3Host } },
    '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  ],
]

for (const [name, request, signature] of s3Examples) {
  test(`the documented S3 example "${name}" has the documented signature`, async () => {
    const signed = await signRequest(wire({ hostname: s3Host, ...request }), s3Credentials, s3Scope)
    assert.match(signed.headers['authorization'] ?? '', new RegExp(`Signature=${signature}$`))
  })
}

test('the documented presigned URL has the documented signature', async () => {
  const request = wire({ hostname: s3Host, path: '/test.txt', headers: { host: s3Host } })
  const signed = await presignRequest(request, s3Credentials, { ...s3Scope, unsignedPayload: true, expiresInSeconds: 86_400 })
  assert.equal(signed.query['X-Amz-Signature'], 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404')
})

test('signing leaves the request it was given as it was', async () => {
  const request = wire({})
  const before = structuredClone(request)
  await signRequest(request, { ...suiteCredentials, sessionToken: 'token' }, suiteScope)
  assert.deepEqual(request, before)
})

function wire(request: Partial<WireRequest>): WireRequest {
  const host = request.headers?.['host'] ?? 'example.amazonaws.com'
  return { method: 'GET', hostname: host, path: '/', query: {}, ...request, headers: { host, ...request.headers } }
}
