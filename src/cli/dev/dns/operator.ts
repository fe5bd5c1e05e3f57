// The dns operator of the story, on the cluster of one's own.
import { startOperatorOf } from '../operator-of-cluster.ts'
import type { DevCluster, DevWorld } from '../world.ts'

export interface DnsOperatorPlace {
  readonly cluster: DevCluster
  readonly args: readonly string[]
  /** The proxy through which operands reach AWS. */
  readonly proxy: string
}

export function startDnsOperator(
  world: DevWorld,
  { cluster, args, proxy }: DnsOperatorPlace,
  signal: AbortSignal,
): Promise<{ readonly stopped: Promise<void> }> {
  return startOperatorOf(world, { name: 'dns', cluster, args, env: { HTTPS_PROXY: proxy } }, signal)
}
