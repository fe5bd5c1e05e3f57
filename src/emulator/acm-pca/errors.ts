// AWS Private CA's refusals; all of them are HTTP 400.
import { ServiceError } from '../error.ts'

export type PcaErrorCode =
  | 'CertificateMismatchException'
  | 'InvalidArgsException'
  | 'InvalidArnException'
  | 'InvalidNextTokenException'
  | 'InvalidPolicyException'
  | 'InvalidStateException'
  | 'InvalidTagException'
  | 'LimitExceededException'
  | 'MalformedCertificateException'
  | 'MalformedCSRException'
  | 'PermissionAlreadyExistsException'
  | 'RequestAlreadyProcessedException'
  | 'RequestInProgressException'
  | 'ResourceNotFoundException'
  | 'TooManyTagsException'
  | 'ValidationException'

export function pcaFailure(code: PcaErrorCode, message: string): ServiceError {
  return new ServiceError(code, 400, message)
}
