import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allServices } from '../services.ts'
import { AddressBook, type Addressed, type RequestAddress } from './address.ts'

const book = new AddressBook(allServices)

const request = (host: string, more: Partial<Addressed> & { version?: string } = {}): Addressed => ({
  host,
  path: '/',
  query: new Map(),
  headers: {},
  formVersion: () => more.version,
  ...more,
})
const signed = (service: string, region = 'eu-central-1') => ({
  authorization: `AWS4-HMAC-SHA256 Credential=AKIA/20260101/${region}/${service}/aws4_request, SignedHeaders=host, Signature=0`,
})

const hosts: readonly (readonly [host: string, service: string, region: string | undefined, bucket?: string])[] = [
  ['iam.amazonaws.com', 'iam', 'us-east-1'],
  ['iam.cn-north-1.amazonaws.com.cn', 'iam', 'cn-north-1'],
  ['iam.us-gov.amazonaws.com', 'iam', 'us-gov-west-1'],
  ['sts.amazonaws.com:443', 'sts', 'us-east-1'],
  ['sts-fips.us-west-2.amazonaws.com', 'sts', 'us-west-2'],
  ['s3.amazonaws.com', 's3', undefined],
  ['s3.eu-west-1.amazonaws.com', 's3', 'eu-west-1'],
  ['s3-eu-west-1.amazonaws.com', 's3', 'eu-west-1'],
  ['b.s3.dualstack.eu-west-1.amazonaws.com', 's3', 'eu-west-1', 'b'],
  ['a.b.c.s3.eu-west-1.amazonaws.com', 's3', 'eu-west-1', 'a.b.c'],
  ['b.s3.amazonaws.com', 's3', undefined, 'b'],
  ['eks-auth.eu-west-1.api.aws', 'eks-auth', 'eu-west-1'],
  ['oidc.eks.eu-west-1.amazonaws.com', 'issuer', 'eu-west-1'],
  ['acm.cn-north-1.amazonaws.com.cn', 'acm', 'cn-north-1'],
  ['route53.amazonaws.com.cn', 'route53', 'cn-northwest-1'],
  ['organizations.us-east-1.amazonaws.com', 'organizations', 'us-east-1'],
]
for (const [host, service, region, bucket] of hosts) {
  test(`the host ${host} is ${service} in ${region ?? 'the region of the scope'}`, () => {
    assert.deepEqual(book.addressOf(request(host)), { service, region, bucket, hostNamed: true })
  })
}

test('behind one address the target, then the scope, then the form, then the path say which service is meant', () => {
  const at = (more: Partial<Addressed> & { version?: string }): RequestAddress['service'] =>
    book.addressOf(request('127.0.0.1:4566', more)).service
  assert.equal(at({ headers: { 'x-amz-target': 'CertificateManager.ListCertificates', ...signed('iam') } }), 'acm')
  assert.equal(at({ headers: signed('eks-auth'), path: '/clusters/c/assume-role-for-pod-identity' }), 'eks-auth')
  assert.equal(at({ headers: signed('eks'), path: '/clusters' }), 'eks')
  assert.equal(at({ query: new Map([['X-Amz-Credential', 'AKIA/20260101/eu-west-1/sts/aws4_request']]) }), 'sts')
  assert.equal(at({ version: '2011-06-15' }), 'sts')
  assert.equal(at({ query: new Map([['Version', '2010-05-08']]) }), 'iam')
  assert.equal(at({ path: '/2013-04-01/hostedzone' }), 'route53')
  assert.equal(at({ path: '/clusters/c/assume-role-for-pod-identity' }), 'eks-auth')
  assert.equal(at({ path: '/tags/arn%3Aaws%3Aeks%3Aeu-west-1%3A1%3Acluster%2Fc' }), 'eks')
  assert.equal(at({ path: '/id/0123456789ABCDEF0123456789ABCDEF/keys' }), 'issuer')
  assert.equal(at({ path: '/bucket/key' }), 's3')
  assert.deepEqual(at({ headers: signed('lambda'), path: '/2015-03-31/functions' }), { unserved: 'lambda' })
  assert.deepEqual(at({ headers: { 'x-amz-target': 'DynamoDB_20120810.ListTables' } }), { unserved: 'DynamoDB_20120810' })
})

test('a scope names the region when the host does not; of a global service the host does', () => {
  assert.equal(book.addressOf(request('localhost', { headers: signed('iam') })).region, 'eu-central-1')
  assert.equal(book.addressOf(request('s3.amazonaws.com', { headers: signed('s3') })).region, 'eu-central-1')
  assert.equal(book.addressOf(request('iam.amazonaws.com', { headers: signed('iam') })).region, 'us-east-1')
})

test('names under localhost are buckets only for S3', () => {
  assert.equal(book.addressOf(request('b.localhost:4566')).bucket, 'b')
  assert.equal(book.addressOf(request('a.b.s3.localhost')).bucket, 'a.b')
  assert.equal(book.addressOf(request('s3.localhost')).bucket, undefined)
  assert.deepEqual(book.addressOf(request('aws.localhost', { headers: signed('iam') })).service, 'iam')
})
