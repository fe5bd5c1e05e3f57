// Tries what the operand will do, with its own credentials: who it is, whether it may assume its roles, and which zones it can read. What is
// obtained is used for these reads and thrown away.
import { createHash } from 'node:crypto'
import type { AwsError } from '#aws'
import { assumedRole, CredentialsError, type CredentialsProvider, stsClient } from '#aws/client'
import { given } from '#base'
import type { Condition } from '#kube'
import { roleNameOf } from '../findings/sanitize.ts'
import { baseCredentials } from './base-credentials.ts'
import { refusalOf, wordsOf } from './refusal.ts'
import { say } from './say.ts'
import type { Tried, TryAccessOptions } from './try-options.ts'
import { tryZones } from './try-zones.ts'

export async function tryAccess(options: TryAccessOptions): Promise<Tried> {
  const base = await baseCredentials(options)
  if (base.kind === 'inside') return { conditions: unknown('the credentials can only be tried from within the pod') }
  if (base.kind === 'flawed') return { conditions: [say('CredentialsValid', 'False', 'InvalidSecret', base.message)] }
  const identity = await tryIdentity(base.credentials, options)
  if ('condition' in identity) return { conditions: [identity.condition] }
  const valid = say('CredentialsValid', 'True', 'Accepted', 'AWS accepts the credentials.')
  const known = { callerArnHash: createHash('sha256').update(identity.arn).digest('hex').slice(0, 16) }
  const roles = await tryRoles(base.credentials, options)
  if (roles.credentials === undefined) return { conditions: [valid, roles.condition], ...known }
  const zones = await tryZones({ callerArn: identity.arn, ...roles, credentials: roles.credentials }, options)
  const { assumed } = roles
  return {
    conditions: [valid, roles.condition, zones.condition],
    ...known,
    ...(assumed === undefined ? {} : { assumedRole: roleNameOf(assumed) }),
    ...given({ found: zones.found }),
  }
}

export function unknown(message: string): readonly Condition[] {
  return ['CredentialsValid', 'RoleAssumable', 'ZonesAccessible'].map(type => say(type, 'Unknown', 'NotChecked', message))
}

async function tryIdentity(
  base: CredentialsProvider,
  options: TryAccessOptions,
): Promise<{ readonly arn: string } | { readonly condition: Condition }> {
  try {
    const { Arn } = await stsClient(options, base).call('GetCallerIdentity', {}, { signal: options.signal })
    return { arn: typeof Arn === 'string' ? Arn : '' }
  } catch (error) {
    if (error instanceof CredentialsError) return { condition: say('CredentialsValid', 'False', 'InvalidSecret', wordsOf(error)) }
    return { condition: refusedIdentity(refusalOf(error), options) }
  }
}

/** A token that STS takes and a role that does not trust it is trouble of the role. */
function refusedIdentity(error: AwsError, { identity }: TryAccessOptions): Condition {
  if (identity.kind === 'web-identity' && error.code === 'AccessDenied') {
    const hint =
      'it has to exist, and its trust policy has to name the issuer, the audience and the ServiceAccount of the operand'
    const message = `The role ${roleNameOf(identity.roleArn)} cannot be assumed with a token of the operand: ${hint}.`
    return say('RoleAssumable', 'False', 'TrustPolicyMismatch', message)
  }
  return say('CredentialsValid', 'False', invalidReason(error.code), wordsOf(error))
}

function invalidReason(code: string): string {
  if (/Expired/.test(code)) return 'ExpiredToken'
  return /Signature/.test(code) ? 'SignatureMismatch' : 'InvalidClientToken'
}

interface RolesTried {
  readonly condition: Condition
  /** Undefined where a role cannot be assumed. */
  readonly credentials: CredentialsProvider | undefined
  /** By zone, where one has a role of its own. */
  readonly ofZones: Readonly<Record<string, CredentialsProvider>>
  readonly assumed: string | undefined
}

/** The role of the object, and those of single zones. */
async function tryRoles(base: CredentialsProvider, options: TryAccessOptions): Promise<RolesTried> {
  const { arn, externalID } = options.aws.assumeRole ?? {}
  const whole = arn === undefined ? undefined : await tryRole(base, { arn, externalID }, options)
  const none = say('RoleAssumable', 'True', 'NoRole', 'No role is assumed.')
  let condition = whole?.condition ?? none
  const ofZones: Record<string, CredentialsProvider> = {}
  for (const [zone, roleArn] of Object.entries(options.zoneRoles)) {
    const tried = await tryRole(base, { arn: roleArn }, options)
    if (condition.status === 'True') condition = tried.condition
    if (tried.credentials !== undefined) ofZones[zone] = tried.credentials
  }
  const credentials = condition.status === 'True' ? (whole?.credentials ?? base) : undefined
  return { condition, credentials, ofZones, assumed: arn ?? Object.values(options.zoneRoles)[0] }
}

interface RoleWish {
  readonly arn: string
  readonly externalID?: string | undefined
}

interface RoleTried {
  readonly condition: Condition
  readonly credentials?: CredentialsProvider
}

async function tryRole(base: CredentialsProvider, { arn, externalID }: RoleWish, options: TryAccessOptions): Promise<RoleTried> {
  const request = { roleArn: arn, sessionName: 'external-dns-preflight', durationSeconds: 900, externalId: externalID }
  const credentials = assumedRole(base, request, options)
  try {
    await credentials.get(options.signal)
    return { condition: say('RoleAssumable', 'True', 'Assumed', `The role ${roleNameOf(arn)} can be assumed.`), credentials }
  } catch (error) {
    refusalOf(error)
    const hint =
      externalID === undefined
        ? 'it has to exist, its trust policy has to name the credentials, and these need the right sts:AssumeRole'
        : 'it has to exist, and its trust policy has to ask for this very external id and to name the credentials'
    const reason = externalID === undefined ? 'AccessDenied' : 'ExternalIDMismatch'
    return { condition: say('RoleAssumable', 'False', reason, `The role ${roleNameOf(arn)} cannot be assumed: ${hint}.`) }
  }
}
