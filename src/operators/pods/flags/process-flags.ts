// What each webhook is told in the same words: of its process, and of the listener for reviews.
import { type Flag, FlagError, type FlagValues, flagOf, type TlsVersion } from '#base'
import { addressOf, type ListenAddress, portOf } from './addresses.ts'
import { readCipherSuites, readTlsVersion } from './tls.ts'

const { text, boolean, integer, duration } = flagOf

export interface WebhookProcess {
  /** Empty: the cluster that the pod runs in. */
  readonly kubeconfig: string
  readonly logFormat: 'text' | 'json'
  /** As given: what they mean depends on the environment. */
  readonly logFlags: { readonly exporter: string; readonly attributes: string }
}

export function processFlags(logFormat: WebhookProcess['logFormat']): readonly Flag[] {
  return [
    text('config', '', 'YAML file with flags as keys; the command line wins'),
    text('kubeconfig', '', 'Kubeconfig file; the cluster that the pod runs in when empty'),
    text(
      'log-exporter',
      '',
      'otlp (standard error without OTEL_EXPORTER_OTLP_ENDPOINT), console or none; default OTEL_LOGS_EXPORTER, then otlp',
    ),
    text('log-format', logFormat, 'text or json, of the lines that go to no collector'),
    text(
      'log-resource-attributes',
      '',
      'key=value pairs for what goes to a collector, separated by commas, values percent-encoded',
    ),
    boolean('version', false, 'Print the version and exit'),
  ]
}

export function readProcess(flags: FlagValues): WebhookProcess {
  const logFormat = flags.text('log-format')
  if (logFormat !== 'text' && logFormat !== 'json') throw new FlagError(`--log-format is text or json, not ${logFormat}`)
  return {
    kubeconfig: flags.text('kubeconfig'),
    logFormat,
    logFlags: { exporter: flags.text('log-exporter'), attributes: flags.text('log-resource-attributes') },
  }
}

/** Of the listener for reviews, and how it goes. */
export interface ListenerSettings {
  readonly port: number
  /** Empty: all addresses. */
  readonly bindAddress: string
  readonly health: ListenAddress | undefined
  readonly minVersion: TlsVersion
  readonly ciphers: readonly string[]
  /** Empty: callers show no certificate. */
  readonly clientCaPath: string
  readonly shutdownDelayMs: number
  readonly offersHttp2: boolean
}

export interface ListenerDefaults {
  readonly port: number
  readonly health: Flag
  readonly minVersion: Flag
}

export function listenerFlags({ port, health, minVersion }: ListenerDefaults): readonly Flag[] {
  return [
    text('bind-address', '', 'Address to listen on; all when empty'),
    text('client-ca-file', '', 'Callers must show a certificate of this authority'),
    boolean('enable-http2', false, 'Offer HTTP/2 on the webhook port'),
    health,
    integer('port', port, 'Port of reviews'),
    duration('shutdown-delay', '0s', 'How long to go on accepting after the signal to stop'),
    text('tls-cipher-suites', '', 'Comma-separated IANA names of the cipher suites for TLS 1.2 and below'),
    minVersion,
  ]
}

export function readListener(flags: FlagValues): ListenerSettings {
  return {
    port: portOf(flags, 'port'),
    bindAddress: flags.text('bind-address'),
    health: addressOf('--health-addr', flags.text('health-addr')),
    minVersion: readTlsVersion(flags.text('tls-min-version')),
    ciphers: readCipherSuites(flags.text('tls-cipher-suites')),
    clientCaPath: flags.text('client-ca-file'),
    shutdownDelayMs: Math.max(0, flags.durationMs('shutdown-delay')),
    offersHttp2: flags.boolean('enable-http2'),
  }
}
