// Where the serving certificate comes from, and how long it lasts. A listener takes the first one and every later one; those who talk to it
// never notice the change.
import { type Files, parseCertificate, type Seams, type TlsServerOptions } from '#base'
import { followServingCertificate, type Metrics, pause, readServingCertificate } from '#runtime'
import type { ListenerSettings } from '../flags/settings.ts'
import { webhookMetrics } from './metrics.ts'

export interface CertificateSource {
  first(signal: AbortSignal): Promise<TlsServerOptions>
  /** Hands on each new one until the signal aborts. */
  follow(current: TlsServerOptions, take: (next: TlsServerOptions) => void, signal: AbortSignal): Promise<void>
}

export interface CertificateOptions {
  readonly seams: Pick<Seams, 'clock' | 'log' | 'files'>
  readonly metrics: Metrics
}

/** A mounted Secret takes a minute to change; once it has, a rotation is in use before the first client insists on it. */
const everyMs = 1_000
/** A certificate that has run out is told of again and again: nothing else in the cluster says why its pods are refused. */
const expiredEveryMs = 60_000

export interface CertificatePaths {
  readonly certificatePath: string
  readonly keyPath: string
}

/** `--in-cluster=false`: files that somebody else renews. */
export function certificateFiles(
  { seams, metrics }: CertificateOptions,
  { certificatePath, keyPath }: CertificatePaths,
): CertificateSource {
  const options = { ...seams, metrics, certificatePath, keyPath, everyMs }
  return {
    first: () => readServingCertificate(options),
    follow: (current, take, signal) => followServingCertificate(options, current, take, signal),
  }
}

/** What the flags say about TLS, on top of whatever pair is served. */
export async function tlsPolicy(
  files: Pick<Files, 'read'>,
  { minVersion, ciphers, clientCaPath }: Pick<ListenerSettings, 'minVersion' | 'ciphers' | 'clientCaPath'>,
): Promise<Partial<TlsServerOptions>> {
  const policy = { minVersion, ...(minVersion === 'TLSv1.3' ? {} : { ciphers }) }
  if (clientCaPath === '') return policy
  const ca = await files.read(clientCaPath)
  if (ca === undefined) throw new Error(`there is no file ${clientCaPath}, which --client-ca-file names`)
  return { ...policy, clientCa: new TextDecoder().decode(ca), requiresClientCertificate: true }
}

/** Shows the end of the certificate in use as a metric, and complains once it has passed. */
export async function watchExpiry(
  { seams, metrics, provider }: CertificateOptions & { readonly provider: string },
  current: () => TlsServerOptions,
  signal: AbortSignal,
): Promise<void> {
  const { certificateNotAfter } = webhookMetrics(metrics)
  const endMs = (): number => parseCertificate(current().certificate).validUntil
  metrics.collect(() => certificateNotAfter.set(endMs() / 1_000, { provider }))
  do {
    const until = endMs()
    if (until <= seams.clock.now())
      seams.log.error('the serving certificate has expired; API servers refuse it', { notAfter: new Date(until).toISOString() })
  } while (await pause(seams.clock, expiredEveryMs, signal))
}
