// S3's refusals: code, status and the text that S3 sends with it.
import { ServiceError } from '../error.ts'

const table = {
  AccessControlListNotSupported: [400, 'The bucket does not allow ACLs'],
  AccessDenied: [403, 'Access Denied'],
  AuthorizationHeaderMalformed: [400, 'The authorization header is malformed'],
  BadRequest: [400, 'Bad Request'],
  BucketAlreadyExists: [
    409,
    'The requested bucket name is not available. The bucket namespace is shared by all users of the system. Please select a different name and try again.',
  ],
  BucketAlreadyOwnedByYou: [409, 'Your previous request to create the named bucket succeeded and you already own it.'],
  BucketNotEmpty: [409, 'The bucket you tried to delete is not empty'],
  EntityTooLarge: [400, 'Your proposed upload exceeds the maximum allowed object size.'],
  EntityTooSmall: [400, 'Your proposed upload is smaller than the minimum allowed size'],
  IllegalLocationConstraintException: [
    400,
    'The unspecified location constraint is incompatible for the region specific endpoint this request was sent to.',
  ],
  InvalidArgument: [400, 'Invalid Argument'],
  InvalidBucketName: [400, 'The specified bucket is not valid.'],
  InvalidBucketState: [409, 'The request is not valid for the current state of the bucket.'],
  InvalidLocationConstraint: [400, 'The specified location-constraint is not valid'],
  InvalidPart: [
    400,
    "One or more of the specified parts could not be found.  The part may not have been uploaded, or the specified entity tag may not match the part's entity tag.",
  ],
  InvalidPartNumber: [416, 'The requested partnumber is not satisfiable'],
  InvalidPartOrder: [400, 'The list of parts was not in ascending order. Parts must be ordered by part number.'],
  InvalidRange: [416, 'The requested range is not satisfiable'],
  InvalidRequest: [400, 'Invalid Request'],
  InvalidTag: [400, 'The TagKey you have provided is invalid'],
  KeyTooLongError: [400, 'Your key is too long'],
  MalformedPolicy: [400, "Policies must be valid JSON and the first byte must be '{'"],
  MalformedXML: [400, 'The XML you provided was not well-formed or did not validate against our published schema'],
  MetadataTooLarge: [400, 'Your metadata headers exceed the maximum allowed metadata size'],
  MethodNotAllowed: [405, 'The specified method is not allowed against this resource.'],
  NoSuchBucket: [404, 'The specified bucket does not exist'],
  NoSuchBucketPolicy: [404, 'The bucket policy does not exist'],
  NoSuchConfiguration: [404, 'The specified configuration does not exist.'],
  NoSuchCORSConfiguration: [404, 'The CORS configuration does not exist'],
  NoSuchKey: [404, 'The specified key does not exist.'],
  NoSuchLifecycleConfiguration: [404, 'The lifecycle configuration does not exist'],
  NoSuchPublicAccessBlockConfiguration: [404, 'The public access block configuration was not found'],
  NoSuchTagSet: [404, 'The TagSet does not exist'],
  NoSuchUpload: [
    404,
    'The specified upload does not exist. The upload ID may be invalid, or the upload may have been aborted or completed.',
  ],
  NoSuchVersion: [404, 'The specified version does not exist.'],
  NoSuchWebsiteConfiguration: [404, 'The specified bucket does not have a website configuration'],
  NotImplemented: [501, 'A header you provided implies functionality that is not implemented'],
  ObjectLockConfigurationNotFoundError: [404, 'Object Lock configuration does not exist for this bucket'],
  OperationAborted: [
    409,
    'A conflicting conditional operation is currently in progress against this resource. Please try again.',
  ],
  OwnershipControlsNotFoundError: [404, 'The bucket ownership controls were not found'],
  PermanentRedirect: [
    301,
    'The bucket you are attempting to access must be addressed using the specified endpoint. Please send all future requests to this endpoint.',
  ],
  PolicyTooLarge: [400, 'Policy size exceeds the limit'],
  PreconditionFailed: [412, 'At least one of the pre-conditions you specified did not hold'],
  ReplicationConfigurationNotFoundError: [404, 'The replication configuration was not found'],
  TooManyBuckets: [400, 'You have attempted to create more buckets than allowed'],
} as const

export type S3ErrorCode = keyof typeof table

export function s3Failure(
  code: S3ErrorCode,
  more: { readonly message?: string; readonly fields?: Readonly<Record<string, string>> } = {},
): ServiceError {
  const [status, message] = table[code]
  return new ServiceError(code, status, more.message ?? message, more.fields)
}
