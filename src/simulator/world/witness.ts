// Watches the wire of a simulated world, and says what each call did: which objects it changed, and what who sent it knew at that time.

import { given, type HttpResponse } from '#base'
import type { KubeObject } from '#kube'
import type { Effect } from '../effects.ts'
import type { Chronicle } from './chronicle.ts'
import { type Cloud, cloudName } from './cloud.ts'
import { needsNoLease } from './harmless.ts'
import type { Processes } from './processes.ts'
import { isOfLease, type RunCounts } from './run-counts.ts'
import type { WorldScheduler } from './scheduler.ts'
import { answeredObject, keyOfRequest, parseBody, type Shadow } from './shadow.ts'
import type { Flight } from './wire.ts'

/** What has to be known of a subject to tell its claims and its leases from other objects; the subject says what each means. */
export interface Witnessed {
  readonly leaseMs?: number
  readonly leaseOf?: (namespace: string) => string
  readonly finalizer: string | ((claim: KubeObject) => string)
  roleOf(object: KubeObject): string
}

export interface WitnessParts {
  readonly subject: Witnessed
  readonly scheduler: Pick<WorldScheduler, 'nowMs' | 'steps'>
  readonly shadows: ReadonlyMap<string, Shadow>
  readonly cloud: Cloud | undefined
  readonly processes: Pick<Processes, 'get'>
  readonly chronicle: Pick<Chronicle, 'looked'>
  readonly counts: Pick<RunCounts, 'sent'>
  expect(code: string, broken: string | undefined): void
  judge(effect: Effect): void
}

/** Who did it, and when the call for it went out. */
export type Doer = Pick<Effect, 'by' | 'epoch' | 'sentAtMs' | 'sentStep'>

/** Time itself: a certificate is issued, a change reaches the DNS. */
export const nobody: Doer = { by: 'user', epoch: 0, sentAtMs: 0 }

export class Witness {
  readonly #parts: WitnessParts

  constructor(parts: WitnessParts) {
    this.#parts = parts
  }

  /** A call goes out: leadership was proved recently enough (S7). */
  sent(flight: Flight): void {
    this.#parts.counts.sent(flight)
    const { leaseMs } = this.#parts.subject
    const process = this.#parts.processes.get(flight.process)
    if (
      leaseMs === undefined ||
      process === undefined ||
      !flight.mutating ||
      isOfLease(flight) ||
      needsNoLease(flight.request.target)
    )
      return
    const lease = this.#parts.subject.leaseOf?.(namespaceIn(flight)) ?? ''
    const ageMs = this.#parts.scheduler.nowMs - (process.provedMs.get(lease) ?? Number.NEGATIVE_INFINITY)
    const isLate = ageMs > leaseMs
    this.#parts.expect('S7', isLate ? `${flight.label} is sent ${ageMs} ms after leadership was last proved` : undefined)
  }

  /** A call comes to AWS: what time brought about before it is not the doing of who calls. */
  letCloudMove(request: Pick<Flight['request'], 'method' | 'target'>): void {
    if (this.#parts.cloud?.isDue === true) this.recordCloud({ ...nobody, request })
  }

  /** A call took hold, or was refused, and this is its answer. */
  applied(flight: Flight, response: HttpResponse): void {
    if (flight.target !== cloudName) this.#looked(flight, response)
    if (!flight.mutating) {
      if (flight.target === cloudName && this.#parts.cloud?.hasMoved === true)
        this.recordCloud({ ...nobody, request: flight.request })
      return
    }
    const process = this.#parts.processes.get(flight.process)
    if (isOfLease(flight) && response.status < 300 && process?.epoch === flight.epoch)
      process.provedMs.set(this.#parts.subject.leaseOf === undefined ? '' : nameOfLease(flight), flight.sentWorldMs)
    const { process: by, epoch, sentAtMs, sentStep, request, target: server } = flight
    if (server === cloudName) this.recordCloud({ by, epoch, sentAtMs, sentStep, request })
    else this.record({ by, epoch, sentAtMs, sentStep, server, request, response })
  }

  /** What the answer says of a claim: whether it is there and held. Lists say it of many, and are taken for none. */
  #looked({ process, request }: Flight, response: HttpResponse): void {
    if (request.method === 'GET' && request.target.includes('?')) return
    if (response.status === 404) return this.#parts.chronicle.looked(process, keyOfRequest(request), undefined)
    const object = response.status >= 300 ? undefined : answeredObject(response)
    if (object?.metadata?.uid === undefined || this.#parts.subject.roleOf(object) !== 'claim') return
    const { namespace = '', name = '', uid, finalizers = [] } = object.metadata
    const { finalizer } = this.#parts.subject
    const isHeld = finalizers.includes(typeof finalizer === 'string' ? finalizer : finalizer(object))
    const look = isHeld ? { uid, claim: `${namespace}/${name}`, step: this.#parts.scheduler.steps } : undefined
    this.#parts.chronicle.looked(process, keyOfRequest(request), look)
  }

  /** What a call changed on a server. */
  record(event: Doer & { server: string; request: Parameters<Shadow['apply']>[0]; response: HttpResponse }): void {
    if (event.request.method === 'GET' || event.response.status >= 300) return
    const change = (this.#parts.shadows.get(event.server) as Shadow).apply(event.request, event.response)
    const { by, epoch, sentAtMs, sentStep, server, request } = event
    const { method, target } = request
    this.#parts.judge({
      step: this.#parts.scheduler.steps,
      by,
      epoch,
      sentAtMs,
      ...given({ sentStep }),
      server,
      method,
      target,
      body: parseBody(request.body),
      ...change,
    })
  }

  /** Tells of each object of AWS that has changed since it was last looked at. */
  recordCloud({
    by,
    epoch,
    sentAtMs,
    sentStep,
    request,
  }: Doer & { request: Pick<Flight['request'], 'method' | 'target'> }): void {
    for (const { key, before, after } of this.#parts.cloud?.changes() ?? []) {
      const method = before === undefined ? 'POST' : after === undefined ? 'DELETE' : 'PATCH'
      const { steps: step } = this.#parts.scheduler
      const about = { server: cloudName, target: `${request.target} ${key}`, subresource: undefined, body: undefined }
      this.#parts.judge({ step, by, epoch, sentAtMs, ...given({ sentStep }), method, key, before, after, ...about })
    }
  }
}

function namespaceIn({ request }: Flight): string {
  return /\/namespaces\/([^/?]+)/.exec(request.target)?.[1] ?? ''
}

function nameOfLease({ request }: Flight): string {
  return keyOfRequest(request).split('/').at(-1) ?? ''
}
