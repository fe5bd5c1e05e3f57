// What an AWS error means for whoever called. Codes are the services' own; the classes are the few that lead to different actions.

export type AwsErrorClass =
  /** What was asked for is not there: the road to creation, or the end of a deletion. */
  | 'not-found'
  /** It is there already, or another operation stands in the way for a while. */
  | 'conflict'
  /** Too many calls: slow down, the same call will pass later. */
  | 'throttling'
  /** A quota is full: only a person or a deletion helps, so trying again soon is wasted. */
  | 'quota'
  /** Credentials are missing, wrong or not enough. */
  | 'denied'
  /** Credentials have run out: new ones may do. */
  | 'expired'
  /** The machine's clock and the service's disagree. */
  | 'clock-skew'
  /** The service is in trouble; the same call may pass later. */
  | 'transient'
  /** The request itself is wrong and will stay so. */
  | 'invalid'
  | 'other'

/** What is known of an error before it is classed. */
export interface AwsErrorFacts {
  readonly code: string
  readonly httpStatus: number | undefined
  /** What the service's model says of the error, where it is modelled. */
  readonly modelled?: { readonly throttling?: boolean | undefined; readonly retryable?: boolean | undefined }
}

/** The class of an error, by its code first and its HTTP status where the code says nothing. */
export function classifyAwsError({ code, httpStatus, modelled }: AwsErrorFacts): AwsErrorClass {
  if (modelled?.throttling === true) return 'throttling'
  const known = Object.hasOwn(byCode, code) ? byCode[code] : undefined
  if (known !== undefined) return known
  for (const [pattern, found] of byPattern) if (pattern.test(code)) return found
  if (httpStatus === 429) return 'throttling'
  if (httpStatus === 404) return 'not-found'
  if (httpStatus === 401 || httpStatus === 403) return 'denied'
  if (httpStatus === 409) return 'conflict'
  if ((httpStatus !== undefined && httpStatus >= 500) || modelled?.retryable === true) return 'transient'
  return httpStatus !== undefined && httpStatus >= 400 ? 'invalid' : 'other'
}

/** True for errors after which the same call, repeated a little later, can succeed without anybody doing anything. */
export function isRetryableClass(found: AwsErrorClass): boolean {
  return found === 'throttling' || found === 'transient' || found === 'clock-skew' || found === 'expired'
}

function rows(found: AwsErrorClass, codes: string): readonly (readonly [string, AwsErrorClass])[] {
  return codes
    .trim()
    .split(/\s+/)
    .map(code => [code, found] as const)
}

const byCode: Readonly<Record<string, AwsErrorClass>> = Object.fromEntries([
  ...rows(
    'throttling',
    `Throttling ThrottlingException ThrottledException RequestThrottledException RequestThrottled TooManyRequestsException
     RequestLimitExceeded BandwidthLimitExceeded ProvisionedThroughputExceededException TransactionInProgressException SlowDown
     PriorRequestNotComplete EC2ThrottledException`,
  ),
  ...rows(
    'not-found',
    `NoSuchEntity NoSuchEntityException NoSuchBucket NoSuchKey NoSuchBucketPolicy NoSuchTagSet NoSuchHostedZone NoSuchChange
     NoSuchHealthCheck NoSuchLifecycleConfiguration NoSuchCORSConfiguration NoSuchWebsiteConfiguration
     NoSuchPublicAccessBlockConfiguration OwnershipControlsNotFoundError ReplicationConfigurationNotFoundError
     ServerSideEncryptionConfigurationNotFoundError NotFound NotFoundException ResourceNotFoundException`,
  ),
  ...rows(
    'conflict',
    `EntityAlreadyExists EntityAlreadyExistsException DeleteConflict DeleteConflictException ConcurrentModification
     ConcurrentModificationException BucketAlreadyExists BucketAlreadyOwnedByYou BucketNotEmpty OperationAborted
     HostedZoneAlreadyExists HostedZoneNotEmpty ResourceInUseException ResourceInUse ConflictException RequestInProgressException
     ConditionalRequestConflict`,
  ),
  ...rows(
    'quota',
    `LimitExceeded LimitExceededException ResourceLimitExceededException TooManyBuckets TooManyHostedZones TooManyTagsException
     ServiceQuotaExceededException QuotaExceededException TooManyHealthChecks`,
  ),
  ...rows(
    'denied',
    `AccessDenied AccessDeniedException UnauthorizedOperation NotAuthorized InvalidClientTokenId InvalidClientTokenIdException
     UnrecognizedClientException UnrecognizedClient InvalidAccessKeyId MissingAuthenticationToken
     MissingAuthenticationTokenException IncompleteSignature IncompleteSignatureException InvalidIdentityToken
     InvalidIdentityTokenException OptInRequired RegionDisabledException AllAccessDisabled Forbidden InvalidTokenException
     IDPRejectedClaim IDPRejectedClaimException`,
  ),
  ...rows('expired', `ExpiredToken ExpiredTokenException RequestExpired TokenRefreshRequired`),
  ...rows('clock-skew', `RequestTimeTooSkewed RequestInTheFuture`),
  ...rows(
    'transient',
    `RequestTimeout RequestTimeoutException InternalError InternalFailure InternalServerError InternalServiceError
     InternalServerException ServiceUnavailable ServiceUnavailableException ServiceFailure ServiceFailureException ServerException
     IDPCommunicationError IDPCommunicationErrorException ServiceException`,
  ),
  ...rows(
    'invalid',
    `ValidationError ValidationException InvalidParameterException InvalidParameterValue InvalidInput InvalidInputException
     MalformedPolicyDocument MalformedPolicyDocumentException MalformedPolicy MalformedXML InvalidArgument InvalidRequest
     InvalidRequestException InvalidChangeBatch InvalidDomainName InvalidBucketName IllegalLocationConstraintException
     InvalidAction UnknownOperationException MissingAction MissingParameter InvalidArnException PackedPolicyTooLarge
     PackedPolicyTooLargeException UnmodifiableEntity UnmodifiableEntityException SignatureDoesNotMatch
     InvalidSignatureException`,
  ),
])

/** Families of names that services outside the table follow. Order matters: the first that fits decides. */
const byPattern: readonly (readonly [RegExp, AwsErrorClass])[] = [
  [/Throttl|TooManyRequests|RateExceeded/, 'throttling'],
  [/NotFound(?:Exception|Fault|Error)?$|^NoSuch|Non[Ee]xistent|DoesNotExist/, 'not-found'],
  [/AlreadyExists|AlreadyOwned|InUse|Conflict/, 'conflict'],
  [/(?:Limit|Quota)Exceeded|^TooMany/, 'quota'],
  [/AccessDenied|Unauthorized|NotAuthorized/, 'denied'],
  [/^Expired/, 'expired'],
  [/^(?:Invalid|Malformed|Missing|Validation)/, 'invalid'],
]
