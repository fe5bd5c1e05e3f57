// POST of an Eviction: a delete that asks the disruption budgets first.
import { andThen, isRecord, type Maybe } from '#base'
import { selectorFromObject } from '#kube'
import { fieldError } from '#schema'
import { type Committed, draftFrom } from '../draft.ts'
import type { Reply, ResourceCall } from '../http/call.ts'
import { badRequest, conflict, invalid, refusal, tooManyRequests } from '../refusals.ts'
import type { Version } from '../store/version.ts'
import { timestamp } from '../timestamp.ts'
import { type DeleteRequest, readDeletion, removeObject } from '../verbs/delete.ts'
import { trackBuiltin } from '../verbs/field-management.ts'
import { readWriteOptions } from '../verbs/options.ts'
import { keyOfCall, requireLive, tableOf } from '../verbs/subject.ts'
import { success } from './pod-requests.ts'
import type { SubresourcePorts } from './ports.ts'
import { decodeAs } from './readable.ts'

export function evictPod(ports: SubresourcePorts, call: ResourceCall): Maybe<Reply> {
  const asked = readWriteOptions(call, 'CreateOptions')
  const body = decodeAs(ports, call, asked, { group: 'policy', version: 'v1', kind: 'Eviction' })
  if (body.metadata.name !== call.info.name) throw badRequest('name in URL does not match name in Eviction object')
  checkWhole(call, body.deleteOptions)
  checkDryRun(call, body.deleteOptions)
  const live = requireLive(ports, call)
  const wish = readDeletion(isRecord(body.deleteOptions) ? body.deleteOptions : {})
  const options = { ...wish, dryRun: wish.dryRun || asked.dryRun, propagation: undefined }
  if (!isLeaving(live.object)) askBudgets(ports, call, live.object, options.dryRun)
  checkPreconditions(live.object, options)
  if (options.dryRun) return andThen(removeObject(ports, call, options), () => success(201))
  const told = tell(ports, call, live)
  const resourceVersion = options.resourceVersion === undefined ? undefined : told.object.metadata.resourceVersion
  return andThen(removeObject(ports, call, { ...options, resourceVersion }), () => success(201))
}

/** An object that cannot be read any more is not let go by way of an eviction. */
function checkWhole({ info }: ResourceCall, given: unknown): void {
  const option = 'ignoreStoreReadErrorWithClusterBreakingPotential'
  if (!isRecord(given) || given[option] !== true) return
  const why = 'can not be set for pod eviction, try after removing the option'
  throw invalid({ group: 'policy', kind: 'Eviction' }, info.name, [fieldError.invalid(`deleteOptions.${option}`, true, why)])
}

/** Whether this is a trial may be said in two places, of which neither outweighs the other. */
function checkDryRun({ query }: ResourceCall, given: unknown): void {
  const asked = query.all('dryRun')
  const wished = isRecord(given) && Array.isArray(given.dryRun) ? given.dryRun.map(String) : []
  if (asked.length === 0 || wished.length === 0 || asked.join(' ') === wished.join(' ')) return
  throw refusal(500, '', `Non-matching dry-run options in request and content: [${asked.join(' ')}] and [${wished.join(' ')}]`)
}

/** A pod that has ended, has not begun or is on its way out is no loss to anybody. */
function isLeaving({ metadata, status }: Committed): boolean {
  const phase = isRecord(status) ? status.phase : undefined
  return metadata.deletionTimestamp !== undefined || phase === 'Pending' || phase === 'Succeeded' || phase === 'Failed'
}

function askBudgets(ports: SubresourcePorts, call: ResourceCall, pod: Committed, dryRun: boolean): void {
  const [budget, other] = budgetsOf(ports, pod)
  if (other !== undefined) {
    const why = 'This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.'
    throw refusal(500, '', why)
  }
  if (budget === undefined || isUnguarded(pod, budget)) return
  checkCounted(budget)
  if (counts(budget).disruptionsAllowed <= 0) throw budgetSpent(budget)
  if (!dryRun) spend(ports, call, budget)
}

function budgetsOf(ports: SubresourcePorts, pod: Committed): Committed[] {
  const found: Committed[] = []
  const prefix = `${pod.metadata.namespace}/`
  ports.store.table('poddisruptionbudgets.policy').rows.visit(prefix, (version, key) => {
    if (!key.startsWith(prefix)) return false
    const selector = isRecord(version.object.spec) ? version.object.spec.selector : undefined
    if (isRecord(selector) && selectorFromObject(selector).matches(pod.metadata.labels)) found.push(version.object)
    return true
  })
  return found
}

/** A pod that is not ready counts for nothing, where the budget says so or has enough others. */
function isUnguarded(pod: Committed, budget: Committed): boolean {
  if (conditionsOf(pod).some(({ type, status }) => type === 'Ready' && status === 'True')) return false
  const policy = isRecord(budget.spec) ? budget.spec.unhealthyPodEvictionPolicy : undefined
  const { currentHealthy, desiredHealthy } = counts(budget)
  return policy === 'AlwaysAllow' || (currentHealthy >= desiredHealthy && desiredHealthy > 0)
}

function conditionsOf({ status }: Committed): Record<string, unknown>[] {
  const list: unknown = isRecord(status) ? status.conditions : undefined
  return Array.isArray(list) ? list.filter(isRecord) : []
}

function counts(budget: Committed): Record<'currentHealthy' | 'desiredHealthy' | 'disruptionsAllowed', number> {
  return { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, ...(isRecord(budget.status) ? budget.status : {}) }
}

/** What a budget allows is known when it was counted since it last changed. */
function checkCounted({ metadata, status }: Committed): void {
  const seen = isRecord(status) ? status.observedGeneration : undefined
  if ((typeof seen === 'number' ? seen : 0) >= (metadata.generation ?? 0)) return
  const what = `The disruption budget ${metadata.name} is still being processed by the server.`
  throw tooManyRequests(violation, 10, [{ reason: 'DisruptionBudget', message: what }])
}

/** One less may go until the budget is counted anew, so that two evictions at once do not spend the same allowance. */
function spend(ports: SubresourcePorts, call: ResourceCall, budget: Committed): void {
  const kind = ports.registry.find('policy', 'v1', 'poddisruptionbudgets')
  const table = ports.store.table('poddisruptionbudgets.policy')
  const key = `${budget.metadata.namespace}/${budget.metadata.name}`
  const row = table.rows.get(key)
  if (row === undefined || kind === undefined) return
  const now = timestamp(ports.clock.now())
  const before = isRecord(budget.status) ? budget.status : {}
  const { disruptionsAllowed } = counts(budget)
  const status = {
    ...before,
    disruptionsAllowed: disruptionsAllowed - 1,
    disruptedPods: { ...(isRecord(before.disruptedPods) ? before.disruptedPods : {}), [call.info.name]: now },
    ...(disruptionsAllowed === 1 && { conditions: withoutAllowance(budget, now) }),
  }
  const own: ResourceCall = { ...call, kind, info: { ...call.info, subresource: 'status' } }
  const draft = trackBuiltin(ports, own, { ...draftFrom(budget), status }, { fieldManager: 'kube-apiserver' }, budget)
  ports.store.update(table, key, row, draft)
}

function withoutAllowance(budget: Committed, now: string): readonly object[] {
  const seen = isRecord(budget.status) ? budget.status.observedGeneration : undefined
  const others = conditionsOf(budget).filter(({ type }) => type !== 'DisruptionAllowed')
  const said = { type: 'DisruptionAllowed', status: 'False', reason: 'InsufficientPods', message: '' }
  return [...others, { ...said, observedGeneration: seen, lastTransitionTime: now }]
}

const violation = "Cannot evict pod as it would violate the pod's disruption budget."

function budgetSpent(budget: Committed): Error {
  const { currentHealthy, desiredHealthy } = counts(budget)
  const what = `The disruption budget ${budget.metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`
  return tooManyRequests(violation, 0, [{ reason: 'DisruptionBudget', message: what }])
}

/** Looked at before anything is written: the words name a kind where others name a resource. */
function checkPreconditions({ metadata }: Committed, { uid = '', resourceVersion = '', dryRun }: DeleteRequest): void {
  if (dryRun) return
  const refuse = (why: string): Error => conflict({ group: '', plural: 'Pod' }, metadata.name, why)
  if (uid !== '' && uid !== metadata.uid)
    throw refuse(
      `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`,
    )
  if (resourceVersion !== '' && resourceVersion !== metadata.resourceVersion)
    throw refuse(
      `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`,
    )
}

/** Before it goes the pod says why: whoever waits for its end reads it there. */
function tell(ports: SubresourcePorts, call: ResourceCall, live: Version): Version {
  const status = isRecord(live.object.status) ? live.object.status : {}
  const conditions = conditionsOf(live.object)
  if (conditions.some(({ type }) => type === 'DisruptionTarget')) return live
  const evicted = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(ports.clock.now()),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  }
  const draft = { ...draftFrom(live.object), status: { ...status, conditions: [...conditions, evicted] } }
  return ports.store.update(tableOf(ports, call.kind), keyOfCall(call), live, draft)
}
