// The core put together: settings, state, services, and the road of a request from bytes to bytes.
import { partitionOf } from '#aws'
import {
  BodyTooLarge,
  type HttpExchange,
  HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type Instant,
  SeededAuthority,
} from '#base'
import { credentialsDelay } from '../delays.ts'
import { ServiceError } from '../error.ts'
import { PolicyReader } from '../policy/document.ts'
import { managedPoliciesOf } from '../policy/managed-policies.ts'
import type { PodCheck, Ports, TaggedResource } from '../ports.ts'
import type { RawRequest, Service, ServicePlace } from '../service.ts'
import type { AwsState } from '../state/aws-state.ts'
import { AddressBook } from '../wire/address.ts'
import { speaksCbor } from '../wire/cbor-protocol.ts'
import { refusal } from '../wire/family.ts'
import { MalformedInput } from '../wire/malformed.ts'
import { malformedError } from '../wire/protocols.ts'
import { MalformedXml } from '../wire/xml.ts'
import { CallLog } from './calls.ts'
import { ServiceContext, type Surroundings } from './context.ts'
import { type Arrival, Dispatcher, type Served, served } from './dispatch.ts'
import type { ArmedFaults } from './faults.ts'
import { incomingOf, readIncoming } from './incoming.ts'
import { Issuers } from './issuers.ts'
import { organizationAccounts, organizationRootId } from './organization.ts'
import { isPostedForm, postedReply, withPostedForm } from './posted-form.ts'
import { RequestIds } from './request-ids.ts'
import { delayFrom, type EmulatorSettings, organizationId } from './settings.ts'
import type { CallThrottle } from './throttle.ts'
import { unservedReply } from './unserved.ts'

export interface EmulatorParts {
  readonly settings: EmulatorSettings
  readonly state: AwsState
  readonly faults: ArmedFaults
  readonly throttle: CallThrottle
  readonly hosts: Map<string, HttpExchange>
  /** By cluster ARN: whether a pod is still there. */
  readonly pods: Map<string, PodCheck>
  readonly services: readonly Service[]
}

const partitions: readonly string[] = ['aws', 'aws-cn', 'aws-us-gov']
/** A service whose timer sets another for the same instant would spin for ever. */
const timersPerCatchUpMax = 100_000

export class Emulator implements Surroundings {
  readonly settings: EmulatorSettings
  readonly state: AwsState
  readonly faults: ArmedFaults
  readonly throttle: CallThrottle
  readonly calls: CallLog = new CallLog()
  readonly authority: SeededAuthority
  readonly issuers: Issuers
  readonly reader: PolicyReader = new PolicyReader()
  readonly hosts: Map<string, HttpExchange>
  readonly pods: Map<string, PodCheck>
  readonly #services: ReadonlyMap<string, Service>
  readonly #addresses: AddressBook
  readonly #served = new Map<string, Served>()
  readonly #ports = new Map<string, Ports>()
  readonly #dispatcher: Dispatcher
  readonly #requestIds: RequestIds
  #timerNow: Instant | undefined

  constructor(parts: EmulatorParts) {
    this.settings = parts.settings
    this.state = parts.state
    this.#requestIds = new RequestIds(parts.state)
    this.faults = parts.faults
    this.throttle = parts.throttle
    this.hosts = parts.hosts
    this.pods = parts.pods
    this.#services = new Map(parts.services.map(service => [service.name, service]))
    this.#addresses = new AddressBook(parts.services)
    this.authority = new SeededAuthority('Vouch AWS emulator CA', this.settings.random)
    this.issuers = new Issuers({
      settings: this.settings,
      faults: this.faults,
      clock: this.settings.clock,
      ports: partition => this.ports(partition),
      fromS3: (host, target) => this.#serve({ method: 'GET', target, headers: { host }, body: null }, true),
      thumbprint: () => this.authority.thumbprint,
      hosts: this.hosts,
      addresses: this.#addresses,
    })
    this.#dispatcher = new Dispatcher({
      surroundings: this,
      throttle: this.throttle,
      calls: this.calls,
      credentialsDelayMs: (partition, key) => delayFrom(this.settings, credentialsDelay, `${partition}/${key}`),
      partitions,
    })
  }

  now(): Instant {
    return this.#timerNow ?? this.settings.clock.now()
  }

  serve(request: HttpRequest): Promise<HttpResponse> {
    return this.#serve(request, false)
  }

  /** The context of a service outside any request: for ports, the control interface and timers. */
  contextOf<S>(service: Service<S>, place: ServicePlace): ServiceContext<S> {
    return new ServiceContext(this, service, place)
  }

  services(): Iterable<Service> {
    return this.#services.values()
  }

  /** The control interface: what no client can do. */
  control(name: string, control: string, args: Readonly<Record<string, string>>, place: ServicePlace): unknown {
    const service = this.#services.get(name)
    const run = service?.controls?.[control]
    if (service === undefined || run === undefined) throw new Error(`the emulator has no control ${name}.${control}`)
    this.catchUp()
    return run(this.contextOf(service, place), args)
  }

  ports(partition: string): Ports {
    let ports = this.#ports.get(partition)
    if (ports === undefined) {
      ports = this.#makePorts(partition)
      this.#ports.set(partition, ports)
    }
    return ports
  }

  /** Runs what fell due since the last look, each timer at its own instant. */
  catchUp(): void {
    const now = this.settings.clock.now()
    for (let count = 0; ; count++) {
      const timer = this.state.takeDue(now)
      if (timer === undefined) return
      if (count > timersPerCatchUpMax) throw new Error('timers keep falling due')
      this.#timerNow = timer.atMs
      try {
        const service = this.#services.get(timer.service)
        service?.timers?.[timer.kind]?.(this.contextOf(service, timer.place), timer.id)
      } catch (error) {
        this.settings.log.error('a timer failed', {
          service: timer.service,
          kind: timer.kind,
          id: timer.id,
          error: String(error),
        })
      } finally {
        this.#timerNow = undefined
      }
    }
  }

  async #serve(request: HttpRequest, forceAnonymous: boolean): Promise<HttpResponse> {
    this.catchUp()
    let incoming: Awaited<ReturnType<typeof readIncoming>>
    try {
      incoming = await readIncoming(request, this.#addresses)
    } catch (error) {
      return this.#unreadable(request, error)
    }
    const { address, raw } = incoming
    const region = address.region ?? this.settings.knobs.defaultRegion
    if (address.service === 'issuer') return this.#issuerDocument(raw.host, raw.path, region)
    if (typeof address.service === 'object') return this.#unserved(address.service.unserved, raw, region)
    const known = this.#entry(address.service)
    if (known === undefined) return this.#unserved(address.service, raw, region)
    const entry = speaksCbor(raw) ? (known.cbor ?? known) : known
    const requestId = this.#requestId(entry)
    const arrival: Arrival = { incoming, served: entry, partition: partitionOf(region).id, region, requestId, forceAnonymous }
    return isPostedForm(incoming) ? this.#postedForm(arrival) : this.#dispatcher.dispatch(arrival)
  }

  async #postedForm(arrival: Arrival): Promise<HttpResponse> {
    let incoming: ReturnType<typeof withPostedForm>
    try {
      incoming = withPostedForm(arrival.incoming)
    } catch (error) {
      if (error instanceof MalformedXml) return this.#dispatcher.refuse(arrival, malformedError('s3', error))
      if (error instanceof ServiceError) return this.#dispatcher.refuse(arrival, error)
      throw error
    }
    const { claim } = incoming.posted
    const signedFor = claim.kind === 'claim' ? claim.claim.scope.region : arrival.region
    const region = incoming.address.region ?? signedFor
    const response = await this.#dispatcher.dispatch({ ...arrival, incoming, region, partition: partitionOf(region).id })
    return postedReply(response, incoming.posted, incoming.raw.host)
  }

  /** Too large, or with more parameters than anyone means: refused as far as the request can be understood without them. */
  #unreadable(request: HttpRequest, error: unknown): HttpResponse {
    if (!(error instanceof BodyTooLarge || error instanceof MalformedInput)) throw error
    const isForm = String(request.headers['content-type'] ?? '').startsWith('application/x-www-form-urlencoded')
    const target = request.target.split('?', 1)[0] as string
    const incoming = incomingOf({ ...request, target, body: null }, new Uint8Array(0), this.#addresses)
    const { address } = incoming
    const region = address.region ?? this.settings.knobs.defaultRegion
    const named = typeof address.service === 'object' ? 's3' : address.service
    const entry = this.#entry(named === 's3' && isForm ? 'iam' : named)
    if (entry === undefined) return { status: 400, headers: {}, body: null }
    const arrival = { incoming, served: entry, partition: partitionOf(region).id, region, requestId: this.#requestId(entry) }
    const refused = error instanceof BodyTooLarge ? refusal(entry.family, 'too large') : malformedError(entry.family, error)
    return this.#dispatcher.refuse({ ...arrival, forceAnonymous: false }, refused)
  }

  #unserved(name: string, raw: RawRequest, region: string): HttpResponse {
    const requestId = this.#requestIds.next('uuid')
    const { operation, error, response } = unservedReply(name, raw, requestId, [...this.#services.keys()])
    this.calls.noteUnimplemented(`${name}:${operation}`)
    this.calls.add({
      call: {
        atMs: this.now(),
        requestId,
        service: name,
        operation,
        caller: 'unknown',
        userAgent: raw.userAgent,
        account: '',
        region,
        parameters: {},
        result: error.code,
        throttled: false,
      },
      explanation: { requestId, decision: 'denied', steps: [{ link: 'service', holds: false, detail: error.message }] },
    })
    return response
  }

  #requestId(entry: Served): string {
    return this.#requestIds.next(entry.family === 's3' ? 's3' : 'uuid')
  }

  #entry(name: string): Served | undefined {
    let entry = this.#served.get(name)
    const service = this.#services.get(name)
    if (entry === undefined && service !== undefined) {
      entry = served(service)
      this.#served.set(name, entry)
    }
    return entry
  }

  async #issuerDocument(host: string, path: string, region: string): Promise<HttpResponse> {
    const named = host.startsWith('oidc.eks.') ? host : `oidc.eks.${region}.amazonaws.com`
    const found = await this.ports(partitionOf(region).id).clusters.document(named, path)
    if (found.kind === 'unreachable') throw new HttpFailure('reset', found.why)
    return {
      status: found.status,
      headers: { 'content-type': found.contentType, 'content-length': String(found.body.length) },
      body: found.body,
    }
  }

  *#tagged(place: ServicePlace): Generator<TaggedResource> {
    for (const service of this.#services.values())
      for (const resource of service.resources?.(this.contextOf(service, place)) ?? [])
        if (Object.keys(resource.tags).length > 0) yield resource
  }

  #makePorts(partition: string): Ports {
    const offered: Partial<Ports>[] = [
      {
        issuers: this.issuers.portFor(partition),
        organization: {
          id: organizationId,
          rootId: organizationRootId,
          accounts: () => organizationAccounts(this.settings),
        },
        resources: { tagged: where => this.#tagged({ partition, ...where }) },
        quotas: [...this.#services.values()].flatMap(quotasOf),
        awsPolicies: managedPoliciesOf(partition),
        pods: { exists: (cluster, pod) => this.pods.get(cluster)?.(pod) ?? true },
      },
    ]
    const account = this.settings.accounts[0] as string
    const region =
      partition === 'aws' ? this.settings.knobs.defaultRegion : partition === 'aws-cn' ? 'cn-north-1' : 'us-gov-west-1'
    for (const service of this.#services.values()) {
      const offer = service.offers?.(place => this.contextOf(service, { partition, account, region, ...place }))
      if (offer !== undefined) offered.push(offer)
    }
    return Object.assign({}, ...offered) as Ports
  }
}

/** Services of an account have no region, so their quotas are listed in every one. */
function quotasOf({ name, scope, quotas }: Service): Ports['quotas'] {
  return quotas === undefined ? [] : [{ service: name, isGlobal: scope === 'account', ...quotas }]
}
