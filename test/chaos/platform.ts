// What chaos happens to: a hub and a cluster, each a real kube-apiserver, AWS on a port, and roads between them and the operators that can be
// cut. Everybody has a road of his own to the hub, so that one replica can be cut off while the other is not.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { silentLog, systemSeams } from '#base'
import { type Aws, createAws } from '#emulator'
import { clusterProfileKind, managedClusterLabels } from '#fleet'
import {
  customResourceDefinitions,
  type KubeObject,
  namespaces,
  type ResourceType,
  renderCrd,
  type StoredObject,
  secrets,
} from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { bucketName, configKind, issuerUrl, renderIdentityCrds, selfHostedHostPath } from '#operators/identity'
import { resourceCrds, shippedService } from '#operators/resources'
import { obtainKubernetes } from '../../scripts/kubernetes.ts'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts'
import { type ControlPlane, renderKubeconfig, startControlPlane, startEtcd } from '../real/control-plane.ts'
import { eventually } from '../real/eventually.ts'
import { Replica } from './replica.ts'

export const region = 'us-east-1'
export const account = '123456789012'
/** The cluster's namespace on the hub; a team's, with resources of its own; and the hostile tenant's. */
export const home = 'edge'
export const team = 'team'
export const system = 'vouch-system'
export const lair = 'mallory'
export const appNames: readonly string[] = Array.from({ length: 8 }, (_, index) => `app${index}`)

const replicaCount = 2

export interface Platform {
  readonly hub: KubeClient
  readonly cluster: KubeClient
  readonly aws: Aws
  readonly replicas: readonly Replica[]
  /** By what they lead to; the hub's by replica. */
  readonly roads: Readonly<Record<string, TcpProxy>>
  /** Logs of the operators are there; it stays when it is asked to. */
  readonly folder: string
  close(options?: { readonly keepLogs: boolean }): Promise<void>
}

/** Rejects with a reason where there is no kube-apiserver to be had. */
export async function startPlatform(): Promise<Platform> {
  const obtained = await obtainKubernetes()
  if ('skipped' in obtained) throw new Error(obtained.skipped)
  const closing: (() => unknown)[] = []
  const closeAll = async (): Promise<void> => {
    for (const end of closing.splice(0).reverse()) await end()
  }
  try {
    const platform = await open(obtained.programs, closing)
    const close: Platform['close'] = async ({ keepLogs } = { keepLogs: false }) => {
      await closeAll()
      if (!keepLogs) rmSync(platform.folder, { recursive: true, force: true })
    }
    return { ...platform, close }
  } catch (error) {
    await closeAll()
    throw error
  }
}

async function open(programs: Parameters<typeof startEtcd>[0], closing: (() => unknown)[]): Promise<Omit<Platform, 'close'>> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-chaos-'))
  const etcd = await startEtcd(programs)
  closing.push(() => etcd.stop())
  const hubPlane = await startControlPlane({ programs, etcd })
  closing.push(() => hubPlane.stop())
  const hub = await clientOf(hubPlane.kubeconfig)
  closing.push(() => hub.close())
  await furnishHub(hub)

  const aws = createAws({ accounts: [account], region, signatures: 'verify', enforce: 'full', profile: 'instant' })
  const listener = await aws.listen()
  closing.push(() => aws.close())

  const roads: Record<string, TcpProxy> = {}
  const road = async (name: string, port: number): Promise<TcpProxy> => {
    const proxy = await startTcpProxy(port)
    closing.push(() => proxy.close())
    roads[name] = proxy
    return proxy
  }
  const awsRoad = await road('aws', listener.port)
  writeFileSync(join(folder, 'providers.json'), JSON.stringify({ providers: [{ name: 'file', execConfig: pluginOf(folder) }] }))
  const replicas: Replica[] = []
  for (let index = 0; index < replicaCount; index++) {
    const { port } = await road(`hub of replica ${index}`, portOf(hubPlane.address))
    const kubeconfig = join(folder, `replica-${index}.kubeconfig`)
    const through = { address: `https://127.0.0.1:${port}`, ca: hubPlane.ca, token: hubPlane.adminToken }
    writeFileSync(kubeconfig, renderKubeconfig(through), { mode: 0o600 })
    const environment = environmentOf(aws, awsRoad.port)
    const replica = new Replica({
      name: `replica ${index}`,
      flags: flagsOf(folder, kubeconfig, awsRoad.port),
      environment,
      folder,
    })
    closing.push(() => replica.end())
    replica.start()
    replicas.push(replica)
  }

  const clusterPlane = await startCluster(hub, programs, etcd)
  closing.push(() => clusterPlane.stop())
  const cluster = await clientOf(clusterPlane.kubeconfig)
  closing.push(() => cluster.close())
  for (const name of ['apps', 'aws-pod-identity-webhook']) await make(cluster, namespaces, { metadata: { name } })
  for (const name of appNames) await make(cluster, accountsType, { metadata: { namespace: 'apps', name } })
  const { port } = await road('cluster', portOf(clusterPlane.address))
  await publishProfile(hub, clusterPlane, { folder, address: `https://127.0.0.1:${port}` })
  return { hub, cluster, aws, replicas, roads, folder }
}

const accountsType: ResourceType = {
  group: '',
  version: 'v1',
  kind: 'ServiceAccount',
  plural: 'serviceaccounts',
  namespaced: true,
}

const operatorConfigType: ResourceType = {
  ...configKind.type,
  kind: 'AWSWorkloadIdentityOperatorConfig',
  plural: 'awsworkloadidentityoperatorconfigs',
  namespaced: false,
}

async function furnishHub(hub: KubeClient): Promise<void> {
  const services = ['iam', 's3', 'eks'] as const
  const crds = [
    ...renderIdentityCrds(),
    renderCrd(clusterProfileKind),
    ...services.flatMap(service => shippedService(service).crds),
    ...resourceCrds({ services }).filter(({ metadata }) => metadata.name?.endsWith('.services.k8s.aws') === true),
  ]
  const byName = new Map(crds.map(crd => [crd.metadata.name, crd]))
  for (const crd of byName.values()) await hub.create(customResourceDefinitions, crd as unknown as KubeObject)
  for (const name of [home, team, lair, system]) await make(hub, namespaces, { metadata: { name } })
  await eventually(
    async () => {
      const spec = { metadata: { name: 'default' }, spec: {} }
      return await make(hub, operatorConfigType, spec).catch(() => undefined)
    },
    () => 'the kinds are served',
  )
  await make(hub, configKind.type, { metadata: { namespace: home, name: 'default' }, spec: { type: 'SelfHostedIRSA', region } })
}

/** It starts with the key that the operators make for it. */
async function startCluster(
  hub: KubeClient,
  programs: Parameters<typeof startEtcd>[0],
  etcd: Awaited<ReturnType<typeof startEtcd>>,
): Promise<ControlPlane> {
  const key = { namespace: home, name: 'awi-signing-key-default' }
  const secret = await eventually(
    () => hub.find<StoredObject & { readonly data?: Readonly<Record<string, string>> }>(secrets, key),
    () => 'the signing key',
    120_000,
  )
  const issuer = issuerUrl(selfHostedHostPath(bucketName(home, region), region))
  const signingKey = Buffer.from(secret.data?.['sa.key'] ?? '', 'base64').toString()
  const audiences = [issuer, 'https://kubernetes.default.svc', 'sts.amazonaws.com']
  return await startControlPlane({ programs, etcd, tokens: { issuer, signingKey, audiences } })
}

async function publishProfile(
  hub: KubeClient,
  plane: ControlPlane,
  { folder, address }: { readonly folder: string; readonly address: string },
): Promise<void> {
  const credential = {
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status: { token: plane.adminToken },
  }
  writeFileSync(join(folder, 'credential.json'), JSON.stringify(credential), { mode: 0o600 })
  const key = { namespace: system, name: home }
  const spec = { clusterManager: { name: 'open-cluster-management' } }
  await make(hub, clusterProfileKind.type, { metadata: { ...key, labels: managedClusterLabels(home) }, spec })
  const cluster = { server: address, 'certificate-authority-data': Buffer.from(plane.ca).toString('base64') }
  const status = healthyStatus(Date.now(), { name: 'file', cluster })
  await hub.patch(clusterProfileKind.type, key, 'merge', { status }, { subresource: 'status' })
}

function flagsOf(folder: string, kubeconfig: string, awsPort: number): readonly string[] {
  return [
    '--controllers=identity,resources',
    `--cluster-profile-namespaces=${system}`,
    `--kubeconfig=${kubeconfig}`,
    `--clusterprofile-provider-file=${join(folder, 'providers.json')}`,
    '--health-probe-bind-address=0',
    '--webhook-bind-address=0',
    `--aws-endpoint-url=http://127.0.0.1:${awsPort}`,
    '--allow-unsafe-aws-endpoint-urls',
    `--aws-region=${region}`,
    `--aws-account-id=${account}`,
    '--leader-elect',
    `--leader-election-namespace=${system}`,
  ]
}

function environmentOf(aws: Aws, port: number): Readonly<Record<string, string>> {
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  return {
    AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: accessKeyId,
    AWS_SECRET_ACCESS_KEY: secretAccessKey,
    PATH: process.env['PATH'] ?? '',
  }
}

function pluginOf(folder: string): object {
  const args = [join(folder, 'credential.json')]
  return { apiVersion: 'client.authentication.k8s.io/v1', command: '/bin/cat', args, interactiveMode: 'Never' }
}

function portOf(address: string): number {
  return Number(new URL(address).port)
}

async function clientOf(kubeconfig: string): Promise<KubeClient> {
  return (await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [kubeconfig], userAgent: 'vouch-chaos' })).client
}

export function make(client: KubeClient, type: ResourceType, object: object): Promise<KubeObject> {
  const apiVersion = type.group === '' ? type.version : `${type.group}/${type.version}`
  return client.create(type, { apiVersion, kind: type.kind, ...object } as unknown as KubeObject)
}
