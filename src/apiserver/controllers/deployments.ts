// Deployments: a replica set per template, and a rollout from the old ones to the new in steps that keep enough pods up.

import { type Committed, equalJson } from '../draft.ts'
import { timestamp } from '../timestamp.ts'
import { controllerOf, findObject, hashName, objectsIn, ownerReference } from './look.ts'
import type { ControllerContext, MakeController } from './runner.ts'

const deploymentsTable = 'deployments.apps'
const setsTable = 'replicasets.apps'
const revisionKey = 'deployment.kubernetes.io/revision'

interface DeploymentSpec {
  readonly replicas?: number
  readonly paused?: boolean
  readonly selector: unknown
  readonly template: { readonly metadata?: { readonly labels?: Record<string, string> }; readonly spec: unknown }
  readonly strategy?: {
    readonly type?: string
    readonly rollingUpdate?: { readonly maxSurge?: number | string; readonly maxUnavailable?: number | string }
  }
  readonly revisionHistoryLimit?: number
}

interface Counts {
  readonly replicas?: number
  readonly readyReplicas?: number
  readonly availableReplicas?: number
}

export const deployments: MakeController = context => ({
  name: 'deployment',
  keys: (event, table) => {
    if (table.name === deploymentsTable) return event.type === 'DELETED' ? [] : [event.key]
    if (table.name !== setsTable) return []
    const owner = controllerOf(event.version.object)
    return owner?.kind === 'Deployment' ? [`${event.version.object.metadata.namespace}/${owner.name}`] : []
  },
  reconcile: async key => {
    const deployment = findObject(context.ports, deploymentsTable, key)
    if (deployment === undefined || deployment.metadata.deletionTimestamp !== undefined) return undefined
    await rollOut(context, deployment)
    return undefined
  },
})

async function rollOut(context: ControllerContext, deployment: Committed): Promise<void> {
  const spec = specOf(deployment)
  const owned = objectsIn(context.ports, setsTable, deployment.metadata.namespace as string).filter(
    set => controllerOf(set)?.uid === deployment.metadata.uid,
  )
  const hash = hashName(spec.template)
  const current = owned.find(set => set.metadata.labels?.['pod-template-hash'] === hash)
  const older = owned.filter(set => set !== current)
  if (current === undefined) return createSet(context, deployment, hash, owned)
  if (spec.paused !== true) await scaleSets(context, deployment, current, older)
  await trimHistory(context, spec, older)
  await writeRevision(context, deployment, current)
  await writeStatus(context, deployment, current, older)
}

async function createSet(
  context: ControllerContext,
  deployment: Committed,
  hash: string,
  owned: readonly Committed[],
): Promise<void> {
  const spec = specOf(deployment)
  const { namespace, name } = deployment.metadata
  const revision = String(1 + Math.max(0, ...owned.map(revisionOf)))
  const labels = { ...spec.template.metadata?.labels, 'pod-template-hash': hash }
  const selector = spec.selector as { matchLabels?: Record<string, string> }
  await context.api.create(`/apis/apps/v1/namespaces/${namespace}/replicasets`, {
    kind: 'ReplicaSet',
    apiVersion: 'apps/v1',
    metadata: {
      name: `${name}-${hash}`,
      namespace,
      labels,
      annotations: { [revisionKey]: revision, ...replicaAnnotations(spec) },
      ownerReferences: [ownerReference(deployment)],
    },
    spec: {
      // The first set has all pods at once; later ones grow as the old ones shrink.
      replicas: owned.length === 0 ? (spec.replicas ?? 1) : 0,
      selector: { ...selector, matchLabels: { ...selector.matchLabels, 'pod-template-hash': hash } },
      template: { ...spec.template, metadata: { ...spec.template.metadata, labels } },
    },
  })
}

function replicaAnnotations(spec: DeploymentSpec): Record<string, string> {
  const wanted = spec.replicas ?? 1
  return {
    'deployment.kubernetes.io/desired-replicas': String(wanted),
    'deployment.kubernetes.io/max-replicas': String(wanted + surgeOf(spec)),
  }
}

function surgeOf(spec: DeploymentSpec): number {
  if (spec.strategy?.type === 'Recreate') return 0
  return resolveCount(spec.strategy?.rollingUpdate?.maxSurge ?? '25%', spec.replicas ?? 1, Math.ceil)
}

function unavailableOf(spec: DeploymentSpec): number {
  const allowed = resolveCount(spec.strategy?.rollingUpdate?.maxUnavailable ?? '25%', spec.replicas ?? 1, Math.floor)
  // A rollout with neither surge nor unavailable pods would never move.
  return allowed === 0 && surgeOf(spec) === 0 ? 1 : allowed
}

function resolveCount(value: number | string, of: number, round: (value: number) => number): number {
  return typeof value === 'number' ? value : round((Number.parseFloat(value) / 100) * of)
}

async function scaleSets(
  context: ControllerContext,
  deployment: Committed,
  current: Committed,
  older: readonly Committed[],
): Promise<void> {
  const spec = specOf(deployment)
  const wanted = spec.replicas ?? 1
  const oldTotal = older.reduce((sum, set) => sum + replicasOf(set), 0)
  const oldPods = older.reduce((sum, set) => sum + (countsOf(set).replicas ?? 0), 0)
  if (spec.strategy?.type === 'Recreate') {
    for (const set of older) await scaleTo(context, set, 0)
    if (oldPods === 0) await scaleTo(context, current, wanted)
    return
  }
  const room = Math.max(0, wanted + surgeOf(spec) - oldTotal)
  const grown = oldTotal === 0 ? wanted : Math.min(wanted, Math.max(replicasOf(current), room))
  await scaleTo(context, current, grown)
  const available = countsOf(current).availableReplicas ?? 0
  let spare = Math.max(0, oldTotal - Math.max(0, wanted - unavailableOf(spec) - available))
  for (const set of older) {
    const down = Math.min(spare, replicasOf(set))
    await scaleTo(context, set, replicasOf(set) - down)
    spare -= down
  }
}

async function scaleTo({ api }: ControllerContext, set: Committed, replicas: number): Promise<void> {
  if (replicasOf(set) === replicas) return
  await api.merge(`/apis/apps/v1/namespaces/${set.metadata.namespace}/replicasets/${set.metadata.name}`, { spec: { replicas } })
}

function replicasOf(set: Committed): number {
  return (set.spec as { replicas?: number }).replicas ?? 1
}

function revisionOf(set: Committed): number {
  return Number(set.metadata.annotations?.[revisionKey] ?? 0)
}

async function trimHistory({ api }: ControllerContext, spec: DeploymentSpec, older: readonly Committed[]): Promise<void> {
  const empty = older
    .filter(set => replicasOf(set) === 0 && (countsOf(set).replicas ?? 0) === 0)
    .sort((a, b) => revisionOf(a) - revisionOf(b))
  for (const set of empty.slice(0, Math.max(0, empty.length - (spec.revisionHistoryLimit ?? 10)))) {
    await api.delete(`/apis/apps/v1/namespaces/${set.metadata.namespace}/replicasets/${set.metadata.name}`)
  }
}

/** Through the status, whose writes are no new generation of the deployment. */
async function writeRevision({ api }: ControllerContext, deployment: Committed, current: Committed): Promise<void> {
  const revision = current.metadata.annotations?.[revisionKey]
  if (deployment.metadata.annotations?.[revisionKey] === revision) return
  const { namespace, name } = deployment.metadata
  await api.merge(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`, {
    metadata: { annotations: { [revisionKey]: revision } },
  })
}

async function writeStatus(
  context: ControllerContext,
  deployment: Committed,
  current: Committed,
  older: readonly Committed[],
): Promise<void> {
  const spec = specOf(deployment)
  const wanted = spec.replicas ?? 1
  const sum = (field: keyof Counts): number => [current, ...older].reduce((total, set) => total + (countsOf(set)[field] ?? 0), 0)
  const updated = countsOf(current).replicas ?? 0
  const available = sum('availableReplicas')
  const counts = {
    replicas: sum('replicas'),
    updatedReplicas: updated,
    readyReplicas: sum('readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, Math.max(wanted, sum('replicas')) - available),
  }
  const isDone = updated === wanted && sum('replicas') === wanted && available === wanted
  const before = (deployment.status ?? {}) as { conditions?: readonly Condition[] | null }
  const status = {
    observedGeneration: deployment.metadata.generation,
    ...Object.fromEntries(Object.entries(counts).filter(([, value]) => value !== 0)),
    conditions: conditionsOf(context, before.conditions ?? [], {
      isAvailable: available >= wanted - unavailableOf(spec),
      isDone,
      setName: current.metadata.name,
    }),
  }
  const { namespace, name } = deployment.metadata
  if (equalJson(withoutTimes(before), withoutTimes(status))) return
  const live = findObject(context.ports, deploymentsTable, `${namespace}/${name}`)
  if (live === undefined) return
  await context.api.update(`/apis/apps/v1/namespaces/${namespace}/deployments/${name}/status`, { ...live, status })
}

interface Condition {
  readonly type: string
  readonly status: string
  readonly reason: string
  readonly message: string
  readonly lastUpdateTime: string
  readonly lastTransitionTime: string
}

function conditionsOf(
  { ports }: ControllerContext,
  before: readonly Condition[],
  seen: { isAvailable: boolean; isDone: boolean; setName: string },
): Condition[] {
  const now = timestamp(ports.clock.now())
  const make = (type: string, status: string, reason: string, message: string): Condition => {
    const old = before.find(condition => condition.type === type)
    const isSame = old?.status === status && old.reason === reason && old.message === message
    return {
      type,
      status,
      reason,
      message,
      lastUpdateTime: isSame ? old.lastUpdateTime : now,
      lastTransitionTime: old?.status === status ? old.lastTransitionTime : now,
    }
  }
  return [
    seen.isAvailable
      ? make('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.')
      : make('Available', 'False', 'MinimumReplicasUnavailable', 'Deployment does not have minimum availability.'),
    seen.isDone
      ? make(
          'Progressing',
          'True',
          'NewReplicaSetAvailable',
          `ReplicaSet ${JSON.stringify(seen.setName)} has successfully progressed.`,
        )
      : make('Progressing', 'True', 'ReplicaSetUpdated', `ReplicaSet ${JSON.stringify(seen.setName)} is progressing.`),
  ]
}

function withoutTimes(status: object): unknown {
  const { conditions, ...rest } = status as { conditions?: readonly Condition[] | null }
  return {
    ...rest,
    conditions: (conditions ?? []).map(({ type, status: state, reason, message }) => ({ type, state, reason, message })),
  }
}

function specOf(deployment: Committed): DeploymentSpec {
  return deployment.spec as DeploymentSpec
}

function countsOf(set: Committed): Counts {
  return (set.status ?? {}) as Counts
}
