// How the replicas of a process find their leader, or who holds which shard.
import { Election } from '../election/election.ts'
import type { EngineMetrics } from '../metrics/engine.ts'
import { shardLeaseName } from '../shards/lease-names.ts'
import { Shards } from '../shards/shards.ts'
import type { ManagerOptions } from './options.ts'

/** Opens the election of the process; one that runs alone needs none. */
export function openElection(
  { client, seams: { clock, random, log }, identity, election }: ManagerOptions,
  { masterStatus }: EngineMetrics,
): Election | Shards | undefined {
  if (election === undefined) return undefined
  const { shards: count, ...own } = election
  const common = { client, ...own, clock, random: random.fork('election'), log, identity }
  const { name } = election.lease
  const tell = (lease: string, isHeld: boolean): void => masterStatus.set(isHeld ? 1 : 0, { name: lease })
  if (count === undefined) {
    tell(name, false)
    return new Election({ ...common, onChange: leading => tell(name, leading) })
  }
  return new Shards({
    ...common,
    count,
    onChange: (shard, isHeld) => tell(shardLeaseName({ ...election.lease, count }, shard), isHeld),
  })
}
