// Tries in the background, two at a time: a pass asks for one where it is due, and is woken when something new is known.

import type { StsOptions } from '#aws/client'
import type { Log } from '#base'
import { type StoredObject, secrets } from '#kube'
import type { KubeClient } from '#kube/client'
import { type Companion, type CompanionContext, type OwnAction, openScope } from '#runtime'
import { operandName } from '../api/names.ts'
import type { AwsSpec } from '../api/spec.ts'
import type { LogFindings } from '../findings/findings.ts'
import type { KnownZones, ZoneWish } from '../zones/find-zones.ts'
import type { BaseIdentity } from './base-credentials.ts'
import { Undecided } from './refusal.ts'
import { tryAccess } from './try-access.ts'
import type { Tried } from './try-options.ts'

export interface PreflightAction extends OwnAction {
  readonly kind: 'act:preflight'
  readonly name: string
  readonly namespace: string
  readonly secretName: string
  readonly identity: BaseIdentity
  readonly aws: AwsSpec
  readonly zones: readonly string[]
  readonly zoneRoles: Readonly<Record<string, string>>
  readonly discovery: (ZoneWish & { readonly known: KnownZones }) | undefined
  readonly simulates: boolean
  readonly region: string
  readonly fingerprint: string
}

export interface PreflightOptions {
  readonly client: KubeClient
  readonly findings: LogFindings
  readonly log: Log
  readonly controller: string
  readonly sts: Omit<StsOptions, 'region'>
  /** After each try; nothing where it came to no answer. */
  onTried?(tried: Tried | undefined): void
}

const atOnceMax = 2
const timeoutMs = 20_000

export class PreflightRunner implements Companion {
  readonly name: string = 'preflight'
  readonly #options: PreflightOptions
  readonly #waiting: Map<string, PreflightAction> = new Map()
  /** What is tried right now, by the name of the object. */
  readonly #underWay: Map<string, string> = new Map()
  #context: CompanionContext | undefined
  #signal: AbortSignal | undefined

  constructor(options: PreflightOptions) {
    this.#options = options
  }

  async run(context: CompanionContext, signal: AbortSignal): Promise<void> {
    this.#context = context
    this.#signal = signal
    this.#pump()
    await new Promise<void>(resolve => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
    this.#waiting.clear()
  }

  /** A pass that comes while the same is tried already has nothing to ask. */
  ask(action: PreflightAction): void {
    if (this.#underWay.get(action.name) === action.fingerprint) return
    this.#waiting.set(action.name, action)
    this.#pump()
  }

  #pump(): void {
    if (this.#context === undefined || this.#signal === undefined || this.#signal.aborted) return
    for (const [name, action] of this.#waiting) {
      if (this.#underWay.size >= atOnceMax) return
      if (this.#underWay.has(name)) continue
      this.#waiting.delete(name)
      this.#underWay.set(name, action.fingerprint)
      void this.#one(action, this.#signal).finally(() => {
        this.#underWay.delete(name)
        this.#pump()
      })
    }
  }

  async #one(action: PreflightAction, signal: AbortSignal): Promise<void> {
    const { findings, log, sts, controller, onTried } = this.#options
    const { name, fingerprint } = action
    const scope = openScope({ parents: [signal], deadline: { clock: sts.clock, ms: timeoutMs, what: 'the preflight' } })
    try {
      const tried = await tryAccess({
        ...sts,
        region: action.region,
        identity: action.identity,
        aws: action.aws,
        zones: action.zones,
        zoneRoles: action.zoneRoles,
        discovery: action.discovery,
        simulates: action.simulates,
        file: await this.#file(action, scope.signal),
        requestToken: () => this.#token(action, scope.signal),
        signal: scope.signal,
      })
      findings.preflight.set(name, { fingerprint, at: sts.clock.now(), ...tried })
      onTried?.(tried)
    } catch (error) {
      if (!(error instanceof Undecided)) log.info('a preflight came to no answer', { name, error: String(error) })
      // Looked at again when the interval is over; what was known holds.
      const before = findings.preflight.get(name)
      const undecidedSince = before?.undecidedSince ?? sts.clock.now()
      findings.preflight.set(name, { conditions: [], ...before, undecidedSince, fingerprint, at: sts.clock.now() })
      onTried?.(undefined)
    } finally {
      scope.end()
    }
    if (!signal.aborted) this.#context?.add(controller, { namespace: '', name })
  }

  async #file({ identity, namespace, secretName }: PreflightAction, signal: AbortSignal): Promise<Uint8Array> {
    if (identity.kind !== 'file') return new Uint8Array()
    const secret = await this.#options.client.find<StoredObject & { readonly data?: Readonly<Record<string, string>> }>(
      secrets,
      { namespace, name: secretName },
      { signal },
    )
    return Buffer.from(secret?.data?.credentials ?? '', 'base64')
  }

  async #token({ identity, namespace, name }: PreflightAction, signal: AbortSignal): Promise<string> {
    const audience = identity.kind === 'web-identity' ? identity.audience : 'openshift'
    const spec = { audiences: [audience], expirationSeconds: 600 }
    const { token } = await this.#options.client.requestToken({ namespace, name: operandName(name) }, spec, { signal })
    return token
  }
}
