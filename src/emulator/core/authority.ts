// The certificate authority behind the HTTPS listener and all in-process issuer hosts. Its key follows from the seed, so a client
// that trusts it keeps trusting it after a restart.
import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import { type Instant, issueCertificate, type TlsServerOptions } from '#base'
import type { EmulatorSettings } from './settings.ts'

export class EmulatorAuthority {
  readonly #settings: EmulatorSettings
  #certificate: string | undefined

  constructor(settings: EmulatorSettings) {
    this.#settings = settings
  }

  /** PEM. */
  get certificate(): string {
    this.#certificate ??= issueCertificate({
      subject: { commonName: 'Vouch AWS emulator CA', organizations: ['Vouch'] },
      key: pemOf(this.#key('ca')),
      usage: 'ca',
      ...this.#validity(),
      serial: this.#serial('ca'),
    })
    return this.#certificate
  }

  /** What IAM stores as thumbprint of an in-process host. Over the key alone: a signature is never twice the same. */
  get thumbprint(): string {
    const spki = createPublicKey(this.#key('ca')).export({ type: 'spki', format: 'der' })
    return createHash('sha1').update(spki).digest('hex')
  }

  serverCertificate(names: { readonly dns: readonly string[]; readonly ips?: readonly string[] }): TlsServerOptions {
    const key = pemOf(this.#key('server'))
    const certificate = issueCertificate({
      subject: { commonName: names.dns[0] ?? 'localhost' },
      key,
      names,
      usage: 'server',
      ...this.#validity(),
      serial: this.#serial(names.dns.join(' ')),
      issuer: { certificate: this.certificate, key: pemOf(this.#key('ca')) },
    })
    return { certificate: `${certificate}${this.certificate}`, key }
  }

  #key(name: string): KeyObject {
    // A scalar of 31 bytes is below the order of the curve whatever the bytes are.
    const scalar = Buffer.concat([Buffer.alloc(1), this.#settings.random.fork(`authority/${name}`).bytes(31)])
    const pair = createECDH('prime256v1')
    pair.setPrivateKey(scalar)
    const point = pair.getPublicKey()
    const [x, y] = [point.subarray(1, 33), point.subarray(33, 65)].map(bytes => bytes.toString('base64url'))
    return createPrivateKey({
      key: { kty: 'EC', crv: 'P-256', d: scalar.toString('base64url'), x: x as string, y: y as string },
      format: 'jwk',
    })
  }

  #serial(name: string): Uint8Array {
    return this.#settings.random.fork(`authority/serial/${name}`).bytes(16)
  }

  /** Wide, because virtual clocks stand anywhere. */
  #validity(): { readonly validFrom: Instant; readonly validUntil: Instant } {
    return { validFrom: Date.UTC(2020, 0, 1), validUntil: Date.UTC(2049, 0, 1) }
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}

/** Names of §2.2 that an HTTPS listener answers to, one wildcard deep. */
export function listenerNames(regions: readonly string[]): { readonly dns: readonly string[]; readonly ips: readonly string[] } {
  const regional = regions.flatMap(region => [`*.${region}.amazonaws.com`, `*.s3.${region}.amazonaws.com`, `*.${region}.api.aws`])
  return {
    dns: ['localhost', '*.localhost', '*.s3.localhost', '*.amazonaws.com', '*.s3.amazonaws.com', ...regional],
    ips: ['127.0.0.1', '::1'],
  }
}
