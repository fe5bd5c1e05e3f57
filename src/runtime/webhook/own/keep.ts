// A serving certificate without anybody else's help: an authority of our own in a Secret, what it signs, and the trust of the API server
// in it, which this writes into the configurations of the webhooks. Every replica does all of it, and none leads: each step is one write
// of the Secret by its version, so that of two who want the same one wins and the other reads what it wrote.
import type { CertificatePair, Clock, Keys, Log, Random, TlsServerOptions } from '#base'
import { isIssuedBy, readCertificate } from '#base'
import { type ObjectKey, secrets } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import type { HealthCheck } from '../../health.ts'
import { Informer } from '../../informer/informer.ts'
import { pause } from '../../scope.ts'
import type { CertificateSource } from '../certificate-source.ts'
import { bundlesIn, type ConfigurationName, readConfigurations, trustPatch, trusts } from './configurations.ts'
import { carryOut, type Drawn, decideStep, settleMs } from './decide.ts'
import { type AuthoritySecret, bundleOf, readStored, type StoredAuthority, withStored } from './stored.ts'

export interface OwnCertificateOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly keys: Pick<Keys, 'generateEc'>
  readonly log: Log
  /** It has to be there, and may be empty: a right to make it could not be confined to its name. */
  readonly secret: ObjectKey
  /** Whom the API server calls. */
  readonly service: ObjectKey
  readonly configurations: readonly ConfigurationName[]
}

export interface OwnCertificate extends CertificateSource {
  /** Whether the API server trusts what is served. */
  readonly ready: HealthCheck
}

/** Something waits for time to pass; otherwise the watches say when there is something to do. */
const soonMs = 5_000
const restMs = 600_000

export function ownCertificate(options: OwnCertificateOptions): OwnCertificate {
  const keeper = new Keeper(options)
  return {
    first: async signal => {
      for (;;) {
        const pair = await keeper.look(signal)
        if (pair !== undefined) return pair
        if (!(await pause(options.clock, soonMs, signal))) throw signal.reason
      }
    },
    follow: (current, take, signal) => keeper.follow(current, take, signal),
    ready: { name: 'webhook-certificate', check: () => keeper.trusted() },
  }
}

class Keeper {
  readonly #options: OwnCertificateOptions
  /** Since when all webhooks have trusted an authority, as far as this process has seen. */
  readonly #trustedSince = new Map<string, number>()
  #held: CertificatePair | undefined
  #isWaiting = true
  #why = 'nothing is served yet'

  constructor(options: OwnCertificateOptions) {
    this.#options = options
  }

  trusted(): ReturnType<HealthCheck['check']> {
    return this.#why === '' ? { ok: true } : { ok: false, why: this.#why }
  }

  /** One pass; what is to be served after it, or nothing where nothing can be. */
  async look(signal: AbortSignal): Promise<CertificatePair | undefined> {
    const { log } = this.#options
    try {
      await this.#pass(signal)
    } catch (error) {
      this.#isWaiting = true
      if (signal.aborted) return this.#held
      // Another replica was faster: the next pass reads what it wrote.
      if (!(error instanceof KubeError && error.reason === 'Conflict'))
        log.error('the certificate of the webhooks cannot be kept; trying again', {
          error: error instanceof Error ? error.message : String(error),
        })
    }
    return this.#held
  }

  async follow(current: TlsServerOptions, take: (next: TlsServerOptions) => void, signal: AbortSignal): Promise<void> {
    const wake = new Bell()
    const informers = this.#informers(() => wake.ring())
    const running = informers.map(informer => informer.run(signal))
    let served = current.certificate
    while (await wake.wait(this.#options.clock, this.#isWaiting ? soonMs : restMs, signal)) {
      const pair = await this.look(signal)
      if (pair === undefined || pair.certificate === served) continue
      served = pair.certificate
      take(pair)
      this.#options.log.info('serving certificate replaced', { secret: this.#options.secret.name })
    }
    await Promise.all(running)
  }

  async #pass(signal: AbortSignal): Promise<void> {
    const { client, clock, secret: key, service, log } = this.#options
    const secret = await client.find<AuthoritySecret>(secrets, key, { signal })
    if (secret === undefined)
      throw new Error(`there is no Secret ${key.namespace}/${key.name}; apply the manifests again, which bring it`)
    const configurations = await readConfigurations(client, this.#options.configurations, signal)
    const bundles = configurations.flatMap(({ object }) => bundlesIn(object, service))
    let stored = readStored(secret)
    this.#notice(stored, bundles)
    const seen = { stored, bundles, names: namesOf(service), nextTrustedMs: this.#trustedMs(stored.next) }
    const step = decideStep(seen, clock.now())
    if (step.kind !== 'keep') {
      stored = carryOut(step, seen, await this.#draw(), clock.now())
      await client.update(secrets, withStored(secret, stored), { signal })
      log.info('the authority of the webhooks', { step: step.kind, why: step.why, secret: key.name })
    }
    const bundle = bundleOf(stored)
    for (const { name, object } of configurations) {
      const patch = trustPatch(object, service, bundle)
      if (patch.length === 0) continue
      await client.patch(name.type, { namespace: '', name: name.name }, 'json', patch, { signal })
      log.info('webhooks are told whom to trust', { configuration: name.name })
    }
    this.#take(stored)
    this.#judge(stored, bundles)
    this.#isWaiting =
      step.kind !== 'keep' ||
      stored.next !== undefined ||
      this.#held?.certificate !== stored.serving?.certificate ||
      this.#why !== ''
  }

  #notice({ authority, next }: StoredAuthority, bundles: readonly string[]): void {
    const now = this.#options.clock.monotonicMs()
    for (const pair of [authority, next]) {
      if (pair === undefined) continue
      const isTrusted = readCertificate(pair.certificate) !== undefined && trusts(bundles, pair.certificate)
      if (!isTrusted) this.#trustedSince.delete(pair.certificate)
      else if (!this.#trustedSince.has(pair.certificate)) this.#trustedSince.set(pair.certificate, now)
    }
    const known = new Set([authority?.certificate, next?.certificate])
    for (const certificate of this.#trustedSince.keys()) if (!known.has(certificate)) this.#trustedSince.delete(certificate)
  }

  #trustedMs(pair: CertificatePair | undefined): number {
    const since = pair === undefined ? undefined : this.#trustedSince.get(pair.certificate)
    return since === undefined ? 0 : this.#options.clock.monotonicMs() - since
  }

  /** Never served before whoever calls trusts who signed it; only where nothing else is good is there nothing to lose. */
  #take({ authority, serving }: StoredAuthority): void {
    const now = this.#options.clock.now()
    if (serving === undefined || serving.certificate === this.#held?.certificate) return
    const held = this.#held === undefined ? undefined : readCertificate(this.#held.certificate)
    const isGood = held !== undefined && Date.parse(held.validTo) > now
    if (!isGood || this.#trustedMs(authority) >= settleMs) this.#held = serving
  }

  #judge({ authority, next }: StoredAuthority, before: readonly string[]): void {
    const held = this.#held === undefined ? undefined : readCertificate(this.#held.certificate)
    const signer = [authority, next].find(pair => pair !== undefined && held !== undefined && isIssuedBy(held, pair.certificate))
    const isTrusted = signer === undefined ? held !== undefined : trusts(before, signer.certificate)
    this.#why = isTrusted ? '' : 'the configurations of the webhooks do not trust what is served yet'
  }

  async #draw(): Promise<Drawn> {
    const { keys, random } = this.#options
    const draw = async (): Promise<Drawn['serving']> => ({ key: await keys.generateEc(), serial: random.bytes(16) })
    return { authority: await draw(), serving: await draw() }
  }

  /** They only wake: what is done is decided by what is read then. */
  #informers(onChange: () => void): readonly Informer[] {
    const { client, clock, random, log, secret, configurations } = this.#options
    const watched = [{ type: secrets, name: secret.name, namespace: secret.namespace }, ...configurations]
    return watched.map(({ type, name, ...within }) => {
      const informer = new Informer({
        client,
        clock,
        random: random.fork(`watch ${name}`),
        log,
        type,
        ...within,
        fieldSelector: `metadata.name=${name}`,
        listing: 'pages',
      })
      informer.cache.listen(onChange)
      return informer
    })
  }
}

/** As the API server calls it, and people. */
export function namesOf({ namespace, name }: ObjectKey): readonly string[] {
  return [`${name}.${namespace}.svc`, `${name}.${namespace}`, name]
}

/** Rings that came while nobody waited are heard by the next who does, once. */
class Bell {
  #ring: (() => void) | undefined
  #hasRung = false

  ring(): void {
    this.#hasRung = true
    this.#ring?.()
  }

  /** Until a ring or until the time has passed; false when the signal aborted first. */
  async wait(clock: Clock, ms: number, signal: AbortSignal): Promise<boolean> {
    if (!this.#hasRung) {
      const stop = new AbortController()
      const rung = new Promise<void>(resolve => {
        this.#ring = resolve
      })
      await Promise.race([rung, pause(clock, ms, AbortSignal.any([signal, stop.signal]))])
      stop.abort()
      this.#ring = undefined
    }
    this.#hasRung = false
    return !signal.aborted
  }
}
