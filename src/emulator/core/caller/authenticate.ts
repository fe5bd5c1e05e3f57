// Who sent this request (§3.9): from nothing, a claimed key, or a proven signature to a principal, in three modes.
import type { Instant } from '#base'
import { checkPostPolicy } from '../../auth/post-policy.ts'
import {
  type CheckedSignature,
  type Claim,
  checkFormSignature,
  checkSignature,
  readClaim,
  type SigningKeyMemory,
  sameText,
} from '../../auth/signature.ts'
import type { SignatureMode } from '../../aws.ts'
import { ServiceError } from '../../error.ts'
import type { Ports } from '../../ports.ts'
import type { Principal } from '../../principal.ts'
import { type Family, refusal } from '../../wire/family.ts'
import type { IncomingCall } from '../incoming.ts'
import { adminAccountOf, adminKey, adminPrincipal } from './admin-keys.ts'
import { checkScope } from './check-scope.ts'

export interface AuthenticationInputs {
  readonly incoming: IncomingCall
  readonly family: Family
  readonly service: string
  /** Under which its clients sign. */
  readonly signingName: string
  readonly partition: string
  readonly mode: SignatureMode
  readonly now: Instant
  readonly seed: string
  readonly defaultAccount: string
  readonly partitions: readonly string[]
  readonly ports: (partition: string) => Pick<Ports, 'identities' | 'sessions'>
  readonly keys: SigningKeyMemory
  /** Delay after which other services know new session credentials. */
  readonly credentialsDelayMs: (accessKeyId: string) => number
  /** Whether this operation takes unsigned requests. */
  readonly unsignedAllowed: boolean
  /** Issuer fetches are anonymous in every mode. */
  readonly forceAnonymous: boolean
}

export interface Authenticated {
  readonly caller: Principal
  readonly signed: boolean
  readonly claim?: Claim
  /** Present in mode `verify`: streamed bodies go on from here. */
  readonly checked?: CheckedSignature
}

const skewMs = { s3: 15 * 60_000, other: 5 * 60_000 }

export function authenticate(inputs: AuthenticationInputs): Authenticated {
  const anonymous: Authenticated = { caller: { kind: 'anonymous' }, signed: false }
  if (inputs.forceAnonymous) return anonymous
  const { posted, raw } = inputs.incoming
  const reading = posted?.claim ?? readClaim(raw)
  if (reading.kind === 'claim') checkExpiry(reading.claim, inputs)
  if (posted?.policy !== undefined) checkPostPolicy(posted.policy, posted, inputs.now)
  if (inputs.mode === 'off') return { caller: defaultPrincipal(inputs, inputs.partition), signed: true }
  if (reading.kind === 'broken') throw refusal(inputs.family, 'incomplete signature', reading.why)
  if (reading.kind === 'none') {
    if (inputs.unsignedAllowed) return anonymous
    throw refusal(inputs.family, 'missing credentials')
  }
  const { claim } = reading
  const found = identityOf(claim, inputs)
  if (inputs.mode === 'parse') return { caller: found.caller, signed: true, claim }
  if (found.secret === undefined) throw refusal(inputs.family, 'unknown key')
  const key = inputs.keys.keyOf(found.secret, claim.scope)
  const form = posted?.policy
  const checked = form === undefined ? checkSignature(inputs.incoming.wire, claim, key) : checkFormSignature(form, claim, key)
  if (!checked.good) throw refusal(inputs.family, 'wrong signature')
  checkScope(claim, inputs)
  // A posted form has no date of its own: its policy has one.
  if (form === undefined) checkDate(claim, inputs)
  return { caller: found.caller, signed: true, claim, checked }
}

interface Identity {
  readonly caller: Principal
  /** Unknown for keys that are only accepted because signatures are not checked. */
  readonly secret: string | undefined
}

function identityOf(claim: Claim, inputs: AuthenticationInputs): Identity {
  const known = knownIdentity(claim, inputs, inputs.partition)
  if (known !== undefined) return known
  const elsewhere = inputs.partitions.some(
    partition => partition !== inputs.partition && knowsKey(claim.accessKeyId, inputs, partition),
  )
  // Keys of one partition mean nothing in another, also where strangers' keys are let in.
  if (elsewhere || inputs.mode === 'verify' || claim.accessKeyId.startsWith('ASIA')) throw refusal(inputs.family, 'unknown key')
  if (/^\d{12}$/.test(claim.accessKeyId)) return { caller: rootPrincipal(inputs.partition, claim.accessKeyId), secret: undefined }
  return { caller: defaultPrincipal(inputs, inputs.partition), secret: undefined }
}

function knownIdentity(claim: Claim, inputs: AuthenticationInputs, partition: string): Identity | undefined {
  const { accessKeyId } = claim
  const admin = adminAccountOf(inputs.seed, partition, accessKeyId)
  if (admin !== undefined)
    return {
      caller: adminPrincipal(partition, admin, accessKeyId),
      secret: adminKey(inputs.seed, partition, admin).secretAccessKey,
    }
  const { identities } = inputs.ports(partition)
  if (accessKeyId.startsWith('ASIA')) return sessionIdentity(claim, inputs, partition)
  const key = identities.userKey(accessKeyId)
  if (key === undefined) return undefined
  if (!key.active) throw refusal(inputs.family, 'unknown key')
  identities.noteKeyUse(accessKeyId, { service: inputs.service, region: claim.scope.region, atMs: inputs.now })
  return { caller: key.user, secret: key.secretAccessKey }
}

function sessionIdentity(claim: Claim, inputs: AuthenticationInputs, partition: string): Identity | undefined {
  const ports = inputs.ports(partition)
  const session = ports.sessions.find(claim.accessKeyId)
  if (session === undefined) return undefined
  const { principal } = session
  if (!sameText(session.sessionToken, claim.sessionToken ?? '')) throw refusal(inputs.family, 'unknown key')
  if (principal.expiresAtMs <= inputs.now) throw refusal(inputs.family, 'expired session')
  const knownFromMs = principal.issuedAtMs + inputs.credentialsDelayMs(claim.accessKeyId)
  if (inputs.service !== 'sts' && knownFromMs > inputs.now) throw refusal(inputs.family, 'unknown key')
  if (principal.kind === 'session' && !ports.identities.roleLives(principal.roleArn, principal.roleId))
    throw refusal(inputs.family, 'unknown key')
  return { caller: principal, secret: session.secretAccessKey }
}

function knowsKey(accessKeyId: string, inputs: AuthenticationInputs, partition: string): boolean {
  if (adminAccountOf(inputs.seed, partition, accessKeyId) !== undefined) return true
  const ports = inputs.ports(partition)
  return ports.sessions.find(accessKeyId) !== undefined || ports.identities.userKey(accessKeyId) !== undefined
}

/** An address that was signed beforehand is dead after its time, whatever else is checked: who hands one out relies on that. */
function checkExpiry({ signedAtMs, expiresS }: Claim, { now, family }: AuthenticationInputs): void {
  if (expiresS === undefined || signedAtMs + expiresS * 1_000 >= now) return
  if (family !== 's3') throw refusal(family, 'wrong date')
  const time = (at: Instant): string => `${new Date(at).toISOString().slice(0, 19)}Z`
  throw new ServiceError('AccessDenied', 403, 'Request has expired', {
    'X-Amz-Expires': String(expiresS),
    Expires: time(signedAtMs + expiresS * 1_000),
    ServerTime: time(now),
  })
}

function checkDate(claim: Claim, { now, family }: AuthenticationInputs): void {
  if (claim.expiresS !== undefined) return
  const allowedMs = family === 's3' ? skewMs.s3 : skewMs.other
  if (Math.abs(now - claim.signedAtMs) <= allowedMs) return
  if (family === 's3') throw refusal(family, 'wrong date')
  const early = claim.signedAtMs > now
  const detail = `${claim.timestamp} is now ${early ? 'later' : 'earlier'} than ${basicTime(early ? now + allowedMs : now - allowedMs)} (${basicTime(now)} ${early ? '+' : '-'} 5 min.)`
  throw refusal(family, 'wrong date', `Signature ${early ? 'not yet current' : 'expired'}: ${detail}`)
}

function basicTime(at: Instant): string {
  return `${new Date(at).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`
}

function defaultPrincipal({ seed, defaultAccount }: AuthenticationInputs, partition: string): Principal {
  return adminPrincipal(partition, defaultAccount, adminKey(seed, partition, defaultAccount).accessKeyId)
}

export function rootPrincipal(partition: string, account: string): Principal {
  return { kind: 'root', partition, account, arn: `arn:${partition}:iam::${account}:root`, userId: account, accessKeyId: account }
}
