// The serving certificate of a listener, from two files that somebody else renews (cert-manager, a Secret volume). New bytes are taken
// over when they are whole and belong together; anything else is logged, counted, and the old pair goes on serving.
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { type Clock, type Files, given, type Log, type TlsServerOptions } from '#base'
import type { Metrics } from '../metrics/registry.ts'
import { pause } from '../scope.ts'
import { certificateMetrics } from './certificate-metrics.ts'

export interface ServingCertificateOptions {
  readonly files: Pick<Files, 'read'>
  readonly clock: Clock
  readonly log: Log
  readonly metrics: Metrics
  readonly certificatePath: string
  readonly keyPath: string
  /** Passed through to the listener. */
  readonly clientCa?: string
  /** As controller-runtime: renewal happens weeks before expiry, seconds do not matter. */
  readonly everyMs?: number
}

/** Reads the pair once; throws, naming the file and the next step, when it cannot be served. */
export async function readServingCertificate(options: ServingCertificateOptions): Promise<TlsServerOptions> {
  const certificate = await readText(options, options.certificatePath)
  const key = await readText(options, options.keyPath)
  let belongs: boolean
  try {
    belongs = new X509Certificate(certificate).checkPrivateKey(createPrivateKey(key))
  } catch (error) {
    throw new Error(
      `${options.certificatePath} and ${options.keyPath} are no PEM certificate and key: ${(error as Error).message}. Check that whoever renews them has finished.`,
      { cause: error },
    )
  }
  if (!belongs)
    throw new Error(
      `the key in ${options.keyPath} does not belong to the certificate in ${options.certificatePath}. Put a matching pair there.`,
    )
  return { certificate, key, ...given({ clientCa: options.clientCa }) }
}

/** Looks again and again until the signal aborts, and hands each new pair on. */
export async function followServingCertificate(
  options: ServingCertificateOptions,
  current: TlsServerOptions,
  take: (tls: TlsServerOptions) => void,
  signal: AbortSignal,
): Promise<void> {
  const { reads, errors } = certificateMetrics(options.metrics)
  let held = current
  let told: string | undefined
  while (await pause(options.clock, options.everyMs ?? 10_000, signal)) {
    try {
      reads.add()
      const next = await readServingCertificate(options)
      told = undefined
      if (next.certificate === held.certificate && next.key === held.key) continue
      held = next
      take(next)
      options.log.info('serving certificate replaced', { path: options.certificatePath })
    } catch (error) {
      errors.add()
      // Counted each time, told once: what stays wrong for hours must not fill the log.
      const { message } = error as Error
      if (message !== told) options.log.error('serving certificate not replaced', { error: message })
      told = message
    }
  }
}

async function readText({ files }: ServingCertificateOptions, path: string): Promise<string> {
  const bytes = await files.read(path)
  if (bytes === undefined) throw new Error(`there is no file ${path}. Mount the serving certificate there, or name another path.`)
  return new TextDecoder().decode(bytes)
}
