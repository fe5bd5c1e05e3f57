// The leases of replicas that share, by name. The lease by which a leader is elected is the division's: its holder is the number of shards, in
// whose name all replicas with that number hold it together. So nobody leads over everything, and nobody divides the work otherwise, meanwhile.

export interface ShardLeases {
  readonly namespace: string
  /** The lease of a leader over everything. */
  readonly name: string
  readonly count: number
}

export function shardLeaseName({ name, count }: ShardLeases, shard: number): string {
  return `${name}-shard-${shard}-of-${count}`
}

/** The identity under which replicas that divide the work alike hold the leader's lease together. */
export function divisionIdentity(count: number): string {
  return `shards-of-${count}`
}

/** Into how many shards the holder of a leader's lease divides the work; undefined for one who leads over all of it. */
export function divisionOf(holder: string): number | undefined {
  const found = /^shards-of-(\d+)$/.exec(holder)
  return found === null ? undefined : Number(found[1])
}

/** The lease by which one replica is counted. */
export function memberLeaseName({ name, count }: ShardLeases, identity: string): string {
  return `${memberPrefix(name, count)}${identity.toLowerCase().replaceAll(/[^a-z0-9.-]/g, '-')}`
}

export type LeaseName =
  | { readonly kind: 'division' }
  | { readonly kind: 'shard'; readonly shard: number; readonly of: number }
  | { readonly kind: 'member'; readonly of: number }

/** What a lease of that name is for; undefined for those of others. */
export function readLeaseName(name: string, lease: string): LeaseName | undefined {
  if (lease === name) return { kind: 'division' }
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
