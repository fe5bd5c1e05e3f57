import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../../model/service-model.ts'
import { InputError } from '../calls/input.ts'
import type { S3Addressing } from './deviation.ts'
import { s3Deviations } from './s3.ts'

const operation = (name: string): Operation => ({ name }) as Operation
const stated = (location: string): object => ({ CreateBucketConfiguration: { LocationConstraint: location } })

for (const [what, region, given, sent] of [
  ['in us-east-1 says nothing of where it is', 'us-east-1', {}, {}],
  ['elsewhere is where its client is', 'eu-west-1', {}, stated('eu-west-1')],
  ['is where its author says', 'eu-west-1', stated('eu-north-1'), stated('eu-north-1')],
  ['is where its author says, from us-east-1 as well', 'us-east-1', stated('eu-north-1'), stated('eu-north-1')],
  [
    'in us-east-1, which its author says, says nothing of it',
    'eu-west-1',
    stated('us-east-1'),
    { CreateBucketConfiguration: {} },
  ],
  [
    'in a zone is where its author says',
    'eu-west-1',
    { CreateBucketConfiguration: { Location: { Name: 'euw1-az1' } } },
    { CreateBucketConfiguration: { Location: { Name: 'euw1-az1' } } },
  ],
  [
    'keeps what else is said of it',
    'eu-west-1',
    { CreateBucketConfiguration: { Tags: [] } },
    { CreateBucketConfiguration: { Tags: [], LocationConstraint: 'eu-west-1' } },
  ],
] as const)
  test(`a bucket ${what}`, () => {
    const input = { Bucket: 'b', ...given }
    assert.deepEqual(s3Deviations.input?.(operation('CreateBucket'), input, { region }), { Bucket: 'b', ...sent })
    assert.equal(s3Deviations.input?.(operation('HeadBucket'), input, { region }), input)
  })

interface Asked {
  readonly url?: string
  readonly name?: string
  readonly addressing?: S3Addressing
}

function endpointOf(
  bucket: unknown,
  { url = 'https://s3.eu-west-1.amazonaws.com', name = 'HeadBucket', addressing = 'auto' }: Asked,
) {
  const isCustom = !url.includes('amazonaws.com')
  const endpoint = { url: new URL(url), signingRegion: 'eu-west-1', isCustom }
  const found = s3Deviations.endpoint?.(endpoint, { Bucket: bucket }, { operation: operation(name), addressing })
  return found === endpoint ? 'the same' : `${found?.url.href} ${found?.signingName ?? 's3'}`
}

const at = 's3.eu-west-1.amazonaws.com'
for (const [bucket, asked, endpoint] of [
  [undefined, { name: 'ListBuckets' }, 'the same'],
  ['plain', {}, `https://plain.${at}/ s3`],
  ['plain', { addressing: 'path' }, `https://${at}/plain s3`],
  ['dot.ted', {}, `https://${at}/dot.ted s3`],
  ['dot.ted', { url: `http://${at}` }, `http://dot.ted.${at}/ s3`],
  ['dot.ted', { addressing: 'virtual' }, `https://dot.ted.${at}/ s3`],
  ['dot..ted', { addressing: 'virtual' }, `https://${at}/dot..ted s3`],
  ['Upper', {}, `https://${at}/Upper s3`],
  ['a b', {}, `https://${at}/a%20b s3`],
  ['ab', {}, `https://${at}/ab s3`],
  ['abc', {}, `https://abc.${at}/ s3`],
  ['x'.repeat(63), {}, `https://${'x'.repeat(63)}.${at}/ s3`],
  ['x'.repeat(64), {}, `https://${at}/${'x'.repeat(64)} s3`],
  ['plain', { url: 'http://127.0.0.1:9000/base/' }, 'http://127.0.0.1:9000/base/plain s3'],
  ['plain', { url: 'http://minio.local', addressing: 'virtual' }, 'http://plain.minio.local/ s3'],
  [
    'd--euw1-az1--x-s3',
    { name: 'CreateBucket' },
    'https://s3express-control.eu-west-1.amazonaws.com/d--euw1-az1--x-s3 s3express',
  ],
  ['d--x-s3', { name: 'PutBucketPolicy', url: 'http://127.0.0.1:9000' }, 'http://127.0.0.1:9000/d--x-s3 s3express'],
  [undefined, { name: 'ListDirectoryBuckets' }, 'https://s3express-control.eu-west-1.amazonaws.com/ s3express'],
] as const)
  test(`${JSON.stringify(bucket)?.slice(0, 24)} is asked ${JSON.stringify(asked)} at ${endpoint.slice(0, 60)}`, () =>
    assert.equal(endpointOf(bucket, asked), endpoint))

for (const [bucket, asked, message] of [
  ['', {}, /is empty/],
  ['arn:aws:s3:eu-west-1:1:accesspoint/x', {}, /access points are not supported/],
  ['d--x-s3', { name: 'GetObject' }, /a directory bucket takes no GetObject here/],
] as const)
  test(`the bucket ${JSON.stringify(bucket)} is refused`, () =>
    assert.throws(() => endpointOf(bucket, asked), { constructor: InputError, message }))

const bytes = (text: string): Uint8Array => Buffer.from(text)
const answer = (statusCode: number, body: string, headers: Readonly<Record<string, string>> = {}) => ({
  statusCode,
  headers,
  body: bytes(body),
})
const region = '<Error><Code>PermanentRedirect</Code><Region>eu-north-1</Region></Error>'
const malformed = '<Error><Code>AuthorizationHeaderMalformed</Code><Region>eu-north-1</Region></Error>'

for (const [what, response, expected] of [
  ['a redirect with a header', answer(301, '', { 'x-amz-bucket-region': 'eu-west-3' }), 'eu-west-3'],
  ['a redirect with a region in its text', answer(307, region), 'eu-north-1'],
  ['a redirect without one', answer(301, '<Error/>'), undefined],
  ['a signature for another region', answer(400, malformed), 'eu-north-1'],
  ['a header beside a refusal', answer(400, '<Error/>', { 'x-amz-bucket-region': 'eu-west-3' }), 'eu-west-3'],
  ['another refusal that speaks of a region', answer(400, region), undefined],
  ['an answer that is none of these', answer(404, region, { 'x-amz-bucket-region': 'eu-west-3' }), undefined],
] as const)
  test(`${what} leads to ${expected ?? 'no other region'}`, () => assert.equal(s3Deviations.redirect?.(response), expected))

for (const [body, status] of [
  ['<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>', 500],
  ['  <Error>', 500],
  ['<CopyObjectResult/>', undefined],
  ['', undefined],
] as const)
  test(`a good status over ${JSON.stringify(body)} is ${status ?? 'what it says'}`, () =>
    assert.equal(s3Deviations.hiddenFailure?.(operation('CopyObject'), answer(200, body)), status))

test('what is no time in `Expires` is left out, and a time stays', () => {
  const withExpires = (expires: string) => answer(200, '', { expires, etag: 'e' })
  assert.deepEqual(s3Deviations.response?.(withExpires('never')).headers, { etag: 'e' })
  for (const response of [withExpires('Thu, 01 Jan 2026 00:00:00 GMT'), answer(200, '')])
    assert.equal(s3Deviations.response?.(response), response)
})
