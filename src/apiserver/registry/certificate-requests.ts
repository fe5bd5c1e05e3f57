// A certificate request: what was asked stays, and a decision that was made is not taken back.
import { type Clock, isRecord } from '#base'
import { type FieldError, fieldError } from '#schema'
import type { Draft } from '../draft.ts'
import { timestamp } from '../timestamp.ts'
import type { Behaviour } from './resource.ts'

type Condition = Readonly<Record<string, unknown>>

export function certificateRequests(clock: Clock): Pick<Behaviour, 'prepareUpdate' | 'validate'> {
  return {
    prepareUpdate: (draft, live, subresource) => {
      draft.spec = live.spec
      const [written, before] = [conditionsOf(draft), conditionsOf(live)]
      const now = timestamp(clock.now())
      if (subresource === 'approval')
        draft.status = { ...statusOf(live), conditions: written.map(one => dated(one, before, now)) }
      if (subresource === 'status' && written.length > 0)
        draft.status = { ...statusOf(draft), conditions: written.filter(one => !isDecision(one) || isAmong(one, before)) }
    },
    validate: (draft, old) => (old === undefined ? [] : removedDecisions(conditionsOf(draft), conditionsOf(old))),
  }
}

function dated(condition: Condition, before: readonly Condition[], now: string): Condition {
  const known = before.find(({ type }) => type === condition.type)
  const changedAt = known?.status === condition.status ? known?.lastTransitionTime : undefined
  return {
    ...condition,
    lastUpdateTime: condition.lastUpdateTime ?? now,
    lastTransitionTime: condition.lastTransitionTime ?? changedAt ?? now,
  }
}

function removedDecisions(now: readonly Condition[], before: readonly Condition[]): readonly FieldError[] {
  return before
    .filter(one => (isDecision(one) || one.type === 'Failed') && !isAmong(one, now))
    .map(({ type }) => fieldError.forbidden('status.conditions', `updates may not remove a condition of type "${String(type)}"`))
}

function isDecision({ type }: Condition): boolean {
  return type === 'Approved' || type === 'Denied'
}

function isAmong({ type }: Condition, list: readonly Condition[]): boolean {
  return list.some(one => one.type === type)
}

function conditionsOf(object: Readonly<Draft>): readonly Condition[] {
  const { conditions } = statusOf(object)
  return Array.isArray(conditions) ? conditions.filter(isRecord) : []
}

function statusOf({ status }: Readonly<Draft>): Readonly<Record<string, unknown>> {
  return isRecord(status) ? status : {}
}
