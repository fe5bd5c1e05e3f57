import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readS3Host } from './hosts.ts'

const rows: readonly (readonly [host: string, region: string | undefined, bucket: string | undefined])[] = [
  ['s3', undefined, undefined],
  ['b.s3', undefined, 'b'],
  ['a.b.s3', undefined, 'a.b'],
  ['s3.s3', undefined, 's3'],
  ['s3-eu-west-1', 'eu-west-1', undefined],
  ['b.s3-eu-west-1', 'eu-west-1', 'b'],
  ['s3.eu-west-1', 'eu-west-1', undefined],
  ['b.s3.eu-west-1', 'eu-west-1', 'b'],
  ['a.b.s3.eu-west-1', 'eu-west-1', 'a.b'],
  ['s3.dualstack.eu-west-1', 'eu-west-1', undefined],
  ['b.s3.dualstack.eu-west-1', 'eu-west-1', 'b'],
]
for (const [host, region, bucket] of rows) {
  test(`${host} before the suffix: ${bucket ?? 'no bucket'}, ${region ?? 'no region'}`, () => {
    assert.deepEqual(readS3Host(host.split('.'), '.amazonaws.com'), { region, bucket })
  })
}

for (const host of [
  '',
  'b',
  'sts',
  'eu-west-1',
  'sts.eu-west-1',
  's3-website',
  'dualstack.eu-west-1',
  'sts.dualstack.eu-west-1',
]) {
  test(`${host === '' ? 'nothing' : host} before the suffix is no host of S3`, () => {
    assert.equal(readS3Host(host.split('.'), '.amazonaws.com'), undefined)
  })
}

test('no host below api.aws is one of S3', () => {
  assert.equal(readS3Host(['s3', 'eu-west-1'], '.api.aws'), undefined)
})
