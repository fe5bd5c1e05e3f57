// How a subject of the simulator is put together and started.
//
// To add one: write `test/sim/NAME.ts` that exports a `Subject` (src/simulator/subject.ts says what each member means), whose `start` is
// `runProbed` with the subject's controllers, so that the engine tells the simulator what only it can know; enter it in `subjects.ts`, and
// `npm run sim -- --controller NAME` drives it. Its test is `npm run sim` in small: `NAME.test.ts` with `holdsUnderFaults` of
// run-sim.fixture.ts, and each failure that was found with its least script. `deeds.ts` has what most scripts are made of.
import { given } from '#base'
import { createKubeClient, type KubeClient } from '#kube/client'
import {
  type Action,
  type AnyController,
  type Companion,
  createManager,
  type Manager,
  type OwnAction,
  type PassRecord,
} from '#runtime'
import type { ProcessContext } from '#simulator'

export interface ProbedOptions {
  readonly controllers: readonly AnyController[]
  readonly companions?: readonly Companion[]
  /** How caches list; as the server allows when absent. */
  readonly listing?: 'stream' | 'pages'
  /** The lease, in the hub. */
  readonly lease: { readonly namespace: string; readonly name: string }
  readonly leaseMs: number
  /** Replicas share the work by so many shards; one leads when absent. */
  readonly shards?: number
  /** How often the lease is renewed: seldom where the work is long and a day of renewals would be most of its steps. */
  readonly renewMs?: number
  /** Members of the fleet from the start: servers of the world. */
  readonly clusters?: readonly string[]
  /** Clients that the controllers were made with; closed at the end. */
  readonly clients?: ProbedClients
  /** Once the manager is there and before it runs: what else belongs to it, e.g. who joins members to its fleet later. */
  attach?(manager: Manager): void
}

/** The process's clients of the servers of its world, each made when it is first asked for. */
export interface ProbedClients {
  of(server: string): KubeClient
  close(): Promise<void>
}

export function probedClients({ seams, connect }: ProcessContext): ProbedClients {
  const clients = new Map<string, KubeClient>()
  return {
    of: server => {
      const client = clients.get(server) ?? createKubeClient({ clock: seams.clock, address: server, exchange: connect(server) })
      clients.set(server, client)
      return client
    },
    close: async () => {
      for (const client of clients.values()) await client.close()
    },
  }
}

/** A manager as one process of a simulated world runs it; until the process is stopped. */
export async function runProbed(process: ProcessContext, options: ProbedOptions): Promise<void> {
  const { seams, probe } = process
  const clients = options.clients ?? probedClients(process)
  const manager = createManager({
    client: clients.of('hub'),
    seams,
    identity: `${process.name}-${process.epoch}`,
    controllers: options.controllers.map(controller => probed(controller, probe)),
    ...given({ companions: options.companions, listing: options.listing }),
    // Longer than in production, so that most steps are the work's and not the lease's. At rest the fence closes, as it does there; but
    // the lease is renewed twice before it runs out by a clock that is twice as fast: taking it from a leader at rest is safe, and a look
    // at everything, which is no rest.
    election: {
      lease: options.lease,
      leaseDurationMs: options.leaseMs,
      renewMs: options.renewMs ?? 20_000,
      restMs: options.leaseMs * 0.4,
      ...given({ shards: options.shards }),
    },
    onTake: ({ lane, waitedMs }) => probe.keyTaken(lane, waitedMs),
    onPass: record => {
      const { controller, key } = record
      probe.reconcileEnded(controller, `${key.namespace}/${key.name}`)
      probe.expected('P7', outOfOrder(record))
    },
    onMove: ({ cache, listing, change }) => probe.cacheMoved(cache, listing, change),
  })
  for (const name of options.clusters ?? []) manager.targets.join(name, clients.of(name))
  options.attach?.(manager)
  probe.atRest(() => heldBackBy(manager))
  await manager.run(process.signal)
  await clients.close()
}

/** What becomes of the actions is told in the order of the plan: otherwise the status would depend on which call was answered first. */
function outOfOrder({ plan, outcomes, key }: PassRecord): string | undefined {
  const inPlan = (actions: readonly Action<OwnAction>[]): readonly Action<OwnAction>[] =>
    actions.flatMap(action => (action.kind === 'together' ? [action, ...action.branches.flatMap(inPlan)] : [action]))
  const planned = inPlan(plan?.actions ?? [])
  const places = outcomes.map(({ action }) => planned.indexOf(action))
  const wrong = places.findIndex((place, index) => place < (places[index - 1] ?? 0))
  return wrong < 0 ? undefined : `${key.namespace}/${key.name}: outcome ${wrong} is of action ${places[wrong]} of the plan`
}

function heldBackBy({ controllers }: Manager): string | undefined {
  for (const { heldBack } of controllers) {
    if (heldBack.claims > 0) return `${heldBack.claims} claims have a delay that grew with their failures`
    if (heldBack.dependencies.length > 0) return `not called: ${heldBack.dependencies.join(', ')}`
  }
  return undefined
}

/** The same controller, telling when it begins a reconcile. */
function probed(controller: AnyController, probe: ProcessContext['probe']): AnyController {
  const { reconciler } = controller
  return {
    ...controller,
    reconciler: {
      ...reconciler,
      observe: (key, world, signal) => {
        probe.reconcileStarted(controller.name, `${key.namespace}/${key.name}`)
        return reconciler.observe(key, world, signal)
      },
    },
  }
}
