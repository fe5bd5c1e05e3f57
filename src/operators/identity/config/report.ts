// From what became of a plan to what the Config says. A failure belongs to the path on which it happened and leaves the other path's
// words as they are (cases 75, 83-87); weather that passes is not told (M6).
import { given } from '#base'
import { type Condition, findCondition } from '#kube'
import {
  failuresOf,
  foldOutcomes,
  type Next,
  type Outcome,
  type OwnAction,
  type Report,
  type ReportInput,
  type Trouble,
  troubleCondition,
} from '#runtime'
import { conditionTypes } from '../api/conditions.ts'
import { runtimeFailure } from '../target/runtime.ts'
import { readyOf } from './decide.ts'
import { publishFailed } from './issuer.ts'
import type { ConfigSeen } from './seen.ts'

export type ConfigReportInput = ReportInput<OwnAction> & { readonly seen: ConfigSeen }

export function reportConfig(input: ConfigReportInput): Report | undefined {
  const { plan, outcomes, seen } = input
  const { config } = seen
  if (failuresOf(outcomes).length === 0 && leavesStatus(plan.next)) return undefined
  if (failuresOf(outcomes).length === 0) return { conditions: plan.conditions, ...given({ status: plan.status }) }
  if (config === undefined) return undefined
  if (config.metadata.deletionTimestamp !== undefined) return reportBlocked(input)
  const runtime = runtimeFailure(outcomes, config.metadata.namespace ?? '')
  const issuer = issuerFailure(input)
  const isSilent = runtime === undefined && issuer.length === 0
  // While neither the runtime nor the issuer has anything to say, the status stays as it is.
  if (isSilent) return undefined
  const told = withoutPaths(input, { runtime: hasFailed(outcomes, isRemote), issuer: hasFailed(outcomes, isHub) })
  const replaced = [...issuer, ...(runtime === undefined ? [] : [runtime])]
  const kept = told.filter(({ type }) => type !== conditionTypes.ready && !replaced.some(condition => condition.type === type))
  const conditions = [...kept, ...replaced]
  return { conditions: [...conditions, readyOf(config, withCurrent(conditions, input))], status: statusOf(input) }
}

function leavesStatus(next: Next): boolean {
  return next.kind === 'look-again' && next.leavesStatus === true
}

type Branch = (outcome: Outcome) => boolean

const isRemote: Branch = ({ action }) => 'cluster' in action && action.cluster !== undefined
const isHub: Branch = outcome => !isRemote(outcome) && outcome.action.kind !== 'together'

function hasFailed(outcomes: readonly Outcome[], branch: Branch): boolean {
  return outcomes.some(outcome => outcome.kind === 'failed' && branch(outcome))
}

/** What the plan wanted to say, without the words that rest on actions which did not come about. What was seen is said all the same. */
function withoutPaths(
  { plan }: ConfigReportInput,
  failed: { readonly runtime: boolean; readonly issuer: boolean },
): readonly Condition[] {
  const restsOnIssuer: readonly string[] = [conditionTypes.oidcObjectsPublished, conditionTypes.issuerReady]
  return plan.conditions.filter(({ type, status }) => {
    if (failed.runtime && type === conditionTypes.webhookRuntimeReady) return false
    return !(failed.issuer && restsOnIssuer.includes(type) && status === 'True')
  })
}

/** Conditions that are not said anew stand as they were. */
function withCurrent(said: readonly Condition[], { current }: ConfigReportInput): readonly Condition[] {
  return [...said, ...current.filter(({ type }) => findCondition(said as never, type) === undefined)]
}

/** On any error of the issuer it is not said to be ready at this generation (14.1 L3); a more specific word stays. */
function issuerFailure(input: ConfigReportInput): readonly Condition[] {
  const failures = input.outcomes.filter(outcome => outcome.kind === 'failed' && isHub(outcome))
  const told = failures.find(outcome => outcome.kind === 'failed' && isTold(outcome.trouble, input))
  if (told === undefined || told.kind !== 'failed') return []
  const { trouble, action } = told
  if (action.kind === 'act:put-issuer-object') return publishFailed(trouble.message)
  const failed = (type: string): Condition => ({
    type,
    status: 'False',
    reason: 'IssuerReconcileFailed',
    message: trouble.message,
  })
  const wasToPublish = input.outcomes.some(outcome => outcome.kind !== 'done' && outcome.action.kind === 'act:put-issuer-object')
  const claimsPublished = findPlanned(input, conditionTypes.oidcObjectsPublished)?.status === 'True'
  return [
    ...(wasToPublish && claimsPublished ? [failed(conditionTypes.oidcObjectsPublished)] : []),
    failed(conditionTypes.issuerReady),
  ]
}

function findPlanned({ plan }: ConfigReportInput, type: string): Condition | undefined {
  return plan.conditions.find(condition => condition.type === type)
}

/** A conflict is no news, and weather only after a while; what a person has to mend is told at once. */
function isTold(trouble: Trouble, { failures }: ConfigReportInput): boolean {
  if (trouble.kind === 'soon' || trouble.reason === 'CacheStarting' || trouble.reason === 'NotLeader') return false
  if (trouble.kind !== 'backoff' || trouble.reason === 'DependencyDown') return true
  return forPeople.includes(trouble.reason) || failures > silentFailuresMax
}

/** What a person has to mend: on the hub, and in AWS. */
const forPeople: readonly string[] = ['Forbidden', 'Rejected', 'MissingPermission', 'QuotaExceeded', 'NotFound', 'Refused']

/** As the engine counts it. */
const silentFailuresMax = 2

/** Children and ARNs as they were seen; nothing that the failed actions were to bring about. */
function statusOf({ plan, seen, outcomes }: ConfigReportInput): Readonly<Record<string, unknown>> {
  const { selfHostedIssuer: planned, ...status } = plan.status ?? {}
  if (!hasFailed(outcomes, isHub)) return plan.status ?? {}
  // Of an EKS issuer nothing is said to be trusted while its provider cannot be brought about (case 95).
  if (planned === undefined) return 'selfHostedIssuer' in (plan.status ?? {}) ? { ...status, oidcProviderARN: undefined } : status
  const { bucketName } = planned as { readonly bucketName: string }
  return { ...status, selfHostedIssuer: { ...seen.config?.status?.selfHostedIssuer, bucketName } }
}

function reportBlocked(input: ConfigReportInput): Report | undefined {
  const trouble = failuresOf(input.outcomes).find(one => isTold(one, input))
  if (trouble === undefined) return foldOutcomes({ ...input, outcomes: [] })
  const { message } = troubleCondition(trouble, conditionTypes.deletionBlocked)
  return { conditions: [{ type: conditionTypes.deletionBlocked, status: 'True', reason: 'DeletionBlocked', message }] }
}
