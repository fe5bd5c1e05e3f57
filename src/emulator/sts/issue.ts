// Making a session (§6.2 steps 3 and 4, §4.5): durations, session policies and their packed size, tags, and the credentials.

import { deflateRawSync } from 'node:zlib'
import { limits } from '#aws'
import { checkSessionDocument } from '../iam/documents.ts'
import type { IssuedCredentials, RoleView } from '../ports.ts'
import type { SessionPrincipal } from '../principal.ts'
import type { Context } from '../service.ts'
import { drawText } from '../state/hash-random.ts'
import { packedTooLarge, validationError } from './errors.ts'
import { forgetAfterMs, type StsState, withSession } from './model.ts'

export interface SessionRequest {
  readonly role: RoleView
  readonly sessionName: string
  readonly durationS: number
  readonly policy: string | undefined
  readonly policyArns: readonly string[]
  readonly tags: Readonly<Record<string, string>>
  readonly transitiveTagKeys: readonly string[]
  readonly sourceIdentity: string | undefined
  readonly federatedProvider: string | undefined
}

const chainedDurationMaxS = 3_600
const sessionPolicySizeMax = limits['sts/session-policy-characters'].value
/** AWS publishes no limit for the packed form; this one is ours (§4.5). */
const packedSizeMax = 1_200

export function checkDuration(role: RoleView, durationS: number, chained: boolean): void {
  if (chained && durationS > chainedDurationMaxS) {
    throw validationError('The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining')
  }
  if (durationS > role.maxSessionDurationS)
    throw validationError('The requested DurationSeconds exceeds the MaxSessionDuration set for this role.')
}

/** The packed size in percent; refuses policies that are malformed, missing or too large. */
export function checkSessionPolicies(
  context: Context<StsState>,
  request: Pick<SessionRequest, 'policy' | 'policyArns' | 'tags' | 'role'>,
): number {
  const { policy, policyArns, tags, role } = request
  if (policy !== undefined) checkSessionDocument(policy, context.partition)
  const plain = (policy?.length ?? 0) + policyArns.reduce((sum, arn) => sum + arn.length, 0)
  if (plain > sessionPolicySizeMax)
    throw validationError(`The session policies together must have length less than or equal to ${sessionPolicySizeMax}`)
  const missing = policyArns.find(arn => context.ports.identities.managedPolicy(role.account, arn) === undefined)
  if (missing !== undefined) throw validationError(`Policy ${missing} does not exist or is not attachable.`)
  if (policy === undefined && policyArns.length === 0 && Object.keys(tags).length === 0) return 0
  const packed = deflateRawSync(JSON.stringify([policy ?? '', policyArns, tags])).length
  const percent = Math.ceil((packed / packedSizeMax) * 100)
  if (percent > 100) throw packedTooLarge(percent)
  return percent
}

const keyAlphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
/** Tokens are opaque, but shall hold what careless clients forget to encode. */
const tokenPrefix = 'IQoJb3JpZ2luX2Vj+/'
/** Makes a token of over 300 characters that ends in padding. */
const tokenBytes = 256

export function newCredentials(
  context: Context<StsState>,
): Pick<IssuedCredentials, 'accessKeyId' | 'secretAccessKey' | 'sessionToken'> {
  const random = context.random(`session/${context.serial()}`)
  return {
    accessKeyId: `ASIA${drawText(random, keyAlphabet, 16)}`,
    secretAccessKey: Buffer.from(random.bytes(30)).toString('base64'),
    sessionToken: `${tokenPrefix}${Buffer.from(random.bytes(tokenBytes)).toString('base64')}`,
  }
}

export function issueSession(context: Context<StsState>, request: SessionRequest): IssuedCredentials {
  const { role, sessionName, durationS } = request
  const credentials = newCredentials(context)
  const expiresAtMs = context.now + durationS * 1_000
  const session: SessionPrincipal = {
    kind: 'session',
    partition: context.partition,
    account: role.account,
    arn: `arn:${context.partition}:sts::${role.account}:assumed-role/${role.name}/${sessionName}`,
    userId: `${role.id}:${sessionName}`,
    accessKeyId: credentials.accessKeyId,
    roleName: role.name,
    roleArn: role.arn,
    roleId: role.id,
    sessionName,
    issuedAtMs: context.now,
    expiresAtMs,
    policy: request.policy,
    policyArns: request.policyArns,
    tags: request.tags,
    transitiveTagKeys: request.transitiveTagKeys,
    sourceIdentity: request.sourceIdentity,
    federatedProvider: request.federatedProvider,
  }
  keepSession(context, { ...credentials, principal: session })
  context.ports.identities.noteRoleUse(role, { region: context.region, atMs: context.now })
  return { ...credentials, expiresAtMs, session }
}

export function keepSession(context: Context<StsState>, session: Parameters<typeof withSession>[1]): void {
  const state = context.store.get()
  if (state.sessions.size === 0)
    context.schedule({ kind: 'sweep', id: 'sessions', atMs: session.principal.expiresAtMs + forgetAfterMs, class: 'limit' })
  context.store.set(withSession(state, session))
}
