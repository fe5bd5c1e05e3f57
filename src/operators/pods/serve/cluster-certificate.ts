// `--in-cluster=true`: the certificate comes from the cluster's own signer (§2.14). We ask, somebody approves, and the pair is kept in a
// Secret that all replicas share: whoever finds a good pair there serves it, whoever does not asks. Only one answer is kept, by the
// Secret's version; the loser of a race serves the winner's.
import {
  type CertificateNames,
  type CertificatePair,
  type Clock,
  type Keys,
  keyTrouble,
  type Log,
  parseCertificate,
  type Random,
  readCertificate,
  requestCertificate,
  type TlsServerOptions,
} from '#base'
import { certificateSigningRequests, type KubeObject, type StoredObject, secrets } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { type CertificateSource, type Histogram, type Metrics, pause } from '#runtime'
import { serviceNames } from '../manifests/issuer.ts'

export interface ClusterCertificateOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly random: Random
  readonly keys: Pick<Keys, 'generateEc'>
  readonly log: Log
  readonly metrics: Metrics
  readonly namespace: string
  readonly serviceName: string
  readonly secretName: string
  /** Upstream's, `kubernetes.io/legacy-unknown`, is refused by certificates.k8s.io/v1; none of the built-in ones signs for Services. */
  readonly signerName: string
}

const rotationBuckets = [60, 3_600, 14_400, 86_400, 604_800, 2_592_000, 7_776_000, 31_536_000]

/** How often we look whether a request was approved, and whether another replica has put a new pair into the Secret. */
const approvalEveryMs = 2_000
const secretEveryMs = 60_000
/** A request that nobody approves is given up and made again: the cluster forgets it after a while too. */
const approvalMsMax = 15 * 60_000
/** Renewed when less than this part of its life is left, drawn anew by each replica so that they do not all ask at once. */
const renewAtMin = 0.1
const renewAtMax = 0.3
const retryMs = 5_000

export function clusterCertificate(options: ClusterCertificateOptions): CertificateSource {
  const rotations = options.metrics.histogram(
    'certificate_manager_server_rotation_seconds',
    'Histogram of the lifetime of a server certificate when it was replaced, in seconds.',
    rotationBuckets,
  )
  return {
    first: async signal => {
      for (;;) {
        const pair = await attempt(options, undefined, signal)
        if (pair !== undefined) return pair
        if (!(await pause(options.clock, retryMs, signal))) throw signal.reason
      }
    },
    follow: (current, take, signal) => follow(options, rotations, current, take, signal),
  }
}

async function follow(
  options: ClusterCertificateOptions,
  rotations: Histogram,
  current: TlsServerOptions,
  take: (next: TlsServerOptions) => void,
  signal: AbortSignal,
): Promise<void> {
  let held: CertificatePair = current
  while (await pause(options.clock, secretEveryMs, signal)) {
    const next = await attempt(options, held, signal)
    if (next === undefined || next.certificate === held.certificate) continue
    rotations.observe((options.clock.now() - parseCertificate(held.certificate).validFrom) / 1_000)
    held = next
    take(next)
    options.log.info('serving certificate replaced', { secret: options.secretName })
  }
}

/** A pair to serve; nothing when the cluster cannot be asked at this moment. What is held goes on being served meanwhile. */
async function attempt(
  options: ClusterCertificateOptions,
  held: CertificatePair | undefined,
  signal: AbortSignal,
): Promise<CertificatePair | undefined> {
  try {
    return await obtain(options, held, signal)
  } catch (error) {
    if (signal.aborted) return undefined
    options.log.error('no serving certificate from the cluster yet; trying again', { error: (error as Error).message })
    return undefined
  }
}

async function obtain(
  options: ClusterCertificateOptions,
  held: CertificatePair | undefined,
  signal: AbortSignal,
): Promise<CertificatePair> {
  const { client, namespace, secretName, clock } = options
  const key = { namespace, name: secretName }
  const stored = await client.find<SecretObject>(secrets, key, { signal })
  const kept = stored === undefined ? undefined : pairOf(stored)
  const names = serviceNames(options.serviceName, namespace)
  if (kept !== undefined && isGood(kept, names, clock.now()) && !isDue(kept, options)) return kept
  const made = await request(options, names, signal)
  if (made === undefined) {
    // Nobody approved. What is there is better than nothing, as long as it lasts.
    if (kept !== undefined && isGood(kept, names, clock.now())) return kept
    if (held !== undefined) return held
    throw new Error('the certificate request was not approved')
  }
  try {
    await store(options, stored, made, signal)
    return made
  } catch (error) {
    const isLost = error instanceof KubeError && (error.reason === 'Conflict' || error.reason === 'AlreadyExists')
    if (!isLost) throw error
    const winner = await client.find<SecretObject>(secrets, key, { signal })
    return (winner === undefined ? undefined : pairOf(winner)) ?? made
  }
}

type SecretObject = StoredObject & { readonly type?: string; readonly data?: Readonly<Record<string, string>> }

function pairOf({ data }: SecretObject): CertificatePair | undefined {
  const [certificate, key] = [data?.['tls.crt'], data?.['tls.key']]
  if (certificate === undefined || key === undefined || certificate === '' || key === '') return undefined
  const text = (value: string): string => Buffer.from(value, 'base64').toString()
  return { certificate: text(certificate), key: text(key) }
}

async function store(
  { client, namespace, secretName }: ClusterCertificateOptions,
  stored: SecretObject | undefined,
  pair: CertificatePair,
  signal: AbortSignal,
): Promise<void> {
  const encoded = (value: string): string => Buffer.from(value).toString('base64')
  const data = { 'tls.crt': encoded(pair.certificate), 'tls.key': encoded(pair.key) }
  const metadata = stored?.metadata ?? { namespace, name: secretName }
  const secret = { apiVersion: 'v1', kind: 'Secret', ...stored, metadata, type: 'kubernetes.io/tls', data } as KubeObject
  if (stored === undefined) await client.create(secrets, secret, { signal })
  else await client.update(secrets, secret, { signal })
}

type RequestObject = StoredObject & {
  readonly status?: {
    readonly certificate?: string
    readonly conditions?: readonly { readonly type: string; readonly message?: string }[]
  }
}

/** The signed pair, or nothing when nobody approves in time. Throws when the request is refused. */
async function request(
  options: ClusterCertificateOptions,
  names: readonly string[],
  signal: AbortSignal,
): Promise<CertificatePair | undefined> {
  const { client, clock, keys, log, namespace, serviceName, random, signerName } = options
  const key = await keys.generateEc()
  const commonName = `${serviceName}.${namespace}.svc`
  const wanted: CertificateNames = { dns: names }
  const name = `${commonName}-${random.uuid().slice(0, 8)}`
  const spec = {
    request: Buffer.from(requestCertificate({ subject: { commonName }, key, names: wanted })).toString('base64'),
    signerName,
    usages: ['digital signature', 'key encipherment', 'server auth'],
  }
  const object = {
    apiVersion: 'certificates.k8s.io/v1',
    kind: certificateSigningRequests.kind,
    metadata: { name },
    spec,
  } as KubeObject
  await client.create(certificateSigningRequests, object, { signal })
  log.warn('a serving certificate was requested and waits for approval', {
    approve: `kubectl certificate approve ${name}`,
    signer: signerName,
    otherwise: 'mount a pair of your own and use --in-cluster=false',
  })
  const untilMs = clock.monotonicMs() + approvalMsMax
  while (clock.monotonicMs() < untilMs && (await pause(clock, approvalEveryMs, signal))) {
    const seen = await client.find<RequestObject>(certificateSigningRequests, { namespace: '', name }, { signal })
    if (seen === undefined) return undefined
    const refused = seen.status?.conditions?.find(({ type }) => type === 'Denied' || type === 'Failed')
    if (refused !== undefined) throw new Error(`the certificate request ${name} was refused: ${refused.message ?? refused.type}`)
    const certificate = seen.status?.certificate ?? ''
    if (certificate !== '') return { certificate: Buffer.from(certificate, 'base64').toString(), key }
  }
  signal.throwIfAborted()
  return undefined
}

function isGood({ certificate, key }: CertificatePair, names: readonly string[], now: number): boolean {
  const parsed = readCertificate(certificate)
  if (parsed === undefined || keyTrouble(parsed, key) !== undefined) return false
  const isValid = Date.parse(parsed.validFrom) <= now && now < Date.parse(parsed.validTo)
  return isValid && names.every(name => parsed.checkHost(name) !== undefined)
}

function isDue({ certificate }: CertificatePair, { clock, random }: ClusterCertificateOptions): boolean {
  const { validFrom, validUntil } = parseCertificate(certificate)
  const left = (validUntil - clock.now()) / (validUntil - validFrom)
  return left < renewAtMin + random.fork(certificate).float() * (renewAtMax - renewAtMin)
}
