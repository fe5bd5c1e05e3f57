// Whether the zones of an object can be read, and which they are where they are looked for.
import { serviceModel } from '#aws'
import { type AwsClient, type CredentialsProvider, createAwsClient } from '#aws/client'
import { given } from '#base'
import type { Condition } from '#kube'
import { agree, allZones, findZones, type KnownZones, zonesMax } from '../zones/find-zones.ts'
import { refusalOf } from './refusal.ts'
import { say } from './say.ts'
import { changeAction, mayChange, principalOf } from './simulate.ts'
import type { TryAccessOptions } from './try-options.ts'

/** With whose credentials. */
export interface ZoneAccess {
  readonly credentials: CredentialsProvider
  /** By zone, where one has a role of its own. */
  readonly ofZones: Readonly<Record<string, CredentialsProvider>>
  readonly assumed: string | undefined
  readonly callerArn: string
}

export interface ZonesTried {
  readonly condition: Condition
  readonly found?: KnownZones
}

const type = 'ZonesAccessible'

export async function tryZones(access: ZoneAccess, options: TryAccessOptions): Promise<ZonesTried> {
  const route53 = awsClient('route53', access.credentials, options)
  try {
    const looked = await lookForZones(route53, options)
    if ('condition' in looked) return looked
    const zones = looked.found?.zones ?? options.zones
    const unread = await readZones(access, zones, options)
    const condition =
      unread ?? (await simulated(access, zones, options)) ?? say(type, 'True', 'Readable', 'The zones can be read.')
    return { condition, ...given({ found: looked.found }) }
  } catch (error) {
    return { condition: denied(access, actionOf(error) ?? 'route53:ListHostedZones', error) }
  }
}

type Looked = { readonly found?: KnownZones } | { readonly condition: Condition; readonly found?: KnownZones }

async function lookForZones(route53: AwsClient, { discovery, signal }: TryAccessOptions): Promise<Looked> {
  if (discovery === undefined) {
    const { HostedZones } = await route53.call('ListHostedZones', { MaxItems: 1 }, { signal })
    const isEmpty = Array.isArray(HostedZones) && HostedZones.length === 0
    return isEmpty ? { condition: say(type, 'False', 'NoZonesFound', 'The account has no hosted zone.') } : {}
  }
  const seen = await findZones(route53, discovery, signal)
  const message = `${seen.length} zones fit the domains, and an object has at most ${zonesMax}: name domains, zoneType or zoneTags so that fewer fit, or the zones themselves.`
  // What is written stays what it is: which of them to leave out is nobody's to guess.
  if (seen.length > zonesMax) return { condition: say(type, 'False', 'TooManyZones', message) }
  const found = agree(discovery.known, seen)
  if (found.zones.length > 0) return { found: { ...found, zones: found.zones.slice(0, zonesMax) } }
  return { found, condition: say(type, 'False', 'NoZonesFound', 'No hosted zone fits the domains.') }
}

/** The first that cannot be read. */
async function readZones(
  access: ZoneAccess,
  zones: readonly string[],
  options: TryAccessOptions,
): Promise<Condition | undefined> {
  for (const zone of zones) {
    const client = awsClient('route53', access.ofZones[zone] ?? access.credentials, options)
    try {
      if (!(await canRead(client, zone.replace('/hostedzone/', ''), options.signal)))
        return say(type, 'False', 'NoSuchHostedZone', `The zone ${zone} does not exist in the account.`)
    } catch (error) {
      return denied(access, 'route53:ListResourceRecordSets', error)
    }
  }
  return undefined
}

/** A part of an id means every zone whose id ends with it, as the operand has it. */
async function canRead(route53: AwsClient, zone: string, signal: AbortSignal): Promise<boolean> {
  const isWhole = /^Z[A-Z0-9]{7,}$/.test(zone)
  const ids = isWhole ? [zone] : (await allZones(route53, signal)).map(({ id }) => id).filter(id => id.endsWith(zone))
  try {
    for (const HostedZoneId of ids) await route53.call('ListResourceRecordSets', { HostedZoneId, MaxItems: 1 }, { signal })
    return ids.length > 0
  } catch (error) {
    if (refusalOf(error).code === 'NoSuchHostedZone') return false
    throw error
  }
}

async function simulated(
  access: ZoneAccess,
  zones: readonly string[],
  options: TryAccessOptions,
): Promise<Condition | undefined> {
  if (!options.simulates) return undefined
  const iam = awsClient('iam', access.credentials, options)
  const principalArn = options.aws.assumeRole?.arn ?? principalOf(access.callerArn)
  const may = await mayChange({ iam, principalArn, zones, signal: options.signal })
  return may === false ? denied(access, changeAction) : undefined
}

function denied({ assumed }: Pick<ZoneAccess, 'assumed'>, action: string, error?: unknown): Condition {
  if (error !== undefined) refusalOf(error)
  const who = assumed === undefined ? 'the credentials are' : 'assumed role is'
  return say(type, 'False', 'AccessDenied', `${who} not allowed to perform ${actionOf(error) ?? action}`)
}

/** Which right is missing, where AWS names it. */
function actionOf(error: unknown): string | undefined {
  return error instanceof Error ? /not authorized to perform: ([\w:]+)/.exec(error.message)?.[1] : undefined
}

function awsClient(service: 'route53' | 'iam', credentials: CredentialsProvider, options: TryAccessOptions): AwsClient {
  const model = serviceModel(service)
  const endpoint = options.endpointOf?.(model) ?? options.endpoint
  return createAwsClient({ ...options, model, credentials, endpoint })
}
