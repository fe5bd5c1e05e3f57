// Where a serving certificate comes from, and how long it lasts. A listener takes the first one and every later one; those who talk to it
// never notice the change.
import type { TlsServerOptions } from '#base'
import { followServingCertificate, readServingCertificate, type ServingCertificateOptions } from './serving-certificate.ts'

export interface CertificateSource {
  first(signal: AbortSignal): Promise<TlsServerOptions>
  /** Hands on each new one until the signal aborts. */
  follow(current: TlsServerOptions, take: (next: TlsServerOptions) => void, signal: AbortSignal): Promise<void>
}

/** Files that somebody else renews. */
export function certificateInFiles(options: ServingCertificateOptions): CertificateSource {
  return {
    first: () => readServingCertificate(options),
    follow: (current, take, signal) => followServingCertificate(options, current, take, signal),
  }
}
