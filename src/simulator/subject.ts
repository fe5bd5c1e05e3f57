// What is put into the simulator: a controller, the world it lives in, what its users do, and what must hold.

import type { Keys } from '#base'
import type { KubeObject } from '#kube'
import type { Lane } from '#runtime'
import type { Effect } from './effects.ts'
import type { FaultCode } from './faults/faults.ts'
import type { ProcessContext } from './process-context.ts'
import type { CloudSubject } from './world/cloud.ts'
import type { World } from './world/world.ts'

/** Something that a user, or a stranger, does: through the admin's exchange, at an instant of the scheduler's choosing. */
export interface Deed {
  readonly label: string
  /** Virtual time before which it does not happen. */
  readonly afterMs?: number
  /** The path of the object that it is about, for trying it first where a process has a call to the same place under way. */
  readonly touches?: string
  /** Makes an object that nothing else in the script needs before another of these: their order must not matter (D3). */
  readonly creates?: boolean
  run(world: World): Promise<void>
}

export type ObjectRole = 'claim' | 'external' | 'lease' | 'event' | 'other'

export interface Invariant {
  /** S1 … or a name of the subject's own. */
  readonly code: string
  /** Text of the violation, or undefined. Called after each effect. */
  check(effect: Effect, world: World): string | undefined
}

/** The time at rest whose reads are counted, and what happened in it. */
export interface RestWindow {
  readonly forMs: number
  readonly effects: readonly Effect[]
}

export interface Subject {
  readonly name: string
  /** Servers of the world by name, made once; each run gets forks. The first is where claims live. */
  readonly servers: readonly string[]
  /** AWS beside them. Its objects are shown to the invariants as those of a server named `aws`. */
  readonly cloud?: CloudSubject
  /** The keys that processes are given when they ask for some; they are refused without. */
  readonly keys?: (world: World) => Keys
  /** What others do about an effect: a controller of Deployments, whoever runs an API server. They park deeds, and happen later. */
  react?(effect: Effect, world: World): void
  /** For how long things may go wrong at the least; a minute when absent. */
  readonly safetyMs?: number
  /** Objects that are there before anything starts, by server. */
  objects(server: string): readonly KubeObject[]
  /** Processes that compete for leadership; 1 where there is no election. */
  readonly replicas: number
  /** How many versions of the program there are, 1 when absent: they may follow one another as leader over the same state (F26, D6). */
  readonly versions?: number
  /** Runs until the signal aborts. */
  start(process: ProcessContext): Promise<void>
  readonly script: readonly Deed[]
  readonly disturbances: readonly (Deed & { readonly fault: FaultCode })[]
  roleOf(object: KubeObject): ObjectRole
  /**
   * The uid of the claim that an external object is marked with, or which has on record that it is about to make just this one; undefined
   * when neither is so.
   */
  ownerUidOf(external: KubeObject, world: World): string | undefined
  /** Whether another controller, of which a stand-in runs in the same process, says in the status of such an object how it is: whoever's it is. */
  readonly statusIsOfStandIn?: boolean
  /** What an external object is for within its claim: S1 allows one for each. */
  purposeOf(external: KubeObject, server: string): string
  /** What in names and fields is made of uids, and so another in each run; global. */
  readonly madeOfUids?: RegExp
  /** The status, where it does not stand in `status`. */
  statusOf?(claim: KubeObject): unknown
  /** Whether the claim, as it stands, asks for the external object on that server. */
  isWanted(claim: KubeObject, external: KubeObject, server: string): boolean
  /** The fallback looks of claims that wait for something, of which a process with a fast clock makes more (B7). */
  readonly readsAtRestPerMinute: number | ((world: World, rest: RestWindow) => number)
  /** How long a key may wait for a worker, by lane, while nothing goes wrong (L9); `waitsMax` when absent. */
  readonly waitsMsMax?: Readonly<Record<Lane, number>>
  /** The finalizer of all claims, or a function where each kind has its own. */
  readonly finalizer: string | ((claim: KubeObject) => string)
  /** False where the API of the claims has no observedGeneration to speak of: S8 is the subject's own to state. */
  readonly observesGeneration?: false
  /** Where replicas share the work: the name of the lease that guards what is in a namespace. One guards all when absent. */
  readonly leaseOf?: (namespace: string) => string
  /** Duration of the lease, where there is an election: nothing is sent later than this after the last renewal was sent (P13). */
  readonly leaseMs?: number
  readonly reasons: readonly string[]
  readonly invariants: readonly Invariant[]
  /** What of an object is the same at the end of any run, where more of it depends on when a wish was first carried out (D1). */
  endsAs?(object: KubeObject): unknown
  /** What still differs from the fixpoint, or undefined. */
  unfinished(world: World): string | undefined
  /**
   * What a claim tells as it was at its last look and is not any more, where no event brings a look: the next one by time puts it right, within
   * `settleMs`. There is no rest before that, and no hurry for it either.
   */
  outOfDate?(world: World): string | undefined
  /** Longest virtual time to the fixpoint once the faults have ended (L1). */
  readonly settleMs: number
  /** The same when nothing but watches was disturbed: silence has to be noticed by itself, not by what happens to come later (L7). */
  readonly settleStreamsMs: number
}
