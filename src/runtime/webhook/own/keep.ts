// A serving certificate without anybody else's help: an authority of our own in a Secret, what it signs, and the trust of the API server
// in it, which this writes into the configurations of the webhooks. Every replica does all of it, and none leads: each step is one write
// of the Secret by its version, so that of two who want the same one wins and the other reads what it wrote.
import type { X509Certificate } from 'node:crypto'
import { type CertificatePair, type Clock, type Log, type Random, readCertificate, type TlsServerOptions } from '#base'
import { type ObjectKey, secrets } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import type { HealthCheck } from '../../health.ts'
import { Informer } from '../../informer/informer.ts'
import type { Metrics } from '../../metrics/registry.ts'
import { pause } from '../../scope.ts'
import { type CertificateMetrics, certificateMetrics } from '../certificate-metrics.ts'
import type { CertificateSource } from '../certificate-source.ts'
import {
  bundlesIn,
  type ConfigurationName,
  readConfigurations,
  type SeenConfiguration,
  trustAuthority,
  trusting,
  trustPatch,
  trustServed,
} from './configurations.ts'
import { carryOut, type Drawn, decideStep, type SeenWebhooks, settleMs } from './decide.ts'
import { type AuthoritySecret, bundleOf, readStored, type StoredAuthority, withStored } from './stored.ts'
import { type CertificateStyle, ownStyle } from './style.ts'

export interface OwnCertificateOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  /** A private key as PEM, of whichever kind is to be in use. */
  readonly newKey: () => Promise<string>
  readonly log: Log
  readonly metrics: Metrics
  /** It has to be there, and may be empty: a right to make it could not be confined to its name. */
  readonly secret: ObjectKey
  /** It is made where it is not there: whoever installed this gave the right. */
  readonly makesSecret?: boolean
  /** Whom the API server calls. */
  readonly service: ObjectKey
  readonly configurations: readonly ConfigurationName[]
  /** `update` where another program's rights are in place, which know no patch. Default: `patch`. */
  readonly writesBy?: 'patch' | 'update'
  /** Absent: ours, for the names by which people call a Service too. */
  readonly style?: CertificateStyle
  readonly names?: readonly string[]
}

export interface OwnCertificate extends CertificateSource {
  /** Whether what is served is good, and the API server trusts it. */
  readonly ready: HealthCheck
}

interface Held {
  readonly pair: CertificatePair
  /** The certificate of the pair, parsed. */
  readonly certificate: X509Certificate
}

/** How long until the next look: soon while something waits for time to pass, else long, because the watches tell of changes. */
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
    ready: { name: 'webhook-certificate', check: () => keeper.health() },
  }
}

class Keeper {
  readonly #options: OwnCertificateOptions
  readonly #metrics: CertificateMetrics
  /** Since when all webhooks have trusted an authority, as far as this process has seen. */
  readonly #trustedSince = new Map<string, number>()
  #held: Held | undefined
  /** Whether all webhooks trusted what is held when they were last read. */
  #isTrusted = false
  #isWaiting = true
  /** What was last told to be wrong; empty while nothing is. */
  #told = ''

  constructor(options: OwnCertificateOptions) {
    this.#options = options
    this.#metrics = certificateMetrics(options.metrics)
  }

  health(): ReturnType<HealthCheck['check']> {
    if (this.#held === undefined) return { ok: false, why: 'nothing is served yet' }
    if (this.#hasRunOut(this.#held)) return { ok: false, why: 'the serving certificate has run out' }
    return this.#isTrusted
      ? { ok: true }
      : { ok: false, why: 'the configurations of the webhooks do not trust what is served yet' }
  }

  /** Makes one pass. Returns the pair that is to be served after it, or undefined where there is none to serve. */
  async look(signal: AbortSignal): Promise<CertificatePair | undefined> {
    try {
      this.#metrics.reads.add()
      // Another replica was faster: what it wrote is read at once.
      await this.#pass(signal).catch((error: unknown) => (isConflict(error) ? this.#pass(signal) : Promise.reject(error)))
      if (this.#told !== '') this.#options.log.info('the certificate of the webhooks is kept again')
      this.#told = ''
    } catch (error) {
      this.#isWaiting = true
      if (!signal.aborted) this.#tell(error)
    }
    return this.#held?.pair
  }

  /** What goes on for long is told once: the metrics say how long. */
  #tell(error: unknown): void {
    if (isConflict(error)) return
    this.#metrics.errors.add()
    const why = error instanceof Error ? error.message : String(error)
    if (why !== this.#told)
      this.#options.log.error('the certificate of the webhooks cannot be kept; trying again', { error: why })
    this.#told = why
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
    const { client, clock, service, log, style = ownStyle, names = namesOf(service) } = this.#options
    const secret = await this.#secret(signal)
    let stored = readStored(secret, style)
    const configurations = await readConfigurations(client, this.#options.configurations, signal).catch((error: unknown) => {
      this.#serveUntold({ stored, names, style, nextTrustedMs: 0 })
      throw error
    })
    const bundles = configurations.flatMap(({ object }) => bundlesIn(object, service))
    this.#notice(stored, bundles)
    const seen = { stored, bundles, names, style, nextTrustedMs: this.#trustedMs(stored.next) }
    const step = decideStep(seen, clock.now())
    if (step.kind !== 'keep') {
      stored = carryOut(step, seen, await this.#draw(), clock.now())
      await client.update(secrets, withStored(secret, stored), { signal })
      log.info('the authority of the webhooks', { step: step.kind, why: step.why, secret: secret.metadata.name })
    }
    const bundle = bundleOf(stored)
    const told = await Promise.allSettled(configurations.map(one => this.#trust(one, bundle, signal)))
    this.#take(stored, bundle)
    this.#isTrusted = this.#held !== undefined && trustServed(bundles, this.#held.certificate)
    this.#isWaiting =
      step.kind !== 'keep' ||
      stored.next !== undefined ||
      this.#held?.pair.certificate !== stored.serving?.certificate ||
      !this.health().ok
    const failed = told.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  async #secret(signal: AbortSignal): Promise<AuthoritySecret> {
    const { client, secret: key, makesSecret = false } = this.#options
    const found = await client.find<AuthoritySecret>(secrets, key, { signal })
    if (found !== undefined) return found
    if (!makesSecret)
      throw new Error(`there is no Secret ${key.namespace}/${key.name}; apply the manifests again, which bring it`)
    return client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata: key }, { signal })
  }

  async #trust({ name, object }: SeenConfiguration, bundle: string, signal: AbortSignal): Promise<void> {
    const { client, service, log, writesBy = 'patch' } = this.#options
    const patch = trustPatch(object, service, bundle)
    if (patch.length === 0) return
    if (writesBy === 'patch') await client.patch(name.type, { namespace: '', name: name.name }, 'json', patch, { signal })
    else await client.update(name.type, trusting(object, service, bundle), { signal })
    log.info('webhooks are told whom to trust', { configuration: name.name })
  }

  /** Nobody can be told anything: what is kept and good is served all the same, to whoever trusts it already. */
  #serveUntold(seen: Omit<SeenWebhooks, 'bundles'>): void {
    const { kind } = decideStep(seen, this.#options.clock.now())
    if (kind !== 'begin' && kind !== 'renew') this.#take(seen.stored, bundleOf(seen.stored))
  }

  #notice({ authority, next }: StoredAuthority, bundles: readonly string[]): void {
    const now = this.#options.clock.monotonicMs()
    for (const pair of [authority, next]) {
      if (pair === undefined) continue
      const isTrusted = readCertificate(pair.certificate) !== undefined && trustAuthority(bundles, pair.certificate)
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

  /**
   * Takes what the Secret has for serving. A pair that is good stays until whoever calls trusts the authority of the new one; a pair that
   * ran out, or that the bundle does not trust any more, is good for nobody.
   */
  #take({ authority, serving }: StoredAuthority, bundle: string): void {
    const certificate = serving === undefined ? undefined : readCertificate(serving.certificate)
    if (serving === undefined || certificate === undefined || serving.certificate === this.#held?.pair.certificate) return
    const isGood = this.#held !== undefined && !this.#hasRunOut(this.#held) && trustServed([bundle], this.#held.certificate)
    if (!isGood || this.#trustedMs(authority) >= settleMs) this.#held = { pair: serving, certificate }
  }

  #hasRunOut({ certificate }: Held): boolean {
    return Date.parse(certificate.validTo) <= this.#options.clock.now()
  }

  async #draw(): Promise<Drawn> {
    const { newKey, random } = this.#options
    const draw = async (): Promise<Drawn['serving']> => ({ key: await newKey(), serial: random.bytes(16) })
    return { authority: await draw(), serving: await draw() }
  }

  /** Informers that only wake the keeper: each pass reads the objects itself. */
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

function isConflict(error: unknown): boolean {
  return error instanceof KubeError && (error.reason === 'Conflict' || error.reason === 'AlreadyExists')
}

/** The names in the certificate: the one by which the API server calls the Service, and shorter ones for people. */
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
