// Defects of the shards that replicas share, with the subject or the tests that must notice them.
import type { Mutant, MutantRow } from './mutants.ts'

const room = 'src/runtime/shards'
const manager = 'src/runtime/manager/work.ts'
const controller = 'src/runtime/controller/controller.ts'
const replicas = [`${room}/shards.test.ts`]

/** Of timing and of what a process knows when: the simulator hunts them. */
const hunted: readonly MutantRow<[]>[] = [
  [
    'shard-behind-the-wrong-fence',
    controller,
    'await this.#workOn(term, taken, stop.signal)',
    'await this.#workOn({ ...term, fence: this.#options.terms.process }, taken, stop.signal)',
    'a replica that is alive writes to what another one holds by now',
  ],
  [
    'shard-nothing-taken-up',
    manager,
    'for (const controller of controllers) controller.takeUp(',
    'for (const controller of []) (controller as Controller).takeUp(',
    'what another replica left undone is looked at by nobody',
  ],
  [
    'shard-works-on-all',
    `${room}/shards.ts`,
    'return this.#holdings.get(this.shardOf({ cluster, namespace }))',
    'return this.#holdings.get(this.shardOf({ cluster, namespace })) ?? [...this.#holdings.values()][0]',
    'a replica works on the claims of others behind the lease of its own shard',
  ],
  [
    'shard-dead-live-on',
    `${room}/lease-board.ts`,
    'isHeld(seen) && this.#clock.monotonicMs() <= seen.endsMs)',
    'isHeld(seen))',
    'a member that died keeps its share for ever',
  ],
]

/** Of a decision. */
const decided: readonly MutantRow<[tests: readonly string[]]>[] = [
  [
    'shard-surplus-kept',
    `${room}/assign.ts`,
    'for (const shard of shards.slice(0, room.get(member))) give(shard, member)',
    'for (const shard of shards) give(shard, member)',
    'who came first keeps everything',
    [`${room}/assign.test.ts`],
  ],
  [
    'shard-moves-between-two-that-stay',
    `${room}/assign.ts`,
    'ofB.length - ofA.length || (a < b ? -1 : 1)',
    'ofA.length - ofB.length || (a < b ? -1 : 1)',
    'who holds fewer gets the odd ones',
    [`${room}/assign.test.ts`],
  ],
  [
    'shard-never-let-go',
    'src/runtime/election/election.ts',
    'if (!this.#isWanted) return this.#letGo()',
    'if (!this.#isWanted && this.#term === undefined) return',
    'a replica that joins gets nothing',
    replicas,
  ],
  [
    'shard-release-unheard',
    `${room}/shards.ts`,
    "const isOfOurs = is.kind === 'shard' && is.of === this.#options.count",
    "const isOfOurs = is.kind === 'shard' && is.of !== this.#options.count",
    'a lease that was let go of waits until somebody looks by chance',
    replicas,
  ],
  [
    'shard-two-divisions',
    `${room}/shards.ts`,
    'new HeldShard(bothFences(this.#division, fence), term)',
    'new HeldShard(fence, term)',
    'replicas that divide the work otherwise work at the same time',
    replicas,
  ],
  [
    'shard-division-let-go',
    'src/runtime/election/election.ts',
    "if (own === undefined || this.#options.holding === 'together') return",
    'if (own === undefined) return',
    'the first who leaves hands over what the others stand on',
    replicas,
  ],
  [
    'shard-never-stands-back',
    `${room}/shards.ts`,
    'if (forMs < leaseDurationMs ||',
    'if (forMs >= 0 ||',
    'who cannot have the lease of a shard keeps it from everybody',
    replicas,
  ],
  [
    'shard-claim-unread',
    'src/runtime/plan/run.ts',
    'if (claim?.seen === undefined || writer.pretend) return',
    'if (claim !== undefined || writer.pretend) return',
    'who takes a shard makes something for a claim that its cache still shows and that is gone',
    ['src/runtime/plan/run.test.ts'],
  ],
  [
    'asleep-for-ever',
    'src/runtime/informer/caches.ts',
    'if (!view.isAsleep || this.#running === undefined || this.#running.signal.aborted) return',
    'if (view.isAsleep || this.#running === undefined || this.#running.signal.aborted) return',
    'what is followed only where it is read is never followed',
    ['src/runtime/targets/target-clusters.test.ts'],
  ],
  [
    'asleep-and-whole',
    'src/runtime/informer/view.ts',
    'if (isAsleep) return false',
    'if (isAsleep) return true',
    'a kind that nobody follows is taken for one without objects',
    ['src/runtime/targets/target-clusters.test.ts'],
  ],
  [
    'shard-members-pile-up',
    `${room}/shards.ts`,
    'void this.#remove(dead)',
    'void dead',
    'leases of members that died stay for ever',
    replicas,
  ],
]

export const shardMutants: readonly Mutant[] = [
  ...hunted.map(([id, file, find, replace, why]): Mutant => ({ id, file, find, replace, why, controllers: ['shares'] })),
  ...decided.map(([id, file, find, replace, why, tests]): Mutant => ({ id, file, find, replace, why, tests })),
]
