// What people read in `kubectl describe`: that a resource was made, changed, taken over or deleted, and what stands in its way. Things that are
// said again raise the count of the event that is there.
import { type Condition, type Occurrence, referenceTo, type StoredObject } from '#kube'
import { conditions, type Resource } from '../api.ts'
import { withoutRequestId } from '../report/request-ids.ts'
import type { PlanAction } from './actions.ts'

type Normal = 'Created' | 'Updated' | 'Adopted' | 'Deleted' | 'Replaced' | 'Exported'
type Warning = 'DriftDetected' | 'UnexpectedFinalizer' | 'MaybeMadeTwice'

/** Sent when the actions before it are done. */
export function tell(claim: Resource, reason: Normal, message: string): PlanAction {
  return { kind: 'record-event', regarding: withoutVersion(claim), type: 'Normal', reason, message }
}

export function warn(claim: Resource, reason: Warning, message: string): PlanAction {
  return { kind: 'record-event', regarding: withoutVersion(claim), type: 'Warning', reason, message }
}

/** Trouble whose status or reason is new. Weather that was not worth a condition is worth no event. */
export function eventsOf(claim: StoredObject, changed: readonly Condition[]): readonly Occurrence[] {
  const words: Readonly<Record<string, string>> = { [conditions.terminal]: 'Terminal', [conditions.recoverable]: 'Recoverable' }
  return changed.flatMap(({ type, status, message }) => {
    const reason = words[type]
    if (reason === undefined || status !== 'True') return []
    return [{ regarding: withoutVersion(claim), type: 'Warning' as const, reason, message: withoutRequestId(message ?? '') }]
  })
}

/** The version is none of what was said, and each one would make an event of its own. */
function withoutVersion(claim: StoredObject): Occurrence['regarding'] {
  const { resourceVersion: _version, ...regarding } = referenceTo(claim)
  return regarding
}
