// The keys that sign a tenant's access tokens. They change once a month of the clock; the one before stays published, since tokens outlive the
// change. Each follows from the seed: they protect nothing.
import { createPublicKey, type KeyObject } from 'node:crypto'
import { type Clock, type Jwk, type Random, rsaPrime, rsaPrivateKey } from '#base'

const monthMs = 30 * 24 * 3_600_000
const bits = 2_048

export interface TenantKey {
  readonly id: string
  readonly key: KeyObject
}

export class TenantKeys {
  readonly #clock: Clock
  readonly #random: Random
  readonly #made = new Map<string, TenantKey>()

  constructor(clock: Clock, random: Random) {
    this.#clock = clock
    this.#random = random
  }

  /** The one that signs. */
  current(tenant: string): TenantKey {
    return this.#key(tenant, this.#month())
  }

  /** Those that are published: the one that signs, and the one before it. */
  published(tenant: string): readonly Jwk[] {
    return [this.#month(), this.#month() - 1].map(month => {
      const { id, key } = this.#key(tenant, month)
      return { ...createPublicKey(key).export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: id }
    })
  }

  #month(): number {
    return Math.floor(this.#clock.now() / monthMs)
  }

  #key(tenant: string, month: number): TenantKey {
    const name = `${tenant}/${month}`
    const held = this.#made.get(name)
    if (held !== undefined) return held
    const random = this.#random.fork(`keys/${name}`)
    const prime = (which: string): bigint => rsaPrime(random.fork(which), bits / 2)
    const made = {
      id: Buffer.from(random.fork('id').bytes(20)).toString('base64url'),
      key: rsaPrivateKey(prime('p'), prime('q')),
    }
    this.#made.set(name, made)
    return made
  }
}
