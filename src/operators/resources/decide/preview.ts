// `services.k8s.aws/plan: "true"`: says what would be done, and does nothing.
import { given } from '#base'
import { summarizeAction } from '#runtime'
import { conditions } from '../api.ts'
import type { ResourcePlan } from './actions.ts'

export function preview(plan: ResourcePlan): ResourcePlan {
  const steps = plan.actions.filter(({ kind }) => kind !== 'act:note' && kind !== 'record-event').map(summarizeAction)
  const message = steps.length === 0 ? 'nothing would be done' : steps.join('; ')
  return {
    actions: [],
    conditions: [...plan.conditions, { type: conditions.advisory, status: 'True', reason: 'Plan', message }],
    next: { kind: 'await-change' },
    ...given({ status: plan.status }),
  }
}
