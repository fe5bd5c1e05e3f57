// Why there are no credentials: one word from a closed list, words for people, and what was known of the way when it ended. Never a token
// or a key: what a server said stands in the cause, and servers repeat what they were sent.
import { redactText } from '#base'
import type { ObjectKey } from '#kube'

export type RemoteReason =
  | 'InvalidOptions'
  | 'ConfigNotFound'
  | 'UnsupportedDeliveryType'
  | 'ConfigNotReady'
  | 'RoleNotFound'
  | 'MultipleRoles'
  | 'RoleServiceAccountMismatch'
  | 'RoleARNNotReady'
  | 'RegionNotReady'
  | 'MissingInventoryAccess'
  | 'MultipleClusterProfiles'
  | 'RemoteTokenRequestForbidden'
  | 'RemoteTokenRequestFailed'
  | 'STSAccessDenied'
  | 'ExpiredOrInvalidToken'
  | 'STSAssumeRoleWithWebIdentityFailed'
  | 'STSCredentialsUnavailable'

/** Whether the same question may be answered later without anybody changing what was asked. */
export const isTemporaryReason: Readonly<Record<RemoteReason, boolean>> = {
  InvalidOptions: false,
  ConfigNotFound: false,
  UnsupportedDeliveryType: false,
  ConfigNotReady: true,
  RoleNotFound: false,
  MultipleRoles: false,
  RoleServiceAccountMismatch: false,
  RoleARNNotReady: true,
  RegionNotReady: true,
  MissingInventoryAccess: true,
  MultipleClusterProfiles: false,
  RemoteTokenRequestForbidden: true,
  RemoteTokenRequestFailed: true,
  STSAccessDenied: true,
  ExpiredOrInvalidToken: true,
  STSAssumeRoleWithWebIdentityFailed: true,
  STSCredentialsUnavailable: true,
}

/** What is known of the way from the hub to the role, by the time at which it ended. */
export interface RemoteWay {
  readonly workloadNamespace?: string
  readonly serviceAccount?: ObjectKey
  readonly role?: ObjectKey
  readonly clusterProfile?: ObjectKey
  readonly provider?: string
}

/** Every failure of a remote provider is one of these; `message` is its whole text. */
export class RemoteCredentialsError extends Error {
  readonly reason: RemoteReason
  /** What is wrong, without the way and the cause. */
  readonly detail: string
  readonly way: RemoteWay

  constructor(reason: RemoteReason, detail: string, more: { readonly way?: RemoteWay; readonly cause?: unknown } = {}) {
    const { way = {}, cause } = more
    super(textOf(reason, detail, { way, cause }), cause === undefined ? undefined : { cause: withoutSecrets(cause) })
    this.name = 'RemoteCredentialsError'
    this.reason = reason
    this.detail = detail
    this.way = way
  }

  /** Whether trying again later may help. */
  get isTemporary(): boolean {
    return isTemporaryReason[this.reason]
  }
}

/** An error that wraps itself would never end; nobody wraps this often. */
const causesMax = 32

/** The reason that an error, or one that caused it, carries. */
export function remoteReasonOf(error: unknown): RemoteReason | undefined {
  let next = error
  for (let depth = 0; next instanceof Error && depth < causesMax; depth++) {
    if (next instanceof RemoteCredentialsError) return next.reason
    next = next.cause
  }
  return undefined
}

/** An error without a reason is not temporary. */
export function isTemporary(error: unknown): boolean {
  const reason = remoteReasonOf(error)
  return reason !== undefined && isTemporaryReason[reason]
}

function textOf(reason: RemoteReason, detail: string, { way, cause }: { way: RemoteWay; cause?: unknown }): string {
  const known = fieldsOf(way)
  const place = known.length === 0 ? '' : ` (${known.join(' ')})`
  return `remoteirsa ${reason}: ${detail}${place}${wordsOf(cause)}`
}

/** What is thrown need not be an error. */
function wordsOf(cause: unknown): string {
  if (cause instanceof Error) return `: ${redactText(cause.message)}`
  return typeof cause === 'string' ? `: ${redactText(cause)}` : ''
}

/** The cause as it is; where it, or what it was caused by, holds a secret, its words alone: loggers print all that hangs on an error. */
function withoutSecrets(cause: unknown): unknown {
  if (!holdsSecret(cause, 0)) return cause
  const safe = new Error(wordsOf(cause).slice(2))
  if (cause instanceof Error) safe.name = redactText(cause.name)
  return safe
}

/** What lies deeper is not looked at, and so not kept. */
const depthMax = 8

function holdsSecret(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return redactText(value) !== value
  if (typeof value !== 'object' || value === null) return false
  if (depth >= depthMax) return true
  return Object.getOwnPropertyNames(value).some(name => holdsSecret(Reflect.get(value, name), depth + 1))
}

function fieldsOf({ workloadNamespace, serviceAccount, role, clusterProfile, provider }: RemoteWay): readonly string[] {
  const nameOf = (key: ObjectKey | undefined): string | undefined =>
    key === undefined ? undefined : `${key.namespace}/${key.name}`
  const fields = {
    workloadNamespace,
    serviceAccount: nameOf(serviceAccount),
    role: nameOf(role),
    clusterProfile: nameOf(clusterProfile),
    provider,
  }
  return Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]))
}
