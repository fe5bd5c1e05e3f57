// The request id of a refusal, which AWS support asks for first. It is another one with each try, and a condition that changed with each try
// would be a write that wakes every watcher: the id that is told is that of the first refusal of its kind, for as long as the same is refused.
import { AwsError } from '#aws'
import { findCondition } from '#kube'
import type { Trouble } from '#runtime'
import type { Resource } from '../api.ts'

/** The trouble's message with the request id: the one that the claim's condition of this type tells already, where it tells of the same. */
export function withRequestId(trouble: Trouble, claim: Resource | undefined, type: string): string {
  const { message, reason } = trouble
  const id = requestIdOf(trouble)
  if (id === undefined) return message
  const told = findCondition(claim?.status?.conditions, type)
  if (told?.status === 'True' && told.reason === reason && withoutRequestId(told.message) === message) return told.message
  return `${message} (request id ${id})`
}

/** Events are counted by what they say. */
export function withoutRequestId(message: string): string {
  return message.replace(/ \(request id [\w+/=:.-]+\)$/, '')
}

/** A refusal is the cause of the trouble, or the cause of that. */
const causesMax = 4

function requestIdOf({ cause }: Trouble): string | undefined {
  let error: unknown = cause
  for (let depth = 0; depth < causesMax && error instanceof Error; depth++) {
    if (error instanceof AwsError) {
      // Whoever answers in the place of AWS must not write text of its own into conditions.
      return /^[\w+/=:.-]{8,128}$/.test(error.requestId ?? '') ? error.requestId : undefined
    }
    error = error.cause
  }
  return undefined
}
