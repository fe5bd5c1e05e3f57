// Binds pods to nodes: the first that the pod's selector and affinity accept and whose taints it tolerates. A pod that fits nowhere says
// why, and is looked at again when a node changes. Room on a node is not counted.
import { type LabelSelectorObject, selectorFromObject } from '#kube'
import type { Committed } from '../draft.ts'
import { timestamp } from '../timestamp.ts'
import { nodeName } from './kubelet.ts'
import { findObject } from './look.ts'
import { notReadyKey, readyOf } from './node-lifecycle.ts'
import type { ControllerContext, MakeController } from './runner.ts'

interface Taint {
  readonly key: string
  readonly value?: string
  readonly effect: string
}

interface Toleration {
  readonly key?: string
  readonly operator?: string
  readonly value?: string
  readonly effect?: string
}

interface Term {
  readonly matchExpressions?: LabelSelectorObject['matchExpressions']
}

interface PodSpec {
  readonly nodeName?: string
  readonly nodeSelector?: Readonly<Record<string, string>>
  readonly tolerations?: readonly Toleration[]
  readonly schedulingGates?: readonly unknown[]
  readonly affinity?: {
    readonly nodeAffinity?: {
      readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms?: readonly Term[] }
    }
  }
}

export const scheduler: MakeController = context => ({
  name: 'scheduler',
  keys: (event, table) => {
    if (table.name === 'nodes') return waitingPods(context)
    return table.name === 'pods' && event.type !== 'DELETED' ? [event.key] : []
  },
  reconcile: async key => {
    const pod = findObject(context.ports, 'pods', key)
    if (pod === undefined || !isWaiting(pod)) return undefined
    const nodes = objects(context, 'nodes')
    // A server that keeps no nodes has one all the same.
    if (nodes.length === 0) await bind(context, pod, nodeName)
    const refusals = nodes.map(node => refusalOf(node, pod.spec as PodSpec))
    const chosen = nodes[refusals.indexOf(undefined)]
    if (chosen !== undefined) await bind(context, pod, chosen.metadata.name)
    else if (nodes.length > 0) await sayWhy(context, pod, refusals)
    return undefined
  },
})

function isWaiting(pod: Committed): boolean {
  const { nodeName = '', schedulingGates = [] } = (pod.spec ?? {}) as PodSpec
  return pod.metadata.deletionTimestamp === undefined && nodeName === '' && schedulingGates.length === 0
}

function waitingPods(context: ControllerContext): string[] {
  return objects(context, 'pods')
    .filter(isWaiting)
    .map(({ metadata }) => `${metadata.namespace}/${metadata.name}`)
}

function objects({ ports }: ControllerContext, table: string): Committed[] {
  const found: Committed[] = []
  ports.store.table(table).rows.visit('', version => found.push(version.object) > 0)
  return found
}

/** Why the node is none for the pod, as the real scheduler says it; undefined when it is one. */
function refusalOf(node: Committed, pod: PodSpec): string | undefined {
  const { taints = [], unschedulable } = (node.spec ?? {}) as { taints?: readonly Taint[]; unschedulable?: boolean }
  const tolerated = (taint: Taint): boolean => (pod.tolerations ?? []).some(toleration => tolerates(toleration, taint))
  if (unschedulable === true && !tolerated({ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }))
    return 'node(s) were unschedulable'
  // Between a node's word that it is ready and the end of its first taint there is nothing to wait for.
  const inForce = readyOf(node) === 'True' ? taints.filter(one => one.key !== notReadyKey) : taints
  const taint = inForce.find(one => one.effect !== 'PreferNoSchedule' && !tolerated(one))
  if (taint !== undefined) return `node(s) had untolerated taint {${taint.key}: ${taint.value ?? ''}}`
  const { labels } = node.metadata
  const isSelected = selectorFromObject({ matchLabels: pod.nodeSelector ?? {} }).matches(labels)
  const terms = pod.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms
  const isAccepted =
    terms === undefined ||
    terms.some(
      ({ matchExpressions }) => matchExpressions !== undefined && selectorFromObject({ matchExpressions }).matches(labels),
    )
  return isSelected && isAccepted ? undefined : "node(s) didn't match Pod's node affinity/selector"
}

function tolerates({ key = '', operator = 'Equal', value = '', effect = '' }: Toleration, taint: Taint): boolean {
  if (effect !== '' && effect !== taint.effect) return false
  if (key === '') return operator === 'Exists'
  return key === taint.key && (operator === 'Exists' || value === (taint.value ?? ''))
}

async function bind({ api }: ControllerContext, { metadata }: Committed, node: string): Promise<void> {
  await api.create(`/api/v1/namespaces/${metadata.namespace}/pods/${metadata.name}/binding`, {
    kind: 'Binding',
    apiVersion: 'v1',
    metadata: { name: metadata.name, namespace: metadata.namespace },
    target: { kind: 'Node', name: node },
  })
}

async function sayWhy(
  { ports, api }: ControllerContext,
  pod: Committed,
  refusals: readonly (string | undefined)[],
): Promise<void> {
  const counts = new Map<string, number>()
  for (const refusal of refusals) counts.set(refusal ?? '', (counts.get(refusal ?? '') ?? 0) + 1)
  const reasons = [...counts].map(([refusal, count]) => `${count} ${refusal}`).sort()
  const message = `0/${refusals.length} nodes are available: ${reasons.join(', ')}.`
  const { conditions = [] } = (pod.status ?? {}) as { conditions?: readonly { type: string; message?: string }[] }
  if (conditions.some(condition => condition.type === 'PodScheduled' && condition.message === message)) return
  const now = timestamp(ports.clock.now())
  const unscheduled = { type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message, lastProbeTime: null }
  const { namespace, name, uid } = pod.metadata
  await api.merge(`/api/v1/namespaces/${namespace}/pods/${name}/status`, {
    status: {
      conditions: [
        ...conditions.filter(condition => condition.type !== 'PodScheduled'),
        { ...unscheduled, lastTransitionTime: now },
      ],
    },
  })
  await api.create(`/api/v1/namespaces/${namespace}/events`, {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { generateName: `${name}.`, namespace },
    involvedObject: { kind: 'Pod', apiVersion: 'v1', name, namespace, uid },
    source: { component: 'default-scheduler' },
    type: 'Warning',
    reason: 'FailedScheduling',
    message,
    firstTimestamp: now,
    lastTimestamp: now,
    count: 1,
  })
}
