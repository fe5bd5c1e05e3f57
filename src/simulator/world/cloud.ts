// AWS in a simulated world: a fork of the emulator that processes reach by the same wire as the API servers, and whose state is looked at
// after each effect, so that the invariants see roles and buckets as they see objects. Not a model of its own: the emulator answers.
import { type ShippedService, serviceModel } from '#aws'
import { type AwsClient, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import type { Clock, HttpRequest, HttpResponse, Random } from '#base'
import type { Aws, AwsFaultEffect, AwsOptions } from '#emulator'
import type { KubeObject } from '#kube'

/** The name under which processes connect to AWS, and which effects in AWS have as their server. */
export const cloudName = 'aws'

/** What a subject has in AWS. */
export interface CloudSubject {
  readonly options: Pick<AwsOptions, 'accounts' | 'region' | 'knobs'>
  /** What is there before anything starts. */
  prepare?(aws: Aws): Promise<void>
  /** All that invariants are to see. The provider's own id is the uid, a mark stands in the labels, `apiVersion` begins with `aws/`. */
  look(stores: CloudStores): readonly KubeObject[]
  /** A service that the emulator does not have and the subject plays; one for each world. */
  beside?(): CloudBeside
}

/** What is there is told as `look` tells it. */
export interface CloudBeside {
  /** `undefined`: the call is for another service. `effect`: what is to go wrong with it. */
  serve(
    request: HttpRequest,
    about: { readonly nowMs: number; readonly effect: AwsFaultEffect | undefined },
  ): HttpResponse | undefined
  objects(): readonly KubeObject[]
}

export type CloudReply = Readonly<Record<string, unknown>>

export interface CloudStore {
  readonly account: string
  readonly region: string
  readonly state: CloudReply
}

/** The emulator's state by service, maps as arrays of entries. */
export type CloudStores = (service: string) => readonly CloudStore[]

export interface CloudChange {
  readonly key: string
  readonly before: KubeObject | undefined
  readonly after: KubeObject | undefined
}

/** A call by somebody who is no process: an administrator, or whoever has an account of his own. */
export interface CloudCall {
  readonly service: ShippedService
  readonly operation: string
  readonly input: CloudReply
  readonly region: string
  /** The first one when absent. */
  readonly account?: string
}

export class Cloud {
  readonly aws: Aws
  readonly beside: CloudBeside | undefined
  /** The objects of AWS by key. It is the same map as the world's shadow of AWS. */
  readonly #objects: Map<string, KubeObject>
  readonly #texts = new Map<string, string>()
  readonly #subject: CloudSubject
  readonly #seams: { readonly clock: Clock; readonly random: Random }
  readonly #clients = new Map<string, AwsClient>()
  /** What the subject looked at last, by service. */
  readonly #looked = new Map<string, readonly CloudStore[]>()
  readonly #struck = new Map<number, AwsFaultEffect>()
  #version = 0
  #deadlineMs: number | undefined

  constructor(options: {
    readonly aws: Aws
    readonly subject: CloudSubject
    readonly objects: Map<string, KubeObject>
    readonly clock: Clock
    readonly random: Random
  }) {
    this.aws = options.aws
    this.#subject = options.subject
    this.beside = options.subject.beside?.()
    this.#objects = options.objects
    this.#seams = options
    this.changes()
  }

  /** A process's call takes hold, with what is to go wrong with it. */
  async serve(request: HttpRequest, flight: number): Promise<HttpResponse> {
    const effect = this.#struck.get(flight)
    const own = this.beside?.serve(request, { nowMs: this.#seams.clock.now(), effect })
    if (own !== undefined) {
      this.#struck.delete(flight)
      return own
    }
    const rule = effect === undefined ? undefined : this.aws.faults.add({ match: {}, effect, times: 1 })
    try {
      const response = await this.aws.handle(request)
      if (response.body === null || response.body instanceof Uint8Array) return response
      const pieces: Uint8Array[] = []
      for await (const piece of response.body) pieces.push(piece)
      return { ...response, body: Buffer.concat(pieces) }
    } finally {
      rule?.remove()
      this.#struck.delete(flight)
    }
  }

  /** What the emulator does to this call once it takes hold. */
  strike(flight: number, effect: AwsFaultEffect): void {
    this.#struck.set(flight, effect)
  }

  async call({ service, operation, input, region, account }: CloudCall): Promise<CloudReply> {
    const key = `${service} ${region} ${account ?? ''}`
    let client = this.#clients.get(key)
    if (client === undefined) {
      client = createAwsClient({
        model: serviceModel(service),
        region,
        credentials: staticCredentials(this.aws.adminCredentials(account)),
        transport: inProcessTransport(this.aws.handle),
        ...this.#seams,
      })
      this.#clients.set(key, client)
    }
    return await client.call(operation, { ...input })
  }

  /** Whether something fell due since the last look: a certificate that is issued, a change that is in sync. */
  get hasMoved(): boolean {
    return this.aws.nextDeadline() !== this.#deadlineMs
  }

  /** Whether something is due that no call has met yet. */
  get isDue(): boolean {
    const nextMs = this.aws.nextDeadline()
    return nextMs !== undefined && nextMs <= this.#seams.clock.now()
  }

  /** What is different from the last look, in the order of keys. */
  changes(): readonly CloudChange[] {
    const all = this.#look()
    this.#deadlineMs = this.aws.nextDeadline()
    if (all === undefined) return []
    const found = new Map(all.map(object => [keyOf(object), object]))
    const changes: CloudChange[] = []
    for (const key of [...new Set([...this.#objects.keys(), ...found.keys()])].sort()) {
      const [before, is] = [this.#objects.get(key), found.get(key)]
      const text = is === undefined ? undefined : JSON.stringify(is)
      if (text === this.#texts.get(key)) continue
      const after = is === undefined ? undefined : this.#versioned(is)
      changes.push({ key, before, after })
      if (after === undefined || text === undefined) {
        this.#objects.delete(key)
        this.#texts.delete(key)
      } else {
        this.#objects.set(key, after)
        this.#texts.set(key, text)
      }
    }
    return changes
  }

  /** All that invariants are to see; `undefined` when nothing of what was looked at is another than the last time. */
  #look(): readonly KubeObject[] | undefined {
    const isSame = ([service, stores]: readonly [string, readonly CloudStore[]]): boolean => {
      const now = this.#storesOf(service)
      return now.length === stores.length && now.every(({ state }, index) => state === stores[index]?.state)
    }
    if (this.beside === undefined && this.#looked.size > 0 && [...this.#looked].every(isSame)) return undefined
    this.#looked.clear()
    const all = this.#subject.look(service => {
      const stores = this.#storesOf(service)
      this.#looked.set(service, stores)
      return stores
    })
    return [...all, ...(this.beside?.objects() ?? [])]
  }

  /** The state of a service is a plain object, whichever it is. */
  #storesOf(service: string): readonly CloudStore[] {
    return this.aws.stored(service) as readonly CloudStore[]
  }

  #versioned(object: KubeObject): KubeObject {
    return { ...object, metadata: { ...object.metadata, resourceVersion: String(++this.#version) } }
  }
}

/** Which operation a request asks for, by all the ways in which AWS is asked. */
export function cloudCallOf({ method, target, headers, body }: HttpRequest): { what: string; mutating: boolean } {
  const service = /\/([a-z0-9-]+)\/aws4_request/.exec(String(headers.authorization ?? ''))?.[1] ?? 'aws'
  const aimed = headers['x-amz-target']
  if (typeof aimed === 'string') return named(service, aimed.split('.').at(-1) ?? aimed)
  const action =
    body instanceof Uint8Array && method === 'POST' ? /(?:^|&)Action=(\w+)/.exec(new TextDecoder().decode(body)) : null
  if (action?.[1] !== undefined) return named(service, action[1])
  return { what: `${method} ${service} ${target}`, mutating: method !== 'GET' && method !== 'HEAD' }
}

function named(service: string, operation: string): { what: string; mutating: boolean } {
  return { what: `POST ${service} ${operation}`, mutating: !/^(?:Get|List|Describe|Head|AssumeRole)/.test(operation) }
}

function keyOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `/${apiVersion}/${kind}/${metadata.namespace ?? ''}/${metadata.name}`
}
