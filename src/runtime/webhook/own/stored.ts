// What the Secret of an own authority holds: who signs now, what is served, who is to sign next, and who signed before. The Secret is the
// only memory: whatever process reads it goes on where another one stopped.
import { authoritiesIn, type CertificatePair, earlierMax, type Instant } from '#base'
import type { StoredObject } from '#kube'
import { type CertificateStyle, ownStyle } from './style.ts'

export interface StoredAuthority {
  /** Signs what is served. */
  readonly authority: CertificatePair | undefined
  readonly serving: CertificatePair | undefined
  /** Trusted already, and signs nothing yet. */
  readonly next: CertificatePair | undefined
  /** Certificates that signed before, without their keys, until the last thing that they signed has run out. */
  readonly former: readonly string[]
  readonly formerUntil: Instant
}

export type AuthoritySecret = StoredObject & { readonly data?: Readonly<Record<string, string>> }

export function readStored({ data = {} }: AuthoritySecret, { authority }: CertificateStyle = ownStyle): StoredAuthority {
  const text = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString()
  const pair = (name: string): CertificatePair | undefined =>
    text(`${name}.crt`) === '' || text(`${name}.key`) === ''
      ? undefined
      : { certificate: text(`${name}.crt`), key: text(`${name}.key`) }
  const until = Date.parse(text('former-until'))
  return {
    authority: pair('ca'),
    serving: pair('tls'),
    next: pair('next-ca'),
    // Whatever stands in the Secret becomes trust of the API server: only authorities of ours, and no more than are kept.
    former: authoritiesIn(text('former-ca.crt'), authority.commonName)
      .slice(0, earlierMax)
      .map(each => each.toString().trim()),
    formerUntil: Number.isNaN(until) ? 0 : until,
  }
}

/** The Secret with all of it; what else somebody wrote into it goes. */
export function withStored(secret: AuthoritySecret, stored: StoredAuthority): AuthoritySecret {
  const { authority, serving, next, former, formerUntil } = stored
  const texts: Readonly<Record<string, string>> = {
    ...named('ca', authority),
    ...named('tls', serving),
    ...named('next-ca', next),
    ...(former.length === 0
      ? {}
      : { 'former-ca.crt': `${former.join('\n')}\n`, 'former-until': new Date(formerUntil).toISOString() }),
  }
  const data = Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, Buffer.from(text).toString('base64')]))
  return { ...secret, data }
}

function named(name: string, pair: CertificatePair | undefined): Readonly<Record<string, string>> {
  return pair === undefined ? {} : { [`${name}.crt`]: pair.certificate, [`${name}.key`]: pair.key }
}

/** Whom the API server is to trust: who signs first, then who will, then who did. */
export function bundleOf({ authority, next, former }: StoredAuthority): string {
  return [authority?.certificate, next?.certificate, ...former]
    .flatMap(each => (each === undefined ? [] : [`${each.trim()}\n`]))
    .join('')
}
