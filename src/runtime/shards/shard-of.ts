// Which shard a namespace belongs to, and which member of several each shard would rather be with. Replicas of different versions work side by
// side during an update and have to agree: these numbers never change, and a test holds them down.

/** The shard of a namespace, from 0. */
export function shardOf(namespace: string, count: number): number {
  return mixed(namespace) % count
}

/**
 * How much a member is fit for a shard, which goes to the one with the highest (rendezvous hashing): a member that comes or goes moves
 * no shard between two others.
 */
export function affinity(member: string, shard: number): number {
  return mixed(`${shard}/${member}`)
}

/** FNV-1a over the UTF-8 bytes, and the last step of MurmurHash3, without which texts that differ in their end only are close together. */
function mixed(text: string): number {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) hash = Math.imul(hash ^ byte, 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
