// A small world for tests of the Role controller: a hub and a target in this process, one clock that stands still, and a stand-in for
// ACK that does its work when told to. Not part of the operator.
import { type ApiServer, createApiServer } from '#apiserver'
import { ManualClock, seededRandom, silentLog } from '#base'
import { clusterProfileKind } from '#fleet'
import {
  customResourceDefinitions,
  type KubeObject,
  keyOf,
  type ObjectKey,
  type ResourceType,
  renderCrd,
  type StoredObject,
  serviceAccounts,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import {
  type AnyController,
  advanceTo,
  createManager,
  type Manager,
  type PassRecord,
  runManager,
  type WriteRecord,
} from '#runtime'
import { openCrd } from '../../../runtime/testing/open-crd.ts'
import { renderIdentityCrds, roleKind, type ServiceAccountRole } from '../api/kinds.ts'
import {
  associationKind,
  bucketKind,
  type ChildKind,
  roleKind as iamRoleKind,
  policyKind,
  providerKind,
} from '../children/kinds.ts'
import { childResources } from '../role/child-resources.ts'
import { createRoleController } from '../role/controller.ts'

export const account = '123456789012'
export const cluster = 'wlc-a'
export const issuer = 'awi-wlc-a-eu-west-1-0000000000.s3.eu-west-1.amazonaws.com'
export const providerArn: string = `arn:aws:iam::${account}:oidc-provider/${issuer}`
export const clusterArn: string = `arn:aws:eks:eu-west-1:${account}:cluster/prod`
const api = 'aws.identity.appthrust.io/v1alpha1'
export interface Property {
  readonly name: string
  readonly value: string
}
const property = (name: string, value: string): Property => ({ name: `aws.identity.appthrust.io/${name}`, value })

export interface RoleWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly hub: ApiServer
  readonly target: ApiServer
  readonly client: KubeClient
  readonly targetClient: KubeClient
  readonly passes: PassRecord[]
  readonly manager: Manager
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  /** ACK does its work for all children it finds undone. */
  ack(): Promise<void>
  /** Lets ACK and the operator take turns until nothing changes. */
  converge(): Promise<void>
  role(name: string): Promise<ServiceAccountRole>
  children(kind: ChildKind): Promise<readonly StoredObject[]>
  annotationsOf(name: string): Promise<Readonly<Record<string, string>> | undefined>
  /** What the operator wrote, besides Events. */
  writes(): readonly WriteRecord[]
  /** The operator stops, and another starts. */
  restart(options?: StartOptions): Promise<void>
}

export interface StartOptions {
  readonly join?: boolean
  readonly through?: (exchange: ReturnType<ApiServer['as']>) => ReturnType<ApiServer['as']>
}

export interface WorldOptions extends StartOptions {
  readonly delivery?: 'SelfHostedIRSA' | 'EKSIRSA' | 'EKSPodIdentity'
  readonly properties?: readonly Property[]
  /** Kinds of ACK that are not there. */
  readonly without?: readonly ChildKind[]
  readonly objects?: readonly KubeObject[]
  readonly controller?: (clock: ManualClock) => AnyController
  /** Beside the Role controller: who brings the children about, with the schemas of their kinds. */
  readonly beside?: (clock: ManualClock) => {
    readonly controllers: readonly AnyController[]
    readonly crds: readonly KubeObject[]
  }
}

export async function roleWorld(options: WorldOptions = {}): Promise<RoleWorld> {
  const clock = new ManualClock()
  const childKinds = [iamRoleKind, policyKind, associationKind, providerKind, bucketKind]
  const beside = options.beside?.(clock)
  const crds =
    beside?.crds ??
    childKinds.filter(kind => options.without?.includes(kind) !== true).map(({ type }) => openCrd(type, { hasStatus: true }))
  const hub = createApiServer({
    seed: 1,
    clock,
    objects: [namespace(cluster), namespace('awio-system'), ...renderIdentityCrds(), renderCrd(clusterProfileKind), ...crds],
  })
  const target = createApiServer({ seed: 2, clock, objects: [namespace('apps')] })
  const client = createKubeClient({ clock, address: 'hub', exchange: hub.as() })
  const targetClient = createKubeClient({ clock, address: 'target', exchange: target.as() })
  const settle = async (): Promise<void> => {
    for (let round = 0; round < 30; round++) {
      await hub.settle()
      await target.settle()
      await clock.advance(0)
    }
  }
  const passes: PassRecord[] = []
  const start = ({ join = true, through }: StartOptions) => {
    const manager = createManager({
      identity: 'role-test',
      client: createKubeClient({ clock, address: 'hub', exchange: through === undefined ? hub.as() : through(hub.as()) }),
      controllers: [
        options.controller?.(clock) ?? createRoleController({ resources: childResources }),
        ...(beside?.controllers ?? []),
      ],
      seams: { clock, random: seededRandom(1), log: silentLog },
      onPass: record => {
        passes.push(record)
      },
    })
    if (join) manager.targets.join(cluster, createKubeClient({ clock, address: 'target', exchange: target.as() }))
    return { manager, end: runManager(manager, clock, settle) }
  }
  let running = start(options)
  await seedHub(client, options)
  for (const object of options.objects ?? []) await create(client, object)
  await settle()
  const world: RoleWorld = {
    clock,
    hub,
    target,
    client,
    targetClient,
    passes,
    get manager() {
      return running.manager
    },
    settle,
    advance: ms => {
      const between = async (): Promise<void> => {
        await hub.settle()
        await target.settle()
      }
      return advanceTo(clock, clock.monotonicMs() + ms, { settle, between })
    },
    ack: async () => {
      for (const kind of [iamRoleKind, policyKind, associationKind]) {
        if (options.without?.includes(kind) === true) continue
        for (const object of (await client.list(kind.type)).items) await syncChild(client, kind, object, clock.now())
      }
    },
    converge: async () => {
      for (let turn = 0; turn < 6; turn++) {
        await settle()
        await world.ack()
      }
      await settle()
    },
    role: name => client.get<ServiceAccountRole>(roleKind.type, { namespace: cluster, name }),
    children: async kind => (await client.list(kind.type, { namespace: cluster })).items,
    annotationsOf: async name => (await targetClient.find(serviceAccounts, { namespace: 'apps', name }))?.metadata.annotations,
    writes: () => passes.flatMap(({ writes }) => writes).filter(({ type }) => type.plural !== 'events'),
    restart: async restarted => {
      await running.end()
      running = start({ ...options, ...restarted })
      await settle()
    },
    [Symbol.asyncDispose]: async () => {
      await running.end()
      await hub.close()
      await target.close()
    },
  }
  return world
}

export function binding(name: string, spec: object = { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }): KubeObject {
  return {
    apiVersion: api,
    kind: 'AWSServiceAccountRole',
    metadata: { namespace: cluster, name },
    spec: { serviceAccount: { namespace: 'apps', name }, ...spec },
  } as KubeObject
}

export function serviceAccount(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'apps', name } }
}

export const keyIn = (name: string): ObjectKey => ({ namespace: cluster, name })

export function profile(properties: readonly Property[], name: string = cluster): KubeObject {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: {
      namespace: 'awio-system',
      name,
      labels: {
        'open-cluster-management.io/cluster-name': cluster,
        'x-k8s.io/cluster-manager': 'open-cluster-management',
      },
    },
    spec: { clusterManager: { name: 'open-cluster-management' } },
    status: { properties, accessProviders: [{ name: 'ocm', cluster: { server: 'https://target' } }] },
  } as KubeObject
}

export const eksProperties: readonly Property[] = [
  property('eks-cluster-name', 'prod'),
  property('eks-cluster-arn', clusterArn),
  property('aws-account-id', account),
  property('eks-auto-mode', 'true'),
]

export async function createConfig(client: KubeClient, delivery: string): Promise<void> {
  const eksIRSA = {
    issuerURL: 'https://oidc.eks.eu-west-1.amazonaws.com/id/EXAMPLE',
    oidcProvider: { management: 'Managed' },
  }
  await create(client, {
    apiVersion: api,
    kind: 'AWSWorkloadIdentityConfig',
    metadata: { namespace: cluster, name: 'default' },
    spec: { type: delivery, region: 'eu-west-1', ...(delivery === 'EKSIRSA' ? { eksIRSA } : {}) },
  } as KubeObject)
}

/** The Config as its controller leaves it. */
export async function readyConfig(client: KubeClient, delivery: string, status: 'True' | 'False' = 'True'): Promise<void> {
  const type = {
    group: 'aws.identity.appthrust.io',
    version: 'v1alpha1',
    kind: 'x',
    plural: 'awsworkloadidentityconfigs',
    namespaced: true,
  }
  const condition = {
    type: 'Ready',
    status,
    reason: 'Reconciled',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
    observedGeneration: 1,
  }
  const issued = delivery === 'EKSPodIdentity' ? {} : { issuerHostPath: issuer, oidcProviderARN: providerArn }
  const body = { status: { conditions: [condition], ...issued } }
  await client.patch(type, { namespace: cluster, name: 'default' }, 'merge', body, { subresource: 'status' })
}

async function seedHub(client: KubeClient, { delivery = 'SelfHostedIRSA', properties }: WorldOptions): Promise<void> {
  await create(client, {
    apiVersion: api,
    kind: 'AWSWorkloadIdentityOperatorConfig',
    metadata: { name: 'default' },
    spec: {},
  } as KubeObject)
  await createConfig(client, delivery)
  await readyConfig(client, delivery)
  await create(client, profile(properties ?? (delivery === 'EKSPodIdentity' ? eksProperties : [])))
}

/** What ACK writes: its finalizer, a path where there was none (M1), and that it is in sync, with an ARN. */
async function syncChild(client: KubeClient, { type }: ChildKind, object: StoredObject, nowMs: number): Promise<void> {
  const key = keyOf(object)
  if (object.metadata.deletionTimestamp !== undefined) {
    await client.patch(type, key, 'merge', { metadata: { finalizers: null } })
    return
  }
  const { spec, status } = object as { spec?: { name?: string; path?: string }; status?: { seen?: string } }
  const seen = JSON.stringify(spec)
  if (status?.seen === seen) return
  const path = type.kind === 'PodIdentityAssociation' ? {} : { spec: { path: spec?.path ?? '/' } }
  await client.patch(type, key, 'merge', { metadata: { finalizers: [`finalizers.${type.group}/${type.kind}`] }, ...path })
  const what = { Role: 'role', Policy: 'policy' }[type.kind]
  const arn = what === undefined ? {} : { arn: `arn:aws:iam::${account}:${what}/${spec?.name ?? ''}` }
  const time = `${new Date(nowMs).toISOString().slice(0, 19)}Z`
  const condition = {
    type: 'ACK.ResourceSynced',
    status: 'True',
    message: 'Resource synced successfully',
    lastTransitionTime: time,
  }
  const body = {
    status: { seen, conditions: [condition], ackResourceMetadata: { ownerAccountID: account, region: 'eu-west-1', ...arn } },
  }
  await client.patch(type, key, 'merge', body, { subresource: 'status' })
}

export const associationCrd: { readonly type: ResourceType; readonly object: KubeObject } = {
  type: customResourceDefinitions,
  object: openCrd(associationKind.type, { hasStatus: true }),
}

async function create(client: KubeClient, object: KubeObject): Promise<void> {
  const [group = '', version = 'v1'] = object.apiVersion.includes('/') ? object.apiVersion.split('/') : ['', object.apiVersion]
  const plural = `${object.kind.toLowerCase()}s`
  const type = { group, version, kind: object.kind, plural, namespaced: object.metadata.namespace !== undefined }
  await client.create(type, object)
  const { status } = object as { readonly status?: unknown }
  if (status !== undefined) await client.patch(type, keyOf(object), 'merge', { status }, { subresource: 'status' })
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name }, spec: { finalizers: ['kubernetes'] } } as KubeObject
}
