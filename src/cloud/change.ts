// A call that changes something in AWS. Each try asks first whether we may still write; one whose answer was lost is only repeated where a
// repetition does no harm; what was to go and is not there is gone; and what a fixed limit of AWS speaks against is not sent at all.
import { AwsError } from '#aws'
import { type AwsClient, type CallResult, InputError } from '#aws/client'
import { given } from '#base'
import { Trouble } from '#runtime'
import { overLimit } from './quotas.ts'

export interface CheckedChange {
  readonly operation: string
  readonly input: Readonly<Record<string, unknown>>
  /** The change removes something: a resource that is not there is removed already. */
  readonly isRemoval?: boolean
  /** Whether the same call may go again although an earlier one may have taken hold. */
  readonly isRepeatable?: boolean
  /** Codes of refusals that mean that there is nothing to do. */
  readonly tolerates?: readonly string[]
}

export interface ChangeOptions {
  readonly signal: AbortSignal
  /** Ends a try that is under way, where the signal is not to. */
  readonly cutOff?: AbortSignal
  /** Throws once another process leads. */
  checkFence(): void
}

/** Throws what the client throws, and `Trouble` for what is over a fixed limit. */
export function sendChange(
  client: AwsClient,
  change: CheckedChange,
  { signal, cutOff, checkFence }: ChangeOptions,
): Promise<CallResult> {
  const { operation, input, isRepeatable = false } = change
  const { id } = client.model
  const over = overLimit(id, operation, input)
  if (over !== undefined) return Promise.reject(new BeyondLimit(`${id} ${operation}: ${over.message}`))
  const ends = { signal, ...given({ cutOff }) }
  return client.send(operation, input, { ...ends, retryAmbiguous: isRepeatable, beforeTry: () => checkFence() })
}

/** A call that was not sent, since a fixed limit of AWS speaks against it. */
export class BeyondLimit extends Trouble {
  constructor(message: string) {
    super({ kind: 'stop', reason: 'QuotaExceeded', message })
  }
}

/** Whether the failure says that there was nothing to do. */
export function wasNothingToDo({ isRemoval = false, tolerates = [] }: CheckedChange, error: unknown): boolean {
  if (!(error instanceof AwsError)) return false
  return tolerates.includes(error.code) || (isRemoval && error.class === 'not-found')
}

/** Whether a create call that ended so may have made something. Only a refusal of the request itself, by AWS or by us, says that it did not. */
export function mayHaveMade(error: unknown): boolean {
  if (error instanceof InputError || error instanceof BeyondLimit) return false
  if (!(error instanceof AwsError) || error.afterAmbiguousTry) return true
  return !['denied', 'invalid', 'quota', 'throttling', 'not-found'].includes(error.class)
}
