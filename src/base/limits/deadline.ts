// A bound on waiting. The work is told by its signal, and left behind if it does not listen.
import type { Clock } from '../seams/seams.ts'

/** Thrown by `withDeadline` when time is up. */
export class DeadlineExceeded extends Error {
  readonly code = 'deadline-exceeded'
  constructor(timeoutMs: number) {
    super(`not done within ${timeoutMs} ms`)
    this.name = 'DeadlineExceeded'
  }
}

/** Runs the work with a signal that aborts when the caller's does or when time is up; rejects at that moment, with its reason. */
export function withDeadline<T>(
  clock: Pick<Clock, 'timer'>,
  limits: { readonly timeoutMs: number; readonly signal?: AbortSignal | undefined },
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const { signal, timeoutMs } = limits
  if (signal?.aborted === true) return Promise.reject(signal.reason as Error)
  return new Promise((resolve, reject) => {
    const controller = new AbortController()
    const stop = (reason: Error): void => {
      release()
      reject(reason)
      controller.abort(reason)
    }
    const onAbort = (): void => stop(signal?.reason as Error)
    const timer = clock.timer(timeoutMs, () => stop(new DeadlineExceeded(timeoutMs)))
    const release = (): void => {
      timer.cancel()
      signal?.removeEventListener('abort', onAbort)
    }
    signal?.addEventListener('abort', onAbort, { once: true })
    work(controller.signal).then(
      value => {
        release()
        resolve(value)
      },
      (error: unknown) => {
        release()
        reject(error as Error)
      },
    )
  })
}
