// Fetches of issuer documents (§2.6): S3 in process and anonymous, emulated EKS issuers, registered hosts, and the network only
// when that was allowed. Every fetch is remembered with its outcome, so that a test can see why a token was refused.
import { type Clock, collectBody, type HttpExchange, type HttpResponse } from '#base'
import type { AwsFaultEffect } from '../aws.ts'
import type { IssuerFetch, IssuersPort, Ports } from '../ports.ts'
import type { AddressBook, RequestAddress } from '../wire/address.ts'
import type { ArmedFaults } from './faults.ts'
import type { EmulatorSettings } from './settings.ts'

export interface FetchRecord {
  readonly atMs: number
  readonly url: string
  /** The status of the answer, or why there was none. */
  readonly outcome: string
}

export interface IssuerInputs {
  readonly settings: EmulatorSettings
  readonly faults: ArmedFaults
  readonly clock: Clock
  readonly ports: (partition: string) => Ports
  /** An anonymous S3 request through the whole S3 path. */
  readonly fromS3: (host: string, target: string) => Promise<HttpResponse>
  /** The thumbprint of the CA that signs the certificate of every host in this process. */
  readonly thumbprint: () => string
  readonly hosts: ReadonlyMap<string, HttpExchange>
  readonly addresses: AddressBook
}

/** STS gives up on an identity provider after this (§6.3 step 5). */
export const issuerTimeoutMs = 5_000
const documentBytesMax = 1024 * 1024
const recordsMax = 1_000

export class Issuers {
  readonly #inputs: IssuerInputs
  readonly #records: FetchRecord[] = []

  constructor(inputs: IssuerInputs) {
    this.#inputs = inputs
  }

  records(): readonly FetchRecord[] {
    return this.#records
  }

  portFor(partition: string): IssuersPort {
    return {
      fetch: url => this.#fetch(url, partition),
      thumbprint: url => (this.#isInProcess(url) ? this.#inputs.thumbprint() : undefined),
    }
  }

  async #fetch(url: string, partition: string): Promise<IssuerFetch> {
    const result = await this.#guarded(url, partition)
    if (this.#records.length >= recordsMax) this.#records.shift()
    const outcome = result.kind === 'answer' ? String(result.status) : result.why
    this.#records.push({ atMs: this.#inputs.clock.now(), url, outcome })
    return result
  }

  async #guarded(url: string, partition: string): Promise<IssuerFetch> {
    const parsed = URL.parse(url)
    if (parsed === null || parsed.protocol !== 'https:') return unreachable(`${url} is no https address`)
    const effect = this.#faultFor(url)
    if (effect?.kind === 'drop-jwks') return { kind: 'answer', status: 404, contentType: 'text/plain', body: new Uint8Array(0) }
    if (effect?.kind === 'slow-issuer') {
      await this.#inputs.clock.sleep(Math.min(effect.ms, issuerTimeoutMs))
      if (effect.ms > issuerTimeoutMs) return unreachable(`no answer within ${issuerTimeoutMs} ms`)
    }
    try {
      return await this.#dispatch(parsed, partition)
    } catch (error) {
      return unreachable(error instanceof Error ? error.message : String(error))
    }
  }

  #dispatch(url: URL, partition: string): Promise<IssuerFetch> {
    const { hosts, settings } = this.#inputs
    const target = `${url.pathname}${url.search}`
    const registered = hosts.get(url.host) ?? hosts.get(url.hostname)
    if (registered !== undefined) return answered(registered(getRequest(url.host, target)))
    const address = this.#addressOf(url)
    if (address.hostNamed && address.service === 's3') {
      if (address.bucket?.includes('.') && settings.knobs.refuseDottedVirtualHosts) {
        return Promise.resolve(unreachable(`the certificate for *.s3.amazonaws.com does not cover ${url.hostname}`))
      }
      return answered(this.#inputs.fromS3(url.host, target))
    }
    if (address.service === 'issuer' && address.hostNamed)
      return this.#inputs.ports(partition).clusters.document(url.hostname, url.pathname)
    if (settings.allowExternalIssuers && settings.net !== undefined) return this.#fromNetwork(url, target)
    return Promise.resolve(unreachable(`${url.host} is not served in this process, and external issuers are not allowed`))
  }

  async #fromNetwork(url: URL, target: string): Promise<IssuerFetch> {
    const client = this.#inputs.settings.net?.dial({ origin: url.origin, connectTimeoutMs: issuerTimeoutMs })
    if (client === undefined) return unreachable('there is no network')
    try {
      const signal = AbortSignal.timeout(issuerTimeoutMs)
      return await answered(client.exchange({ ...getRequest(url.host, target), signal }))
    } finally {
      await client.close()
    }
  }

  #isInProcess(url: string): boolean {
    const parsed = URL.parse(url)
    if (parsed === null) return false
    if (this.#inputs.hosts.has(parsed.host) || this.#inputs.hosts.has(parsed.hostname)) return true
    const address = this.#addressOf(parsed)
    return address.hostNamed && (address.service === 's3' || address.service === 'issuer')
  }

  #addressOf(url: URL): RequestAddress {
    const nothing = { query: new Map(), headers: {}, formVersion: () => undefined }
    return this.#inputs.addresses.addressOf({ host: url.host, path: url.pathname, ...nothing })
  }

  #faultFor(url: string): AwsFaultEffect | undefined {
    const subject = { service: 'issuer', operation: 'fetch', caller: 'sts.amazonaws.com', resource: url }
    const wanted = (effect: AwsFaultEffect): boolean =>
      effect.kind === 'slow-issuer' || (effect.kind === 'drop-jwks' && !url.endsWith('/.well-known/openid-configuration'))
    return this.#inputs.faults.effectFor(subject, this.#inputs.clock.now(), wanted)
  }
}

function getRequest(
  host: string,
  target: string,
): { method: string; target: string; headers: Record<string, string>; body: null } {
  return { method: 'GET', target, headers: { host, accept: 'application/json', 'user-agent': 'emulated-sts' }, body: null }
}

async function answered(response: Promise<HttpResponse>): Promise<IssuerFetch> {
  const { status, headers, body } = await response
  const contentType = headers['content-type']
  return {
    kind: 'answer',
    status,
    contentType: typeof contentType === 'string' ? contentType : '',
    body: await collectBody(body, documentBytesMax),
  }
}

function unreachable(why: string): IssuerFetch {
  return { kind: 'unreachable', why, transient: false }
}
