// What a long poll waits for: that something was written, that its time is over, or that its client has gone.
import type { Clock } from '#base'
import type { AwsState } from '../state/aws-state.ts'
import { aborted } from './incoming.ts'

export interface Wait {
  readonly state: Pick<AwsState, 'onChange'>
  readonly clock: Clock
  readonly delayMs: number
  readonly signal: AbortSignal | undefined
}

/** Leaves neither timer nor listener behind, whichever comes first. */
export function stateChange({ state, clock, delayMs, signal }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void) => (): void => {
      timer.cancel()
      state.onChange.delete(onChange)
      signal?.removeEventListener('abort', onAbort)
      settle()
    }
    const onChange = end(resolve)
    const onAbort = end(() => reject(aborted()))
    const timer = clock.timer(Math.max(0, delayMs), onChange)
    state.onChange.add(onChange)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted === true) onAbort()
  })
}
