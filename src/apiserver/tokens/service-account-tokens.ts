// Tokens of service accounts: issued on request, and judged against what is in the store when they come back.

import type { Clock } from '#base'
import { isRecord } from '#base'
import type { TokenAuthenticator } from '../auth/authenticate.ts'
import type { Committed } from '../draft.ts'
import type { StorePort } from '../store/store.ts'
import type { UserInfo } from '../users.ts'
import { parseServiceAccountUser, serviceAccountGroups } from '../users.ts'
import type { ServiceAccountIssuer } from './issuer.ts'
import type { Claims } from './jwt.ts'

/** Clocks differ; a real server forgives as much. */
const leewaySeconds = 60

export interface TokenVerdict {
  readonly user: UserInfo
  readonly audiences: readonly string[]
}

export interface TokenPorts extends StorePort {
  readonly clock: Clock
}

export class ServiceAccountTokens implements TokenAuthenticator {
  readonly #ports: TokenPorts
  readonly #issuer: ServiceAccountIssuer
  readonly #fixed: ReadonlyMap<string, UserInfo>

  constructor(ports: TokenPorts, issuer: ServiceAccountIssuer, fixed: ReadonlyMap<string, UserInfo>) {
    this.#ports = ports
    this.#issuer = issuer
    this.#fixed = fixed
  }

  authenticate(token: string): UserInfo | undefined {
    const verdict = this.review(token, this.#issuer.apiAudiences)
    return typeof verdict === 'string' ? undefined : verdict.user
  }

  /** The user behind a token for one of the audiences, or why it is not accepted. */
  review(token: string, audiences: readonly string[]): TokenVerdict | string {
    const fixed = this.#fixed.get(token)
    if (fixed !== undefined) return { user: fixed, audiences }
    const claims = this.#issuer.verify(token)
    if (claims === undefined) return 'invalid bearer token'
    const late = this.#checkTime(claims)
    if (late !== undefined) return late
    const accepted = audienceOf(claims).filter(audience => audiences.includes(audience))
    if (accepted.length === 0)
      return `token audiences ${JSON.stringify(claims.aud)} is invalid for the target audiences ${JSON.stringify(audiences)}`
    const user = this.#userOf(claims)
    return typeof user === 'string' ? user : { user, audiences: accepted }
  }

  #checkTime({ exp, nbf }: Claims): string | undefined {
    const now = this.#ports.clock.now() / 1_000
    if (typeof exp !== 'number' || now > exp + leewaySeconds) return 'service account token has expired'
    if (typeof nbf === 'number' && now < nbf - leewaySeconds) return 'service account token is not valid yet'
    return undefined
  }

  #userOf(claims: Claims): UserInfo | string {
    const kubernetes = claims['kubernetes.io']
    const subject = parseServiceAccountUser(String(claims.sub))
    if (!isRecord(kubernetes) || subject === undefined) return 'service account token has no kubernetes.io claims'
    const { namespace, serviceaccount, pod, secret, node } = kubernetes
    if (!isRecord(serviceaccount) || namespace !== subject.namespace || serviceaccount.name !== subject.name) {
      return 'service account token claims do not match its subject'
    }
    const account = this.#find('serviceaccounts', `${subject.namespace}/${subject.name}`, serviceaccount.uid)
    if (typeof account === 'string') return account
    for (const [table, bound] of [
      ['pods', pod],
      ['secrets', secret],
    ] as const) {
      if (!isRecord(bound)) continue
      const found = this.#find(table, `${subject.namespace}/${String(bound.name)}`, bound.uid)
      if (typeof found === 'string') return found
    }
    if (isRecord(node) && !isRecord(pod)) {
      const found = this.#find('nodes', String(node.name), node.uid)
      if (typeof found === 'string') return found
    }
    return {
      username: String(claims.sub),
      uid: account.metadata.uid,
      groups: serviceAccountGroups(subject.namespace),
      extra: extraOf(claims, pod, node),
    }
  }

  #find(table: string, key: string, uid: unknown): Committed | string {
    const object = this.#ports.store.table(table).rows.get(key)?.object
    if (object === undefined || object.metadata.uid !== uid)
      return `service account token refers to ${table} ${key}, which is gone`
    const { deletionTimestamp } = object.metadata
    if (deletionTimestamp === undefined) return object
    const since = this.#ports.clock.now() - Date.parse(deletionTimestamp)
    return since > leewaySeconds * 1_000 ? `service account token refers to ${table} ${key}, which is being deleted` : object
  }
}

function audienceOf({ aud }: Claims): readonly string[] {
  return Array.isArray(aud) ? (aud as string[]) : typeof aud === 'string' ? [aud] : []
}

function extraOf(claims: Claims, pod: unknown, node: unknown): Record<string, readonly string[]> {
  const extra: Record<string, readonly string[]> = {}
  if (typeof claims.jti === 'string') extra['authentication.kubernetes.io/credential-id'] = [`JTI=${claims.jti}`]
  if (isRecord(node)) {
    extra['authentication.kubernetes.io/node-name'] = [node.name as string]
    if (node.uid !== undefined) extra['authentication.kubernetes.io/node-uid'] = [node.uid as string]
  }
  if (isRecord(pod)) {
    extra['authentication.kubernetes.io/pod-name'] = [pod.name as string]
    extra['authentication.kubernetes.io/pod-uid'] = [pod.uid as string]
  }
  return extra
}
