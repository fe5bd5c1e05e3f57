// Access tokens: what the token endpoint issues, and what a resource reads of them.
import { sign } from 'node:crypto'
import { keyFor, type Random, readToken, signatureHolds } from '#base'
import type { Client } from '../directory/directory.ts'
import type { TenantKeys } from './tenant-keys.ts'

export interface TokenWish {
  readonly client: Client & { readonly principalId: string }
  /** What the token is for, as it is to stand in it. */
  readonly audience: string
  readonly version: 1 | 2
  /** How the client proved itself. */
  readonly proof: 'secret' | 'assertion'
  readonly nowS: number
  readonly lifeS: number
}

export function issueAccessToken(
  { client, audience, version, proof, nowS, lifeS }: TokenWish,
  keys: TenantKeys,
  random: Random,
): string {
  const { tenant, appId, principalId } = client
  const issuer = issuerOf(tenant, version)
  const proven = proof === 'secret' ? '1' : '2'
  const client1 = { appid: appId, appidacr: proven, idp: issuer }
  const client2 = { azp: appId, azpacr: proven }
  const claims = {
    aud: audience,
    iss: issuer,
    iat: nowS,
    nbf: nowS,
    exp: nowS + lifeS,
    ...(version === 1 ? client1 : client2),
    idtyp: 'app',
    oid: principalId,
    sub: principalId,
    tid: tenant,
    uti: Buffer.from(random.bytes(16)).toString('base64url'),
    ver: `${version}.0`,
  }
  const { id, key } = keys.current(tenant)
  const text = [{ typ: 'JWT', alg: 'RS256', kid: id, x5t: id }, claims].map(encoded).join('.')
  return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`
}

export function issuerOf(tenant: string, version: 1 | 2): string {
  return version === 1 ? `https://sts.windows.net/${tenant}/` : `https://login.microsoftonline.com/${tenant}/v2.0`
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url')
}

export interface TokenHolder {
  readonly tenant: string
  readonly principalId: string
  readonly appId: string
}

export interface TokenCheck {
  readonly keys: TenantKeys
  readonly tenants: readonly string[]
  /** Any of these. */
  readonly audiences: readonly string[]
  readonly nowS: number
}

const leewayS = 300

/** Whose token it is; `undefined` for one that this resource does not take. */
export function callerOf(text: string, { keys, tenants, audiences, nowS }: TokenCheck): TokenHolder | undefined {
  const reading = readToken(text)
  if (reading.kind !== 'token') return undefined
  const { token } = reading
  const { iss, aud, exp, nbf, all } = token.claims
  const tenant = tenants.find(each => iss === issuerOf(each, 1) || iss === issuerOf(each, 2))
  if (tenant === undefined || token.algorithm !== 'RS256') return undefined
  const key = keyFor(token, keys.published(tenant))
  if (key === undefined || !signatureHolds(token, key)) return undefined
  if (aud.length !== 1 || !audiences.includes(aud[0]?.replace(/\/$/, '') ?? '')) return undefined
  if (exp <= nowS || (nbf ?? 0) > nowS + leewayS) return undefined
  const { oid, appid, azp } = all
  const appId = appid ?? azp
  return typeof oid === 'string' && typeof appId === 'string' ? { tenant, principalId: oid, appId } : undefined
}
