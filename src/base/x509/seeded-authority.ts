// A certificate authority whose key follows from a seed, for the listeners of what is emulated: a client that trusts it keeps trusting it after
// a restart. It protects nothing.
import { createECDH, createHash, createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import type { TlsServerOptions } from '../seams/http.ts'
import type { Random } from '../seams/random.ts'
import type { Instant } from '../seams/seams.ts'
import { issueCertificate } from './issue.ts'

export class SeededAuthority {
  readonly #commonName: string
  readonly #random: Random
  #certificate: string | undefined

  constructor(commonName: string, random: Random) {
    this.#commonName = commonName
    this.#random = random
  }

  /** PEM. */
  get certificate(): string {
    this.#certificate ??= issueCertificate({
      subject: { commonName: this.#commonName, organizations: ['Vouch'] },
      key: pemOf(this.#key('ca')),
      usage: 'ca',
      ...this.#validity(),
      serial: this.#serial('ca'),
    })
    return this.#certificate
  }

  /** SHA-1 over the key alone: a signature is never twice the same. */
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
    const scalar = Buffer.concat([Buffer.alloc(1), this.#random.fork(`authority/${name}`).bytes(31)])
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
    return this.#random.fork(`authority/serial/${name}`).bytes(16)
  }

  /** Wide, because virtual clocks stand anywhere. */
  #validity(): { readonly validFrom: Instant; readonly validUntil: Instant } {
    return { validFrom: Date.UTC(2020, 0, 1), validUntil: Date.UTC(2049, 0, 1) }
  }
}

function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }).toString()
}
