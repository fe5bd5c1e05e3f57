// How late the event loop is: a short sleep that lasts longer than asked for says by how much everything else waited (§5.7).
import type { Clock } from '#base'
import { type Metrics, pause } from '#runtime'

/** Delays that hurt are longer than the time between two looks is long; more looks would be most of what an idle webhook does. */
const everyMs = 500

/** Shows the longest delay since the last scrape, until the signal aborts. */
export async function watchLoopLag(clock: Clock, metrics: Metrics, signal: AbortSignal): Promise<void> {
  const gauge = metrics.gauge('identity_webhook_event_loop_lag_seconds', 'Longest delay of the event loop since the last scrape')
  let longestMs = 0
  metrics.collect(() => {
    gauge.set(longestMs / 1_000)
    longestMs = 0
  })
  for (;;) {
    const startedMs = clock.monotonicMs()
    if (!(await pause(clock, everyMs, signal))) return
    longestMs = Math.max(longestMs, clock.monotonicMs() - startedMs - everyMs)
  }
}
