// What a controller's passes and its queue tell the metrics, under the names of controller-runtime.
import type { EngineMetrics } from '../metrics/engine.ts'
import type { QueueObserver } from '../queue/work-queue.ts'
import type { PassRecord } from './pass.ts'

export function countPass(metrics: EngineMetrics, record: PassRecord): void {
  const { controller, trouble } = record
  const labels = { controller }
  metrics.reconcileSeconds.observe(record.tookMs / 1_000, labels)
  if (trouble !== undefined) metrics.queueRetries.add({ name: controller, ...labels })
  const result = resultOf(record)
  metrics.reconciles.add({ ...labels, result })
  if (result === 'error') metrics.reconcileErrors.add(labels)
  if (trouble?.kind === 'stop') metrics.terminalErrors.add(labels)
  if (trouble?.reason === 'InternalError') metrics.panics.add(labels)
}

export function queueMeter(metrics: EngineMetrics, controller: string): QueueObserver {
  const labels = { name: controller, controller }
  return {
    added: () => metrics.queueAdds.add(labels),
    started: (_lane, waitedMs) => metrics.queueSeconds.observe(waitedMs / 1_000, labels),
    finished: workedMs => metrics.workSeconds.observe(workedMs / 1_000, labels),
  }
}

/** controller-runtime's four words. */
function resultOf({ trouble, next }: PassRecord): 'success' | 'requeue_after' | 'requeue' | 'error' {
  if (trouble === undefined) return next?.kind === 'look-again' ? 'requeue_after' : 'success'
  return trouble.kind === 'soon' ? 'requeue' : 'error'
}
