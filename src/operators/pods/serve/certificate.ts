// What the webhook does with serving certificates whatever their source: files, the policy of flags, and what is told of their end.
import { type Files, type Log, parseCertificate, type Seams, type TlsServerOptions } from '#base'
import { type CertificateSource, certificateInFiles, type Metrics, pause } from '#runtime'
import type { ListenerSettings } from '../flags/process-flags.ts'
import { webhookMetrics } from './metrics.ts'

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
  return certificateInFiles({ ...seams, metrics, certificatePath, keyPath, everyMs })
}

/** What the flags say about TLS, on top of whatever pair is served. */
export async function tlsPolicy(
  { files, log }: { readonly files: Pick<Files, 'read'>; readonly log: Pick<Log, 'warn'> },
  { minVersion, ciphers, clientCaPath }: Pick<ListenerSettings, 'minVersion' | 'ciphers' | 'clientCaPath'>,
): Promise<Partial<TlsServerOptions>> {
  const takesSuites = minVersion !== 'TLSv1.3'
  if (!takesSuites && ciphers.length > 0)
    log.warn('--tls-cipher-suites is ignored: with --tls-min-version=1.3 there are no suites to choose from')
  const policy = { minVersion, ...(takesSuites ? { ciphers } : {}) }
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
