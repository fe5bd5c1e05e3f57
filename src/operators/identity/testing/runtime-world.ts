// One target with the webhook runtime kept by a controller that does nothing else: what the Config controller does with `decideRuntime`.
import { seededRandom, silentLog } from '#base'
import { createEngagement, type Engagement } from '#fleet'
import {
  type Condition,
  configMaps,
  deployments,
  type KubeObject,
  mergeConditions,
  mutatingWebhookConfigurations,
  namespaces,
  type StoredCondition,
  type StoredObject,
  secrets,
} from '#kube'
import { defineController, type Next, type PassRecord, type Reads } from '#runtime'
import { type FleetWorld, fleetWorld, namespace, type TargetCluster } from '../../../fleet/testing/fleet-world.ts'
import { ownWebhookImage } from '../../pods/api.ts'
import { decideRuntimeRemoval, type RuntimeRemoval } from '../target/removal.ts'
import { decideRuntime, observeRuntime, type RuntimeDecision, type RuntimeSeen, runtimeFailure } from '../target/runtime.ts'
import { runtimeWatches } from '../target/watches.ts'
import { pooledKeys } from './keys.fixture.ts'

export const webhookNamespace = 'aws-pod-identity-webhook'
const claimKey = { namespace: 'default', name: 'wlc-a' }

export interface RuntimeWorld extends AsyncDisposable {
  readonly fleet: FleetWorld
  readonly target: TargetCluster
  readonly engagement: Engagement
  readonly passes: readonly PassRecord[]
  /** What is said of `WebhookRuntimeReady`, as `True/Reason`. */
  said(): string
  message(): string
  decision(): RuntimeDecision
  removal(): RuntimeRemoval | undefined
  /** Writes that reached the target since the last call, as `create Kind name`. */
  writes(): readonly string[]
  /** Stops the operator and starts a new one over the same worlds. */
  restart(): Promise<void>
  /** Takes the runtime away from now on. */
  remove(): Promise<void>
  advance(ms: number): Promise<void>
  /** What a Deployment controller would say of the newest state. */
  bringUp(available?: number): Promise<void>
  get<T extends KubeObject = StoredObject>(
    type: Parameters<TargetCluster['client']['get']>[0],
    name: string,
  ): Promise<T & StoredObject>
}

interface Options {
  readonly withNamespace?: boolean | Readonly<Record<string, string>>
  readonly objects?: readonly KubeObject[]
  readonly image?: () => string
}

export async function runtimeWorld(options: Options = {}): Promise<RuntimeWorld> {
  const fleet = fleetWorld()
  const target = fleet.addTarget('wlc-a')
  if (options.withNamespace !== false) {
    const labels = typeof options.withNamespace === 'object' ? options.withNamespace : undefined
    await target.client.create(namespaces, namespace(webhookNamespace, labels))
  }
  await fleet.publish('wlc-a')
  await fleet.world.client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: claimKey })
  let conditions: readonly StoredCondition[] = []
  let decision: RuntimeDecision | undefined
  let removal: RuntimeRemoval | undefined
  let removing = false
  let run = start()

  function start() {
    const engagement = createEngagement({ seams: { ...fleet.seams, log: silentLog }, providers: fleet.providers })
    const keys = pooledKeys()
    const random = seededRandom(7)
    const claim = [claimKey]
    const keeper = defineController<RuntimeSeen>({
      name: 'runtime-keeper',
      claims: { type: configMaps, namespaces: ['default'] },
      watches: runtimeWatches(() => claim),
      toClaimsOfCluster: () => claim,
      toClaimsOfAway: () => claim,
      status: { kind: 'none' },
      reconciler: {
        observe: (_key, world: Reads, signal) =>
          observeRuntime(
            world,
            { cluster: 'wlc-a', namespace: webhookNamespace },
            { signal, clock: fleet.world.clock, keys, random, engagements: engagement.engagements },
          ),
        decide: (seen, now) => {
          if (removing) {
            removal = decideRuntimeRemoval(seen)
            return {
              actions: removal.actions,
              conditions: [],
              next: { kind: 'look-again', afterMs: 30_000, why: 'removal' } satisfies Next,
            }
          }
          const current = conditions.find(({ type }) => type === 'WebhookRuntimeReady')
          decision = decideRuntime(seen, { image: options.image?.() ?? ownWebhookImage('latest'), current }, now)
          return { actions: decision.actions, conditions: [decision.condition], next: decision.next }
        },
      },
    })
    const running = fleet.world.start({
      controllers: [engagement.controller, keeper],
      onPass: record => {
        if (record.controller !== 'runtime-keeper' || record.plan === undefined) return
        const failure = runtimeFailure(record.outcomes, 'wlc-a')
        const told: readonly Condition[] =
          failure === undefined ? (record.trouble === undefined ? record.plan.conditions : []) : [failure]
        conditions = mergeConditions(conditions, told, { now: fleet.world.clock.now(), generation: 1 })
      },
    })
    engagement.attach(running.manager)
    return { ...running, engagement }
  }

  const world: RuntimeWorld = {
    fleet,
    target,
    get engagement() {
      return run.engagement
    },
    get passes() {
      return run.passes.filter(({ controller }) => controller === 'runtime-keeper')
    },
    said: () => {
      const condition = conditions.find(({ type }) => type === 'WebhookRuntimeReady')
      return condition === undefined ? 'nothing' : `${condition.status}/${condition.reason}`
    },
    message: () => conditions[0]?.message ?? '',
    decision: () => decision as RuntimeDecision,
    removal: () => removal,
    writes: () => {
      const written = target.faulty.writes.map(({ method, target: path }) => `${method} ${path.split('?')[0] ?? ''}`)
      target.faulty.calls.length = 0
      return written
    },
    restart: async () => {
      await run.stop()
      run = start()
      await fleet.world.settle()
    },
    remove: async () => {
      removing = true
      run.manager.controllers.find(({ definition }) => definition.name === 'runtime-keeper')?.add(claimKey)
      await fleet.world.advance(1_000)
    },
    advance: ms => fleet.world.advance(ms),
    bringUp: async (available = 1) => {
      const key = { namespace: webhookNamespace, name: 'pod-identity-webhook' }
      const deployment = await target.client.get(deployments, key)
      const status = {
        observedGeneration: deployment.metadata.generation,
        replicas: available,
        updatedReplicas: available,
        readyReplicas: available,
        availableReplicas: available,
        conditions: [{ type: 'Available', status: available > 0 ? 'True' : 'False', reason: 'Said', message: '' }],
      }
      await target.client.patch(deployments, key, 'merge', { status }, { subresource: 'status' })
      await fleet.world.advance(1_000)
    },
    get: (type, name) => target.client.get(type, { namespace: type.namespaced ? webhookNamespace : '', name }),
    [Symbol.asyncDispose]: () => fleet[Symbol.asyncDispose](),
  }
  for (const object of options.objects ?? []) {
    const type = [secrets, deployments, mutatingWebhookConfigurations].find(({ kind }) => kind === object.kind)
    if (type !== undefined) await target.client.create(type, object)
  }
  await fleet.world.advance(2_000)
  return world
}
