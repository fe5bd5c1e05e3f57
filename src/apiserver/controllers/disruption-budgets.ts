// Disruption budgets: how many of the pods that one selects are healthy, and how many of them may go. Evictions read the answer, so a
// drain of a node ends.
import { isRecord } from '#base'
import { type Committed, equalJson } from '../draft.ts'
import { timestamp } from '../timestamp.ts'
import { conditionStatus, controllerOf, findObject, isReady, objectsIn, selects } from './look.ts'
import type { ControllerContext, MakeController } from './runner.ts'

const budgetsTable = 'poddisruptionbudgets.policy'

interface Counts {
  readonly expectedPods: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly disruptionsAllowed: number
}

export const disruptionBudgets: MakeController = context => ({
  name: 'disruption',
  keys: ({ type, key, version }, table) => {
    if (table.name === budgetsTable) return type === 'DELETED' ? [] : [key]
    if (table.name !== 'pods' && table.name !== 'replicasets.apps') return []
    const namespace = version.object.metadata.namespace ?? ''
    return objectsIn(context.ports, budgetsTable, namespace).map(budget => `${namespace}/${budget.metadata.name}`)
  },
  reconcile: async key => {
    const budget = findObject(context.ports, budgetsTable, key)
    if (budget !== undefined && budget.metadata.deletionTimestamp === undefined) await writeStatus(context, budget)
    return undefined
  },
})

function count({ ports }: ControllerContext, budget: Committed): Counts {
  const { minAvailable, maxUnavailable, selector } = recordOf(budget.spec)
  const namespace = budget.metadata.namespace ?? ''
  const pods =
    selector === undefined ? [] : objectsIn(ports, 'pods', namespace).filter(pod => selects(selector, pod.metadata.labels))
  const currentHealthy = pods.filter(isReady).length
  // A share, or a maximum, is of what the owners want; a plain minimum needs nobody but the pods.
  const expectedPods = typeof minAvailable === 'number' ? pods.length : wantedPods(ports, namespace, pods)
  const desiredHealthy =
    maxUnavailable === undefined
      ? amountOf(minAvailable ?? 1, expectedPods)
      : Math.max(0, expectedPods - amountOf(maxUnavailable, expectedPods))
  const disruptionsAllowed = expectedPods === 0 ? 0 : Math.max(0, currentHealthy - desiredHealthy)
  return { expectedPods, currentHealthy, desiredHealthy, disruptionsAllowed }
}

/** What the replica sets of these pods are meant to have; a pod without one counts for itself. */
function wantedPods(ports: ControllerContext['ports'], namespace: string, pods: readonly Committed[]): number {
  const owners = new Map<string, number>()
  for (const pod of pods) {
    const owner = controllerOf(pod)
    const set = owner?.kind === 'ReplicaSet' ? findObject(ports, 'replicasets.apps', `${namespace}/${owner.name}`) : undefined
    const { replicas } = recordOf(set?.spec)
    owners.set(owner?.uid ?? pod.metadata.uid ?? '', typeof replicas === 'number' ? replicas : 1)
  }
  return [...owners.values()].reduce((sum, replicas) => sum + replicas, 0)
}

function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

/** Shares are rounded up. */
function amountOf(value: unknown, whole: number): number {
  return typeof value === 'number' ? value : Math.ceil((Number.parseInt(String(value), 10) * whole) / 100)
}

async function writeStatus(context: ControllerContext, budget: Committed): Promise<void> {
  const counts = count(context, budget)
  const isAllowed = counts.disruptionsAllowed > 0
  const before = recordOf(budget.status)
  const isCurrent = before.observedGeneration === budget.metadata.generation && equalJson({ ...before, ...counts }, before)
  const said = conditionStatus(budget, 'DisruptionAllowed')
  if (isCurrent && said === (isAllowed ? 'True' : 'False')) return
  const condition = {
    type: 'DisruptionAllowed',
    status: isAllowed ? 'True' : 'False',
    reason: isAllowed ? 'SufficientPods' : 'InsufficientPods',
    message: '',
    observedGeneration: budget.metadata.generation,
    lastTransitionTime: timestamp(context.ports.clock.now()),
  }
  const status = { ...counts, observedGeneration: budget.metadata.generation, conditions: [condition] }
  const { namespace, name } = budget.metadata
  await context.api.update(`/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets/${name}/status`, { ...budget, status })
}
