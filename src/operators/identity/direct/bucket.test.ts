// The calls that make a bucket as it is wanted: each for one difference, and none at rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BucketActual, bucketCalls } from './bucket.ts'

const policyOf = (action: string): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: '*', Action: action, Resource: 'arn:aws:s3:::b/x' }],
  })
const policy = policyOf('s3:GetObject')
const spec = {
  name: 'b',
  objectOwnership: 'BucketOwnerEnforced',
  policy,
  publicAccessBlock: { blockPublicACLs: true, ignorePublicACLs: true, blockPublicPolicy: false, restrictPublicBuckets: false },
}
const tags = { ours: 'yes' }
const there: BucketActual = {
  isForeign: false,
  tags: { ours: 'yes', theirs: 'too' },
  policy,
  publicAccess: { BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: false, RestrictPublicBuckets: false },
  ownership: 'BucketOwnerEnforced',
  encryption: 'AES256',
}
const inRegion = (region: string) => ({ which: 'bucket', service: 's3', region, memory: 'm' }) as const

function callsFor(actual: BucketActual | undefined, region = 'eu-west-1'): readonly (readonly [string, unknown])[] {
  return bucketCalls(inRegion(region), spec, tags, actual).map(({ operation, input: { Bucket, ...input } }) => {
    assert.equal(Bucket, 'b')
    return [operation, input]
  })
}

const access = ['PutPublicAccessBlock', { PublicAccessBlockConfiguration: there.publicAccess }]

for (const [what, actual, calls] of [
  ['as it is wanted', there, []],
  [
    'without our tags',
    { ...there, tags: { theirs: 'too' } },
    [
      [
        'PutBucketTagging',
        {
          Tagging: {
            TagSet: [
              { Key: 'ours', Value: 'yes' },
              { Key: 'theirs', Value: 'too' },
            ],
          },
        },
      ],
    ],
  ],
  ['without a policy', { ...there, policy: '' }, [['PutBucketPolicy', { Policy: policy }]]],
  ['with another policy', { ...there, policy: policyOf('s3:*') }, [['PutBucketPolicy', { Policy: policy }]]],
  ['with the same policy in other words', { ...there, policy: ` ${policy}` }, []],
  ['that is closed', { ...there, publicAccess: { ...there.publicAccess, BlockPublicPolicy: true } }, [access]],
  [
    'with another ownership',
    { ...there, ownership: 'ObjectWriter' },
    [['PutBucketOwnershipControls', { OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] } }]],
  ],
  [
    'with another encryption',
    { ...there, encryption: 'aws:kms' },
    [
      [
        'PutBucketEncryption',
        { ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] } },
      ],
    ],
  ],
] as const)
  test(`a bucket ${what}`, () => assert.deepEqual(callsFor(actual), calls))

for (const [region, location] of [
  ['eu-west-1', { CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' } }],
  ['us-east-1', {}],
] as const)
  test(`a bucket that is not there is made in ${region}, and then all that it needs`, () => {
    assert.deepEqual(callsFor(undefined, region), [
      ['CreateBucket', { ObjectOwnership: 'BucketOwnerEnforced', ...location }],
      ['PutBucketTagging', { Tagging: { TagSet: [{ Key: 'ours', Value: 'yes' }] } }],
      access,
      ['PutBucketPolicy', { Policy: policy }],
    ])
  })
