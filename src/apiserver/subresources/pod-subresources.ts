// binding and eviction of pods.
import { andThen, isRecord, type Maybe } from '#base'
import { selectorFromObject } from '#kube'
import { type Committed, type Draft, draftFrom } from '../draft.ts'
import { bodyFormat, decodeText } from '../http/body.ts'
import { header, type Reply, type ResourceCall } from '../http/call.ts'
import { badRequest, conflict, tooManyRequests } from '../refusals.ts'
import { timestamp } from '../timestamp.ts'
import { type DeleteRequest, removeObject } from '../verbs/delete.ts'
import { readWriteOptions } from '../verbs/options.ts'
import { requireLive } from '../verbs/subject.ts'
import { updateObject } from '../verbs/update-flow.ts'
import type { SubresourcePorts } from './ports.ts'

const success = (code: number): Reply => ({
  type: 'value',
  code,
  value: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code },
})

/** POST of a Binding, to the pod's subresource or to the bindings collection: the scheduler's decision. */
export function bindPod(ports: SubresourcePorts, call: ResourceCall): Maybe<Reply> {
  const options = readWriteOptions(call, 'CreateOptions')
  const body = readBody(ports, call)
  const target = isRecord(body.target) ? body.target : {}
  const nodeName = target.name
  if (typeof nodeName !== 'string' || nodeName === '') throw badRequest('target.name is required for a Binding')
  const step = {
    options,
    next: (live: Readonly<Draft>) => bound(ports, call, live, nodeName),
  }
  return andThen(updateObject(ports, call, step), () => success(201))
}

function bound(ports: SubresourcePorts, call: ResourceCall, live: Readonly<Draft>, nodeName: string): Draft {
  const spec = (live.spec ?? {}) as { nodeName?: string }
  if (spec.nodeName !== undefined && spec.nodeName !== '') {
    throw conflict(
      { group: '', plural: 'pods/binding' },
      call.info.name,
      `pod ${call.info.name} is already assigned to node "${spec.nodeName}"`,
    )
  }
  const status = (live.status ?? {}) as { conditions?: readonly { type: string }[] }
  const scheduled = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: timestamp(ports.clock.now()),
  }
  const others = (status.conditions ?? []).filter(condition => condition.type !== 'PodScheduled')
  return { ...draftFrom(live), spec: { ...spec, nodeName }, status: { ...status, conditions: [...others, scheduled] } }
}

/** POST of an Eviction: a delete that asks the disruption budgets first. */
export function evictPod(ports: SubresourcePorts, call: ResourceCall): Maybe<Reply> {
  const { dryRun } = readWriteOptions(call, 'CreateOptions')
  const body = readBody(ports, call)
  const wish = isRecord(body.deleteOptions) ? body.deleteOptions : {}
  const pod = requireLive(ports, call).object
  const budget = findBudget(ports, pod)
  if (budget !== undefined && pod.metadata.deletionTimestamp === undefined) spend(ports, budget, dryRun)
  const preconditions = isRecord(wish.preconditions) ? wish.preconditions : {}
  const options: DeleteRequest = {
    dryRun,
    gracePeriodSeconds: typeof wish.gracePeriodSeconds === 'number' ? wish.gracePeriodSeconds : undefined,
    propagation: undefined,
    uid: typeof preconditions.uid === 'string' ? preconditions.uid : undefined,
    resourceVersion: typeof preconditions.resourceVersion === 'string' ? preconditions.resourceVersion : undefined,
  }
  return andThen(removeObject(ports, call, options), () => success(201))
}

function findBudget(ports: SubresourcePorts, pod: Committed): Committed | undefined {
  let found: Committed | undefined
  const prefix = `${pod.metadata.namespace}/`
  ports.store.table('poddisruptionbudgets.policy').rows.visit(prefix, (version, key) => {
    if (!key.startsWith(prefix)) return false
    const { selector } = (version.object.spec ?? {}) as { selector?: object }
    if (selector !== undefined && selectorFromObject(selector).matches(pod.metadata.labels)) found ??= version.object
    return found === undefined
  })
  return found
}

/** One less may go until the budget is counted anew, so that two evictions at once do not spend the same allowance. */
function spend({ store }: SubresourcePorts, budget: Committed, dryRun: boolean): void {
  const status = isRecord(budget.status) ? budget.status : {}
  const allowed = typeof status.disruptionsAllowed === 'number' ? status.disruptionsAllowed : 0
  if (allowed <= 0) throw budgetSpent(budget)
  const table = store.table('poddisruptionbudgets.policy')
  const key = `${budget.metadata.namespace}/${budget.metadata.name}`
  const row = table.rows.get(key)
  if (row === undefined || dryRun) return
  store.update(table, key, row, { ...draftFrom(budget), status: { ...status, disruptionsAllowed: allowed - 1 } })
}

function budgetSpent(budget: Committed): Error {
  return tooManyRequests("Cannot evict pod as it would violate the pod's disruption budget.", 0, [
    {
      reason: 'DisruptionBudget',
      message: `The disruption budget ${budget.metadata.name} needs more healthy pods before another can go`,
    },
  ])
}

function readBody(ports: SubresourcePorts, call: ResourceCall): Record<string, unknown> {
  const format = bodyFormat(header(call.request, 'content-type'), false)
  return format === 'protobuf' ? ports.decodeProtobuf(call.body) : decodeText(call.body, format).value
}
