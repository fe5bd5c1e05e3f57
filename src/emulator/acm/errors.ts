// ACM's refusals; all of them are HTTP 400.
import { ServiceError } from '../error.ts'

export type AcmErrorCode =
  | 'ConflictException'
  | 'InvalidArnException'
  | 'InvalidDomainValidationOptionsException'
  | 'InvalidParameterException'
  | 'InvalidStateException'
  | 'InvalidTagException'
  | 'LimitExceededException'
  | 'RequestInProgressException'
  | 'ResourceInUseException'
  | 'ResourceNotFoundException'
  | 'TooManyTagsException'
  | 'ValidationException'

export function acmFailure(code: AcmErrorCode, message: string): ServiceError {
  return new ServiceError(code, 400, message)
}
