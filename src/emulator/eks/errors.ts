// EKS's refusals. The extra members (cluster, association …) go into the body beside the message.
import { ServiceError } from '../error.ts'

const statusOf = {
  AccessDeniedException: 403,
  BadRequestException: 400,
  ClientException: 400,
  InvalidParameterException: 400,
  InvalidRequestException: 400,
  NotFoundException: 404,
  ResourceInUseException: 409,
  ResourceLimitExceededException: 400,
  ResourceNotFoundException: 404,
  ServerException: 500,
} as const

export type EksErrorCode = keyof typeof statusOf

export function eksFailure(code: EksErrorCode, message: string, fields: Readonly<Record<string, string>> = {}): ServiceError {
  return new ServiceError(code, statusOf[code], message, fields)
}
