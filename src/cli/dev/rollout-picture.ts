// A rollout over groups of clusters in one line: `canary [edge ✓] ──> staging [stage !] ─╳─ production [prod ·]`.
import type { ReplicaSetStatus } from '#operators/identity'

export interface PicturedGroup {
  readonly name: string
  readonly clusters: readonly string[]
}

/** `✓` is ready, `…` on its way, `!` failed, `·` has not had its turn. */
export function rolloutPicture(groups: readonly PicturedGroup[], status: ReplicaSetStatus | undefined): string {
  const signs = new Map((status?.clusters ?? []).map(cluster => [cluster.clusterName, signOf(cluster)]))
  const isOpen = (group: PicturedGroup): boolean => group.clusters.every(cluster => signs.get(cluster) === '✓')
  const hasFailed = (group: PicturedGroup): boolean => group.clusters.some(cluster => signs.get(cluster) === '!')
  return groups
    .map((group, index) => {
      const drawn = `${group.name} [${group.clusters.map(cluster => `${cluster} ${signs.get(cluster) ?? '·'}`).join(', ')}]`
      if (index === groups.length - 1) return drawn
      return `${drawn} ${hasFailed(group) ? '─╳─' : isOpen(group) ? '──>' : '───'} `
    })
    .join('')
}

export function isStopped(status: ReplicaSetStatus | undefined): boolean {
  return status?.conditions?.some(one => one.type === 'RolloutStopped' && one.status === 'True') === true
}

function signOf({ phase, reason }: { readonly phase: string; readonly reason?: string }): string {
  if (phase === 'Ready') return '✓'
  if (phase !== 'Pending') return '!'
  return reason === 'RolloutPending' ? '·' : '…'
}
