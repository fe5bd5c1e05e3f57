// Who should hold which shard: pure, and the same for all who see the same. Shares differ by one at most, and nothing moves but what has to:
// a holder keeps what it has up to its share, and what nobody keeps goes to whoever has room and the highest affinity.
import { affinity } from './shard-of.ts'

export interface Roster {
  /** The replicas that are alive. */
  readonly members: readonly string[]
  /** Who holds each shard at this moment. */
  readonly holders: readonly (string | undefined)[]
}

/** A member for each shard; undefined only where there are no members. */
export function assignShards({ members, holders }: Roster): readonly (string | undefined)[] {
  const held = new Map(members.map(member => [member, shardsOf(member, holders)]))
  const room = roomOf(held, holders.length)
  const assigned = holders.map((): string | undefined => undefined)
  const give = (shard: number, member: string): void => {
    assigned[shard] = member
    room.set(member, (room.get(member) ?? 0) - 1)
  }
  for (const [member, shards] of held) for (const shard of shards.slice(0, room.get(member))) give(shard, member)
  for (const [shard, member] of assigned.entries()) {
    const taker =
      member === undefined
        ? mostAffine(
            shard,
            [...room].filter(([, left]) => left > 0).map(([one]) => one),
          )
        : undefined
    if (taker !== undefined) give(shard, taker)
  }
  return assigned
}

/** What it would rather keep comes first. */
function shardsOf(member: string, holders: Roster['holders']): readonly number[] {
  const shards = holders.flatMap((holder, shard) => (holder === member ? [shard] : []))
  return shards.sort((one, other) => affinity(member, other) - affinity(member, one) || one - other)
}

/** How many each may hold. Where they cannot be equal, whoever holds more already may hold one more: so the fewest move. */
function roomOf(held: ReadonlyMap<string, readonly number[]>, shards: number): Map<string, number> {
  const byHeld = [...held].sort(([a, ofA], [b, ofB]) => ofB.length - ofA.length || (a < b ? -1 : 1))
  const least = Math.floor(shards / byHeld.length)
  return new Map(byHeld.map(([member], index) => [member, least + (index < shards % byHeld.length ? 1 : 0)]))
}

function mostAffine(shard: number, members: readonly string[]): string | undefined {
  const [first] = [...members].sort((a, b) => affinity(b, shard) - affinity(a, shard) || (a < b ? -1 : 1))
  return first
}
