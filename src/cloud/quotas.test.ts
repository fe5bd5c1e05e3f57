import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type LimitName, limits } from '#aws'
import { limitOfCall, overLimit } from './quotas.ts'

type Input = Readonly<Record<string, unknown>>
const text =
  (name: string) =>
  (size: number): Input => ({ [name]: 'x'.repeat(size) })
const list =
  (name: string) =>
  (size: number): Input => ({ [name]: Array.from({ length: size }, (_, at) => `${at}`) })
/** Of so many characters without the white space between its tokens, which does not count. */
const policy = (size: number): Input => ({ PolicyDocument: ` { "a" :\n "${'x'.repeat(size - '{"a":""}'.length)}" } ` })
const tagMap = (size: number): Input => ({ tags: Object.fromEntries(Array.from({ length: size }, (_, at) => [`k${at}`, 'v'])) })

const bounds: readonly (readonly [service: string, operation: string, limit: LimitName, inputOf: (size: number) => Input])[] = [
  ['IAM', 'CreateRole', 'iam/tags', list('Tags')],
  ['IAM', 'CreateRole', 'iam/role-name-characters', text('RoleName')],
  ['IAM', 'CreatePolicy', 'iam/tags', list('Tags')],
  ['IAM', 'CreatePolicy', 'iam/managed-policy-characters', policy],
  ['IAM', 'CreatePolicyVersion', 'iam/managed-policy-characters', policy],
  ['IAM', 'CreateUser', 'iam/tags', list('Tags')],
  ['IAM', 'CreateOpenIDConnectProvider', 'iam/tags', list('Tags')],
  ['IAM', 'CreateOpenIDConnectProvider', 'iam/client-ids', list('ClientIDList')],
  ['IAM', 'CreateOpenIDConnectProvider', 'iam/thumbprints', list('ThumbprintList')],
  ['IAM', 'PutRolePolicy', 'iam/inline-policy-characters', policy],
  ['S3', 'CreateBucket', 's3/bucket-name-characters', text('Bucket')],
  ['S3', 'PutBucketPolicy', 's3/bucket-policy-bytes', text('Policy')],
  ['ACM', 'RequestCertificate', 'acm/tags', list('Tags')],
  ['EKS', 'CreatePodIdentityAssociation', 'eks/tags', tagMap],
]

for (const [service, operation, limit, inputOf] of bounds) {
  const { name, value, scope } = limits[limit]
  test(`by "${name}" ${operation} of ${service} may have ${value} and no more`, () => {
    assert.equal(overLimit(service, operation, inputOf(value)), undefined)
    const over = overLimit(service, operation, inputOf(value + 1))
    assert.equal(over?.limit, limits[limit])
    assert.match(
      over.message,
      new RegExp(`^${value + 1} .* are more than AWS takes: ".+" is ${value} ${scope}; make it smaller$`),
    )
  })
}

test('what is not there, or is of another type, is over no limit', () => {
  for (const [service, operation] of bounds) {
    assert.equal(overLimit(service, operation, {}), undefined)
    const odd = { Tags: 7, RoleName: 7, PolicyDocument: 7, ClientIDList: 'x'.repeat(500), Bucket: [], Policy: {}, tags: null }
    assert.equal(overLimit(service, operation, odd), undefined)
    assert.equal(overLimit(service, operation, { tags: 'x'.repeat(10), ThumbprintList: {} }), undefined)
  }
})

test('the quota of a call is known by its service and operation, and of no other call', () => {
  assert.equal(limitOfCall('IAM', 'CreateGroup'), limits['iam/groups'])
  assert.equal(limitOfCall('ACM', 'ImportCertificate'), limits['acm/certificates'])
  for (const [service, operation] of [
    ['S3', 'CreateRole'],
    ['IAM', 'GetRole'],
  ] as const)
    assert.equal(limitOfCall(service, operation), undefined)
})
