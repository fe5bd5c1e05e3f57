// What SQS refuses. Beside the code of its model, an answer names the code of the older protocol, which some clients still go by.
import { ServiceError } from '../error.ts'
import type { Call } from '../service.ts'

export type SqsErrorCode =
  | 'BatchEntryIdsNotDistinct'
  | 'BatchRequestTooLong'
  | 'EmptyBatchRequest'
  | 'InvalidAddress'
  | 'InvalidAttributeName'
  | 'InvalidAttributeValue'
  | 'InvalidBatchEntryId'
  | 'InvalidParameterValue'
  | 'MissingParameter'
  | 'OverLimit'
  | 'PurgeQueueInProgress'
  | 'QueueDeletedRecently'
  | 'QueueDoesNotExist'
  | 'QueueNameExists'
  | 'ReceiptHandleIsInvalid'
  | 'TooManyEntriesInBatchRequest'

const family = 'AWS.SimpleQueueService.'
/** Codes of the older protocol, where they are other words. */
const olderCodes: Readonly<Partial<Record<SqsErrorCode, string>>> = {
  BatchEntryIdsNotDistinct: `${family}BatchEntryIdsNotDistinct`,
  BatchRequestTooLong: `${family}BatchRequestTooLong`,
  EmptyBatchRequest: `${family}EmptyBatchRequest`,
  InvalidBatchEntryId: `${family}InvalidBatchEntryId`,
  PurgeQueueInProgress: `${family}PurgeQueueInProgress`,
  QueueDeletedRecently: `${family}QueueDeletedRecently`,
  QueueDoesNotExist: `${family}NonExistentQueue`,
  QueueNameExists: 'QueueAlreadyExists',
  TooManyEntriesInBatchRequest: `${family}TooManyEntriesInBatchRequest`,
}

export function sqsFailure(call: Call, code: SqsErrorCode, message: string): ServiceError {
  call.reply.headers['x-amzn-query-error'] = `${olderCodes[code] ?? code};Sender`
  return new ServiceError(code, code === 'OverLimit' ? 403 : 400, message)
}

export function missingQueue(call: Call): ServiceError {
  return sqsFailure(call, 'QueueDoesNotExist', 'The specified queue does not exist.')
}
