import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type S3ErrorCode, s3Failure } from './errors.ts'

const codes: Readonly<Record<number, readonly S3ErrorCode[]>> = {
  301: ['PermanentRedirect'],
  400: [
    'AccessControlListNotSupported',
    'AuthorizationHeaderMalformed',
    'BadRequest',
    'EntityTooLarge',
    'EntityTooSmall',
    'IllegalLocationConstraintException',
    'InvalidArgument',
    'InvalidBucketName',
    'InvalidLocationConstraint',
    'InvalidPart',
    'InvalidPartOrder',
    'InvalidRequest',
    'InvalidTag',
    'KeyTooLongError',
    'MalformedPolicy',
    'MalformedXML',
    'MetadataTooLarge',
    'PolicyTooLarge',
    'TooManyBuckets',
  ],
  403: ['AccessDenied'],
  404: [
    'NoSuchBucket',
    'NoSuchBucketPolicy',
    'NoSuchConfiguration',
    'NoSuchCORSConfiguration',
    'NoSuchKey',
    'NoSuchLifecycleConfiguration',
    'NoSuchPublicAccessBlockConfiguration',
    'NoSuchTagSet',
    'NoSuchUpload',
    'NoSuchVersion',
    'NoSuchWebsiteConfiguration',
    'ObjectLockConfigurationNotFoundError',
    'OwnershipControlsNotFoundError',
    'ReplicationConfigurationNotFoundError',
  ],
  405: ['MethodNotAllowed'],
  409: ['BucketAlreadyExists', 'BucketAlreadyOwnedByYou', 'BucketNotEmpty', 'InvalidBucketState', 'OperationAborted'],
  412: ['PreconditionFailed'],
  416: ['InvalidPartNumber', 'InvalidRange'],
  501: ['NotImplemented'],
}
for (const [status, names] of Object.entries(codes)) {
  test(`${names.join(', ')}: ${status}`, () => {
    assert.deepEqual(
      names.map(name => [name, s3Failure(name).status]),
      names.map(name => [name, Number(status)]),
    )
  })
}
