// The flags of the process itself, whichever operators run in it, by the names of the reference manager (§11.1); beside them the names
// that the controllers of AWS Controllers for Kubernetes have for the same, so that their Deployments start this program unchanged.

import type { Environment } from '#base'
import { commaList, FlagError, type FlagGroup, type FlagValues, flagOf, type LogLevel } from '#base'
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { type LogChoice, readLogChoice } from '../frame/log-choice.ts'

const { text, boolean, integer } = flagOf

export function processFlagGroups(names: readonly string[]): readonly FlagGroup[] {
  return [
    {
      title: 'The process',
      flags: [
        text('controllers', 'identity', `which operators run in this process, of ${names.join(', ')}; separated by commas`),
        text('kubeconfig', '', 'kubeconfig of the hub; default: inside a cluster its own, else as kubectl'),
        integer('max-concurrent-reconciles', 4, 'claims of a kind worked on at once'),
        text('health-probe-bind-address', ':8081', 'address of /healthz and /readyz; 0 switches them off'),
        text('metrics-bind-address', '0', 'address of the metrics, such as :8080; 0 switches them off'),
        boolean('metrics-secure', false, 'serve the metrics by TLS; who may read them is asked of the API server either way'),
        text('metrics-cert-dir', '/var/run/secrets/serving-cert', 'folder with tls.crt and tls.key of the metrics'),
        text('webhook-bind-address', ':9443', 'address of the admission webhooks; 0 switches them off'),
        text(
          'webhook-cert-dir',
          '/tmp/k8s-webhook-server/serving-certs',
          'folder with tls.crt and tls.key of the admission webhooks',
        ),
        boolean('webhook-disable-http2', false, 'offer HTTP/1.1 alone at the admission webhooks'),
        text(
          'webhook-authority-secret',
          '',
          'Secret of its namespace in which the process keeps an authority of its own and what it serves, instead of that folder',
        ),
        text('webhook-service', '', 'Service by which the API server calls the webhooks; with --webhook-authority-secret'),
        text(
          'webhook-configurations',
          '',
          'ValidatingWebhookConfigurations that are told to trust that authority, separated by commas',
        ),
        boolean('help', false, 'print this'),
      ],
    },
    {
      title: 'Rights',
      flags: [
        text(
          'operator-accounts',
          '',
          'as which ServiceAccount of its namespace each operator works, operator=name, separated by commas; default as the process itself',
        ),
      ],
    },
    {
      title: 'Replicas',
      flags: [
        boolean('leader-elect', false, 'elect a leader among replicas by a Lease of each operator'),
        text('leader-election-namespace', '', 'where the Leases are; default the namespace of the pod'),
        integer(
          'shards',
          0,
          'replicas share the work: its namespaces fall into so many parts, each with a Lease; 0 elects one leader',
        ),
      ],
    },
    {
      title: 'Logs',
      flags: [
        text('log-level', 'info', 'trace, debug, info, warn or error'),
        text(
          'log-exporter',
          '',
          'otlp (standard error without OTEL_EXPORTER_OTLP_ENDPOINT), console or none; default OTEL_LOGS_EXPORTER, then otlp',
        ),
        boolean('log-add-source', false, 'accepted; lines name the part of the program that speaks'),
        text('log-resource-attributes', '', 'key=value pairs for each line, separated by commas, values percent-encoded'),
      ],
    },
  ]
}

/** Other names. After all others in the help. */
export const otherNames: FlagGroup = {
  title: 'Other names, by which AWS Controllers for Kubernetes know the same',
  flags: [
    text('metrics-addr', '', 'another name of --metrics-bind-address'),
    text('healthz-addr', '', 'another name of --health-probe-bind-address'),
    boolean('enable-webhook-server', false, 'accepted; webhooks are served where a controller has some'),
    text('webhook-server-addr', '', 'another name of --webhook-bind-address'),
    boolean('enable-leader-election', false, 'another name of --leader-elect'),
    boolean('enable-development-logging', false, 'another name of --log-level=debug'),
    integer('reconcile-default-max-concurrent-syncs', 0, 'another name of --max-concurrent-reconciles'),
  ],
}

/** As the operator of ExternalDNS that this program stands in for is started. */
export const namesOfDns: FlagGroup = {
  title: 'Other names, by which the existing operator of ExternalDNS knows the same',
  flags: [
    text('cert-dir', '', 'another name of --webhook-cert-dir'),
    text('health-probe-bind-addr', '', 'another name of --health-probe-bind-address'),
    text('log-format', 'json', 'accepted, text or json; lines are JSON'),
    boolean('zap-devel', false, 'another name of --log-level=debug'),
    text('zap-log-level', '', 'another name of --log-level; a number is debug'),
    text('zap-encoder', '', 'accepted; lines are JSON'),
    text('zap-stacktrace-level', '', 'accepted; what was thrown is always logged with its cause'),
    text('zap-time-encoding', '', 'accepted; times are those of RFC 3339'),
  ],
}

export interface ProcessSettings {
  /** `undefined`: off. */
  readonly metricsAddress: Address | undefined
  /** Where the pair is with which the metrics are served; `undefined`: without TLS. */
  readonly metricsCertificateFolder: string | undefined
  readonly healthAddress: Address | undefined
  readonly webhookAddress: Address | undefined
  readonly webhookCertificateFolder: string
  readonly webhookHttp2: boolean
  /** `undefined`: the pair is in the folder. */
  readonly webhookAuthority: WebhookAuthority | undefined
  readonly elects: boolean
  /** Into how many parts replicas divide the work; `undefined`: one leads over all of it. */
  readonly shards: number | undefined
  /** The namespace of the leaders' leases; that of the process itself where it is undefined. */
  readonly leaseNamespace: string | undefined
  readonly workers: number
  readonly log: LogSettings
  readonly kubeconfig: string | undefined
  /** Of the operators that do not work as the process itself: the name of a ServiceAccount, by that of the operator. */
  readonly accounts: Readonly<Record<string, string>>
}

/** Names of objects by which the process keeps a serving certificate of its own. */
export interface WebhookAuthority {
  readonly secret: string
  readonly service: string
  readonly configurations: readonly string[]
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
export function readProcessFlags(values: FlagValues, env: Environment): ProcessSettings {
  return {
    metricsAddress: readAddress(values, namedOr(values, 'metrics-addr', 'metrics-bind-address')),
    metricsCertificateFolder: values.boolean('metrics-secure') ? values.text('metrics-cert-dir') : undefined,
    healthAddress: readAddress(
      values,
      namedOr(values, 'healthz-addr', namedOr(values, 'health-probe-bind-addr', 'health-probe-bind-address')),
    ),
    webhookAddress: readAddress(values, namedOr(values, 'webhook-server-addr', 'webhook-bind-address')),
    webhookCertificateFolder: values.text(namedOr(values, 'cert-dir', 'webhook-cert-dir')),
    webhookHttp2: !values.boolean('webhook-disable-http2'),
    webhookAuthority: readWebhookAuthority(values),
    elects: values.boolean('leader-elect') || values.boolean('enable-leader-election'),
    shards: readShards(values),
    leaseNamespace: readLeaseNamespace(values),
    workers: readWorkers(values),
    log: readLog(values, env),
    kubeconfig: values.text('kubeconfig') === '' ? undefined : values.text('kubeconfig'),
    accounts: readAccounts(values),
  }
}

/** Which of two names of one flag is read: the other name where it is given, else ours. */
function namedOr(values: FlagValues, name: string, ours: string): string {
  return values.text(name) === '' ? ours : name
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

function readWebhookAuthority(values: FlagValues): WebhookAuthority | undefined {
  const secret = values.text('webhook-authority-secret')
  const service = values.text('webhook-service')
  const configurations = commaList(values.text('webhook-configurations'))
  if (secret === '' && service === '' && configurations.length === 0) return undefined
  for (const [flag, name] of [
    ['webhook-authority-secret', secret],
    ['webhook-service', service],
  ] as const)
    if (dnsSubdomainErrors(name).length > 0) throw new FlagError(`--${flag}: ${JSON.stringify(name)} is no name of an object`)
  return { secret, service, configurations }
}

function readLeaseNamespace(values: FlagValues): string | undefined {
  const namespace = values.text('leader-election-namespace')
  if (namespace === '') return undefined
  if (dnsLabelErrors(namespace).length === 0) return namespace
  throw new FlagError(`--leader-election-namespace: ${JSON.stringify(namespace)} is no name of a namespace`)
}

/** More parts than anybody has replicas for are leases that are renewed for nothing. */
function readShards(values: FlagValues): number | undefined {
  const shards = Number(values.integer('shards'))
  if (shards === 0) return undefined
  if (shards >= 2 && shards <= 64) return shards
  throw new FlagError('--shards takes a whole number from 2 to 64, or 0 for one leader')
}

function readAccounts(values: FlagValues): ProcessSettings['accounts'] {
  const pairs = commaList(values.text('operator-accounts')).map(pair => {
    const [operator = '', account = '', ...more] = pair.split('=').map(each => each.trim())
    if (operator === '' || more.length > 0 || dnsSubdomainErrors(account).length > 0)
      throw new FlagError(`--operator-accounts: ${JSON.stringify(pair)} is no operator=name of a ServiceAccount`)
    return [operator, account] as const
  })
  return Object.fromEntries(pairs)
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
  const level = readLevel(values)
  const given = { exporter: values.text('log-exporter'), attributes: values.text('log-resource-attributes') }
  const own = { 'service.name': 'aws-workload-identity-operator', 'service.namespace': 'appthrust' }
  const isVerbose = values.boolean('enable-development-logging') || values.boolean('zap-devel')
  return { level: isVerbose ? 'debug' : level, ...readLogChoice(given, env, own) }
}

/** What zap calls a level: beside the words, how much more than info is wanted, as a number. */
function readLevel(values: FlagValues): LogLevel {
  const flag = namedOr(values, 'zap-log-level', 'log-level')
  const word = values.text(flag).trim().toLowerCase()
  const level = levels[word] ?? (flag === 'zap-log-level' && /^[1-9]\d{0,2}$/.test(word) ? 'debug' : undefined)
  if (level === undefined) throw new FlagError(`--${flag} takes trace, debug, info, warn or error`)
  const format = values.text('log-format')
  if (format !== 'text' && format !== 'json') throw new FlagError('--log-format takes text or json')
  return level
}
