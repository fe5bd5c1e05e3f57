// The pod webhook beside a real kube-apiserver: replicas that run with the rights of the rendered manifests and nothing more, behind one
// address as behind a Service, called over TLS for the pods of one namespace.
import { type AddressInfo, connect as connectSocket, createServer, type Server, type Socket } from 'node:net'
import {
  type HttpExchange,
  issueCertificate,
  type MemoryFiles,
  memoryFiles,
  type Seams,
  silentLog,
  systemRandom,
  systemSeams,
} from '#base'
import type { KubeObject, ResourceType } from '#kube'
import { connect, createKubeClient, type KubeClient } from '#kube/client'
import { type ManifestOptions, readAwsProgram, renderPodWebhookManifests, runAwsWebhook } from '#operators/pods'
import { ecKey } from '../../src/base/x509/serving-pair.fixture.ts'
import { type ControlPlane, renderKubeconfig } from './control-plane.ts'

const type = (group: string, version: string, kind: string, plural: string, namespaced = true): ResourceType => ({
  group,
  version,
  kind,
  plural,
  namespaced,
})
export const pods: ResourceType = type('', 'v1', 'Pod', 'pods')
export const serviceAccounts: ResourceType = type('', 'v1', 'ServiceAccount', 'serviceaccounts')
export const configMaps: ResourceType = type('', 'v1', 'ConfigMap', 'configmaps')
export const namespaces: ResourceType = type('', 'v1', 'Namespace', 'namespaces', false)
export const signingRequests: ResourceType = type(
  'certificates.k8s.io',
  'v1',
  'CertificateSigningRequest',
  'certificatesigningrequests',
  false,
)
const configurations = type(
  'admissionregistration.k8s.io',
  'v1',
  'MutatingWebhookConfiguration',
  'mutatingwebhookconfigurations',
  false,
)

export interface Pair {
  readonly certificate: string
  readonly key: string
}

export class Authority {
  readonly #key = ecKey()
  readonly certificate: string
  #serial = 1

  constructor() {
    this.certificate = issueCertificate({
      subject: { commonName: 'test-ca' },
      key: this.#key,
      usage: 'ca',
      ...validity(),
      serial: Uint8Array.of(1),
    })
  }

  pair(names: { dns?: readonly string[]; ips?: readonly string[] } = { dns: ['localhost'], ips: ['127.0.0.1'] }): Pair {
    const key = ecKey()
    return { key, certificate: this.sign(key, names) }
  }

  /** `key`: PEM of the private or the public key. */
  sign(key: string, names: { dns?: readonly string[]; ips?: readonly string[] }): string {
    const issuer = { certificate: this.certificate, key: this.#key }
    const serial = Uint8Array.of(2, this.#serial++ >> 8, this.#serial & 0xff)
    return issueCertificate({
      subject: { commonName: 'pod-identity-webhook' },
      key,
      names,
      usage: 'server',
      ...validity(),
      serial,
      issuer,
    })
  }
}

/** Connections go to whichever replica accepts, in turn: what a Service does. */
export class Balancer {
  readonly #server: Server
  readonly #targets = new Set<number>()
  readonly #sockets = new Set<Socket>()
  #turn = 0

  constructor() {
    this.#server = createServer({ allowHalfOpen: false }, socket => this.#forward(socket, 0))
  }

  async open(): Promise<number> {
    await new Promise<void>(resolve => this.#server.listen(0, '127.0.0.1', resolve))
    return (this.#server.address() as AddressInfo).port
  }

  add(port: number): void {
    this.#targets.add(port)
  }

  remove(port: number): void {
    this.#targets.delete(port)
  }

  async close(): Promise<void> {
    for (const socket of this.#sockets) socket.destroy()
    await new Promise(resolve => this.#server.close(resolve))
  }

  #forward(socket: Socket, attempt: number): void {
    const ports = [...this.#targets]
    const port = ports[this.#turn++ % ports.length]
    if (port === undefined || attempt > 4) return void socket.destroy()
    const target = connectSocket({ host: '127.0.0.1', port })
    target.once('error', () => this.#forward(socket, attempt + 1))
    target.once('connect', () => {
      target.removeAllListeners('error')
      for (const one of [socket, target]) {
        this.#sockets.add(one)
        one.on('error', () => {})
        one.on('close', () => {
          this.#sockets.delete(one)
          socket.destroy()
          target.destroy()
        })
      }
      socket.pipe(target)
      target.pipe(socket)
    })
  }
}

export interface Replica {
  readonly port: number
  readonly files: MemoryFiles
  readonly metricsPort: number
  stop(): Promise<void>
}

/** What the rights allow was used, as `verb resource`. */
export type Recorder = Set<string>

export class WebhookWorld {
  readonly plane: ControlPlane
  readonly admin: KubeClient
  readonly id: string = systemRandom.uuid().slice(0, 8)
  /** Where the webhook "runs": its rights, ConfigMap and Secret. */
  readonly home: string
  /** Whose pods it is asked about. */
  readonly apps: string
  readonly authority: Authority = new Authority()
  readonly used: Recorder = new Set()
  readonly balancer: Balancer = new Balancer()
  #token = ''
  #stops: (() => Promise<void>)[] = []

  private constructor(plane: ControlPlane, admin: KubeClient) {
    this.plane = plane
    this.admin = admin
    this.home = `webhook-${this.id}`
    this.apps = `apps-${this.id}`
  }

  static async open(plane: ControlPlane, manifest: Partial<ManifestOptions> = {}): Promise<WebhookWorld> {
    const { client } = await connect(systemSeams({}, { log: silentLog }), { kubeconfig: [plane.kubeconfig] })
    const world = new WebhookWorld(plane, client)
    await world.#install(manifest)
    return world
  }

  /** The objects that are no workload, applied by kubectl as a user would; the API server reaches no Service here, so a URL stands in. */
  async #install(manifest: Partial<ManifestOptions>): Promise<void> {
    for (const name of [this.home, this.apps])
      await this.admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
    const objects = this.manifests(manifest).filter(({ kind }) => kind !== 'MutatingWebhookConfiguration')
    await this.apply(objects)
    const { token } = await this.admin.requestToken(
      { namespace: this.home, name: this.name },
      { audiences: [], expirationSeconds: 3_600 },
    )
    this.#token = token
  }

  get name(): string {
    return `pod-identity-webhook-${this.id}`
  }

  manifests(more: Partial<ManifestOptions> = {}): readonly KubeObject[] {
    const caBundle = this.authority.certificate
    const certificate = { kind: 'secret', secretName: 'pair', caBundle } as const
    return renderPodWebhookManifests({ namespace: this.home, name: this.name, certificate, watchConfigMap: true, ...more })
  }

  async apply(objects: readonly KubeObject[], args: readonly string[] = []): Promise<string> {
    const list = { apiVersion: 'v1', kind: 'List', items: objects }
    const { code, stdout, stderr } = await this.plane.kubectl(['apply', ...args, '-f', '-'], { input: JSON.stringify(list) })
    if (code !== 0) throw new Error(stderr)
    return stdout
  }

  /** From now on the API server asks, and takes no for an answer. */
  async register(failurePolicy: 'Ignore' | 'Fail' = 'Fail'): Promise<void> {
    const port = await this.balancer.open()
    const configuration = this.manifests().find(({ kind }) => kind === 'MutatingWebhookConfiguration') as KubeObject & {
      readonly webhooks: readonly object[]
    }
    const caBundle = Buffer.from(this.authority.certificate).toString('base64')
    const webhooks = configuration.webhooks.map(webhook => ({
      ...webhook,
      failurePolicy,
      clientConfig: { url: `https://127.0.0.1:${port}/mutate`, caBundle },
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.apps } },
    }))
    await this.admin.create(configurations, { ...configuration, webhooks } as KubeObject)
    this.#stops.push(async () => {
      await this.admin.delete(configurations, { namespace: '', name: this.name })
      await this.balancer.close()
    })
  }

  /** A replica with the webhook's own token. */
  async start(flags: readonly string[] = [], { isBalanced = true }: { isBalanced?: boolean } = {}): Promise<Replica> {
    const pair = this.authority.pair()
    const files = memoryFiles({ '/tls.crt': pair.certificate, '/tls.key': pair.key }, () => performance.now())
    const system = systemSeams({}, { log: silentLog })
    await files.write('/kubeconfig', renderKubeconfig({ address: this.plane.address, ca: this.plane.ca, token: this.#token }))
    const seams: Seams = { ...system, files, net: recordingNet(system.net, this.used) }
    const program = readAwsProgram([
      '--in-cluster=false',
      '--tls-cert=/tls.crt',
      '--tls-key=/tls.key',
      '--kubeconfig=/kubeconfig',
      '--port=0',
      '--metrics-port=0',
      '--bind-address=127.0.0.1',
      `--namespace=${this.home}`,
      `--service-name=${this.name}`,
      '--watch-config-map',
      ...flags,
    ])
    const stop = new AbortController()
    let running: Promise<void> = Promise.resolve()
    const at = await new Promise<{ webhook: number; metrics: number }>((resolve, reject) => {
      running = runAwsWebhook({ program, seams, onListening: resolve }, stop.signal)
      running.catch(reject)
    })
    const end = async (): Promise<void> => {
      this.balancer.remove(at.webhook)
      stop.abort(new Error('the test ends it'))
      await running
    }
    await this.untilSynced(at.metrics)
    if (isBalanced) this.balancer.add(at.webhook)
    this.#stops.push(end)
    return { port: at.webhook, metricsPort: at.metrics, files, stop: end }
  }

  async untilSynced(metricsPort: number): Promise<void> {
    for (let tries = 0; tries < 600; tries++) {
      if ((await metricsOf(metricsPort)).includes('identity_webhook_sa_cache_synced{provider="aws"} 1')) return
      await new Promise(resolve => setTimeout(resolve, 20))
    }
    throw new Error('the webhook did not become ready')
  }

  /** A client with the webhook's rights, recorded. */
  asWebhook(): KubeClient {
    const exchange = recording(this.plane.exchange, this.used)
    const { home, name } = this
    return createKubeClient({
      clock: systemSeams({}).clock,
      address: this.plane.address,
      exchange,
      impersonate: { user: `system:serviceaccount:${home}:${name}`, groups: ['system:serviceaccounts', 'system:authenticated'] },
    })
  }

  account(name: string, annotations: Readonly<Record<string, string>> = {}): Promise<KubeObject> {
    return this.admin.create(serviceAccounts, {
      apiVersion: 'v1',
      kind: 'ServiceAccount',
      metadata: { namespace: this.apps, name, annotations },
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const stop of this.#stops.reverse()) await stop()
    for (const kind of ['clusterrole', 'clusterrolebinding'])
      await this.plane.kubectl(['delete', kind, this.name, '--ignore-not-found'])
    for (const name of [this.home, this.apps]) await this.admin.delete(namespaces, { namespace: '', name })
    await this.admin.close()
  }
}

export async function metricsOf(port: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${port}/metrics`, { headers: { connection: 'close' } })).text()
}

function recordingNet(net: Seams['net'], used: Recorder): Seams['net'] {
  return {
    ...net,
    dial: options => {
      const client = net.dial(options)
      return { ...client, exchange: recording(client.exchange, used) }
    },
  }
}

/** The verb that authorisation sees, from the method and the path. */
function recording(exchange: HttpExchange, used: Recorder): HttpExchange {
  return request => {
    const url = new URL(request.target, 'https://api')
    const match = /^\/(?:api\/v1|apis\/[^/]+\/[^/]+)\/(?:namespaces\/[^/]+\/)?([a-z]+)(?:\/([^/]+))?/.exec(url.pathname)
    if (match !== null) {
      const [, resource = '', name] = match
      const reading = url.searchParams.has('watch') ? 'watch' : name === undefined ? 'list' : 'get'
      const verb = { GET: reading, POST: 'create', PUT: 'update', PATCH: 'patch', DELETE: 'delete' }[request.method]
      used.add(`${verb ?? request.method} ${resource}`)
    }
    return exchange(request)
  }
}

function validity(): { validFrom: number; validUntil: number } {
  return { validFrom: Date.now() - 60_000, validUntil: Date.now() + 86_400_000 }
}
