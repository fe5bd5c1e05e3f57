// The five ways in which AWS services refuse (§3.9, §4.6): one protocol may have two of them.
import type { ServiceModel } from '#aws'
import { ServiceError } from '../error.ts'

export type Family = 'query' | 'json' | 'rest-json' | 's3' | 'route53'

export function familyOf(model: ServiceModel): Family {
  switch (model.protocol) {
    case 'query':
    case 'ec2':
      return 'query'
    case 'rest-xml':
      return model.signingName === 's3' ? 's3' : 'route53'
    case 'rest-json':
      return 'rest-json'
    default:
      return 'json'
  }
}

type Fault =
  | 'missing credentials'
  | 'unknown key'
  | 'wrong signature'
  | 'expired session'
  | 'wrong date'
  | 'incomplete signature'
  | 'access denied'
  | 'invalid'
  | 'internal'
  | 'too large'

type Row = readonly [code: string, status: number, message: string]
type Table = Readonly<Record<Fault, Row>>

const invalidToken = 'The security token included in the request is invalid.'
const expiredToken = 'The security token included in the request is expired'
const wrongSignature =
  'The request signature we calculated does not match the signature you provided. Check your AWS Secret Access Key and signing method. Consult the service documentation for details.'
const internal = 'The request processing has failed because of an unknown error, exception or failure.'

const query: Table = {
  'missing credentials': ['MissingAuthenticationToken', 403, 'Request is missing Authentication Token'],
  'unknown key': ['InvalidClientTokenId', 403, invalidToken],
  'wrong signature': ['SignatureDoesNotMatch', 403, wrongSignature],
  'expired session': ['ExpiredToken', 403, expiredToken],
  'wrong date': ['SignatureDoesNotMatch', 403, 'Signature expired'],
  'incomplete signature': ['IncompleteSignature', 400, 'The request signature does not conform to AWS standards.'],
  'access denied': ['AccessDenied', 403, 'Access Denied'],
  invalid: ['ValidationError', 400, ''],
  internal: ['InternalFailure', 500, internal],
  'too large': ['RequestEntityTooLarge', 413, 'The request body is too large.'],
}

const restJson: Table = {
  'missing credentials': ['MissingAuthenticationTokenException', 403, 'Missing Authentication Token'],
  'unknown key': ['UnrecognizedClientException', 403, invalidToken],
  'wrong signature': ['InvalidSignatureException', 403, wrongSignature],
  'expired session': ['ExpiredTokenException', 403, expiredToken],
  'wrong date': ['InvalidSignatureException', 403, 'Signature expired'],
  'incomplete signature': ['IncompleteSignatureException', 403, 'The request signature does not conform to AWS standards.'],
  'access denied': ['AccessDeniedException', 403, 'Access Denied'],
  invalid: ['InvalidParameterException', 400, ''],
  internal: ['ServerException', 500, internal],
  'too large': ['RequestEntityTooLargeException', 413, 'The request body is too large.'],
}

const tables: Readonly<Record<Family, Table>> = {
  query,
  route53: { ...query, invalid: ['InvalidInput', 400, ''] },
  'rest-json': restJson,
  json: {
    ...(Object.fromEntries(
      Object.entries(restJson).map(([fault, [code, , message]]) => [fault, [code, 400, message]]),
    ) as unknown as Table),
    invalid: ['ValidationException', 400, ''],
    internal: ['InternalFailure', 500, internal],
    'too large': ['RequestEntityTooLargeException', 413, 'The request body is too large.'],
  },
  s3: {
    'missing credentials': ['AccessDenied', 403, 'Access Denied'],
    'unknown key': ['InvalidAccessKeyId', 403, 'The AWS Access Key Id you provided does not exist in our records.'],
    'wrong signature': [
      'SignatureDoesNotMatch',
      403,
      'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    ],
    'expired session': ['ExpiredToken', 400, 'The provided token has expired.'],
    'wrong date': ['RequestTimeTooSkewed', 403, 'The difference between the request time and the current time is too large.'],
    'incomplete signature': ['AuthorizationHeaderMalformed', 400, 'The authorization header is malformed.'],
    'access denied': ['AccessDenied', 403, 'Access Denied'],
    invalid: ['InvalidArgument', 400, ''],
    internal: ['InternalError', 500, 'We encountered an internal error. Please try again.'],
    'too large': ['EntityTooLarge', 400, 'Your proposed upload exceeds the maximum allowed size'],
  },
}

/** The family's own error for a fault that any service may have. */
export function refusal(family: Family, fault: Fault, message?: string): ServiceError {
  const [code, status, text] = tables[family][fault]
  return new ServiceError(code, status, message ?? text)
}
