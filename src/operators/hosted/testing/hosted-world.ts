// The operator over an embedded management cluster, with embedded guests, on a clock that stands still.
import { type ApiServer, createApiServer } from '#apiserver'
import { given, memoryFiles, type Net, seededRandom } from '#base'
import {
  clusterRoleBindings,
  clusterRoles,
  deployments,
  type KubeObject,
  mutatingWebhookConfigurations,
  type ObjectKey,
  type ResourceType,
  renderCrd,
  type StoredObject,
  secrets,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { type Running, type TestWorld, testWorld, type WriteRecord } from '#runtime'
import { type ControlPlane, type ControlPlaneSpec, controlPlaneKind } from '../api/kinds.ts'
import { clusterSignerName, rootCaName } from '../api/names.ts'
import { ourChoices } from '../build/choices.ts'
import type { KubeApiserver } from '../build/deployment.ts'
import type { GuestBinding, GuestConfiguration, GuestRole } from '../build/guest-objects.ts'
import { providers, type SidecarCloud } from '../build/provider.ts'
import type { SidecarContainer } from '../build/sidecar.ts'
import type { StoredSecret } from '../control-plane/seen.ts'
import { createHostedOperator } from '../create-operator.ts'
import type { HostedSettings } from '../settings.ts'
import { authoritySecret, testAuthority, testKeys } from './authorities.fixture.ts'

export const planeNamespace = 'clusters-blue'
export const planeName = 'blue'

export const settings: HostedSettings = {
  platforms: ['AWS', 'Azure'],
  image: '',
  imageMap: 'release-images',
  pullSecret: 'pull-secret',
  guestKubeconfig: 'service-network-admin-kubeconfig',
  namespaces: undefined,
  choices: ourChoices,
  workers: 4,
}

export const azurePlane: ControlPlaneSpec = {
  platform: { type: 'Azure', azure: { tenantID: '11111111-2222-4333-8444-555555555555', cloud: 'AzurePublicCloud' } },
}
export const awsPlane: ControlPlaneSpec = { platform: { type: 'AWS', aws: { region: 'eu-west-1' } } }

export const payloadImages = {
  'aws-pod-identity-webhook': 'quay.example.com/release@sha256:aaaa',
  'azure-workload-identity-webhook': 'quay.example.com/release@sha256:bbbb',
}

export interface HostedWorldOptions {
  readonly settings?: Partial<HostedSettings>
  readonly spec?: ControlPlaneSpec
  readonly annotations?: Readonly<Record<string, string>>
  /** Without the control plane itself. */
  readonly withoutPlane?: true
  /** Names of what the platform has not made yet. */
  readonly lacks?: readonly ('root-ca' | 'cluster-signer-ca' | 'images' | 'deployment' | 'way')[]
  readonly objects?: readonly KubeObject[]
  readonly guestObjects?: readonly KubeObject[]
  /** Registries; nobody is there without. */
  readonly net?: Pick<Net, 'dial'>
}

export interface HostedWorld extends AsyncDisposable {
  readonly world: TestWorld<ApiServer>
  readonly client: KubeClient
  readonly guest: ApiServer
  readonly guestClient: KubeClient
  readonly keysDrawn: () => number
  /** With other settings: as an operator that is started anew with other flags. */
  start(changed?: Partial<HostedSettings>): Running
  settle(): Promise<void>
  advance(ms: number): Promise<void>
  /** Every control plane is looked at, as it is a few times a day. */
  look(): Promise<void>
  plane(): Promise<ControlPlane>
  change(spec: ControlPlaneSpec): Promise<void>
  /** `reason: message` by type of condition. */
  said(): Promise<Readonly<Record<string, string>>>
  secret(name: string): Promise<StoredSecret | undefined>
  deployment(): Promise<KubeApiserver & StoredObject>
  container(cloud: SidecarCloud): Promise<SidecarContainer | undefined>
  configuration(cloud: SidecarCloud): Promise<(GuestConfiguration & StoredObject) | undefined>
  role(cloud: SidecarCloud): Promise<(GuestRole & StoredObject) | undefined>
  binding(cloud: SidecarCloud): Promise<(GuestBinding & StoredObject) | undefined>
  /** Away, or back. */
  setGuestAway(away: boolean): void
  rotate(name: 'root-ca' | 'cluster-signer-ca'): Promise<void>
  /** `verb plural name` of each write since the last question, events and statuses left out. */
  writes(): readonly string[]
  records(): readonly WriteRecord[]
}

export function hostedWorld(options: HostedWorldOptions = {}): HostedWorld {
  const lacks = new Set<string>(options.lacks)
  const world = testWorld(clock =>
    createApiServer({ seed: 1, clock, objects: [renderCrd(controlPlaneKind), ...platformObjects(options, lacks)] }),
  )
  const { clock, client } = world
  const guest = createApiServer({ seed: 2, clock, objects: options.guestObjects ?? [] })
  const guestClient = createKubeClient({ clock, address: 'guest', exchange: guest.as() })
  let isAway = false
  const throughAway = createKubeClient({
    clock,
    address: 'guest for the operator',
    exchange: request => (isAway ? Promise.reject(new Error('connect ECONNREFUSED')) : guest.as()(request)),
  })
  const keys = testKeys()
  const operators: ReturnType<typeof createHostedOperator>[] = []
  const createOperator = (changed: Partial<HostedSettings>): ReturnType<typeof createHostedOperator> =>
    createHostedOperator({
      settings: { ...settings, ...options.settings, ...changed },
      seams: {
        clock,
        keys,
        random: seededRandom(3),
        net: { listen: refuse, dial: options.net?.dial ?? refuse } as never,
        files: memoryFiles(),
        programs: { run: refuse },
        env: {},
      },
      clientOf: () => throughAway,
    })
  const runs: Running[] = []
  let rotated = 2
  const inPlane = (name: string): ObjectKey => ({ namespace: planeNamespace, name })
  const find = <T extends KubeObject>(type: ResourceType, key: ObjectKey): Promise<(T & StoredObject) | undefined> =>
    client.find<T & StoredObject>(type, key)
  const inGuest = <T extends KubeObject>(type: ResourceType, name: string): Promise<(T & StoredObject) | undefined> =>
    guestClient.find<T & StoredObject>(type, { namespace: '', name })
  const plane = (): Promise<ControlPlane> => client.get<ControlPlane>(controlPlaneKind.type, inPlane(planeName))
  const deployment = (): Promise<KubeApiserver & StoredObject> =>
    client.get<KubeApiserver & StoredObject>(deployments, inPlane('kube-apiserver'))
  const settle = async (): Promise<void> => {
    await world.settle()
    await guest.settle()
    await world.settle()
  }
  return {
    world,
    client,
    guest,
    guestClient,
    keysDrawn: keys.count,
    start: (changed = {}) => {
      const operator = createOperator(changed)
      operators.push(operator)
      const running = world.start({ controllers: operator.controllers })
      operator.attach?.(running.manager)
      runs.push(running)
      return running
    },
    settle,
    advance: async ms => {
      await world.advance(ms)
      await settle()
    },
    look: async () => {
      for (const { manager } of runs)
        for (const controller of manager.controllers) controller.add({ namespace: planeNamespace, name: planeName })
      await settle()
    },
    plane,
    change: async spec => {
      await client.update(controlPlaneKind.type, { ...(await plane()), spec })
    },
    said: async () => {
      const { status } = await plane()
      return Object.fromEntries(
        (status?.conditions ?? []).map(each => [each.type, `${each.status} ${each.reason}: ${each.message}`]),
      )
    },
    secret: name => find<StoredSecret>(secrets, inPlane(name)),
    deployment,
    container: async cloud => {
      const { containers } = (await deployment()).spec.template.spec
      return containers.find(({ name }) => name === providers[cloud].name) as SidecarContainer | undefined
    },
    configuration: cloud => inGuest<GuestConfiguration>(mutatingWebhookConfigurations, providers[cloud].configuration),
    role: cloud => inGuest<GuestRole>(clusterRoles, providers[cloud].name),
    binding: cloud => inGuest<GuestBinding>(clusterRoleBindings, providers[cloud].name),
    setGuestAway: away => {
      isAway = away
    },
    rotate: async name => {
      const held = await client.get<StoredSecret>(secrets, inPlane(name))
      const next = authoritySecret(planeNamespace, name, testAuthority(name, rotated++, clock.now()))
      await client.update(secrets, { ...held, ...next, metadata: held.metadata })
    },
    writes: () => takeWrites(runs).map(({ verb, type, key }) => `${verb} ${type.plural} ${key.name}`),
    records: () => takeWrites(runs),
    [Symbol.asyncDispose]: async () => {
      await world[Symbol.asyncDispose]()
      for (const operator of operators) await operator.close?.()
      await guest.close()
    },
  }
}

function takeWrites(runs: readonly Running[]): readonly WriteRecord[] {
  const written = runs.flatMap(({ passes }) => passes.flatMap(pass => pass.writes))
  for (const { passes } of runs) passes.length = 0
  return written.filter(({ verb, subresource }) => verb !== 'event' && subresource === undefined)
}

function platformObjects(options: HostedWorldOptions, lacks: ReadonlySet<string>): readonly KubeObject[] {
  const namespace = planeNamespace
  const metadata = {
    namespace,
    name: planeName,
    ...given({ annotations: options.annotations }),
  }
  const way = {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace, name: settings.guestKubeconfig },
    data: { kubeconfig: encode(wayIn) },
  }
  const images = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace, name: settings.imageMap }, data: payloadImages }
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
    ...(lacks.has('root-ca') ? [] : [authoritySecret(namespace, rootCaName, testAuthority(rootCaName, 0))]),
    ...(lacks.has('cluster-signer-ca')
      ? []
      : [authoritySecret(namespace, clusterSignerName, testAuthority(clusterSignerName, 1))]),
    ...(lacks.has('way') ? [] : [way as KubeObject]),
    ...(lacks.has('images') ? [] : [images as KubeObject]),
    ...(lacks.has('deployment') ? [] : [kasConfig as KubeObject, kubeApiserver()]),
    ...(options.withoutPlane === true ? [] : [controlPlaneKind.make(metadata, options.spec ?? azurePlane)]),
    ...(options.objects ?? []),
  ]
}

/** As the platform makes it, as far as the sidecar meets it. */
export function kubeApiserver(): KubeObject {
  const labels = { app: 'kube-apiserver' }
  const containers = ['kube-apiserver', 'konnectivity-server', 'audit-logs'].map(name => ({ name, image: `${name}:1` }))
  const volumes = [
    { name: 'logs', emptyDir: {} },
    { name: 'kas-config', configMap: { name: 'kas-config' } },
    { name: 'tmp-dir', emptyDir: {} },
  ]
  const template = {
    metadata: { labels, annotations: { 'platform.example.com/config-hash': '1' } },
    spec: { containers, volumes },
  }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: planeNamespace, name: 'kube-apiserver' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template },
  }
  return object
}

const kasConfig = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: planeNamespace, name: 'kas-config' } }

const wayIn = JSON.stringify({
  apiVersion: 'v1',
  kind: 'Config',
  'current-context': 'admin',
  contexts: [{ name: 'admin', context: { cluster: 'cluster', user: 'admin' } }],
  clusters: [{ name: 'cluster', cluster: { server: 'https://kube-apiserver:6443' } }],
  users: [{ name: 'admin', user: { token: 'admin-of-the-guest' } }],
})

/** Nothing in a test may reach outside. */
const refuse = (): Promise<never> => Promise.reject(new Error('the operator has no business with the network here'))

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}
