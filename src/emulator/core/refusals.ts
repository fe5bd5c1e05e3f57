// Refusals that the core makes for every service alike.
import { ServiceError } from '../error.ts'
import type { Service } from '../service.ts'
import type { Family } from '../wire/family.ts'

/** What counts as throttled in the record of calls. */
export const throttleCodes: ReadonlySet<string> = new Set([
  'Throttling',
  'ThrottlingException',
  'ThrottledException',
  'TooManyRequestsException',
  'SlowDown',
  'PriorRequestNotComplete',
])

/** The error with which the service itself throttles. */
export function throttled(service: Service, family: Family): ServiceError {
  const row = service.throttles?.[0]
  if (row !== undefined) return new ServiceError(row.error.code, row.error.status, row.error.message)
  return family === 's3'
    ? new ServiceError('SlowDown', 503, 'Please reduce your request rate.')
    : new ServiceError('Throttling', 400, 'Rate exceeded')
}

/** The refusal of an operation that the model has and that is not served (§3.11). */
export function notImplemented(family: Family): ServiceError {
  switch (family) {
    case 'query':
      return new ServiceError('InvalidAction', 400, 'The action is known but not implemented by this emulator.')
    case 's3':
      return new ServiceError(
        'NotImplemented',
        501,
        'A header or query you provided implies functionality that is not implemented.',
      )
    case 'json':
      return new ServiceError('UnknownOperationException', 400, 'The operation is known but not implemented by this emulator.')
    default:
      return new ServiceError('UnknownOperationException', 404, 'The operation is known but not implemented by this emulator.')
  }
}
