import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Claim, SigningKeyMemory } from '../auth/signature.ts'
import { ServiceError } from '../error.ts'
import { allServices } from '../services.ts'
import { AddressBook } from '../wire/address.ts'
import { checksumOf } from '../wire/checksums.ts'
import { provenBody } from './body.ts'
import { incomingOf } from './incoming.ts'

function requestOf(body: string, headers: Readonly<Record<string, string>>): Parameters<typeof provenBody>[0] {
  const bytes = Buffer.from(body, 'latin1')
  return incomingOf(
    { method: 'PUT', target: '/b/k', headers: { host: 's3.amazonaws.com', ...headers }, body: bytes },
    bytes,
    new AddressBook(allServices),
  ).raw
}

const refusal = (work: () => unknown): string => {
  try {
    work()
  } catch (error) {
    assert.ok(error instanceof ServiceError)
    return error.code
  }
  return 'none'
}

test('a chunked body with a trailer comes out as its bytes, without aws-chunked, and its checksum is compared [#2]', () => {
  const headers = {
    'content-encoding': 'gzip, aws-chunked',
    'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
    'x-amz-decoded-content-length': '11',
  }
  const chunked = (checksum: string): string => `5\r\nhello\r\n6\r\n world\r\n0\r\nx-amz-checksum-crc32:${checksum}\r\n\r\n`
  const good = provenBody(requestOf(chunked(checksumOf('crc32', Buffer.from('hello world'))), headers), undefined, undefined)
  assert.equal(Buffer.from(good.body).toString(), 'hello world')
  assert.equal(good.headers['content-encoding'], 'gzip')
  assert.equal(
    refusal(() => provenBody(requestOf(chunked('AAAAAA=='), headers), undefined, undefined)),
    'BadDigest',
  )
  assert.equal(
    refusal(() => provenBody(requestOf('5\r\nhell', headers), undefined, undefined)),
    'IncompleteBody',
  )
  assert.equal(
    refusal(() => provenBody(requestOf('0\r\n\r\n', headers), undefined, undefined)),
    'IncompleteBody',
  )
})

test('a digest that is not the body’s is refused', () => {
  const digest = (hex: string): string =>
    refusal(() => provenBody(requestOf('x', { 'x-amz-content-sha256': hex }), undefined, undefined))
  assert.equal(digest('2d711642b726b04401627ca9fbac32f5c8530fb1903cc4db02258717921a4881'), 'none')
  assert.equal(digest('0'.repeat(64)), 'XAmzContentSHA256Mismatch')
})

test("the signatures of the chunks in AWS's published example hold, and a changed chunk does not", () => {
  const scope = { date: '20130524', region: 'us-east-1', service: 's3' }
  const seed = '4f232c4386841ef735655705268965c44a0e4690baa4adea153f7db9fa80a0a9'
  const claim: Claim = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    scope,
    signedHeaders: ['host'],
    signature: seed,
    timestamp: '20130524T000000Z',
    signedAtMs: Date.UTC(2013, 4, 24),
    sessionToken: undefined,
    expiresS: undefined,
  }
  const checked = {
    good: true,
    seedSignature: seed,
    key: new SigningKeyMemory().keyOf('wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY', scope),
  }
  const body = (letter: string): string =>
    [
      `10000;chunk-signature=ad80c730a21e5b8d04586a2213dd63b9a0e99e0e2307b0ade35a65485a288648\r\n${'a'.repeat(65_536)}\r\n`,
      `400;chunk-signature=0055627c9e194cb4542bae2aa5492e3c1575bbb81b612b7d234b86a503ef5497\r\n${letter.repeat(1_024)}\r\n`,
      '0;chunk-signature=b6c6ea8a5354eaf15b3cb7646744f4275b71ea724fed81ceb9323e279d449df9\r\n\r\n',
    ].join('')
  const headers = {
    'content-encoding': 'aws-chunked',
    'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
    'x-amz-decoded-content-length': '66560',
  }
  assert.equal(provenBody(requestOf(body('a'), headers), claim, checked).body.length, 66_560)
  assert.equal(
    refusal(() => provenBody(requestOf(body('b'), headers), claim, checked)),
    'SignatureDoesNotMatch',
  )
})
