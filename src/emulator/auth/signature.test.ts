import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { SignatureV4 } from '@smithy/signature-v4'
import * as fc from 'fast-check'
import { incomingOf } from '../core/incoming.ts'
import { allServices } from '../services.ts'
import { AddressBook } from '../wire/address.ts'
import { hmac, hmacKey } from './canonical.ts'
import { Sha256 } from './sha256.fixture.ts'
import { checkSignature, readClaim, SigningKeyMemory } from './signature.ts'

// AWS's published signing test suite (version 4, signature in the header): all share one key, scope and date.
const secret = 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY'
const scope = 'AKIDEXAMPLE/20150830/us-east-1/service/aws4_request'
const unreserved = '-._~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

interface Vector {
  readonly target?: string
  readonly method?: string
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly signed?: string
  readonly body?: string
  readonly signature: string
}

const vectors: Readonly<Record<string, Vector>> = {
  'get-header-key-duplicate': {
    headers: { 'my-header1': ['value2', 'value2', 'value1'] },
    signed: 'host;my-header1;x-amz-date',
    signature: 'c9d5ea9f3f72853aea855b47ea873832890dbdd183b4468f858259531a5138ea',
  },
  'get-header-value-order': {
    headers: { 'my-header1': ['value4', 'value1', 'value3', 'value2'] },
    signed: 'host;my-header1;x-amz-date',
    signature: '08c7e5a9acfcfeb3ab6b2185e75ce8b1deb5e634ec47601a50643f830c755c01',
  },
  'get-header-value-trim': {
    headers: { 'my-header1': ' value1', 'my-header2': ' "a   b   c"' },
    signed: 'host;my-header1;my-header2;x-amz-date',
    signature: 'acc3ed3afb60bb290fc8d2dd0098b9911fcaa05412b367055dee359757a9c736',
  },
  'get-slashes-normalized': {
    target: '//example//',
    signature: '9a624bd73a37c9a373b5312afbebe7a714a789de108f0bdfe846570885f57e84',
  },
  'get-relative-normalized': {
    target: '/example/..',
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  'get-slash-dot-slash-normalized': {
    target: '/./',
    signature: '5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31',
  },
  'get-space-normalized': {
    target: '/example space/',
    signature: '652487583200325589f1fba4c7e578f72c47cb61beeca81406b39ddec1366741',
  },
  'get-utf8': { target: '/ሴ', signature: '8318018e0b0f223aa2bbf98705b62bb787dc9c0e678f255a891fd03141be5d85' },
  'get-unreserved': { target: `/${unreserved}`, signature: '07ef7494c76fa4850883e2b006601f940f8a34d404d0cfa977f52a65bbf5f24f' },
  'get-vanilla-query-order-key-case': {
    target: '/?Param2=value2&Param1=value1',
    signature: 'b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500',
  },
  'get-vanilla-utf8-query': { target: '/?ሴ=bar', signature: '2cdec8eed098649ff3a119c94853b13c643bcf08f8b0a1d91e12c9027818dd04' },
  'get-vanilla-query-unreserved': {
    target: `/?${unreserved}=${unreserved}`,
    signature: '9c3e54bfcdf0b19771a7f523ee5669cdf59bc7cc0884027167c21bb143a40197',
  },
  'get-vanilla-empty-query-key': {
    target: '/?Param1=value1',
    signature: 'a67d582fa61cc504c4bae71f336f98b97f1ea3c7a6bfe1b6e45aec72011b9aeb',
  },
  'get-vanilla-with-session-token': {
    headers: { 'x-amz-security-token': '6e86291e8372ff2a2260956d9b8aae1d763fbf315fa00fa31553b73ebf194267' },
    signed: 'host;x-amz-date;x-amz-security-token',
    signature: '07ec1639c89043aa0e3e2de82b96708f198cceab042d4a97044c66dd9f74e7f8',
  },
  'post-vanilla': { method: 'POST', signature: '5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b' },
  'post-x-www-form-urlencoded': {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'content-length': '13',
      'x-amz-content-sha256': '9095672bbd1f56dfc5b65f3e153adc8731a4a654192329106275f4c7b24d0b6e',
    },
    signed: 'content-length;content-type;host;x-amz-content-sha256;x-amz-date',
    body: 'Param1=value1',
    signature: 'd3875051da38690788ef43de4db0d8f280229d82040bfac253562e56c3f20e0b',
  },
}

function isGood(vector: Vector, signature = vector.signature): boolean {
  const { method = 'GET', target = '/', headers = {}, signed = 'host;x-amz-date', body = '' } = vector
  const authorization = `AWS4-HMAC-SHA256 Credential=${scope}, SignedHeaders=${signed}, Signature=${signature}`
  const all = { host: 'example.amazonaws.com', 'x-amz-date': '20150830T123600Z', authorization, ...headers }
  return verified({ method, target, headers: all, body }, secret)
}

function verified(
  request: {
    method: string
    target: string
    headers: Readonly<Record<string, string | readonly string[]>>
    body: string | Uint8Array
  },
  key: string,
): boolean {
  const body = Buffer.from(request.body as Uint8Array)
  const { raw, wire } = incomingOf({ ...request, body }, body, new AddressBook(allServices))
  const reading = readClaim(raw)
  assert.equal(reading.kind, 'claim')
  if (reading.kind !== 'claim') return false
  return checkSignature(wire, reading.claim, new SigningKeyMemory().keyOf(key, reading.claim.scope)).good
}

for (const [name, vector] of Object.entries(vectors)) {
  test(`${name} of the published suite is verified, and nothing near it`, () => {
    assert.equal(isGood(vector), true)
    const flipped = `${vector.signature.startsWith('0') ? '1' : '0'}${vector.signature.slice(1)}`
    assert.equal(isGood(vector, flipped), false)
    assert.equal(isGood({ ...vector, method: 'DELETE' }), false)
    assert.equal(isGood({ ...vector, body: 'x' }), false)
    assert.equal(isGood({ ...vector, target: `${vector.target ?? '/'}${vector.target?.includes('?') ? '&' : '?'}x=y` }), false)
  })
}

// The SDK's own signer as the other opinion, over whatever a client may send.

const segment = fc.oneof(
  fc.constantFrom('a', 'clusters', 'a b', 'ä', '%41', '*', "it's", '(x)', 'a+b', 'a=b', '~'),
  fc.string({ minLength: 1, maxLength: 6 }).filter(text => !/^\.{1,2}$/.test(text)),
)
const query = fc.dictionary(fc.string({ minLength: 1, maxLength: 6 }), fc.string({ maxLength: 6 }), {
  maxKeys: 4,
  noNullPrototype: true,
})
const call = fc.record({
  service: fc.constantFrom('iam', 's3', 'eks', 'route53'),
  method: fc.constantFrom('GET', 'POST', 'PUT', 'DELETE'),
  segments: fc.array(segment, { maxLength: 4 }),
  query,
  body: fc.string({ maxLength: 20 }),
  header: fc.stringMatching(/^[ -~]{0,20}$/),
  presign: fc.boolean(),
})

const rfc3986 = (text: string): string =>
  encodeURIComponent(text).replace(/[!'()*]/g, character => `%${character.charCodeAt(0).toString(16).toUpperCase()}`)

test("whatever the SDK's signer signs is verified, in headers and in presigned URLs", async () => {
  await fc.assert(
    fc.asyncProperty(call, async ({ service, method, segments, query: parameters, body, header, presign }) => {
      const signer = new SignatureV4({
        credentials: { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: secret },
        region: 'eu-west-1',
        service,
        sha256: Sha256 as never,
        uriEscapePath: service !== 's3',
        applyChecksum: service === 's3' && !presign,
      })
      const path = `/${segments.map(rfc3986).join('/')}`
      const sent = presign && service !== 's3' ? '' : body
      const request = {
        method,
        protocol: 'https:',
        hostname: 'h.example',
        path,
        query: parameters,
        headers: {
          host: 'h.example',
          'x-amz-meta-x': header,
          ...(presign && service === 's3' ? { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' } : {}),
        },
        body: sent,
      }
      const options = { signingDate: new Date(Date.UTC(2026, 0, 2, 3, 4, 5)) }
      const signed = presign ? await signer.presign(request, { ...options, expiresIn: 60 }) : await signer.sign(request, options)
      const pairs = Object.entries(signed.query ?? {}).map(([key, value]) => `${rfc3986(key)}=${rfc3986(String(value))}`)
      const target = pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
      assert.equal(verified({ method, target, headers: signed.headers, body: sent }, secret), true)
      assert.equal(verified({ method, target, headers: signed.headers, body: sent }, `${secret}x`), false)
    }),
    { numRuns: 300 },
  )
})

test('our HMAC is the one of Node for keys and texts of any length', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 150 }), fc.string({ maxLength: 200 }), (key, text) => {
      assert.equal(hmac(hmacKey(key), text).toString('hex'), createHmac('sha256', key).update(text, 'utf8').digest('hex'))
    }),
  )
})
