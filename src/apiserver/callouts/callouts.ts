// Calls that the server itself makes, to webhooks and converters: to a handler in this process if one is registered for the address,
// else over the network.
import type { Clock } from '#base'
import { type HttpClient, type HttpExchange, HttpFailure, type Net } from '#base'
import type { StorePort } from '../store/store.ts'

/** Whom to call, as configurations of webhooks and converters say it. */
export interface WebhookClient {
  readonly url?: string
  readonly caBundle?: string
  readonly service?: { readonly namespace: string; readonly name: string; readonly path?: string; readonly port?: number }
}

export interface Callout {
  readonly client: WebhookClient
  readonly query: string
  readonly body: unknown
  readonly timeoutMs: number
}

const portDefault = 443
/** Addresses called lately keep their connections. */
const clientsMax = 50
/** A reply that is longer cannot be a review. */
const replyBytesMax = 3_145_728 * 2

export interface CalloutPorts extends StorePort {
  readonly clock: Clock
}

export class Callouts {
  readonly #ports: CalloutPorts
  #net: Net | undefined
  readonly #handlers = new Map<string, HttpExchange>()
  readonly #clients = new Map<string, HttpClient>()

  constructor(ports: CalloutPorts, net: Net | undefined) {
    this.#ports = ports
    this.#net = net
  }

  /** A server that can be reached over the network reaches out over it too, unless it was given another. */
  reachOver(net: Net): void {
    this.#net ??= net
  }

  /** `namespace/service` or a host. */
  register(address: string, handler: HttpExchange): void {
    this.#handlers.set(address, handler)
  }

  get handlers(): ReadonlyMap<string, HttpExchange> {
    return this.#handlers
  }

  /** POSTs JSON and gives the parsed reply; every failure is an Error whose message says what happened. */
  async post(callout: Callout): Promise<unknown> {
    const abort = new AbortController()
    const url = urlOf(callout.client)
    const timer = this.#ports.clock.timer(callout.timeoutMs, () => {
      abort.abort(new Error(`Post ${JSON.stringify(url.href + callout.query)}: context deadline exceeded`))
    })
    try {
      return await Promise.race([this.#exchange(callout, url, abort.signal), whenAborted(abort.signal)])
    } finally {
      timer.cancel()
      abort.abort()
    }
  }

  async close(): Promise<void> {
    const clients = [...this.#clients.values()]
    this.#clients.clear()
    await Promise.all(clients.map(client => client.close()))
  }

  async #exchange(callout: Callout, url: URL, signal: AbortSignal): Promise<unknown> {
    const response = await this.#route(
      callout.client,
      url,
    )({
      method: 'POST',
      target: `${url.pathname}${url.search}${callout.query}`,
      headers: {
        'content-type': 'application/json',
        accept: 'application/json',
        host: url.host,
        'user-agent': 'kube-apiserver-admission',
      },
      body: Buffer.from(JSON.stringify(callout.body)),
      signal,
    })
    const text = await readText(response.body)
    if (response.status < 200 || response.status > 206)
      throw new Error(`the server answered ${response.status}: ${text.slice(0, 200)}`)
    return JSON.parse(text) as unknown
  }

  #route(client: WebhookClient, url: URL): HttpExchange {
    const { service } = client
    const handler = this.#handlers.get(service === undefined ? url.hostname : `${service.namespace}/${service.name}`)
    if (handler !== undefined) return handler
    const address = service === undefined ? url.host : this.#endpointOf(service)
    if (address === undefined || this.#net === undefined) {
      throw new HttpFailure(
        'unreachable',
        `Post ${JSON.stringify(url.href)}: no endpoints available for service ${JSON.stringify(url.hostname)}`,
      )
    }
    return this.#dial(`https://${address}`, client, url.hostname).exchange
  }

  /** A ready address of the service's slices. */
  #endpointOf(service: NonNullable<WebhookClient['service']>): string | undefined {
    const prefix = `${service.namespace}/`
    let found: string | undefined
    this.#ports.store.table('endpointslices.discovery.k8s.io').rows.visit(prefix, (version, key) => {
      if (!key.startsWith(prefix)) return false
      const { metadata, endpoints, ports } = version.object as unknown as Slice
      if (metadata.labels?.['kubernetes.io/service-name'] !== service.name) return true
      const address = (endpoints ?? []).find(endpoint => endpoint.conditions?.ready !== false)?.addresses[0]
      const port = ports?.[0]?.port
      if (address !== undefined && port !== undefined) found = `${address}:${port}`
      return found === undefined
    })
    return found
  }

  #dial(origin: string, { caBundle }: WebhookClient, serverName: string): HttpClient {
    const key = `${origin}\n${serverName}\n${caBundle ?? ''}`
    let client = this.#clients.get(key)
    if (client === undefined) {
      const [oldest] = this.#clients.keys()
      if (this.#clients.size >= clientsMax && oldest !== undefined) {
        void this.#clients.get(oldest)?.close()
        this.#clients.delete(oldest)
      }
      const ca = caBundle === undefined || caBundle === '' ? {} : { ca: Buffer.from(caBundle, 'base64').toString() }
      client = (this.#net as Net).dial({ origin, protocol: 'http/1.1', tls: { ...ca, serverName } })
      this.#clients.set(key, client)
    }
    return client
  }
}

interface Slice {
  readonly metadata: { readonly labels?: Readonly<Record<string, string>> }
  readonly endpoints?: readonly { readonly addresses: readonly string[]; readonly conditions?: { readonly ready?: boolean } }[]
  readonly ports?: readonly { readonly port?: number }[]
}

function urlOf({ url, service }: WebhookClient): URL {
  if (service === undefined) return new URL(url ?? 'https://invalid.')
  const path = (service.path ?? '').replace(/^\/?/, '/')
  return new URL(`https://${service.name}.${service.namespace}.svc:${service.port ?? portDefault}${path}`)
}

function whenAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}

async function readText(body: Uint8Array | AsyncIterable<Uint8Array> | null): Promise<string> {
  if (body === null) return ''
  if (body instanceof Uint8Array) return Buffer.from(body).toString()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.byteLength
    if (size > replyBytesMax) throw new Error('the reply is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
}
