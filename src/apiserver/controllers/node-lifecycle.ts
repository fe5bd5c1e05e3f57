// What a node says of itself decides which pods it gets: the taint that every new node has goes when it is ready, and comes back when
// it is not, with the one that drives pods away.
import type { Committed } from '../draft.ts'
import { findObject } from './look.ts'
import type { MakeController } from './runner.ts'

interface Taint {
  readonly key: string
  readonly effect: string
  readonly value?: string
  readonly timeAdded?: string
}

export const notReadyKey = 'node.kubernetes.io/not-ready'
const keys = { False: notReadyKey, Unknown: 'node.kubernetes.io/unreachable' } as const
const effects = ['NoSchedule', 'NoExecute']

export const nodeLifecycle: MakeController = ({ ports, api }) => ({
  name: 'node-lifecycle',
  keys: (event, table) => (table.name === 'nodes' && event.type !== 'DELETED' ? [event.key] : []),
  reconcile: async name => {
    const node = findObject(ports, 'nodes', name)
    if (node === undefined) return undefined
    const present = ((node.spec as { taints?: readonly Taint[] } | undefined)?.taints ?? []) as readonly Taint[]
    const ready = readyOf(node)
    // A node that has said nothing yet keeps what admission gave it.
    if (ready === undefined) return undefined
    const wanted = ready === 'True' ? [] : effects.map(effect => ({ key: keys[ready], effect }))
    const isOurs = (taint: Taint): boolean => Object.values<string>(keys).includes(taint.key) && effects.includes(taint.effect)
    const has = (taint: Taint, among: readonly Taint[]): boolean =>
      among.some(other => other.key === taint.key && other.effect === taint.effect)
    const kept = present.filter(taint => !isOurs(taint) || has(taint, wanted))
    const missing = wanted.filter(taint => !has(taint, present))
    if (kept.length === present.length && missing.length === 0) return undefined
    const taints = [...kept, ...missing]
    await api.merge(`/api/v1/nodes/${name}`, {
      metadata: { resourceVersion: node.metadata.resourceVersion },
      spec: { taints: taints.length === 0 ? null : taints },
    })
    return undefined
  },
})

export function readyOf(node: Committed): 'True' | 'False' | 'Unknown' | undefined {
  const { conditions = [] } = (node.status ?? {}) as { conditions?: readonly { type: string; status: string }[] }
  const status = conditions.find(condition => condition.type === 'Ready')?.status
  return status === 'True' || status === 'False' || status === 'Unknown' ? status : undefined
}
