// What stands for a client without a secret: a token of another issuer that one of the client's federated credentials names exactly. The order
// of the checks decides which refusal is told: form, issuer, subject, audience, the issuer's keys, signature, time.
import { type Instant, keyFor, readToken, signatureHolds, type Token } from '#base'
import type { Client, FederatedCredential } from '../directory/directory.ts'
import type { ForeignIssuers } from '../issuers/issuers.ts'
import { echoed, refusals, type SignInRefusal, SignInRefused } from './refusals.ts'

/** Clocks of issuers may differ from Entra's by so much. */
const leewayS = 300
/** A longer one is no token of a ServiceAccount. */
const assertionBytesMax = 64 * 1024

export async function checkAssertion(
  text: string,
  client: Client,
  issuers: ForeignIssuers,
  now: Instant,
): Promise<FederatedCredential> {
  const token = readAssertion(text)
  const credential = credentialFor(token, client, now)
  await checkSigned(token, issuers)
  checkTimes(token, now)
  return credential
}

function readAssertion(text: string): Token {
  if (text.length > assertionBytesMax) throw refused(refusals.malformed('it is too long'))
  const reading = readToken(text)
  if (reading.kind === 'missing') throw refused(refusals.malformed(`the claim '${reading.claim}' is missing`))
  if (reading.kind !== 'token') throw refused(refusals.malformed('it is no signed token'))
  return reading.token
}

/** Case and slashes count. What was made a moment ago may not be believed yet, and what was deleted may still be. */
function credentialFor({ claims }: Token, { credentials }: Client, now: Instant): FederatedCredential {
  const effective = credentials.filter(({ fromMs, untilMs }) => fromMs <= now && (untilMs === undefined || now < untilMs))
  const audience = claims.aud.join(' ')
  const told = { iss: echoed(claims.iss), sub: echoed(claims.sub), aud: echoed(audience) }
  if (effective.length === 0) throw refused(refusals.noRecord(told))
  const ofIssuer = effective.filter(({ issuer }) => issuer === claims.iss)
  if (ofIssuer.length === 0) throw refused(refusals.issuer(told.iss))
  const ofSubject = ofIssuer.filter(({ subject }) => subject === claims.sub)
  if (ofSubject.length === 0) throw refused(refusals.subject(told.sub))
  const found = ofSubject.find(({ audiences }) => claims.aud.length === 1 && audiences.includes(audience))
  if (found === undefined) throw refused(refusals.audience(told.aud))
  return found
}

async function checkSigned(token: Token, issuers: ForeignIssuers): Promise<void> {
  const { iss } = token.claims
  if (token.keyId === undefined) throw refused(refusals.malformed("the header has no 'kid'"))
  const ask = (lacking: boolean): ReturnType<ForeignIssuers['keysOf']> =>
    issuers.keysOf(iss, lacking).catch((error: unknown) => {
      throw new SignInRefused(refusals.endpoint(), { cause: error })
    })
  const key = keyFor(token, await ask(false)) ?? keyFor(token, await ask(true))
  if (key === undefined) throw refused(refusals.key(echoed(token.keyId), echoed(iss)))
  if (!signatureHolds(token, key)) throw refused(refusals.malformed('its signature does not hold'))
}

function checkTimes({ claims }: Token, now: Instant): void {
  const nowS = now / 1_000
  const from = Math.max(claims.nbf ?? claims.iat, claims.iat)
  if (from - leewayS <= nowS && nowS < claims.exp + leewayS) return
  throw refused(refusals.time(stamp(nowS), stamp(from), stamp(claims.exp)))
}

function stamp(seconds: number): string {
  const date = new Date(Math.min(Math.max(seconds, 0), 8.64e12) * 1_000)
  return `${date.toISOString().slice(0, 19)}.0000000Z`
}

function refused(refusal: SignInRefusal): SignInRefused {
  return new SignInRefused(refusal)
}
