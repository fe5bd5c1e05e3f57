// A hosted control plane as far as its sidecar meets it: a real kube-apiserver that serves with a certificate of the root authority and takes
// clients of the cluster signer; the hub with the platform's objects, here the same server; the operator; and the sidecar as a process.
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect as connectTls } from 'node:tls'
import { type CertificatePair, type Clock, issueServing, silentLog, systemClock, systemRandom, systemSeams } from '#base'
import {
  configMaps,
  customResourceDefinitions,
  deployments,
  type KubeObject,
  mutatingWebhookConfigurations,
  namespaces,
  pods,
  renderCrd,
  type StoredObject,
  secrets,
  serviceAccounts,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { controlPlaneKind, createHostedOperator, type HostedSettings, ourChoices } from '#operators/hosted'
import { createManager, type Reads } from '#runtime'
import { authoritySecret, testAuthority } from '../../../src/operators/hosted/testing/authorities.fixture.ts'
import { startTcpProxy } from '../../faults/tcp-proxy.ts'
import { type ControlPlane, renderKubeconfig, startControlPlane } from '../control-plane.ts'
import { comesAbout, eventually } from '../eventually.ts'
import { freePort } from '../programs/free-port.ts'
import { type SidecarRunner, sidecarRunner } from './sidecar-runner.ts'

export const planeNamespace = 'clusters-blue'
export const appNamespace = 'shop'
/** Of both sidecars, by what the platform calls them. */
export const releaseImages: Readonly<Record<string, string>> = {
  'aws-pod-identity-webhook': 'vouch:this-checkout',
  'azure-workload-identity-webhook': 'vouch:this-checkout',
}
const planeKey = { namespace: planeNamespace, name: 'blue' }
const guestName = `${planeKey.namespace}.${planeKey.name}`

export interface MutatedPod extends StoredObject {
  readonly spec: {
    readonly containers: readonly {
      readonly env?: readonly { readonly name: string; readonly value?: string }[]
      readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string }[]
    }[]
    readonly volumes?: readonly {
      readonly name: string
      readonly projected?: { readonly sources?: readonly { readonly serviceAccountToken?: { readonly audience?: string } }[] }
    }[]
  }
}

export interface HostedRealWorld extends AsyncDisposable {
  readonly guest: ControlPlane
  readonly client: KubeClient
  readonly runner: SidecarRunner
  readonly port: number
  /** Says what the platform wants, and waits until both halves are in place. */
  want(platform: object): Promise<void>
  /** Anything else of the spec. */
  change(spec: object): Promise<void>
  saysInPlace(): Promise<void>
  /** What is said, `type=status/reason: message`. */
  said(): Promise<readonly string[]>
  /** As whoever runs Deployments says it once no pod of an earlier template is left. */
  rolledOut(): Promise<void>
  account(name: string, annotations: Readonly<Record<string, string>>): Promise<void>
  pod(account: string, labels?: Readonly<Record<string, string>>): Promise<MutatedPod>
  /** Makes pods until one is mutated, since the sidecar may lag. */
  mutated(account: string, labels?: Readonly<Record<string, string>>): Promise<MutatedPod>
  writes(): number
  /** How often the operator has looked. */
  passes(): number
  /** What the Azure sidecar serves with. */
  served(): Promise<X509Certificate>
  /** The status of its answer; 0 when there is none. */
  health(path: string): Promise<number>
  stopOperator(): Promise<void>
  startOperator(): void
  /** The platform gives the guest's API server a certificate of another authority. */
  serveAs(authority: CertificatePair): void
  /** For the operator alone: its way into the guest is cut, or there again. The hub, which is the same server here, stays. */
  setGuestAway(away: boolean): Promise<void>
  /** The operator's clock goes on by so much at once; its timers ring as before. */
  pass(ms: number): void
}

export interface HostedRealOptions {
  /** Who the guest's tokens are from; nobody else can check them when absent. */
  readonly issuer?: string
}

export async function hostedRealWorld({ issuer }: HostedRealOptions = {}): Promise<HostedRealWorld> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-hosted-guest-'))
  const now = systemClock.now()
  const [root, signer] = [testAuthority('root-ca', 0, now), testAuthority('cluster-signer-ca', 1, now)]
  const times = { from: now, until: now + 86_400_000 }
  const drawn = { key: testAuthority('server-key', 2, now).key, serial: systemRandom.bytes(16) }
  const served = issueServing({ commonName: 'localhost', names: { dns: ['localhost'] }, issuer: root, ...drawn }, times)
  const file = (name: string, text: string): string => {
    writeFileSync(join(folder, name), text, { mode: 0o600 })
    return join(folder, name)
  }
  const pair = [file('localhost.crt', served.certificate), file('localhost.key', served.key)].join(',')
  const tokens = { audiences: ['https://kubernetes.default.svc'], signingKey: testAuthority('tokens', 3, now).key }
  const guest = await startControlPlane({
    ...(issuer === undefined ? {} : { tokens: { issuer, ...tokens } }),
    flags: [`--client-ca-file=${file('client-ca.crt', signer.certificate)}`, `--tls-sni-cert-key=${pair}:localhost`],
  })
  const client = createKubeClient({ clock: systemClock, address: guest.address, exchange: guest.exchange })
  const ports = { aws: await freePort(), azure: await freePort(), azureHealth: await freePort(), azureMetrics: await freePort() }
  const wayIn = await startTcpProxy(Number(new URL(guest.address).port))
  await makePlatform(client, wayThrough(guest, wayIn.port), [
    authoritySecret(planeNamespace, 'root-ca', root),
    authoritySecret(planeNamespace, 'cluster-signer-ca', signer),
  ])
  const settings: HostedSettings = {
    platforms: ['AWS', 'Azure'],
    image: '',
    imageMap: 'release-images',
    pullSecret: 'pull-secret',
    guestKubeconfig: 'service-network-admin-kubeconfig',
    namespaces: [planeNamespace],
    choices: { ...ourChoices, ports, awsKubeconfigLocal: true },
    workers: 2,
  }
  let aheadMs = 0
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + aheadMs,
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
  }
  const seams = { ...systemSeams({}, { log: silentLog }), clock }
  let writes = 0
  let passes = 0
  // What a pass wrote is seen before the pass has ended and is counted.
  const underWay = new Set<string>()
  let operated: Reads | undefined
  const startOperator = (): (() => Promise<void>) => {
    const operator = createHostedOperator({ settings, seams })
    const manager = createManager({
      client,
      seams,
      controllers: operator.controllers,
      identity: 'hosted-real',
      onTake: ({ controller, key }) => underWay.add(`${controller} ${key.name}`),
      onPass: pass => {
        underWay.delete(`${pass.controller} ${pass.key.name}`)
        writes += pass.writes.length
        passes++
      },
    })
    operator.attach?.(manager)
    operated = manager.world
    const stop = new AbortController()
    const running = manager.run(stop.signal)
    return async () => {
      stop.abort(new Error('the operator ends'))
      await running
      await operator.close?.()
    }
  }
  let stopOperator = startOperator()
  const runner = sidecarRunner(client, planeNamespace)
  let podsMade = 0
  const pod: HostedRealWorld['pod'] = async (account, labels = {}) => {
    const metadata = { namespace: appNamespace, name: `pod-${++podsMade}`, labels }
    const spec = { serviceAccountName: account, containers: [{ name: 'app', image: 'app:1' }] }
    const object = { apiVersion: 'v1', kind: 'Pod', metadata, spec }
    await client.create(pods, object)
    return client.get<MutatedPod>(pods, { namespace: appNamespace, name: metadata.name })
  }
  const saysInPlace = (): Promise<void> =>
    comesAbout(
      async () => (await conditionsOf(client)).filter(text => text.includes('True/InPlace')).length === 2 && underWay.size === 0,
      async () => `both halves are in place, not ${(await conditionsOf(client)).join('; ')}`,
    )
  return {
    guest,
    client,
    runner,
    port: Number(new URL(guest.address).port),
    want: async platform => {
      const port = Number(new URL(guest.address).port)
      const spec = { platform, networking: { apiServer: { port } } }
      const held = await client.find(controlPlaneKind.type, planeKey)
      if (held === undefined) await client.create(controlPlaneKind.type, controlPlaneKind.make(planeKey, spec))
      else await client.patch(controlPlaneKind.type, planeKey, 'merge', { spec })
    },
    change: spec => client.patch(controlPlaneKind.type, planeKey, 'merge', { spec }).then(() => undefined),
    saysInPlace,
    said: () => conditionsOf(client),
    rolledOut: async () => {
      const key = { namespace: planeNamespace, name: 'kube-apiserver' }
      const { metadata } = await client.get(deployments, key)
      const status = { observedGeneration: metadata.generation, replicas: 1, updatedReplicas: 1 }
      await client.patch(deployments, key, 'merge', { status }, { subresource: 'status' })
    },
    account: async (name, annotations) => {
      const metadata = { namespace: appNamespace, name, annotations }
      await client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
    },
    pod,
    mutated: (account, labels) =>
      eventually(
        async () => {
          const made = await pod(account, labels)
          return made.spec.containers[0]?.env === undefined ? undefined : made
        },
        () => `a pod is mutated; the sidecar's log ends:\n${runner.log()}`,
      ),
    writes: () => writes,
    passes: () => passes,
    served: () => servedAt(ports.azure),
    health: path =>
      fetch(`http://127.0.0.1:${ports.azureHealth}${path}`).then(
        ({ status }) => status,
        () => 0,
      ),
    stopOperator: () => stopOperator(),
    startOperator: () => {
      stopOperator = startOperator()
    },
    serveAs: authority => {
      const { certificate } = issueServing(
        { commonName: 'localhost', names: { dns: ['localhost'] }, issuer: authority, ...drawn },
        times,
      )
      file('localhost.crt', certificate)
    },
    setGuestAway: async away => {
      wayIn.refuse(away)
      if (!away) return
      wayIn.reset()
      // A connection that was tried is no sign yet: the refusal is read a moment later, and it is from then on that the silence counts.
      await comesAbout(
        async () => (operated?.cluster(guestName)?.behindMs(mutatingWebhookConfigurations) ?? 0) > 0,
        () => 'the operator has noticed that its guest is away',
      )
    },
    pass: ms => {
      aheadMs += ms
    },
    [Symbol.asyncDispose]: async () => {
      await runner[Symbol.asyncDispose]()
      await stopOperator()
      await wayIn.close()
      await guest.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

async function servedAt(port: number): Promise<X509Certificate> {
  const socket = connectTls({ host: '127.0.0.1', port, rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { raw } = socket.getPeerCertificate()
  socket.destroy()
  return new X509Certificate(raw)
}

async function conditionsOf(client: KubeClient): Promise<readonly string[]> {
  const plane = await client.get<
    StoredObject & { readonly status?: { readonly conditions?: readonly Readonly<Record<string, string>>[] } }
  >(controlPlaneKind.type, planeKey)
  return (plane.status?.conditions ?? []).map(({ type, status, reason, message }) => `${type}=${status}/${reason}: ${message}`)
}

function wayThrough({ address, ca, adminToken }: ControlPlane, port: number): string {
  const through = new URL(address)
  through.port = String(port)
  return renderKubeconfig({ address: through.origin, ca, token: adminToken })
}

async function makePlatform(client: KubeClient, way: string, authorities: readonly KubeObject[]): Promise<void> {
  await client.create(customResourceDefinitions, renderCrd(controlPlaneKind))
  for (const name of [planeNamespace, appNamespace])
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const data = { kubeconfig: Buffer.from(way).toString('base64') }
  const metadata = { namespace: planeNamespace, name: 'service-network-admin-kubeconfig' }
  const wayIn = { apiVersion: 'v1', kind: 'Secret', metadata, data }
  for (const object of [...authorities, wayIn]) await client.create(secrets, object)
  const images = { namespace: planeNamespace, name: 'release-images' }
  await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: images, data: releaseImages } as KubeObject)
  const labels = { app: 'kube-apiserver' }
  const spec = {
    replicas: 1,
    selector: { matchLabels: labels },
    template: {
      metadata: { labels },
      spec: { containers: [{ name: 'kube-apiserver', image: 'kube-apiserver:1' }], volumes: [{ name: 'tmp-dir', emptyDir: {} }] },
    },
  }
  const deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace: planeNamespace, name: 'kube-apiserver' },
    spec,
  }
  await client.create(deployments, deployment)
  await comesAbout(
    () =>
      client.list(controlPlaneKind.type).then(
        () => true,
        () => false,
      ),
    () => 'the kind of the platform is served',
  )
}
