// What is read of a bucket, and the calls that make it as it is wanted: each for one difference, and none at rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type BucketActual, bucketCalls, readBucket } from './bucket.ts'
import { refusal, type Script, scriptedClient } from './scripted-client.fixture.ts'

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

const never = new AbortController().signal
const answers: Script = {
  GetBucketTagging: { TagSet: [{ Key: 'ours', Value: 'yes' }] },
  GetBucketPolicy: { Policy: policy },
  GetPublicAccessBlock: { PublicAccessBlockConfiguration: there.publicAccess },
  GetBucketOwnershipControls: { OwnershipControls: { Rules: [{ ObjectOwnership: 'BucketOwnerEnforced' }] } },
  GetBucketEncryption: {
    ServerSideEncryptionConfiguration: { Rules: [{ ApplyServerSideEncryptionByDefault: { SSEAlgorithm: 'AES256' } }] },
  },
}
const nothing = { isForeign: false, tags: {}, policy: '', publicAccess: {}, ownership: '', encryption: '' }
const unset: Script = {
  GetBucketTagging: refusal('NoSuchTagSet'),
  GetBucketPolicy: refusal('NoSuchBucketPolicy'),
  GetPublicAccessBlock: refusal('NoSuchPublicAccessBlockConfiguration'),
  GetBucketOwnershipControls: refusal('OwnershipControlsNotFoundError', '', 404),
  GetBucketEncryption: refusal('ServerSideEncryptionConfigurationNotFoundError', '', 404),
}

for (const [what, script, read] of [
  ['that has everything', answers, { ...there, tags: { ours: 'yes' } }],
  ['that was never given anything', unset, nothing],
  ['of which nothing is said', Object.fromEntries(Object.keys(answers).map(name => [name, {}])), nothing],
  ['that is not there', { ...answers, GetBucketTagging: refusal('NoSuchBucket') }, undefined],
  ['that goes while it is read', { ...answers, GetBucketPolicy: refusal('NoSuchBucket') }, undefined],
  ['that is another account’s', { ...answers, GetBucketTagging: refusal('AccessDenied') }, { ...nothing, isForeign: true }],
] as const)
  test(`a bucket ${what} is read as such`, async () => {
    const client = scriptedClient(script, 'S3')
    assert.deepEqual(await readBucket(client, 'b', never), read)
    for (const { input } of client.asked) assert.deepEqual(input, { Bucket: 'b' })
  })

for (const [what, script, error] of [
  ['a right is missing to read its policy', { GetBucketPolicy: refusal('AccessDenied') }, /it says AccessDenied/],
  ['S3 has a fault', { GetBucketTagging: refusal('InternalError', '', 500) }, /it says InternalError/],
  ['nothing answers', { GetBucketEncryption: new Error('no answer') }, /no answer/],
] as const)
  test(`a bucket of which ${what} is neither absent nor a stranger’s [P5]`, () =>
    assert.rejects(readBucket(scriptedClient({ ...answers, ...script }, 'S3'), 'b', never), error))
