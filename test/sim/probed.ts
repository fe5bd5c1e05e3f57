// A manager as one process of a simulated world runs it, telling the simulator what only the engine can know.
import { createKubeClient, type KubeClient } from '#kube/client'
import { type Action, type AnyController, createManager, type Manager, type OwnAction, type PassRecord } from '#runtime'
import type { ProcessContext } from '#simulator'

export interface ProbedOptions {
  readonly controllers: readonly AnyController[]
  readonly listing?: 'stream' | 'pages'
  /** Name of the lease, in `default` of the hub. */
  readonly lease: string
  readonly leaseMs: number
  /** Members of the fleet: servers of the world. */
  readonly clusters?: readonly string[]
}

/** Runs until the process is stopped. */
export async function runProbed(process: ProcessContext, options: ProbedOptions): Promise<void> {
  const { seams, probe } = process
  const clientOf = (server: string): KubeClient =>
    createKubeClient({ clock: seams.clock, address: server, exchange: process.connect(server) })
  const hub = clientOf('hub')
  const manager = createManager({
    client: hub,
    seams,
    identity: `${process.name}-${process.epoch}`,
    controllers: options.controllers.map(controller => probed(controller, probe)),
    ...(options.listing === undefined ? {} : { listing: options.listing }),
    // Longer than in production, so that most steps are the work's and not the lease's; the ratios are the same.
    election: { lease: { namespace: 'default', name: options.lease }, leaseDurationMs: options.leaseMs, renewMs: 20_000 },
    onTake: ({ lane, waitedMs }) => probe.keyTaken(lane, waitedMs),
    onPass: record => {
      const { controller, key } = record
      probe.reconcileEnded(controller, `${key.namespace}/${key.name}`)
      probe.expected('P7', outOfOrder(record))
    },
    onMove: ({ cache, listing, change }) => probe.cacheMoved(cache, listing, change),
  })
  const members = (options.clusters ?? []).map(name => ({ name, client: clientOf(name) }))
  for (const { name, client } of members) manager.fleet.join(name, client)
  probe.atRest(() => heldBackBy(manager))
  await manager.run(process.signal)
  for (const { client } of members) await client.close()
  await hub.close()
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
