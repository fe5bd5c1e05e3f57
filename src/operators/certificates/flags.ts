// The flags of the certificate operator. Each has a form in the environment, `CERT_OPERATOR_` and its name in capitals; a flag wins.
import { type AwsChoices, awsFlagGroup, readAwsFlags, readEndpoint } from '#aws/client'
import { commaList, FlagError, type FlagGroup, type FlagValues, flagOf, parseDuration, type Seams } from '#base'
import type { ProcessChoices } from '#runtime'
import { type CertSettings, settingsDefault } from './cert/settings.ts'
import type { LayerOptions } from './create-operator.ts'
import { mergeZones, parseZonePairs, ZoneError } from './zones/parse-zones.ts'
import type { RegisteredZone } from './zones/registry.ts'

const { text, boolean, integer } = flagOf

export const flagGroups: readonly FlagGroup[] = [
  {
    title: 'Certificates',
    flags: [
      text(
        'dns-zones',
        '',
        'hosted zones of certificates, name:id, separated by commas; the first is the default (required unless the file has some)',
      ),
      text(
        'zone-config-file',
        '',
        'YAML with further zones, each with name, id, assumeRoleArn, externalId, accountAlias, private; followed while it runs',
      ),
      boolean('allow-cross-zone-sans', true, 'let the names of one certificate lie in several zones'),
      text('cluster-id', '', 'name of this cluster in the marks of certificates; required when two clusters share an account'),
      text('namespaces', '', 'only Certs of these namespaces, separated by commas'),
      boolean('webhook-enabled', true, 'serve the webhook that refuses wrong Certs'),
      boolean('webhook-fail-closed', true, 'refuse Certs that could not be checked, instead of letting them through'),
      boolean('dry-run', false, 'say what would be done, and do nothing in AWS'),
      text('aws-endpoint-url', '', 'endpoint of ACM and Route 53 instead of their own'),
      integer('max-requests-per-day', 200, 'certificates that are requested in a day (UTC) at most'),
      boolean(
        'share-requests',
        true,
        'let no namespace have more of the requests of a day than it leaves to the others, and keep a tenth for certificates at their end',
      ),
      boolean('private-ca-any-name', false, 'let certificates of private authorities have names outside the zones'),
      text('validation-timeout', '72h', 'how long ACM may take to validate; at most 72h'),
      text(
        'validation-dns-servers',
        '',
        'name servers that are asked whether the world sees a validation record: addresses separated by commas, or "system" for those of the machine; nobody is asked without it',
      ),
      text('validation-record-cleanup', 'IfUnreferenced', 'validation records of deleted certificates: IfUnreferenced or Never'),
      text(
        'record-reference-regions',
        '',
        'further regions whose certificates may need a validation record, separated by commas',
      ),
      boolean('overwrite-conflicting-records', false, 'overwrite CNAMEs of others that stand where a validation record must be'),
      boolean('delete-failed-requests', true, 'delete certificates that failed once another one is requested'),
      boolean('proactive-reissue', false, 'request another certificate for one that ACM will not renew'),
      boolean('enable-publishing', false, 'write ARNs into the Ingresses, Services, Gateways and ConfigMaps that Certs name'),
      boolean('enable-cert-policy', false, 'ask the CertPolicies of the cluster whether a namespace may have a certificate'),
      boolean(
        'enable-export',
        false,
        'write certificates and keys into the Secrets that Certs name, in the namespaces of --export-namespaces',
      ),
      text(
        'export-namespaces',
        '',
        'namespaces into whose Secrets keys may be written, separated by commas; with --enable-export',
      ),
      text('monitoring', 'none', 'what the manifests bring besides: none, or prometheus for alert rules and a dashboard'),
      integer('metrics-expiry-threshold', 90, 'days before its end from which a certificate has a series of its own'),
      integer('metrics-max-tracked', 1_000, 'certificates that have one at most: those that end soonest; 5000 at most'),
    ],
  },
  {
    title: 'Certificates: how often they are looked at',
    flags: [
      text('pending-base-interval', '30s', 'first wait in the state Pending'),
      text('pending-max-interval', '5m', 'longest wait in the state Pending'),
      text('created-base-interval', '1m', 'first wait in the state Created'),
      text('created-max-interval', '10m', 'longest wait in the state Created'),
      text('validated-interval', '5m', 'wait in the state Validated'),
      text('ready-interval', '1h', 'wait in the state Ready'),
      text('failed-interval', '5m', 'wait in the state Failed'),
    ],
  },
  {
    title: 'Certificates: how AWS is called',
    flags: [
      text('acm-rate-limit', '5', 'calls of ACM a second'),
      integer('acm-burst', 10, 'calls of ACM at once'),
      text('route53-rate-limit', '3', 'calls of Route 53 a second and hosted zone'),
      integer('route53-burst', 5, 'calls of Route 53 at once and hosted zone'),
      text('route53-account-rate-limit', '0', 'calls of Route 53 a second of an account; 0 for no limit of our own'),
      text('aws-default-timeout', '30s', 'longest time of one call'),
      integer('throttle-max-retries', 5, 'further tries of a call that AWS throttles'),
      text('throttle-base-delay', '1s', 'first wait between them'),
      text('throttle-max-delay', '30s', 'longest wait between them'),
      text('throttle-jitter', '0.2', 'width of the band around each wait'),
      boolean('breaker-enabled', true, 'keep calls away from a service that does not answer'),
      integer('breaker-failures', 5, 'failures in a row that open it'),
      text('breaker-window', '60s', 'time over which failures are counted'),
      text('breaker-ratio', '0.5', 'share of failures that opens it'),
      integer('breaker-min-calls', 20, 'calls in the window before the share counts'),
      text('breaker-open', '30s', 'how long it stays open at first'),
      text('breaker-max-open', '5m', 'how long it stays open at most'),
      text('cache-ttl', '5m', 'how long an answer about an issued certificate is believed; 0 for never'),
      integer('cache-max-size', 1_000, 'answers that are remembered'),
    ],
  },
  awsFlagGroup,
]

export interface CertificateSettings {
  /** Of the flag; the file may have more. */
  readonly zones: readonly RegisteredZone[]
  readonly zoneFile: string | undefined
  readonly allowsCrossZone: boolean
  readonly namespaces: readonly string[] | undefined
  readonly servesWebhook: boolean
  readonly failsClosed: boolean
  readonly cert: CertSettings
  /** `undefined`: no key leaves ACM. */
  readonly exportNamespaces: readonly string[] | undefined
  /** For manifests alone. */
  readonly monitoring: 'none' | 'prometheus'
  readonly telemetry: { readonly thresholdDays: number; readonly trackedMax: number }
  readonly layers: Omit<LayerOptions, 'metrics'>
  readonly referenceRegions: readonly string[]
  /** None: those of the machine. `undefined`: the DNS is not asked. */
  readonly dnsServers: readonly string[] | undefined
  readonly timeoutMs: number
  readonly workers: number
  readonly aws: AwsChoices
  readonly endpoint: string | undefined
}

/** Throws `FlagError` with the flag and what it takes. */
export function readCertificateFlags(given: FlagValues, { workers, env }: ProcessChoices): CertificateSettings {
  const values = withEnvironment(given, env)
  const namespaces = commaList(values.text('namespaces'))
  const timeoutMs = duration(values, 'validation-timeout')
  if (timeoutMs > settingsDefault.validationTimeoutMs)
    throw new FlagError('--validation-timeout takes 72h at most: ACM gives up then')
  return {
    zones: zonesOf(values.text('dns-zones')),
    zoneFile: values.text('zone-config-file') || undefined,
    allowsCrossZone: values.boolean('allow-cross-zone-sans'),
    namespaces: namespaces.length === 0 ? undefined : namespaces,
    servesWebhook: values.boolean('webhook-enabled'),
    failsClosed: values.boolean('webhook-fail-closed'),
    cert: {
      clusterId: clusterId(values.text('cluster-id')),
      intervals: intervalsOf(values),
      validationTimeoutMs: timeoutMs,
      recordCleanup: oneOf(values, 'validation-record-cleanup', ['IfUnreferenced', 'Never']),
      overwritesConflicts: values.boolean('overwrite-conflicting-records'),
      deletesFailedRequests: values.boolean('delete-failed-requests'),
      reissuesProactively: values.boolean('proactive-reissue'),
      requestsPerDayMax: count(values, 'max-requests-per-day', 1),
      sharesRequests: values.boolean('share-requests'),
      anyPrivateName: values.boolean('private-ca-any-name'),
      dryRun: values.boolean('dry-run'),
      publishes: values.boolean('enable-publishing'),
      hasPolicies: values.boolean('enable-cert-policy'),
    },
    exportNamespaces: exportNamespacesOf(values),
    monitoring: oneOf(values, 'monitoring', ['none', 'prometheus']),
    telemetry: {
      thresholdDays: count(values, 'metrics-expiry-threshold', 1),
      trackedMax: count(values, 'metrics-max-tracked', 0, trackedMax),
    },
    layers: layersOf(values),
    referenceRegions: commaList(values.text('record-reference-regions')),
    dnsServers: dnsServersOf(values.text('validation-dns-servers')),
    timeoutMs: duration(values, 'aws-default-timeout'),
    workers,
    aws: readAwsFlags(values, env),
    endpoint: readEndpoint(values, 'aws-endpoint-url'),
  }
}

function zonesOf(pairs: string): readonly RegisteredZone[] {
  try {
    const zones = parseZonePairs(pairs, '--dns-zones')
    return zones.length === 0 ? [] : mergeZones(zones, '--dns-zones', () => {})
  } catch (error) {
    if (error instanceof ZoneError) throw new FlagError(error.message)
    throw error
  }
}

const serverAddress = /^(?:(?:\d{1,3}\.){3}\d{1,3}|\[[\da-f:]+\])(?::\d{1,5})?$|^[\da-f:]*:[\da-f:]*:[\da-f:]*$/i

function dnsServersOf(text: string): readonly string[] | undefined {
  if (text.trim() === '') return undefined
  if (text.trim() === 'system') return []
  const servers = commaList(text)
  const odd = servers.find(server => !serverAddress.test(server))
  if (odd !== undefined)
    throw new FlagError(`--validation-dns-servers takes IP addresses of name servers, or system, and not ${JSON.stringify(odd)}`)
  return servers
}

function exportNamespacesOf(values: FlagValues): readonly string[] | undefined {
  const names = commaList(values.text('export-namespaces'))
  if (!values.boolean('enable-export')) return undefined
  if (names.length === 0)
    throw new FlagError('--enable-export needs --export-namespaces: the namespaces into whose Secrets keys may be written')
  return names
}

/** It stands in tags, and in names of role sessions. */
function clusterId(value: string): string {
  if (!/^[\w+=,.@-]{0,48}$/.test(value)) throw new FlagError('--cluster-id takes up to 48 letters, digits and any of +=,.@_-')
  return value
}

function intervalsOf(values: FlagValues): CertSettings['intervals'] {
  const ms = (flag: string): number => duration(values, flag)
  return {
    pending: { baseMs: ms('pending-base-interval'), maxMs: ms('pending-max-interval') },
    created: { baseMs: ms('created-base-interval'), maxMs: ms('created-max-interval') },
    validatedMs: ms('validated-interval'),
    readyMs: ms('ready-interval'),
    failedMs: ms('failed-interval'),
  }
}

function layersOf(values: FlagValues): CertificateSettings['layers'] {
  const account = rate(values, 'route53-account-rate-limit', true)
  const route53Burst = count(values, 'route53-burst', 1)
  const ttlMs = duration(values, 'cache-ttl', true)
  const entriesMax = count(values, 'cache-max-size', 0)
  return {
    rates: {
      acm: { perSecond: rate(values, 'acm-rate-limit'), burst: count(values, 'acm-burst', 1) },
      route53Zone: { perSecond: rate(values, 'route53-rate-limit'), burst: route53Burst },
      route53Account: account === 0 ? undefined : { perSecond: account, burst: route53Burst },
    },
    retry: {
      retriesMax: count(values, 'throttle-max-retries', 0),
      delayMsMin: duration(values, 'throttle-base-delay'),
      delayMsMax: duration(values, 'throttle-max-delay'),
      jitter: number(values, 'throttle-jitter'),
    },
    breaker: values.boolean('breaker-enabled')
      ? {
          failuresMax: count(values, 'breaker-failures', 1),
          windowMs: duration(values, 'breaker-window'),
          ratioMax: number(values, 'breaker-ratio'),
          callsMin: count(values, 'breaker-min-calls', 1),
          openMsMin: duration(values, 'breaker-open'),
          openMsMax: duration(values, 'breaker-max-open'),
        }
      : undefined,
    cache: ttlMs === 0 || entriesMax === 0 ? undefined : { ttlMs, entriesMax },
  }
}

function duration(values: FlagValues, flag: string, mayBeZero = false): number {
  const ms = parseDuration(values.text(flag))
  if (values.text(flag) === '0' && mayBeZero) return 0
  if (ms === undefined || ms < 0 || (ms === 0 && !mayBeZero)) throw new FlagError(`--${flag} takes a duration such as 30s`)
  return ms
}

function oneOf<const T extends string>(values: FlagValues, flag: string, words: readonly T[]): T {
  const found = words.find(word => word === values.text(flag))
  if (found === undefined) throw new FlagError(`--${flag} takes ${words.join(' or ')}`)
  return found
}

function number(values: FlagValues, flag: string): number {
  const value = Number(values.text(flag))
  if (values.text(flag).trim() === '' || !Number.isFinite(value)) throw new FlagError(`--${flag} takes a number`)
  return value
}

function rate(values: FlagValues, flag: string, mayBeZero = false): number {
  const value = number(values, flag)
  if (value < 0 || (value === 0 && !mayBeZero)) throw new FlagError(`--${flag} takes a number above 0`)
  return value
}

/** As many as a metric holds apart. */
const trackedMax = 5_000

function count(values: FlagValues, flag: string, least: number, most: number = Number.MAX_SAFE_INTEGER): number {
  const value = Number(values.integer(flag))
  if (value < least) throw new FlagError(`--${flag} takes ${least} or more`)
  if (value > most) throw new FlagError(`--${flag} takes ${most} at most`)
  return value
}

/** What is not given as a flag may be given by the environment. */
function withEnvironment(values: FlagValues, env: Seams['env']): FlagValues {
  const named = (flag: string): string | undefined =>
    values.given.has(flag) ? undefined : env[`CERT_OPERATOR_${flag.toUpperCase().replaceAll('-', '_')}`]
  return {
    given: values.given,
    durationMs: flag => values.durationMs(flag),
    text: flag => named(flag) ?? values.text(flag),
    boolean: flag => {
      const word = named(flag)
      if (word === undefined) return values.boolean(flag)
      if (word !== 'true' && word !== 'false') throw new FlagError(`--${flag} takes true or false`)
      return word === 'true'
    },
    integer: flag => {
      const word = named(flag)
      if (word === undefined) return values.integer(flag)
      if (!/^\d+$/.test(word)) throw new FlagError(`--${flag} takes a whole number`)
      return BigInt(word)
    },
  }
}
