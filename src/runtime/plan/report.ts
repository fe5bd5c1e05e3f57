// From a plan and what became of it to what the status says. Pure: the same plan and outcomes say the same (P7).
import type { Condition, StoredCondition } from '#kube'
import { failuresOf, type Outcome } from './outcome.ts'
import type { OwnAction, Plan } from './plan.ts'
import type { Trouble } from './trouble.ts'

export interface Report {
  readonly conditions: readonly Condition[]
  /** Status fields to set; `undefined` as a value removes one. */
  readonly status?: Readonly<Record<string, unknown>>
  /** Types of conditions that are not said any more. */
  readonly forgotten?: readonly string[]
  /** The generation that the report speaks of, where the pass itself wrote the spec on top of the version that it decided on. */
  readonly generation?: number
}

export interface ReportInput<Own extends OwnAction = never> {
  readonly plan: Plan<Own>
  readonly outcomes: readonly Outcome[]
  /** How often in a row the claim failed, this time included; 0 after success. */
  readonly failures: number
  /** What the status says now. */
  readonly current: readonly StoredCondition[]
  readonly generation: number | undefined
  /** The condition that sums up, `Ready` as a rule. */
  readonly summary: string
}

/** Weather that passes within this many tries is not worth a status write that wakes every watcher. */
const silentFailuresMax = 2

/** `undefined`: say nothing this time. */
export function foldOutcomes(input: ReportInput<OwnAction>): Report | undefined {
  const { plan, outcomes } = input
  const troubles = failuresOf(outcomes)
  if (troubles.length === 0) return { conditions: plan.conditions, ...(plan.status === undefined ? {} : { status: plan.status }) }
  const worst = reportable(troubles, input)
  return worst === undefined ? undefined : { conditions: [troubleCondition(worst, input.summary)] }
}

/** What a failure looks like in a condition. */
export function troubleCondition(trouble: Trouble, summary: string): Condition {
  return { type: summary, status: 'False', reason: trouble.reason, message: trouble.message }
}

/** A conflict is no news; weather is, after a while. */
function reportable(troubles: readonly Trouble[], input: ReportInput<OwnAction>): Trouble | undefined {
  const told =
    troubles.find(trouble => trouble.kind === 'stop') ??
    // A cluster that is only just being listed is no news: a restart must not take every claim out of Ready.
    troubles.find(trouble => trouble.kind === 'wait' && trouble.reason !== 'CacheStarting')
  if (told !== undefined) return told
  const weather = troubles.find(trouble => trouble.kind === 'backoff')
  if (weather === undefined || weather.reason === 'NotLeader') return undefined
  // A dependency that is held back has failed for others often enough.
  return weather.reason === 'DependencyDown' || input.failures > silentFailuresMax ? weather : undefined
}
