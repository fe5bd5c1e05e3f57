// Answers that ask for patience are followed by another try, later and later; every other answer is the caller's. The one place where a
// call is repeated.
import { AwsError } from '#aws'
import type { Clock, Random } from '#base'
import type { CallMetrics } from '../telemetry/call-metrics.ts'
import type { LayerCaller } from './call.ts'

export interface ThrottleRetryOptions {
  readonly clock: Pick<Clock, 'sleep'>
  readonly random: Random
  readonly retriesMax: number
  readonly delayMsMin: number
  readonly delayMsMax: number
  /** Width of the band around each delay; 0 for none. */
  readonly jitter: number
  readonly metrics?: CallMetrics | undefined
}

/** The last of too many throttled tries: its cause is the answer. */
export class RetriesExceeded extends Error {
  constructor(last: AwsError) {
    super(`max retries exceeded: ${last.message}`, { cause: last })
    this.name = 'RetriesExceeded'
  }
}

const codes = new Set([
  'Throttling',
  'ThrottlingException',
  'RequestLimitExceeded',
  'TooManyRequestsException',
  'SlowDown',
  'PriorRequestNotComplete',
])

/** Also when it is wrapped. */
export function isThrottled(error: unknown): boolean {
  if (error instanceof AwsError) return codes.has(error.code) || error.throttling
  return error instanceof Error && error.cause !== undefined && isThrottled(error.cause)
}

export function throttleRetry(next: LayerCaller, options: ThrottleRetryOptions): LayerCaller {
  const { clock, retriesMax, metrics } = options
  return async (call, callerOptions) => {
    for (let retry = 0; ; retry++) {
      try {
        return await next(call, callerOptions)
      } catch (error) {
        if (!(error instanceof AwsError) || !isThrottled(error)) throw error
        metrics?.throttled(call.operation)
        if (retry >= retriesMax) throw new RetriesExceeded(error)
        await clock.sleep(delayMs(retry, options), callerOptions.signal)
      }
    }
  }
}

function delayMs(retry: number, { delayMsMin, delayMsMax, jitter, random }: ThrottleRetryOptions): number {
  const nominal = Math.min(delayMsMax, delayMsMin * 2 ** Math.min(retry, 20))
  return jitter <= 0 ? nominal : nominal * (1 + (random.float() - 0.5) * jitter)
}
