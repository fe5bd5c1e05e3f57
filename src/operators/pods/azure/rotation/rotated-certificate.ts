// The serving certificate that the webhook makes and renews itself (§3.14). All replicas look into one Secret: whoever finds a good pair
// serves it, whoever does not issues one, and only one answer is kept, by the Secret's version; the loser of a race serves the winner's.
import type { Clock, Keys, Log, Random, TlsServerOptions } from '#base'
import { type KubeObject, type StoredObject, secrets } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { type CertificateSource, type Metrics, pause } from '#runtime'
import { issuePair, type RotatedPair, rotationDnsName, rotationNeed, rotationSecretName } from './issue.ts'
import { injectTrust } from './trust.ts'

export interface RotationOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly keys: Pick<Keys, 'generateRsa'>
  readonly log: Log
  readonly metrics: Metrics
  /** Its own. */
  readonly namespace: string
}

/** Upstream looks every twelve hours and on change; a look is two reads, and this is the change. */
const lookEveryMs = 60_000
/** While the configuration is not there, or does not hold the bundle: whoever applies it meets a webhook that nobody trusts yet. */
const untrustedLookMs = 5_000
/** Ten steps, doubling, from a second: as upstream waits for its files. */
const firstRetryMs = 1_000
const retryMsMax = 512_000

type SecretObject = StoredObject & { readonly data?: Readonly<Record<string, string>> }

export function rotatedCertificate(options: RotationOptions): CertificateSource {
  const reads = options.metrics.counter('certwatcher_read_certificate_total', 'Total number of certificate reads')
  const errors = options.metrics.counter('certwatcher_read_certificate_errors_total', 'Total number of certificate read errors')
  let isTrusted = false
  const attempt = async (signal: AbortSignal): Promise<RotatedPair | undefined> => {
    reads.add()
    try {
      const pair = await pairInSecret(options, signal)
      isTrusted = await injectTrust(options.client, pair.authority, options.clock.now(), signal)
      return pair
    } catch (error) {
      if (signal.aborted) return undefined
      errors.add()
      options.log.error('the serving certificate cannot be looked after; trying again', { error: String(error) })
      return undefined
    }
  }
  return {
    first: async signal => {
      for (let retryMs = firstRetryMs; ; retryMs = Math.min(retryMsMax, retryMs * 2)) {
        const pair = await attempt(signal)
        if (pair !== undefined) return servedOf(pair)
        if (!(await pause(options.clock, retryMs, signal))) throw signal.reason
      }
    },
    follow: async (current, take, signal) => {
      let held: TlsServerOptions = current
      while (await pause(options.clock, isTrusted ? lookEveryMs : untrustedLookMs, signal)) {
        const pair = await attempt(signal)
        if (pair === undefined || pair.certificate === held.certificate) continue
        held = servedOf(pair)
        take(held)
        options.log.info('serving certificate replaced', { secret: rotationSecretName })
      }
    },
  }
}

function servedOf({ certificate, key }: RotatedPair): TlsServerOptions {
  return { certificate, key }
}

/** A good pair that is in the Secret. */
async function pairInSecret(options: RotationOptions, signal: AbortSignal): Promise<RotatedPair> {
  const { client, clock, keys, random, namespace, log } = options
  const secretKey = { namespace, name: rotationSecretName }
  const dnsName = rotationDnsName(namespace)
  const stored = await client.find<SecretObject>(secrets, secretKey, { signal })
  const held = stored === undefined ? undefined : pairOf(stored)
  const need = rotationNeed(held, dnsName, clock.now())
  if (need === 'nothing' && held !== undefined) return held
  const made = await issuePair(held, need === 'all' ? 'all' : 'serving', { keys, random, now: clock.now(), dnsName })
  try {
    await store(client, stored, { ...secretKey, made }, signal)
    log.info('serving certificate issued', { secret: rotationSecretName, authority: need === 'all' ? 'new' : 'kept' })
    return made
  } catch (error) {
    const isLost = error instanceof KubeError && (error.reason === 'Conflict' || error.reason === 'AlreadyExists')
    if (!isLost) throw error
    const winner = await client.find<SecretObject>(secrets, secretKey, { signal })
    const found = winner === undefined ? undefined : pairOf(winner)
    if (found === undefined) throw error
    return found
  }
}

function pairOf({ data = {} }: SecretObject): RotatedPair | undefined {
  const read = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString()
  const pair = { authority: read('ca.crt'), authorityKey: read('ca.key'), certificate: read('tls.crt'), key: read('tls.key') }
  return Object.values(pair).includes('') ? undefined : pair
}

interface Kept {
  readonly namespace: string
  readonly name: string
  readonly made: RotatedPair
}

async function store(
  client: KubeClient,
  stored: SecretObject | undefined,
  { namespace, name, made }: Kept,
  signal: AbortSignal,
): Promise<void> {
  const encoded = (value: string): string => Buffer.from(value).toString('base64')
  const data = {
    'ca.crt': encoded(made.authority),
    'ca.key': encoded(made.authorityKey),
    'tls.crt': encoded(made.certificate),
    'tls.key': encoded(made.key),
  }
  const metadata = stored?.metadata ?? { namespace, name }
  const secret: KubeObject & { readonly data: object } = { apiVersion: 'v1', kind: 'Secret', ...stored, metadata, data }
  if (stored === undefined) await client.create(secrets, secret, { signal })
  else await client.update(secrets, secret, { signal })
}
