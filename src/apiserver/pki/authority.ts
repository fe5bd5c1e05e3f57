// The cluster's certificate authority: its own certificate, the server's, and those of users made on the spot.
import { createPrivateKey, type KeyObject } from 'node:crypto'
import { type Clock, given, issueCertificate, type Random, type TlsServerOptions } from '#base'
import type { UserInfo } from '../users.ts'
import { makeEcKey } from './keys.ts'

const dayMs = 86_400_000
const caDays = 3_650
const leafDays = 365

const serverNames = [
  'localhost',
  'kubernetes',
  'kubernetes.default',
  'kubernetes.default.svc',
  'kubernetes.default.svc.cluster.local',
]
const serverIps = ['127.0.0.1', '::1', '10.96.0.1']

/** What a snapshot keeps of an authority. */
export interface AuthorityState {
  readonly certificate: string
  readonly key: string
}

export interface Credential {
  readonly certificate: string
  readonly key: string
}

export class CertificateAuthority {
  readonly #random: Random
  readonly #clock: Clock
  #state: AuthorityState | undefined

  constructor(random: Random, clock: Clock, state?: AuthorityState) {
    this.#random = random
    this.#clock = clock
    this.#state = state
  }

  get state(): AuthorityState {
    this.#state ??= this.#make()
    return this.#state
  }

  get certificate(): string {
    return this.state.certificate
  }

  /** Key and certificate of a listener, which is also reachable under `host`. */
  serverTls(host: string): TlsServerOptions {
    const isIp = /^[\d.]+$|:/.test(host)
    const names = {
      dns: isIp ? serverNames : [...new Set([...serverNames, host])],
      ips: isIp ? [...new Set([...serverIps, host])] : serverIps,
    }
    const credential = this.#issue({ commonName: 'kube-apiserver' }, 'server', names)
    return { ...credential, clientCa: this.certificate }
  }

  /** A client certificate that authenticates as the user with its groups. */
  clientCredential(user: UserInfo): Credential {
    const organizations = user.groups.filter(group => group !== 'system:authenticated')
    return this.#issue({ commonName: user.username, organizations }, 'client')
  }

  #issue(
    subject: { commonName: string; organizations?: readonly string[] },
    usage: 'server' | 'client',
    names?: { dns: readonly string[]; ips: readonly string[] },
  ): Credential {
    const key = pemOf(makeEcKey(this.#random))
    const now = this.#clock.now()
    const certificate = issueCertificate({
      subject,
      key,
      usage,
      ...given({ names }),
      validFrom: now - dayMs,
      validUntil: now + leafDays * dayMs,
      serial: this.#random.bytes(16),
      issuer: this.state,
    })
    return { certificate, key }
  }

  #make(): AuthorityState {
    const key = pemOf(makeEcKey(this.#random))
    const now = this.#clock.now()
    const certificate = issueCertificate({
      subject: { commonName: 'kubernetes' },
      key,
      usage: 'ca',
      validFrom: now - dayMs,
      validUntil: now + caDays * dayMs,
      serial: this.#random.bytes(16),
    })
    return { certificate, key }
  }
}

export function pemOf(key: KeyObject): string {
  return key.export({ type: 'pkcs8', format: 'pem' }) as string
}

export function keyOfPem(pem: string): KeyObject {
  return createPrivateKey(pem)
}
