// Keys of issuers that are not ours, fetched over HTTPS: from hosts of this process, and from the network where that is allowed. Cached; a key
// that is not among the cached ones is looked for once more, and not more often than an issuer is to be asked.
import {
  type Clock,
  collectBody,
  type HttpExchange,
  type HttpResponse,
  type Instant,
  isRecord,
  type Jwk,
  type Net,
  readKeySet,
} from '#base'
import { bodyBytesMax } from '../wire/call.ts'

export interface IssuersOptions {
  readonly clock: Clock
  readonly hosts: ReadonlyMap<string, HttpExchange>
  /** The network, where issuers outside of this process may be asked. */
  readonly net?: Pick<Net, 'dial'>
  /** PEM of authorities that these issuers' certificates may come from, beside the machine's own. */
  readonly authorities?: string
}

const timeoutMs = 5_000
const cachedMs = 24 * 3_600_000
/** Between two fetches for keys that were not there. */
const againMs = 10_000
const issuersMax = 1_000

interface Cached {
  readonly keys: readonly Jwk[]
  readonly fetchedMs: Instant
}

export class ForeignIssuers {
  readonly #options: IssuersOptions
  readonly #cache = new Map<string, Cached>()

  constructor(options: IssuersOptions) {
    this.#options = options
  }

  /** The issuer's keys; with `lacking`, not the cached ones that were found wanting. Rejects where the issuer cannot be asked. */
  async keysOf(issuer: string, lacking = false): Promise<readonly Jwk[]> {
    const held = this.#cache.get(issuer)
    const ageMs = held === undefined ? Number.POSITIVE_INFINITY : this.#options.clock.now() - held.fetchedMs
    if (held !== undefined && ageMs < (lacking ? againMs : cachedMs)) return held.keys
    const keys = await this.#fetchKeys(issuer)
    if (this.#cache.size >= issuersMax) this.#cache.clear()
    this.#cache.set(issuer, { keys, fetchedMs: this.#options.clock.now() })
    return keys
  }

  async #fetchKeys(issuer: string): Promise<readonly Jwk[]> {
    const about = await this.#document(`${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`)
    const { issuer: named, jwks_uri: address } = parsedObject(about)
    // Whoever serves another issuer's document has said nothing for this one.
    if (named !== issuer) throw new Error('the document names another issuer')
    if (typeof address !== 'string') throw new Error('the document names no keys')
    const keys = readKeySet(await this.#document(address))
    if (typeof keys === 'string') throw new Error(keys)
    return keys
  }

  async #document(address: string): Promise<Uint8Array> {
    const url = URL.parse(address)
    if (url === null || url.protocol !== 'https:') throw new Error(`${address} is no https address`)
    const response = await this.#answer(url)
    // Redirects are not followed: who answers one sends us to an address that nobody registered.
    if (response.status !== 200) throw new Error(`${url.host} answered ${response.status}`)
    return collectBody(response.body, bodyBytesMax)
  }

  async #answer(url: URL): Promise<HttpResponse> {
    const { hosts, net, authorities } = this.#options
    const headers = { host: url.host, accept: 'application/json', 'user-agent': 'emulated-entra' }
    const request = { method: 'GET', target: `${url.pathname}${url.search}`, headers, body: null }
    const inProcess = hosts.get(url.host) ?? hosts.get(url.hostname)
    if (inProcess !== undefined) return inProcess(request)
    if (net === undefined) throw new Error(`${url.host} is not served in this process, and issuers outside are not allowed`)
    const tls = authorities === undefined ? {} : { tls: { ca: authorities } }
    const client = net.dial({ origin: url.origin, connectTimeoutMs: timeoutMs, ...tls })
    try {
      const response = await client.exchange({ ...request, signal: AbortSignal.timeout(timeoutMs) })
      return { ...response, body: Buffer.from(await collectBody(response.body, bodyBytesMax)) }
    } finally {
      await client.close()
    }
  }
}

function parsedObject(bytes: Uint8Array): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  if (!isRecord(value)) throw new Error('the document is no object')
  return value
}
