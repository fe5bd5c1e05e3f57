// The service-account issuer: keys, issuers, audiences. The first issuer signs, all are accepted; one key signs, all are published.
import type { Random } from '#base'
import { keyOfPem, pemOf } from '../pki/authority.ts'
import { makeRsaKey } from '../pki/keys.ts'
import { type Claims, decodeJwt, isSignedBy, publicJwk, signingKey, signJwt, type TokenSigningKey } from './jwt.ts'
import type { TokenIssuer } from './token-issuer.ts'

/** What a snapshot keeps of an issuer. */
export interface IssuerState {
  readonly issuers: readonly string[]
  readonly keys: readonly { readonly pem: string; readonly signs: boolean }[]
}

/** Verified tokens that are not verified again: the signature cannot go bad while the key is there. */
const verifiedMax = 1_000

export class ServiceAccountIssuer implements TokenIssuer {
  readonly #random: Random
  readonly #address: () => string
  #issuers: readonly string[]
  #keys: TokenSigningKey[] = []
  #signing: TokenSigningKey | undefined
  readonly #verified = new Map<string, { claims: Claims; keyId: string }>()

  constructor(random: Random, issuer: string, address: () => string, state?: IssuerState) {
    this.#random = random
    this.#address = address
    this.#issuers = state?.issuers ?? [issuer]
    for (const { pem, signs } of state?.keys ?? []) {
      const key = signingKey(keyOfPem(pem))
      this.#keys.push(key)
      if (signs) this.#signing = key
    }
  }

  get state(): IssuerState {
    return {
      issuers: this.#issuers,
      keys: this.#all().map(key => ({ pem: pemOf(key.privateKey), signs: key === this.#signing })),
    }
  }

  get issuer(): string {
    return this.#issuers[0] as string
  }

  /** The API is known by the names of all its issuers, so that a token outlives the change of the first. */
  get apiAudiences(): readonly string[] {
    return this.#issuers
  }

  /** The first signs; tokens of all are accepted. */
  setIssuers(issuers: readonly string[]): void {
    if (issuers.length === 0) throw new RangeError('an API server needs at least one service-account issuer')
    this.#issuers = [...issuers]
  }

  discoveryDocument(): string {
    return JSON.stringify({
      issuer: this.issuer,
      jwks_uri: `https://${this.#address()}/openid/v1/jwks`,
      response_types_supported: ['id_token'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [...new Set(this.#all().map(key => key.algorithm))].sort(),
    })
  }

  jwks(): string {
    return JSON.stringify({ keys: this.#all().map(publicJwk) })
  }

  rotate(options: { activate?: boolean } = {}): Promise<string> {
    const key = this.#makeKey()
    if (options.activate === true) this.#signing = key
    return Promise.resolve(key.id)
  }

  adopt(privateKeyPem: string, options: { activate?: boolean } = {}): string {
    const given = signingKey(keyOfPem(privateKeyPem))
    const key = this.#keys.find(known => known.id === given.id) ?? given
    if (key === given) this.#keys.push(given)
    if (options.activate === true) this.#signing = key
    return key.id
  }

  activate(keyId: string): void {
    this.#signing = this.#require(keyId)
  }

  retire(keyId: string): void {
    const key = this.#require(keyId)
    if (key === this.#signing) throw new RangeError(`key ${keyId} still signs: activate another one first`)
    this.#keys = this.#keys.filter(other => other !== key)
  }

  sign(claims: Claims): string {
    this.#all()
    return signJwt(this.#signing as TokenSigningKey, claims)
  }

  /** The claims of a token that one of our keys signed in the name of one of our issuers; time and subject are not judged here. */
  verify(token: string): Claims | undefined {
    const known = this.#verified.get(token)
    if (known !== undefined && this.#keys.some(key => key.id === known.keyId)) {
      return this.#issuers.includes(known.claims.iss as string) ? known.claims : undefined
    }
    const jwt = decodeJwt(token)
    if (jwt === undefined || !this.#issuers.includes(jwt.claims.iss as string)) return undefined
    const { kid } = jwt.header
    const candidates = this.#all().toSorted((a, b) => Number(b.id === kid) - Number(a.id === kid))
    const key = candidates.find(candidate => isSignedBy(jwt, candidate))
    if (key === undefined) return undefined
    if (this.#verified.size >= verifiedMax) this.#verified.clear()
    this.#verified.set(token, { claims: jwt.claims, keyId: key.id })
    return jwt.claims
  }

  /** Keys in order of making. The first is made when somebody needs one, because it takes longer than all the rest of a start. */
  #all(): readonly TokenSigningKey[] {
    if (this.#signing === undefined) this.#signing = this.#makeKey()
    return this.#keys
  }

  #makeKey(): TokenSigningKey {
    const key = signingKey(makeRsaKey(this.#random))
    this.#keys.push(key)
    return key
  }

  #require(keyId: string): TokenSigningKey {
    const key = this.#all().find(candidate => candidate.id === keyId)
    if (key === undefined) throw new RangeError(`no key ${keyId} in this issuer`)
    return key
  }
}
