// TLS settings of a listener as Node wants them.
import { constants } from 'node:crypto'
import { createSecureContext, type SecureContext, type SecureContextOptions } from 'node:tls'
import type { TlsServerOptions } from '../../seams/http.ts'

export function contextOptions(tls: TlsServerOptions | undefined): SecureContextOptions {
  return {
    ...(tls === undefined ? {} : { cert: tls.certificate, key: tls.key }),
    // Without a list Node would trust every public authority to name our clients.
    ca: tls?.clientCa ?? [],
    minVersion: tls?.minVersion ?? 'TLSv1.2',
    ...cipherOptions(tls),
    // A resumed session would carry a client certificate past a change of the client CA; and a client of TLS 1.2 that has its keys made anew
    // costs the server ten times what it costs itself.
    secureOptions: constants.SSL_OP_NO_TICKET | constants.SSL_OP_NO_RENEGOTIATION,
  }
}

/** Node turns TLS 1.3 off when a list names none of its suites, and refuses to speak 1.0 and 1.1 at the default security level. */
function cipherOptions(tls: TlsServerOptions | undefined): Pick<SecureContextOptions, 'ciphers'> {
  const isOld = tls?.minVersion === 'TLSv1' || tls?.minVersion === 'TLSv1.1'
  const ciphers = tls?.ciphers ?? []
  if (ciphers.length === 0) return isOld ? { ciphers: 'DEFAULT:@SECLEVEL=0' } : {}
  return { ciphers: [...tls13Ciphers, ...ciphers, ...(isOld ? ['@SECLEVEL=0'] : [])].join(':') }
}

const tls13Ciphers = ['TLS_AES_128_GCM_SHA256', 'TLS_AES_256_GCM_SHA384', 'TLS_CHACHA20_POLY1305_SHA256']

/** Contexts are kept as long as the options object that they were made from: making one parses a key. */
export function sniCallback(
  tlsFor: (serverName: string) => TlsServerOptions | undefined,
): (serverName: string, done: (error: Error | null, context?: SecureContext) => void) => void {
  const contexts = new WeakMap<TlsServerOptions, SecureContext>()
  return (serverName, done) => {
    try {
      const tls = tlsFor(serverName)
      if (tls === undefined) return done(null)
      let context = contexts.get(tls)
      if (context === undefined) contexts.set(tls, (context = createSecureContext(contextOptions(tls))))
      done(null, context)
    } catch (error) {
      done(error as Error)
    }
  }
}
