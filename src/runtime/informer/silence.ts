// Notices that a stream is silent: half-open connections, stalled proxies and servers that forgot us all look like a quiet kind. One
// timer per stretch of silence, not per line.
import type { Clock } from '#base'

export interface SilenceOptions {
  readonly clock: Clock
  /** A stream that stood this long since the server agreed to it counts as working. */
  readonly healthyMs: number
  allowedMs(): number
  /** When the last line came. */
  heardMs(): number
  onHealthy(): void
  onSilent(allowedMs: number): void
}

export interface SilenceWatch {
  /** Whether the stream has stood for long enough. */
  isHealthy(): boolean
  /** The server agreed. Until it does nothing is known of it, however long it takes: who is cut off waits for a connection like this. */
  opened(): void
  stop(): void
}

export function watchSilence(options: SilenceOptions): SilenceWatch {
  const { clock, healthyMs } = options
  let openedMs = Number.POSITIVE_INFINITY
  let isOver = false
  const isHealthy = (): boolean => clock.monotonicMs() - openedMs >= healthyMs
  const check = (): void => {
    if (isHealthy()) options.onHealthy()
    const allowedMs = options.allowedMs()
    const leftMs = options.heardMs() + allowedMs - clock.monotonicMs()
    if (leftMs > 0) timer = clock.timer(leftMs, check)
    else options.onSilent(allowedMs)
  }
  let timer = clock.timer(options.allowedMs(), check)
  return {
    isHealthy,
    opened: () => {
      if (isOver) return
      openedMs = clock.monotonicMs()
      timer.cancel()
      timer = clock.timer(healthyMs, check)
    },
    stop: () => {
      isOver = true
      timer.cancel()
    },
  }
}
