// What the Job controller writes when a Job of one pod has ended, where nobody runs Jobs.
import { renderTime } from './conditions.ts'

export function endedJob(
  type: 'Complete' | 'Failed',
  message = '',
  nowMs: number = Date.UTC(2026, 0, 1),
): { readonly status: object } {
  const time = renderTime(nowMs)
  const conditions = [type === 'Complete' ? 'SuccessCriteriaMet' : 'FailureTarget', type].map(each => ({
    type: each,
    status: 'True',
    lastTransitionTime: time,
    message,
  }))
  const counts = type === 'Complete' ? { completionTime: time, succeeded: 1 } : { failed: 1 }
  return { status: { startTime: time, ...counts, conditions } }
}
