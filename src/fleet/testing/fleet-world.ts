// A hub and targets in one process, on one clock that stands still: the hub with the identity kinds' inventory, each target behind an
// address of its own that only the right token opens, as a fleet's clusters are.
import { type ApiServer, createApiServer } from '#apiserver'
import { type DialOptions, given, type HttpExchange, HttpFailure, memoryFiles, type ProgramCall, type ProgramResult } from '#base'
import { type KubeObject, renderCrd } from '#kube'
import { type ConnectSeams, createKubeClient, type KubeClient } from '#kube/client'
import { Faulty } from '../../runtime/testing/faulty.ts'
import { type EngineWorld, engineWorld } from '../../runtime/testing/world.ts'
import { clusterProfileKind, managedClusterLabels } from '../cluster-profile.ts'
import { type ClusterProvider, parseProviderFile } from '../provider-file.ts'

export interface TargetCluster {
  readonly address: string
  readonly server: ApiServer
  readonly faulty: Faulty
  /** As the admin of the target, past all faults. */
  readonly client: KubeClient
}

export interface FleetWorld extends AsyncDisposable {
  readonly world: EngineWorld
  readonly targets: ReadonlyMap<string, TargetCluster>
  /** What the exec plugin does; by default it gives the admin's token of the cluster it is asked about. */
  plugin: (call: ProgramCall, target: TargetCluster | undefined) => ProgramResult | Promise<ProgramResult>
  readonly calls: ProgramCall[]
  readonly dialled: DialOptions[]
  readonly providers: readonly ClusterProvider[]
  readonly seams: ConnectSeams
  publish(cluster: string, options?: ProfileOptions): Promise<void>
  addTarget(name: string, seed?: number): TargetCluster
}

export interface ProfileOptions {
  readonly name?: string
  readonly namespace?: string
  readonly address?: string
  readonly healthy?: boolean
  readonly labels?: Readonly<Record<string, string>>
  readonly properties?: Readonly<Record<string, string>>
  readonly accessProviders?: readonly unknown[]
}

export const profileNamespace = 'inventory'

export const providerFile: string = JSON.stringify({
  providers: [
    {
      name: 'ocm',
      execConfig: {
        apiVersion: 'client.authentication.k8s.io/v1',
        command: '/plugins/cp-creds',
        args: ['--account=vouch'],
        provideClusterInfo: true,
        interactiveMode: 'Never',
      },
      profileSourcedCLIArgsPolicy: 'Append',
    },
  ],
})

export interface FleetOptions {
  readonly objects?: readonly KubeObject[]
  readonly seed?: number
  /** Our own environment. */
  readonly env?: Readonly<Record<string, string>>
}

export function fleetWorld(options: FleetOptions = {}): FleetWorld {
  const world = engineWorld({
    objects: [renderCrd(clusterProfileKind), namespace(profileNamespace), ...(options.objects ?? [])],
    seed: options.seed ?? 1,
  })
  const targets = new Map<string, TargetCluster>()
  const calls: ProgramCall[] = []
  const dialled: DialOptions[] = []
  const fleet: FleetWorld = {
    world,
    targets,
    calls,
    dialled,
    providers: parseProviderFile(providerFile, 'providers.json'),
    plugin: (_call, target) => token(target?.server.adminToken ?? 'nobody'),
    seams: seamsOf(world, options.env ?? {}, {
      calls,
      dialled,
      dial: origin => [...targets.values()].find(({ address }) => address === origin),
      run: (call, target) => fleet.plugin(call, target),
    }),
    addTarget: (name, seed) => {
      // Nothing moves there by itself: what a Deployment controller would say is said by the test.
      const server = createApiServer({ seed: seed ?? 100 + targets.size, clock: world.clock, controllers: 'none' })
      const faulty = new Faulty()
      const client = createKubeClient({ clock: world.clock, address: name, exchange: server.as() })
      const target = { address: `https://${name}.example:6443`, server, faulty, client }
      targets.set(name, target)
      return target
    },
    publish: (cluster, profile = {}) => publish(world, cluster, profile),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      for (const { server } of targets.values()) await server.close()
    },
  }
  return fleet
}

/** What a plugin prints. */
export function token(text: string): ProgramResult {
  const answer = { apiVersion: 'client.authentication.k8s.io/v1', kind: 'ExecCredential', status: { token: text } }
  return { code: 0, stdout: Buffer.from(JSON.stringify(answer)), stderr: new Uint8Array() }
}

export function namespace(name: string, labels?: Readonly<Record<string, string>>): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name, ...given({ labels }) } }
}

async function publish({ client }: EngineWorld, cluster: string, profile: ProfileOptions): Promise<void> {
  const key = { namespace: profile.namespace ?? profileNamespace, name: profile.name ?? cluster }
  const { type, make } = clusterProfileKind
  const labels = profile.labels ?? managedClusterLabels(cluster)
  const found = await client.find(type, key)
  if (found === undefined) await client.create(type, make({ ...key, labels }, { clusterManager: { name: 'ocm' } }))
  else await client.patch(type, key, 'merge', { metadata: { labels: { ...emptied(found.metadata.labels), ...labels } } })
  const status = {
    conditions: [
      {
        type: 'ControlPlaneHealthy',
        status: profile.healthy === false ? 'False' : 'True',
        reason: 'Said',
        message: '',
        lastTransitionTime: '2026-01-01T00:00:00Z',
      },
    ],
    properties: Object.entries(profile.properties ?? {}).map(([name, value]) => ({ name, value })),
    accessProviders: profile.accessProviders ?? [
      { name: 'ocm', cluster: { server: profile.address ?? `https://${cluster}.example:6443` } },
    ],
  }
  await client.patch(type, key, 'merge', { status }, { subresource: 'status' })
}

function emptied(labels: Readonly<Record<string, string>> | undefined): Readonly<Record<string, null>> {
  return Object.fromEntries(Object.keys(labels ?? {}).map(name => [name, null]))
}

interface Wires {
  readonly calls: ProgramCall[]
  readonly dialled: DialOptions[]
  dial(origin: string): TargetCluster | undefined
  run(call: ProgramCall, target: TargetCluster | undefined): ProgramResult | Promise<ProgramResult>
}

function seamsOf(world: EngineWorld, env: Readonly<Record<string, string>>, wires: Wires): ConnectSeams {
  const exchangeOf = (origin: string): HttpExchange => {
    return request => {
      const target = wires.dial(origin)
      if (target === undefined) return Promise.reject(new HttpFailure('unreachable', 'nobody listens'))
      return target.faulty.through(target.server.handle)(request)
    }
  }
  return {
    clock: world.clock,
    files: memoryFiles({}),
    env,
    net: {
      dial: (options: DialOptions) => {
        wires.dialled.push(options)
        return { exchange: exchangeOf(options.origin), close: () => Promise.resolve() }
      },
      listen: () => Promise.reject(new Error('no listening here')),
    },
    programs: {
      run: async (call: ProgramCall) => {
        wires.calls.push(call)
        const info = JSON.parse(call.env.KUBERNETES_EXEC_INFO ?? '{}') as { spec?: { cluster?: { server?: string } } }
        return wires.run(call, wires.dial(info.spec?.cluster?.server ?? ''))
      },
    },
  }
}
