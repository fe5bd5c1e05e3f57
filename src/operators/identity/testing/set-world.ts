// A world for tests of ReplicaSets: a hub in this process on a clock that stands still, a stand-in for the placement controller, and a hand
// that makes Roles ready or not. The Role controller is not there: what it says is written by the test.
import { type ApiServer, createApiServer } from '#apiserver'
import { ManualClock, seededRandom, silentLog } from '#base'
import { type ChosenGroup, placementDecisionKind, placementKind, writePlacement } from '#fleet'
import { type KubeObject, namespaces, type ObjectKey, renderCrd, renderTime, type StoredObject } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { advanceTo, createManager, type PassRecord, runManager, type Watch, type WriteRecord } from '#runtime'
import {
  type ServiceAccountRoleReplicaSet as ReplicaSet,
  type ReplicaSetSpec,
  renderIdentityCrds,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
} from '../api/kinds.ts'
import { createReplicaSetController, type ReplicaSetControllerOptions } from '../replica-sets/controller.ts'

export const policyArn = 'arn:aws:iam::aws:policy/ReadOnlyAccess'

export interface SetWorldOptions extends ReplicaSetControllerOptions {
  readonly clusters?: readonly string[]
  readonly objects?: readonly KubeObject[]
  readonly withoutPlacements?: boolean
  /** Gets between a change that is watched and the sets that it concerns. */
  readonly mapping?: (watch: Watch) => Watch
  readonly onMappingFailed?: (name: string | undefined) => void
  readonly through?: (exchange: ReturnType<ApiServer['as']>) => ReturnType<ApiServer['as']>
}

export interface SetWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly hub: ApiServer
  readonly client: KubeClient
  readonly passes: PassRecord[]
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  /** The placement controller chooses these groups of clusters. */
  choose(placement: string, ...groups: readonly (readonly string[] | ChosenGroup)[]): Promise<void>
  makeSet(name: string, spec?: Partial<ReplicaSetSpec>, metadata?: Partial<StoredObject['metadata']>): Promise<void>
  set(name: string): Promise<ReplicaSet>
  findSet(name: string): Promise<ReplicaSet | undefined>
  annotate(name: string, annotations: Readonly<Record<string, string | null>>): Promise<void>
  changeTemplate(name: string, policies: readonly string[]): Promise<void>
  child(cluster: string, name?: string): Promise<ServiceAccountRole | undefined>
  /** Namespaces that have a Role of the set's name. */
  clustersWith(name: string): Promise<readonly string[]>
  /** The Role of the cluster says so, of the generation that it has. */
  report(cluster: string, ready: boolean, name?: string): Promise<void>
  /** Whatever is there and is not Ready becomes so, and the operator goes on, until nothing changes. */
  converge(): Promise<void>
  /** What the operator wrote, besides Events. */
  writes(): readonly WriteRecord[]
  restart(): Promise<void>
}

export const setNamespace = 'platform'

export function templateOf(name: string, policyARNs: readonly string[] = [policyArn]): ReplicaSetSpec['template'] {
  return { spec: { serviceAccount: { namespace: 'apps', name }, policyARNs } }
}

export async function setWorld(options: SetWorldOptions = {}): Promise<SetWorld> {
  const {
    clusters = ['a', 'b', 'c'],
    objects = [],
    withoutPlacements = false,
    mapping,
    onMappingFailed,
    through,
    ...controller
  } = options
  const clock = new ManualClock()
  const crds = withoutPlacements ? [] : [renderCrd(placementKind), renderCrd(placementDecisionKind)]
  const hub = createApiServer({
    seed: 1,
    clock,
    objects: [...[setNamespace, ...clusters].map(namespace), ...renderIdentityCrds(), ...crds, ...objects],
  })
  const client = createKubeClient({ clock, address: 'hub', exchange: hub.as() })
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 30; round++) {
      await hub.settle()
      await clock.advance(0)
    }
  }
  const passes: PassRecord[] = []
  const start = (): (() => Promise<void>) => {
    const exchange = through === undefined ? hub.as() : through(hub.as())
    const whole = createReplicaSetController(controller)
    const manager = createManager({
      identity: 'set-test',
      client: createKubeClient({ clock, address: 'hub', exchange }),
      controllers: [mapping === undefined ? whole : { ...whole, watches: (whole.watches ?? []).map(mapping) }],
      onMappingFailed: ({ watch }) => onMappingFailed?.(watch.name),
      seams: { clock, random: seededRandom(1), log: silentLog },
      onPass: record => void passes.push(record),
    })
    return runManager(manager, clock, settle)
  }
  let end = start()
  await settle()
  const keyOf = (name: string): ObjectKey => ({ namespace: setNamespace, name })
  const world: SetWorld = {
    clock,
    hub,
    client,
    passes,
    settle,
    advance: ms => advanceTo(clock, clock.monotonicMs() + ms, { settle, between: () => hub.settle().then(() => undefined) }),
    choose: async (placement, ...groups) => {
      const chosen = groups.map((group): ChosenGroup => ('clusters' in group ? group : { clusters: group }))
      await writePlacement(client, keyOf(placement), chosen)
      await settle()
    },
    makeSet: async (name, spec = {}, metadata = {}) => {
      const { apiVersion, type } = replicaSetKind
      const whole = { placementRefs: [{ name: 'p' }], template: templateOf(name), ...spec }
      const object = { apiVersion, kind: type.kind, metadata: { ...keyOf(name), ...metadata }, spec: whole }
      await client.create(type, object as KubeObject)
      await settle()
    },
    set: name => client.get<ReplicaSet>(replicaSetKind.type, keyOf(name)),
    findSet: name => client.find<ReplicaSet>(replicaSetKind.type, keyOf(name)),
    annotate: async (name, annotations) => {
      await client.patch(replicaSetKind.type, keyOf(name), 'merge', { metadata: { annotations } })
      await settle()
    },
    changeTemplate: async (name, policies) => {
      await client.patch(replicaSetKind.type, keyOf(name), 'merge', { spec: { template: templateOf(name, policies) } })
      await settle()
    },
    child: (cluster, name = 'app') => client.find<ServiceAccountRole>(roleKind.type, { namespace: cluster, name }),
    clustersWith: async name => {
      const { items } = await client.list(roleKind.type)
      return items
        .filter(({ metadata }) => metadata.name === name)
        .map(({ metadata }) => metadata.namespace ?? '')
        .toSorted()
    },
    report: async (cluster, ready, name = 'app') => {
      await reportRole(client, { namespace: cluster, name }, ready, clock.now())
      await settle()
    },
    converge: async () => {
      for (let turn = 0; turn < 30; turn++) {
        await settle()
        const { items } = await client.list<ServiceAccountRole>(roleKind.type)
        const waiting = items.filter(role => !saysReady(role))
        if (waiting.length === 0) return
        for (const { metadata } of waiting) {
          await reportRole(client, { namespace: metadata.namespace ?? '', name: metadata.name }, true, clock.now())
        }
      }
    },
    writes: () => passes.flatMap(({ writes }) => writes).filter(({ type }) => type.plural !== 'events'),
    restart: async () => {
      await end()
      end = start()
      await settle()
    },
    [Symbol.asyncDispose]: async () => {
      await end()
      await hub.close()
    },
  }
  return world
}

/** The clusters whose Role has the policy. */
export async function having(world: SetWorld, policy: string): Promise<string> {
  const found: string[] = []
  for (const cluster of await world.clustersWith('app')) {
    if ((await world.child(cluster))?.spec.policyARNs?.includes(policy) === true) found.push(cluster)
  }
  return found.join(' ')
}

export function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

/** The namespace goes with all that is in it. */
export async function dropNamespace(world: SetWorld, name: string): Promise<void> {
  await world.client.delete(namespaces, { namespace: '', name })
  await world.settle()
}

function saysReady({ metadata, status }: ServiceAccountRole): boolean {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  return ready?.status === 'True' && ready.observedGeneration === metadata.generation
}

/** As the Role controller says it; the time moves when the status does. */
export async function reportRole(client: KubeClient, key: ObjectKey, ready: boolean, now: number): Promise<void> {
  const role = await client.get<ServiceAccountRole>(roleKind.type, key)
  const status = ready ? 'True' : 'False'
  const held = role.status?.conditions?.find(({ type }) => type === 'Ready')
  const condition = {
    type: 'Ready',
    status,
    reason: ready ? 'Ready' : 'WaitingForACK',
    message: ready ? 'the role is delivered' : 'AccessDenied: iam:CreateRole',
    lastTransitionTime: held?.status === status ? held.lastTransitionTime : renderTime(now),
    observedGeneration: role.metadata.generation,
  }
  await client.patch(roleKind.type, key, 'merge', { status: { conditions: [condition] } }, { subresource: 'status' })
}
