// When a process works, and on what: always where it is alone, while it leads, or on the shards that it holds.
import type { Clock } from '#base'
import type { ResourceType } from '#kube'
import type { ClaimKey } from '../claim-key.ts'
import { type Companion, runCompanions } from '../companion.ts'
import type { Controller } from '../controller/controller.ts'
import type { Election } from '../election/election.ts'
import type { Caches } from '../informer/caches.ts'
import { openScope } from '../scope.ts'
import { Shards } from '../shards/shards.ts'
import type { Clusters } from './clusters.ts'
import type { ManagerOptions } from './options.ts'

export interface WorkOptions {
  readonly seams: ManagerOptions['seams']
  readonly companions: readonly Companion[]
  readonly clusters: Clusters
  readonly controllers: readonly Controller[]
  /** What this process works on became more or less. */
  onShareChanged(): void
}

type Accompany = (term: AbortSignal) => Promise<void>

export class Work {
  readonly #options: WorkOptions

  constructor(options: WorkOptions) {
    this.#options = options
  }

  async run(election: Election | Shards | undefined, signal: AbortSignal): Promise<void> {
    const { clusters, controllers } = this.#options
    const root = openScope({ parents: [signal] })
    clusters.start(root.signal)
    try {
      if (election instanceof Shards) await this.#share(election, root.signal)
      else if (election === undefined) await this.#lead([root.signal], this.#accompany)
      else await election.run(root.signal, term => this.#lead([root.signal, term], this.#accompany))
    } finally {
      root.end(new Error('the manager stops'))
      for (const controller of controllers) controller.close()
      await clusters.stopped()
    }
  }

  readonly #accompany: Accompany = term => {
    const { seams, companions, clusters, controllers } = this.#options
    return runCompanions(companions, { world: clusters.world, controllers, clock: seams.clock, log: seams.log }, term)
  }

  /** Nothing is decided before the hub is known; a target is known when it is known. */
  async #lead(signals: readonly AbortSignal[], accompany: Accompany): Promise<void> {
    const { clusters, controllers } = this.#options
    const term = openScope({ parents: signals })
    try {
      await Promise.all([
        accompany(term.signal),
        ...controllers.map(async controller => {
          await clusters.hub.whenSynced(term.signal, readInHub(controller))
          await controller.run(term.signal)
        }),
      ])
    } catch (error) {
      if (!term.signal.aborted) throw error
    } finally {
      term.end()
    }
  }

  async #share(shards: Shards, signal: AbortSignal): Promise<void> {
    const { seams, clusters, onShareChanged } = this.#options
    // Workers are there all the time, and take what is of the shards that are held.
    const working = this.#lead([signal], () => Promise.resolve())
    await warmed(clusters.hub, seams.clock, signal)
    const onTaken = (shard: number): void => this.#takeUp(shards, shard)
    await Promise.all([working, shards.run(signal, { onTaken, onGiven: onShareChanged, beside: this.#accompany })])
  }

  #takeUp(shards: Shards, shard: number): void {
    const { clusters, controllers, onShareChanged } = this.#options
    onShareChanged()
    const isOfShard = (key: ClaimKey): boolean => shards.shardOf(key) === shard
    for (const controller of controllers) controller.takeUp(claimsOf(controller, clusters).filter(isOfShard))
  }
}

/** Only what this one reads: a kind that is missing for another operator is no business of this one. */
function readInHub({ definition: { claims, watches = [] } }: Controller): readonly ResourceType[] {
  return [claims, ...watches].filter(({ on }) => on !== 'targets').map(({ type }) => type)
}

/** What a replica may take before it takes part although it has not seen everything: a kind may be missing for good. */
const warmMsMax = 10_000

/** Whoever takes work over knows the hub by then, so that nothing waits for a first list. */
async function warmed(hub: Caches, clock: Clock, signal: AbortSignal): Promise<void> {
  const scope = openScope({ parents: [signal], deadline: { clock, ms: warmMsMax, what: 'the first list' } })
  try {
    await hub.whenSynced(scope.signal)
  } catch (error) {
    if (!scope.signal.aborted) throw error
  } finally {
    scope.end()
  }
}

function claimsOf({ definition: { claims } }: Controller, { hub, targets }: Clusters): readonly ClaimKey[] {
  const all = claims.on === 'targets' ? [...targets.members()] : [['', hub] as const]
  return all.flatMap(([cluster, caches]) =>
    caches.list(claims.type).map(({ metadata }) => ({ cluster, namespace: metadata.namespace ?? '', name: metadata.name })),
  )
}
