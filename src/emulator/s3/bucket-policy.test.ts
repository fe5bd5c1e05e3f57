import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedPrincipals } from './bucket-policy.ts'

const bucket = { name: 'b', partition: 'aws' }
const good = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*' }

function outcome(document: unknown): unknown {
  try {
    return checkedPrincipals(typeof document === 'string' ? document : JSON.stringify(document), bucket)
  } catch (error) {
    return (error as Error).message
  }
}
const statement = (more: object): unknown => outcome({ Version: '2012-10-17', Statement: [{ ...good, ...more }] })

const documents: readonly (readonly [document: unknown, outcome: unknown])[] = [
  [{ Statement: good }, []],
  [{ Version: '2008-10-17', Id: 'i', Statement: [good] }, []],
  [{ Version: '2012-10-17', Statement: [good] }, []],
  [{ Version: '2013-10-17', Statement: [good] }, 'The policy must contain a valid version string'],
  [{ Statement: [good], More: 1 }, 'Unknown field More'],
  [{ Version: '2012-10-17' }, 'Missing required field Statement'],
  [{ Statement: [] }, 'Could not parse the policy: Statement is empty!'],
  [{ Statement: ['x'] }, 'This policy contains invalid Json'],
  [{ Statement: [null] }, 'This policy contains invalid Json'],
  [{ Statement: [[[good]]] }, 'This policy contains invalid Json'],
  ['{', 'This policy contains invalid Json'],
  ['[]', "Policies must be valid JSON and the first byte must be '{'"],
  ['null', "Policies must be valid JSON and the first byte must be '{'"],
  ['"x"', "Policies must be valid JSON and the first byte must be '{'"],
  [{ Statement: [good, good] }, []],
  [
    {
      Statement: [
        { ...good, Sid: '' },
        { ...good, Sid: '' },
      ],
    },
    [],
  ],
  [
    {
      Statement: [
        { ...good, Sid: 'a' },
        { ...good, Sid: 'b' },
      ],
    },
    [],
  ],
  [
    {
      Statement: [
        { ...good, Sid: 'a' },
        { ...good, Sid: 'a' },
      ],
    },
    'Duplicate Sid in policy: "a"',
  ],
]
for (const [document, expected] of documents) {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  test(`the bucket policy ${text}: ${typeof expected === 'string' ? expected : 'taken'}`, () => {
    assert.deepEqual(outcome(document), expected)
  })
}

const statements: readonly (readonly [more: object, outcome: unknown])[] = [
  [{ Effect: undefined }, 'Missing required field Effect'],
  [{ Effect: 'Deny' }, []],
  [{ Effect: 'allow' }, 'Invalid effect: allow'],
  [{ Effect: ['Allow'] }, 'Invalid effect: ["Allow"]'],
  [{ Principal: undefined }, 'Missing required field Principal'],
  [{ NotPrincipal: '*' }, 'Statement cannot contain both Principal and NotPrincipal'],
  [{ Principal: undefined, NotPrincipal: { AWS: '123456789012' } }, ['123456789012']],
  [{ Action: undefined }, 'Missing required field Action'],
  [{ NotAction: 's3:PutObject' }, 'Statement cannot contain both Action and NotAction'],
  [{ Action: [] }, 'Missing required field Action cannot be empty!'],
  [{ Action: [1] }, 'Policy has invalid action'],
  [{ Action: ['s3:GetObject', 1] }, 'Policy has invalid action'],
  [{ Action: '*' }, []],
  [{ Action: 's3:*' }, []],
  [{ Action: 's3:' }, 'Policy has invalid action'],
  [{ Action: 'S3:getobject' }, []],
  [{ Action: ['s3:GetObject', 'iam:GetRole'] }, 'Policy has invalid action'],
  [{ Resource: undefined }, 'Missing required field Resource'],
  [{ NotResource: 'arn:aws:s3:::b/x' }, 'Statement cannot contain both Resource and NotResource'],
  [{ Resource: 'arn:aws:s3:::bb/*' }, 'Policy has invalid resource'],
  [{ Resource: 'arn:aws-cn:s3:::b/*' }, 'Policy has invalid resource'],
  [{ Resource: ['arn:aws:s3:::b/*', 'arn:aws:s3:::c/*'] }, 'Policy has invalid resource'],
  [{ Resource: 'arn:aws:s3:::b' }, 'Action does not apply to any resource(s) in statement'],
  [{ Resource: ['arn:aws:s3:::b', 'arn:aws:s3:::b/x'] }, []],
  [{ Action: 's3:ListBucket' }, 'Action does not apply to any resource(s) in statement'],
  [{ Action: 's3:ListBucket', Resource: 'arn:aws:s3:::b' }, []],
  [{ Action: 's3:ListBucket', Resource: ['arn:aws:s3:::b', 'arn:aws:s3:::b/x'] }, []],
  [{ Action: 's3:ListMultipartUploadParts' }, []],
  [{ Action: 's3:AbortMultipartUpload' }, []],
  [{ Action: 's3:ReplicateTags' }, []],
  [{ Action: 's3:GetBucketObjectLockConfiguration', Resource: 'arn:aws:s3:::b' }, []],
  [{ Action: 's3:GetBucketObjectLockConfiguration' }, 'Action does not apply to any resource(s) in statement'],
  [{ Action: 's3:Get*', Resource: 'arn:aws:s3:::b' }, []],
  [{ Action: undefined, NotAction: 's3:GetObject', Resource: 'arn:aws:s3:::b' }, []],
  [{ Resource: undefined, NotResource: 'arn:aws:s3:::b' }, []],
  [{ Condition: { StringEquals: { 'aws:userid': 'x' } } }, []],
  [{ Condition: { StringEquals: { userid: 'x' } } }, 'Policy has an invalid condition key'],
  [{ Condition: { StringEquals: 'x' } }, 'Could not parse the policy: Condition must be an object'],
  [{ Condition: 'x' }, 'Could not parse the policy: Condition must be an object'],
  [{ Condition: { StringIs: {} } }, 'Invalid Condition type : StringIs'],
  [{ Principal: 'arn:aws:iam::123456789012:root' }, 'Invalid policy syntax.'],
  [{ Principal: { Nobody: 'x' } }, 'Invalid policy syntax.'],
  [{ Principal: { AWS: [] } }, 'Missing required field Principal cannot be empty!'],
  [{ Principal: { AWS: [1] } }, 'Policy has invalid principal'],
  [{ Principal: { AWS: ['*', '123456789012'], Service: 'x.amazonaws.com' } }, ['123456789012']],
]
for (const [more, expected] of statements) {
  test(`a statement of a bucket policy with ${JSON.stringify(more)}: ${typeof expected === 'string' ? expected : 'taken'}`, () => {
    assert.deepEqual(statement(more), expected)
  })
}
