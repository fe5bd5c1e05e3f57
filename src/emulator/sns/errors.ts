// What SNS refuses.
import { ServiceError } from '../error.ts'

const statuses = { InvalidParameter: 400, NotFound: 404, ResourceNotFound: 404, TagLimitExceeded: 400 } as const

export type SnsErrorCode = keyof typeof statuses

export function snsFailure(code: SnsErrorCode, message: string): ServiceError {
  return new ServiceError(code, statuses[code], message)
}
