import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionOf } from './permission.ts'

for (const [service, operation, permission] of [
  ['iam', 'CreateRole', 'iam:CreateRole'],
  ['s3', 'CreateBucket', 's3:CreateBucket'],
  ['s3', 'HeadBucket', 's3:ListBucket'],
  ['s3', 'DeleteBucketCors', 's3:PutBucketCORS'],
  ['s3', 'ListBuckets', 's3:ListAllMyBuckets'],
  ['s3', 'ListDirectoryBuckets', 's3express:ListAllMyDirectoryBuckets'],
  ['s3', 'toString', 's3:toString'],
  ['other', 'HeadBucket', 'other:HeadBucket'],
] as const)
  test(`${service} ${operation} takes ${permission}`, () => assert.equal(permissionOf(service, operation), permission))
