// The flags of `vouch operator`: those of the reference manager by name, default and check (spec 11.1), and ours after them.
import {
  commaList,
  type Flag,
  FlagError,
  type FlagValues,
  flagOf,
  type LogLevel,
  parseDuration,
  parseFlags,
  renderDuration,
} from '#base'
import { dnsLabelErrors } from '#kube'
import { webhookImageDefault } from '#operators/identity'
import { type Environment, type LogChoice, readLogChoice } from '../log-choice.ts'
import { ackFlags, namedOr } from './ack-flags.ts'
import { type ResourceSettings, readResourceFlags, resourceFlags } from './resource-flags.ts'

const { text, boolean, integer } = flagOf

export const controllerNames = ['identity', 'resources'] as const
export type ControllerName = (typeof controllerNames)[number]

export const operatorFlags: readonly Flag[] = [
  text('controllers', 'identity', `which operators run in this process, of ${controllerNames.join(', ')}; separated by commas`),
  text('metrics-bind-address', '0', 'address of the metrics, such as :8080; 0 switches them off'),
  text('health-probe-bind-address', ':8081', 'address of /healthz and /readyz; 0 switches them off'),
  boolean('leader-elect', false, 'elect a leader among replicas by a Lease in the namespace of the pod'),
  text(
    'clusterprofile-provider-file',
    'clusterprofile-provider-file.json',
    'which programs give credentials of which access providers',
  ),
  text('cluster-profile-namespaces', '', 'where ClusterProfiles are looked for, separated by commas; * is everywhere (required)'),
  text('pod-identity-webhook-image', webhookImageDefault, 'image of the webhook in workload clusters'),
  text('aws-endpoint-url', '', 'endpoint of S3 instead of its own'),
  boolean('allow-unsafe-aws-endpoint-urls', false, 'let --aws-endpoint-url be http'),
  integer('max-concurrent-reconciles', 4, 'claims of a kind worked on at once'),
  text('log-level', 'info', 'trace, debug, info, warn or error'),
  text(
    'log-exporter',
    '',
    'otlp (standard error without OTEL_EXPORTER_OTLP_ENDPOINT), console or none; default OTEL_LOGS_EXPORTER, then otlp',
  ),
  boolean('log-add-source', false, 'accepted; lines name the part of the program that speaks'),
  text('log-resource-attributes', '', 'key=value pairs for each line, separated by commas, values percent-encoded'),
  text('kubeconfig', '', 'kubeconfig of the hub; default: inside a cluster its own, else as kubectl'),
  text('webhook-bind-address', ':9443', 'address of the admission webhooks; 0 switches them off'),
  text('webhook-cert-dir', '/tmp/k8s-webhook-server/serving-certs', 'folder with tls.crt and tls.key of the admission webhooks'),
  text(
    'aws-writer',
    'children',
    'children: AWS resources are objects that ACK or the resources operator reads; direct: calls of our own',
  ),
  text(
    'foreign-role-annotation',
    'overwrite',
    'a ServiceAccount that has another role already: overwrite it, or refuse and say so',
  ),
  text('signing-key-propagation', '15m', 'how long a new signing key is published before it signs'),
  text('signing-key-grace', '25h', 'how long an old one stays after the cluster signs with the new; longer than any token lives'),
  text('aws-region', '', 'region of the account, for the resources operator; default AWS_REGION'),
  text('aws-account-id', '', 'the account of this process, for the resources operator'),
  text('aws-services', 'iam,s3,eks', 'services whose kinds the resources operator looks after, separated by commas'),
  ...resourceFlags,
  ...ackFlags,
  boolean('help', false, 'print this'),
]

export interface OperatorSettings {
  readonly controllers: ReadonlySet<ControllerName>
  /** `undefined`: off. */
  readonly metricsAddress: Address | undefined
  readonly healthAddress: Address | undefined
  readonly webhookAddress: Address | undefined
  readonly webhookCertificateFolder: string
  readonly elects: boolean
  /** Of the leader's lease; `undefined`: where the process runs. */
  readonly leaseNamespace: string | undefined
  readonly providerFile: string
  /** `undefined`: all. */
  readonly profileNamespaces: readonly string[] | undefined
  readonly webhookImage: string
  readonly s3Endpoint: string | undefined
  readonly workers: number
  readonly log: LogSettings
  readonly kubeconfig: string | undefined
  readonly aws: { readonly region: string; readonly account: string; readonly services: readonly string[] }
  /** When a signing key that is replaced may sign, and when the old one goes. */
  readonly rotation: { readonly propagationMs: number; readonly graceMs: number }
  /** How the identity operator makes AWS resources. */
  readonly awsWriter: 'children' | 'direct'
  readonly foreignAnnotation: 'overwrite' | 'refuse'
  readonly resources: ResourceSettings
}

export interface Address {
  /** Empty: every address of the machine. */
  readonly host: string
  readonly port: number
}

export interface LogSettings extends LogChoice {
  readonly level: LogLevel
}

/** Throws `FlagError` with the flag and what it takes. */
export function readOperatorFlags(args: readonly string[], env: Environment): OperatorSettings {
  const values = parseFlags(operatorFlags, args, new Map())
  const controllers = readControllers(values.text('controllers'))
  const s3Endpoint = readEndpoint(values, 'aws-endpoint-url')
  readEndpoint(values, 'aws-identity-endpoint-url')
  return {
    controllers,
    metricsAddress: readAddress(values, namedOr(values, 'metrics-addr', 'metrics-bind-address')),
    healthAddress: readAddress(values, namedOr(values, 'healthz-addr', 'health-probe-bind-address')),
    webhookAddress: readAddress(values, namedOr(values, 'webhook-server-addr', 'webhook-bind-address')),
    webhookCertificateFolder: values.text('webhook-cert-dir'),
    elects: values.boolean('leader-elect') || values.boolean('enable-leader-election'),
    leaseNamespace: readLeaseNamespace(values),
    providerFile: values.text('clusterprofile-provider-file'),
    profileNamespaces: controllers.has('identity') ? readNamespaces(values.text('cluster-profile-namespaces')) : undefined,
    webhookImage: values.text('pod-identity-webhook-image'),
    s3Endpoint,
    workers: readWorkers(values),
    log: readLog(values, env),
    kubeconfig: values.text('kubeconfig') === '' ? undefined : values.text('kubeconfig'),
    aws: readAws(values, env),
    awsWriter: readOneOf(values, 'aws-writer', ['children', 'direct']),
    foreignAnnotation: readOneOf(values, 'foreign-role-annotation', ['overwrite', 'refuse']),
    rotation: {
      propagationMs: readSpan(values, 'signing-key-propagation', 60_000),
      graceMs: readSpan(values, 'signing-key-grace', 3_600_000),
    },
    resources: readResourceFlags(values),
  }
}

/** `a,b`: trimmed, each once; `*` alone is everywhere. */
export function readNamespaces(list: string): readonly string[] | undefined {
  const flag = '--cluster-profile-namespaces'
  if (list.trim() === '') throw new FlagError(`${flag} is required: namespaces separated by commas, or * for all`)
  const names = [...new Set(list.split(',').map(name => name.trim()))]
  if (names.includes('')) throw new FlagError(`${flag} has an empty entry; leave it out`)
  if (names.includes('*')) {
    if (names.length > 1) throw new FlagError(`${flag} has * beside names; give one or the other`)
    return undefined
  }
  const wrong = names.find(name => dnsLabelErrors(name).length > 0)
  if (wrong !== undefined) throw new FlagError(`${flag}: ${JSON.stringify(wrong)} is no name of a namespace`)
  return names
}

function readOneOf<T extends string>(values: FlagValues, flag: string, choices: readonly T[]): T {
  const given = values.text(flag)
  const found = choices.find(choice => choice === given)
  if (found !== undefined) return found
  throw new FlagError(`--${flag}: ${JSON.stringify(given)} is none of ${choices.join(', ')}`)
}

/** A shorter one would refuse tokens that are good. */
function readSpan(values: FlagValues, name: string, msMin: number): number {
  const ms = parseDuration(values.text(name))
  if (ms !== undefined && ms >= msMin) return ms
  throw new FlagError(`--${name}: ${JSON.stringify(values.text(name))} is no duration of ${renderDuration(msMin)} or more`)
}

function readControllers(list: string): ReadonlySet<ControllerName> {
  const names = list.split(',').map(name => name.trim())
  for (const name of names) {
    if (!(controllerNames as readonly string[]).includes(name)) {
      throw new FlagError(`--controllers: ${JSON.stringify(name)} is none of ${controllerNames.join(', ')}`)
    }
  }
  return new Set(names as ControllerName[])
}

/** As Go's net.Listen: `:8080`, `127.0.0.1:8080`, `[::1]:8080`; `0` is off. */
function readAddress(values: FlagValues, name: string): Address | undefined {
  const address = values.text(name)
  if (address === '0' || address === '') return undefined
  const match = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]]*)):(\d{1,5})$/.exec(address)
  const port = Number(match?.[3])
  if (match === null || port > 65_535) throw new FlagError(`--${name}: ${JSON.stringify(address)} is no address such as :8080`)
  return { host: match[1] ?? match[2] ?? '', port }
}

function readLeaseNamespace(values: FlagValues): string | undefined {
  const namespace = values.text('leader-election-namespace')
  if (namespace === '') return undefined
  if (dnsLabelErrors(namespace).length === 0) return namespace
  throw new FlagError(`--leader-election-namespace: ${JSON.stringify(namespace)} is no name of a namespace`)
}

function readEndpoint(values: FlagValues, flag: string): string | undefined {
  const endpoint = values.text(flag)
  if (endpoint === '') return undefined
  const url = URL.parse(endpoint)
  if (url === null || url.host === '' || !['http:', 'https:'].includes(url.protocol)) {
    throw new FlagError(`--${flag}: ${JSON.stringify(endpoint)} is no URL with a host, beginning with https://`)
  }
  if (url.protocol === 'http:' && !values.boolean('allow-unsafe-aws-endpoint-urls')) {
    throw new FlagError(
      `--${flag} is http, over which credentials travel in the clear; use https, or --allow-unsafe-aws-endpoint-urls`,
    )
  }
  return endpoint
}

function readWorkers(values: FlagValues): number {
  const other = Number(values.integer('reconcile-default-max-concurrent-syncs'))
  const workers = other === 0 ? Number(values.integer('max-concurrent-reconciles')) : other
  if (workers >= 1 && workers <= 1_000) return workers
  throw new FlagError('--max-concurrent-reconciles takes a whole number from 1 to 1000')
}

const levels: Readonly<Record<string, LogLevel>> = {
  '': 'info',
  trace: 'debug',
  debug: 'debug',
  info: 'info',
  warn: 'warn',
  warning: 'warn',
  error: 'error',
}

function readLog(values: FlagValues, env: Environment): LogSettings {
  const level = levels[values.text('log-level').trim().toLowerCase()]
  if (level === undefined) throw new FlagError('--log-level takes trace, debug, info, warn or error')
  const given = { exporter: values.text('log-exporter'), attributes: values.text('log-resource-attributes') }
  const own = { 'service.name': 'aws-workload-identity-operator', 'service.namespace': 'appthrust' }
  return { level: values.boolean('enable-development-logging') ? 'debug' : level, ...readLogChoice(given, env, own) }
}

function readAws(values: FlagValues, env: Environment): OperatorSettings['aws'] {
  const account = values.text('aws-account-id')
  if (account !== '' && !/^\d{12}$/.test(account)) throw new FlagError('--aws-account-id takes twelve digits')
  return {
    region: values.text('aws-region') || env.AWS_REGION || env.AWS_DEFAULT_REGION || '',
    account,
    services: commaList(values.text('aws-services')),
  }
}
