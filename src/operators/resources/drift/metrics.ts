// What becomes of the messages of drift queues, and whether the queues can be read.
import type { Metrics } from '#runtime'

export type MessageResult = 'looked' | 'own' | 'harmless' | 'unrelated' | 'unreadable'

export interface DriftMetrics {
  message(result: MessageResult): void
  reachable(queue: string, is: boolean): void
}

export function driftMetrics(metrics: Metrics | undefined): DriftMetrics {
  if (metrics === undefined) return { message: () => {}, reachable: () => {} }
  const messages = metrics.counter('vouch_drift_messages_total', 'Messages of drift queues, by what became of them.')
  const up = metrics.gauge('vouch_drift_queue_reachable', '1 while a drift queue can be read, else 0.')
  return {
    message: result => messages.add({ result }),
    reachable: (queue, is) => up.set(is ? 1 : 0, { queue }),
  }
}
