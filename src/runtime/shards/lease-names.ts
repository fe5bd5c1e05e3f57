// The leases of shards, by name. The first shard's is the one by which a leader is elected: so a replica that leads and replicas that share
// are in each other's way, and see it.

export interface ShardLeases {
  readonly namespace: string
  /** The lease of a leader over everything. */
  readonly name: string
  readonly count: number
}

export function shardLeaseName({ name, count }: ShardLeases, shard: number): string {
  return shard === 0 ? name : `${name}-shard-${shard}-of-${count}`
}

/** Of one replica, to be counted by. */
export function memberLeaseName({ name, count }: ShardLeases, identity: string): string {
  return `${memberPrefix(name, count)}${identity.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-')}`
}

export type LeaseName =
  /** `of`: into how many shards its replica divides the work; undefined where its holder says. */
  | { readonly kind: 'shard'; readonly shard: number; readonly of: number | undefined }
  | { readonly kind: 'member'; readonly of: number }

/** What a lease of that name is for; undefined for those of others. */
export function readLeaseName(name: string, lease: string): LeaseName | undefined {
  if (lease === name) return { kind: 'shard', shard: 0, of: undefined }
  if (!lease.startsWith(`${name}-`)) return undefined
  const rest = lease.slice(name.length + 1)
  const shard = /^shard-(\d+)-of-(\d+)$/.exec(rest)
  if (shard !== null) return { kind: 'shard', shard: Number(shard[1]), of: Number(shard[2]) }
  const member = /^member-of-(\d+)-/.exec(rest)
  return member === null ? undefined : { kind: 'member', of: Number(member[1]) }
}

function memberPrefix(name: string, count: number): string {
  return `${name}-member-of-${count}-`
}
