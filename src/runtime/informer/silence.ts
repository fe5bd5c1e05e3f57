// Notices that a stream is silent: half-open connections, stalled proxies and servers that forgot us all look like a quiet kind. One
// timer per stretch of silence, not per line.
import type { Clock } from '#base'

export interface SilenceOptions {
  readonly clock: Clock
  /** A stream that stood this long counts as working. */
  readonly healthyMs: number
  allowedMs(): number
  /** When the last line came. */
  heardMs(): number
  onHealthy(): void
  onSilent(allowedMs: number): void
}

export function watchSilence(options: SilenceOptions): { stop(): void } {
  const { clock, healthyMs } = options
  const startedMs = clock.monotonicMs()
  const check = (): void => {
    const nowMs = clock.monotonicMs()
    if (nowMs - startedMs >= healthyMs) options.onHealthy()
    const allowedMs = options.allowedMs()
    const leftMs = options.heardMs() + allowedMs - nowMs
    if (leftMs > 0) timer = clock.timer(leftMs, check)
    else options.onSilent(allowedMs)
  }
  let timer = clock.timer(healthyMs, check)
  return { stop: () => timer.cancel() }
}
