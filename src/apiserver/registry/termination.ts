// How a definition (CRD) says that it is on its way out.

import { type Draft, draftFrom } from '../draft.ts'
import { timestamp } from '../timestamp.ts'

export const definitionsTable: string = 'customresourcedefinitions.apiextensions.k8s.io'
export const cleanupFinalizer: string = 'customresourcecleanup.apiextensions.k8s.io'

export interface NamespaceCondition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastTransitionTime: string
}

/** The definition with a condition set; others stay. */
export function withCondition(definition: Readonly<Draft>, condition: NamespaceCondition): Draft {
  const status = (definition.status ?? {}) as { conditions?: readonly NamespaceCondition[] | null }
  const others = (status.conditions ?? []).filter(other => other.type !== condition.type)
  const known = status.conditions?.find(other => other.type === condition.type)
  // Another reason for the same answer is no transition.
  const lastTransitionTime = known?.status === condition.status ? known.lastTransitionTime : condition.lastTransitionTime
  return { ...draftFrom(definition), status: { ...status, conditions: [...others, { ...condition, lastTransitionTime }] } }
}

export function terminating(nowMs: number, isOn: boolean, reason: string, message: string): NamespaceCondition {
  return {
    type: 'Terminating',
    status: isOn ? 'True' : 'False',
    lastTransitionTime: timestamp(nowMs),
    reason,
    message,
  }
}
