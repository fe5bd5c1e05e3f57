// A world for tests of remote credentials: a hub on which the operator has said that all is well, the cluster behind it, and an STS that
// answers what a test tells it to.
import { type ApiServer, createApiServer } from '#apiserver'
import { ManualClock } from '#base'
import { clusterProfileKind, managedClusterLabels } from '#fleet'
import { type KubeObject, type ObjectKey, type ResourceType, renderCrd, renderTime, serviceAccounts } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { configKind, renderIdentityCrds, roleKind } from '#operators/identity/api'
import { healthyStatus } from '../../fleet/testing/profiles.ts'
import type { RemoteProviderOptions } from '../options.ts'
import { createRemoteProvider } from '../remote-provider.ts'

export interface StsCall {
  readonly region: string
  readonly input: Readonly<Record<string, unknown>>
}

export interface RemoteWorld extends AsyncDisposable {
  readonly clock: ManualClock
  readonly hub: KubeClient
  readonly target: KubeClient
  readonly server: ApiServer
  readonly stsCalls: StsCall[]
  /** What STS answers; may throw. */
  sts: (call: StsCall) => Readonly<Record<string, unknown>>
  options(change?: Partial<RemoteProviderOptions>): RemoteProviderOptions
  retrieve(change?: Partial<RemoteProviderOptions>): ReturnType<ReturnType<typeof createRemoteProvider>['retrieve']>
  /** Merges into the object, and into its status. */
  change(type: ResourceType, key: ObjectKey, patch: object): Promise<void>
  /** A Role that is as it should be. */
  makeRole(name: string, serviceAccount?: ObjectKey): Promise<void>
  publish(name: string, properties?: Readonly<Record<string, string>>): Promise<void>
}

export const reader: ObjectKey = { namespace: 'apps', name: 'reader' }
export const configKey: ObjectKey = { namespace: 'edge', name: 'default' }
export const roleKey: ObjectKey = { namespace: 'edge', name: 'reader' }
export const roleArn = 'arn:aws:iam::123456789012:role/reader'

export async function remoteWorld(): Promise<RemoteWorld> {
  const clock = new ManualClock()
  const crds = [...renderIdentityCrds(), renderCrd(clusterProfileKind)]
  const hubServer = createApiServer({ seed: 1, clock, name: 'hub', objects: [...['edge', 'inventory'].map(namespace), ...crds] })
  const server = createApiServer({ seed: 2, clock, name: 'edge', objects: [namespace('apps')] })
  const hub = createKubeClient({ clock, address: 'hub', exchange: hubServer.as() })
  const target = createKubeClient({ clock, address: 'edge', exchange: server.as() })
  const stsCalls: StsCall[] = []
  const say = (type: ResourceType, key: ObjectKey, status: object): Promise<unknown> =>
    hub.patch(type, key, 'merge', { status }, { subresource: 'status' })
  const make = (object: KubeObject, type: ResourceType): Promise<unknown> => hub.create(type, object)
  const world: RemoteWorld = {
    clock,
    hub,
    target,
    server,
    stsCalls,
    sts: () => stsAnswer(clock),
    options: change => ({
      hub,
      access: { seams: noSeams, providers: [], clientOf: () => target },
      namespace: 'edge',
      serviceAccount: reader,
      sessionName: 'test',
      stsOf: region => ({
        call: async (_operation, input = {}) => {
          stsCalls.push({ region, input })
          return world.sts({ region, input })
        },
      }),
      ...change,
    }),
    retrieve: change => createRemoteProvider(world.options(change)).retrieve(),
    change: async (type, key, { status, ...rest }: { readonly status?: object }) => {
      if (Object.keys(rest).length > 0) await hub.patch(type, key, 'merge', rest)
      if (status !== undefined) await say(type, key, status)
    },
    makeRole: async (name, serviceAccount = reader) => {
      const policyARNs = ['arn:aws:iam::aws:policy/ReadOnlyAccess']
      await make(roleKind.make({ namespace: 'edge', name }, { serviceAccount, policyARNs }), roleKind.type)
      await say(roleKind.type, { namespace: 'edge', name }, { ...readyStatus(clock), roleARN: roleArn })
    },
    publish: async (name, properties = {}) => {
      const metadata = { namespace: 'inventory', name, labels: managedClusterLabels('edge') }
      await make(clusterProfileKind.make(metadata, { clusterManager: { name: 'ocm' } }), clusterProfileKind.type)
      const access = { name: 'plugin', cluster: { server: 'https://edge.example.com' } }
      await say(clusterProfileKind.type, { namespace: 'inventory', name }, healthyStatus(clock.now(), access, properties))
    },
    [Symbol.asyncDispose]: async () => {
      await hubServer.close()
      await server.close()
    },
  }
  await make(configKind.make(configKey, { type: 'SelfHostedIRSA', region: 'eu-west-1' }), configKind.type)
  await say(configKind.type, configKey, readyStatus(clock))
  await world.makeRole('reader')
  await world.publish('edge')
  await target.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: reader })
  return world
}

/** As the operator says it of generation 1. */
export function readyStatus(clock: ManualClock, generation = 1): object {
  return { observedGeneration: generation, conditions: [readyCondition(clock, generation)] }
}

export function readyCondition(clock: ManualClock, generation = 1): object {
  const lastTransitionTime = renderTime(clock.now())
  return { type: 'Ready', status: 'True', reason: 'Ready', message: '', lastTransitionTime, observedGeneration: generation }
}

export function stsAnswer(clock: ManualClock): Readonly<Record<string, unknown>> {
  return {
    Credentials: {
      AccessKeyId: 'ASIAEXAMPLE',
      SecretAccessKey: 'example-secret',
      SessionToken: 'example-session',
      Expiration: new Date(clock.now() + 3_600_000),
    },
    AssumedRoleUser: { Arn: 'arn:aws:sts::123456789012:assumed-role/reader/test' },
  }
}

const noSeams = {} as never

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
