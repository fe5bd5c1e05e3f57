// A webhook as a process on sockets of its own, an API server that asks it about the pods of one namespace, and a gate on either way.
import { type HttpClient, type MemoryFiles, memoryFiles, type Seams, silentLog, systemRandom, systemSeams } from '#base'
import { type KubeObject, mutatingWebhookConfigurations, namespaces, pods, type StoredObject, serviceAccounts } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { readAwsProgram, readAzureProgram, runAwsWebhook, runAzureWebhook } from '#operators/pods'
import { type ServingPair, servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.ts'
import { renderKubeconfig } from '../real/control-plane.ts'
import { comesAbout } from '../real/eventually.ts'

export interface RowsServer {
  /** `https://127.0.0.1:port`. */
  readonly address: string
  readonly ca: string
  readonly adminToken: string
  /** From now on a watch that goes on from before is told that its place in history is gone. */
  compact(): Promise<void>
}

export interface MadePod extends KubeObject {
  readonly spec: {
    readonly containers: readonly { readonly env?: readonly { readonly name: string; readonly value?: string }[] }[]
  }
}

export interface RunningWebhook {
  readonly port: number
  readonly files: MemoryFiles
  /** Paths of what it serves with. */
  readonly certificate: string
  readonly key: string
  metrics(): Promise<string>
  /** The status of the answer. */
  health(path: string): Promise<number>
  /** How often it asked for all ServiceAccounts. */
  lists(): number
  /** Rejects where it does not end well. */
  stop(): Promise<void>
}

export interface RowsWorld extends AsyncDisposable {
  readonly cloud: Cloud
  /** Of reviews. */
  readonly path: string
  /** On the way from the webhook to the API server. */
  readonly gate: TcpProxy
  /** On the way from the API server to the webhook that was registered last. */
  readonly asked: TcpProxy
  pair(): ServingPair
  account(name: string): Promise<void>
  forget(name: string): Promise<void>
  pod(account: string): Promise<MadePod>
  isGiven(pod: KubeObject): boolean
  /** As an API server words it. */
  review(account: string): string
  start(flags?: readonly string[], how?: { readonly becomesReady?: boolean }): Promise<RunningWebhook>
  /** In place of the one before. Resolves once the API server asks there. */
  register(port: number, failurePolicy?: 'Fail' | 'Ignore'): Promise<void>
  compact(): Promise<void>
}

type Cloud = 'aws' | 'azure'

interface Started {
  readonly webhook: number
  readonly metrics: number | undefined
  readonly health: number | undefined
}

interface CloudProgram {
  readonly path: string
  readonly variable: string
  readonly annotations: Readonly<Record<string, string>>
  readonly labels: Readonly<Record<string, string>>
  run(args: readonly string[], seams: Seams, onListening: (at: Started) => void, signal: AbortSignal): Promise<void>
}

const clouds: Readonly<Record<Cloud, CloudProgram>> = {
  aws: {
    path: '/mutate',
    variable: 'AWS_ROLE_ARN',
    annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::111122223333:role/r' },
    labels: { app: 'web' },
    run: (args, seams, onListening, signal) => {
      const own = ['--in-cluster=false', '--tls-cert=/certs/tls.crt', '--tls-key=/certs/tls.key', '--metrics-port=0']
      return runAwsWebhook({ program: readAwsProgram([...own, ...args]), seams, onListening }, signal)
    },
  },
  azure: {
    path: '/mutate-v1-pod',
    variable: 'AZURE_CLIENT_ID',
    annotations: { 'azure.workload.identity/client-id': '99999999-8888-4777-8666-555555555555' },
    labels: { app: 'web', 'azure.workload.identity/use': 'true' },
    run: (args, seams, onListening, signal) => {
      const own = ['--disable-cert-rotation', '--webhook-cert-dir=/certs', '--metrics-addr=127.0.0.1:0']
      const program = readAzureProgram([...own, ...args], { AZURE_TENANT_ID: '11111111-2222-4333-8444-555555555555' })
      return runAzureWebhook({ program, seams, onListening }, signal)
    },
  },
}

export async function rowsWorld(cloud: Cloud, server: RowsServer): Promise<RowsWorld> {
  const folder = memoryFiles({ '/admin': renderKubeconfig({ ...server, token: server.adminToken }) })
  const { client } = await connect({ ...systemSeams({}, { log: silentLog }), files: folder }, { kubeconfig: ['/admin'] })
  const world = new World(cloud, server, client, await startTcpProxy(Number(new URL(server.address).port)))
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: world.namespace } })
  return world
}

class World implements RowsWorld {
  readonly cloud: Cloud
  readonly gate: TcpProxy
  readonly namespace: string = `rows-${systemRandom.uuid().slice(0, 8)}`
  readonly #server: RowsServer
  readonly #client: KubeClient
  readonly #program: CloudProgram
  readonly #authority = servingPair({ subject: { commonName: 'authority' }, usage: 'ca', names: {} })
  readonly #running: RunningWebhook[] = []
  readonly #asked: TcpProxy[] = []
  #pairs = 1

  constructor(cloud: Cloud, server: RowsServer, client: KubeClient, gate: TcpProxy) {
    this.cloud = cloud
    this.gate = gate
    this.#server = server
    this.#client = client
    this.#program = clouds[cloud]
  }

  get path(): string {
    return this.#program.path
  }

  get asked(): TcpProxy {
    return this.#asked.at(-1) as TcpProxy
  }

  pair(): ServingPair {
    return servingPair({ issuer: this.#authority, serial: Uint8Array.of(2, this.#pairs++) })
  }

  async account(name: string): Promise<void> {
    const metadata = { namespace: this.namespace, name, annotations: this.#program.annotations }
    await this.#client.create(serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata })
  }

  /** The pods of this ServiceAccount are to have no identity any more. */
  async forget(name: string): Promise<void> {
    const annotations = Object.fromEntries(Object.keys(this.#program.annotations).map(key => [key, null]))
    await this.#client.patch(serviceAccounts, { namespace: this.namespace, name }, 'merge', { metadata: { annotations } })
  }

  async pod(account: string): Promise<MadePod> {
    return (await this.#client.create(pods, this.#podOf(account), { dryRun: true })) as KubeObject & MadePod
  }

  #podOf(serviceAccountName: string): KubeObject {
    const metadata = { namespace: this.namespace, generateName: 'web-', labels: this.#program.labels }
    const spec = { serviceAccountName, containers: [{ name: 'web', image: 'web:1' }] }
    return { apiVersion: 'v1', kind: 'Pod', metadata, spec } as KubeObject
  }

  isGiven(pod: KubeObject): boolean {
    const { containers } = (pod as MadePod).spec
    return containers.every(({ env = [] }) => env.some(({ name }) => name === this.#program.variable))
  }

  review(account: string): string {
    const of = { group: '', version: 'v1' }
    const request = {
      uid: 'u',
      kind: { ...of, kind: 'Pod' },
      resource: { ...of, resource: 'pods' },
      namespace: this.namespace,
      operation: 'CREATE',
      object: this.#podOf(account),
    }
    return JSON.stringify({ apiVersion: 'admission.k8s.io/v1', kind: 'AdmissionReview', request })
  }

  async start(flags: readonly string[] = [], { becomesReady = true } = {}): Promise<RunningWebhook> {
    const { key, certificate } = this.pair()
    const kubeconfig = renderKubeconfig({
      address: `https://127.0.0.1:${this.gate.port}`,
      ca: this.#server.ca,
      token: this.#server.adminToken,
    })
    const given = { '/certs/tls.crt': certificate, '/certs/tls.key': key, '/kubeconfig': kubeconfig }
    const files = memoryFiles(given, () => performance.now())
    const system = systemSeams({}, { log: silentLog })
    const counted = countingLists(system.net)
    const args = ['--kubeconfig=/kubeconfig', '--port=0', '--bind-address=127.0.0.1', '--health-addr=127.0.0.1:0', ...flags]
    const stop = new AbortController()
    let running: Promise<void> = Promise.resolve()
    const at = await new Promise<Started>((resolve, reject) => {
      running = this.#program.run(args, { ...system, files, net: counted.net }, resolve, stop.signal)
      running.catch(reject)
    })
    const webhook: RunningWebhook = {
      port: at.webhook,
      files,
      certificate: '/certs/tls.crt',
      key: '/certs/tls.key',
      metrics: async () => (await get(at.metrics, '/metrics')).text(),
      health: async path => (await get(at.health, path)).status,
      lists: counted.lists,
      stop: async () => {
        stop.abort(new Error('the test ends it'))
        await running
      },
    }
    this.#running.push(webhook)
    if (becomesReady)
      await comesAbout(
        async () => (await webhook.health('/readyz')) === 200,
        () => 'the webhook is ready',
      )
    return webhook
  }

  async register(port: number, failurePolicy: 'Fail' | 'Ignore' = 'Fail'): Promise<void> {
    const proxy = await startTcpProxy(port)
    this.#asked.push(proxy)
    const name = this.namespace
    const held = await this.#client.find(mutatingWebhookConfigurations, { namespace: '', name })
    const url = `https://127.0.0.1:${proxy.port}${this.path}`
    const webhook = {
      name: 'rows.example.com',
      admissionReviewVersions: ['v1', 'v1beta1'],
      clientConfig: { url, caBundle: Buffer.from(this.#authority.certificate).toString('base64') },
      failurePolicy,
      sideEffects: 'None',
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
      namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': this.namespace } },
    }
    const configuration = {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name },
      webhooks: [webhook],
    } as KubeObject
    if (held === undefined) await this.#client.create(mutatingWebhookConfigurations, configuration)
    else
      await this.#client.update(mutatingWebhookConfigurations, {
        ...(held as StoredObject),
        ...configuration,
        metadata: held.metadata,
      })
    await comesAbout(
      async () => {
        await this.pod('app').catch(() => {})
        return proxy.accepted > 0
      },
      () => 'the API server asks the webhook',
    )
  }

  compact(): Promise<void> {
    return this.#server.compact()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.gate.silence(false)
    this.gate.refuse(false)
    const configuration = { namespace: '', name: this.namespace }
    if (this.#asked.length > 0) await this.#client.delete(mutatingWebhookConfigurations, configuration)
    for (const webhook of this.#running) await webhook.stop()
    for (const proxy of [this.gate, ...this.#asked]) await proxy.close()
    await this.#client.delete(namespaces, configuration)
    await this.#client.close()
  }
}

/** A connection of its own, so that none is left when the webhook stops. */
function get(port: number | undefined, path: string): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: 'close' } })
}

function countingLists(net: Seams['net']): { readonly net: Seams['net']; readonly lists: () => number } {
  let lists = 0
  const counting = (client: HttpClient): HttpClient => ({
    ...client,
    exchange: request => {
      const { pathname, searchParams } = new URL(request.target, 'https://api')
      const isFirstPage = pathname.endsWith('/serviceaccounts') && !searchParams.has('watch') && !searchParams.has('continue')
      if (request.method === 'GET' && isFirstPage) lists++
      return client.exchange(request)
    },
  })
  return { net: { ...net, dial: options => counting(net.dial(options)) }, lists: () => lists }
}
