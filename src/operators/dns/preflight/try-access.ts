// Tries what the operand will do, with its own credentials: who it is, whether it may assume its role, and which zones it can read. What is
// obtained is used for these reads and thrown away.
import { createHash } from 'node:crypto'
import { AwsError, serviceModel } from '#aws'
import {
  type AwsClient,
  assumedRole,
  CredentialsError,
  type CredentialsProvider,
  createAwsClient,
  profileCredentials,
  readProfiles,
  type StsOptions,
  stsClient,
} from '#aws/client'
import type { Condition, ConditionStatus } from '#kube'
import type { AwsSpec } from '../api/spec.ts'
import { roleNameOf, sanitize } from '../findings/sanitize.ts'

export interface TryAccessOptions extends StsOptions {
  readonly aws: AwsSpec
  readonly zones: readonly string[]
  /** The shared credentials file of the operand. */
  readonly file: Uint8Array
  /** For files that name a role and a token: of the operand's ServiceAccount. */
  requestToken(): Promise<string>
  readonly signal: AbortSignal
}

export interface Tried {
  readonly conditions: readonly Condition[]
  readonly callerArnHash?: string
  readonly assumedRole?: string
}

/** What AWS said does not tell: the conditions stay as they are. */
export class Undecided extends Error {}

const say = (type: string, status: ConditionStatus, reason: string, message: string): Condition => ({
  type,
  status,
  reason,
  message,
})

export async function tryAccess(options: TryAccessOptions): Promise<Tried> {
  const base = await baseCredentials(options)
  if (base === undefined) return { conditions: unknown('the credentials can only be tried from within the pod') }
  const identity = await tryIdentity(base, options)
  if ('condition' in identity) return { conditions: [identity.condition] }
  const valid = say('CredentialsValid', 'True', 'Accepted', 'AWS accepts the credentials.')
  const role = await tryRole(base, options)
  const known = { callerArnHash: createHash('sha256').update(identity.arn).digest('hex').slice(0, 16) }
  if (role.credentials === undefined) return { conditions: [valid, role.condition], ...known }
  const zones = await tryZones(role.credentials, options)
  const { arn } = options.aws.assumeRole ?? {}
  return {
    conditions: [valid, role.condition, zones],
    ...known,
    ...(arn === undefined ? {} : { assumedRole: roleNameOf(arn) }),
  }
}

export function unknown(message: string): readonly Condition[] {
  return ['CredentialsValid', 'RoleAssumable', 'ZonesAccessible'].map(type => say(type, 'Unknown', 'NotChecked', message))
}

const path = '/credentials'

/** As the operand reads its file; undefined for ways that would be the operator's own here. */
async function baseCredentials(options: TryAccessOptions): Promise<CredentialsProvider | undefined> {
  const files = {
    read: async (name: string) => (name === path ? options.file : Buffer.from(await options.requestToken())),
  }
  const env = { AWS_SHARED_CREDENTIALS_FILE: path, AWS_CONFIG_FILE: '' }
  const profiles = await readProfiles({ env, files })
  const isOwn = [...profiles.values()].some(section => 'credential_source' in section || 'credential_process' in section)
  if (isOwn) return undefined
  const { transport, clock, random, region, endpoint } = options
  return profileCredentials('default', { env, files, transport, clock, random, region, stsEndpoint: endpoint })
}

async function tryIdentity(
  base: CredentialsProvider,
  options: TryAccessOptions,
): Promise<{ readonly arn: string } | { readonly condition: Condition }> {
  try {
    const { Arn } = await stsClient(options, base).call('GetCallerIdentity', {}, { signal: options.signal })
    return { arn: typeof Arn === 'string' ? Arn : '' }
  } catch (error) {
    return { condition: say('CredentialsValid', 'False', invalidReason(error), wordsOf(error)) }
  }
}

function invalidReason(error: unknown): string {
  if (error instanceof CredentialsError) return 'InvalidSecret'
  const { code } = refusalOf(error)
  if (/Expired/.test(code)) return 'ExpiredToken'
  return /Signature/.test(code) ? 'SignatureMismatch' : 'InvalidClientToken'
}

/** Throttling and outages decide nothing; neither does anything that is no refusal. */
function refusalOf(error: unknown): AwsError {
  if (!(error instanceof AwsError)) throw new Undecided('AWS gave no answer', { cause: error })
  if ((error.httpStatus ?? 500) >= 500 || /Throttl|TooManyRequests|SlowDown|RequestLimit/i.test(error.code))
    throw new Undecided('AWS asks for patience', { cause: error })
  return error
}

function wordsOf(error: unknown): string {
  return sanitize(error instanceof Error ? error.message : String(error)).slice(0, 500)
}

interface RoleTried {
  readonly condition: Condition
  readonly credentials?: CredentialsProvider
}

async function tryRole(base: CredentialsProvider, options: TryAccessOptions): Promise<RoleTried> {
  const { arn: roleArn, externalID } = options.aws.assumeRole ?? {}
  if (roleArn === undefined)
    return { condition: say('RoleAssumable', 'True', 'NoRole', 'No role is assumed.'), credentials: base }
  const request = { roleArn, sessionName: 'external-dns-preflight', durationSeconds: 900, externalId: externalID }
  const credentials = assumedRole(base, request, options)
  try {
    await credentials.get(options.signal)
    return { condition: say('RoleAssumable', 'True', 'Assumed', `The role ${roleNameOf(roleArn)} can be assumed.`), credentials }
  } catch (error) {
    refusalOf(error)
    const hint =
      externalID === undefined
        ? 'its trust policy has to name the credentials, and these need the right sts:AssumeRole'
        : 'its trust policy has to ask for this very external id and to name the credentials'
    const reason = externalID === undefined ? 'AccessDenied' : 'ExternalIDMismatch'
    return { condition: say('RoleAssumable', 'False', reason, `The role ${roleNameOf(roleArn)} cannot be assumed: ${hint}.`) }
  }
}

async function tryZones(credentials: CredentialsProvider, options: TryAccessOptions): Promise<Condition> {
  const type = 'ZonesAccessible'
  const route53 = route53Client(credentials, options)
  const who = options.aws.assumeRole === undefined ? 'the credentials are' : 'assumed role is'
  let action = 'route53:ListHostedZones'
  try {
    const { HostedZones: found } = await route53.call('ListHostedZones', { MaxItems: 1 }, { signal: options.signal })
    if (Array.isArray(found) && found.length === 0) return say(type, 'False', 'NoZonesFound', 'The account has no hosted zone.')
    action = 'route53:ListResourceRecordSets'
    for (const zone of options.zones) {
      const input = { HostedZoneId: zone.replace('/hostedzone/', ''), MaxItems: 1 }
      await route53.call('ListResourceRecordSets', input, { signal: options.signal })
    }
    return say(type, 'True', 'Readable', 'The zones can be read.')
  } catch (error) {
    const { code } = refusalOf(error)
    if (code === 'NoSuchHostedZone') return say(type, 'False', code, wordsOf(error))
    return say(type, 'False', 'AccessDenied', `${who} not allowed to perform ${action}`)
  }
}

function route53Client(credentials: CredentialsProvider, options: TryAccessOptions): AwsClient {
  const model = serviceModel('route53')
  const endpoint = options.endpointOf?.(model) ?? options.endpoint
  return createAwsClient({ ...options, model, credentials, endpoint })
}
