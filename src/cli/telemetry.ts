// Telemetry of a process that goes to a collector: log lines for whoever asks for it by flag, metrics and traces by OpenTelemetry's
// environment variables. What no collector takes is not lost: log lines are then written as they would be without one.
import { createLogTo, given, type Log, type LogLevel, type Seams } from '#base'
import {
  type Metrics,
  otlpLogs,
  otlpMetrics,
  otlpTraces,
  readCollectorAddress,
  type Sender,
  type Tracer,
  tellLost,
} from '#runtime'

export interface ProcessTelemetryOptions {
  readonly seams: Pick<Seams, 'clock' | 'random' | 'net' | 'files' | 'env'>
  /** Where lines go without a collector. */
  readonly plain: Log
  readonly level: LogLevel
  /** Log lines go to the collector, when there is an address. */
  readonly sendsLogs: boolean
  readonly resource: Readonly<Record<string, string>>
  readonly program: { readonly name: string; readonly version: string }
  readonly metrics: Metrics
}

export interface OpenTelemetry {
  readonly log: Log
  /** Absent: nobody asks for traces. */
  readonly tracer?: Tracer
  /** Sends what is left. */
  close(): Promise<void>
}

/** How long a process that was told to stop may go on sending (10.5). */
const flushMs = 10_000
const metricsEveryMsDefault = 60_000

/** Rejects when an address is named that cannot be used. */
export async function openTelemetry(options: ProcessTelemetryOptions): Promise<OpenTelemetry> {
  const { seams, plain, metrics } = options
  const { env } = seams
  const shared = {
    ...seams,
    random: seams.random.fork('telemetry'),
    speaker: { resource: options.resource, scope: options.program },
  }
  const addressOf = async (signal: 'LOGS' | 'METRICS' | 'TRACES', isWanted: boolean) => {
    if (!isWanted) return undefined
    const address = await readCollectorAddress(seams, signal)
    if (address === undefined || protocolOf(env, signal) === 'http/protobuf') return address
    plain.warn(
      'OTLP is spoken over HTTP only: set OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf and the HTTP port of the collector',
      {
        signal: signal.toLowerCase(),
        endpoint: address.url,
      },
    )
    return undefined
  }
  const senders: Sender[] = []
  const keep = <S extends Sender>(sender: S): S => {
    senders.push(sender)
    return sender
  }
  const logs = await addressOf('LOGS', options.sendsLogs)
  const log =
    logs === undefined
      ? plain
      : createLogTo({ clock: seams.clock, level: options.level }, keep(otlpLogs(shared, logs, writeLost(plain, logs.url))).emit)
  const measured = await addressOf('METRICS', wants(env, 'METRICS'))
  if (measured !== undefined)
    keep(otlpMetrics(shared, { to: measured, metrics, everyMs: intervalOf(env), onLost: tellLost(log, 'metrics', measured.url) }))
  const traced = await addressOf('TRACES', wants(env, 'TRACES'))
  const tracer = traced === undefined ? undefined : keep(otlpTraces(shared, traced, tellLost(log, 'traces', traced.url))).tracer
  const stop = new AbortController()
  const running = Promise.all(senders.map(sender => sender.run(stop.signal)))
  return {
    log,
    ...given({ tracer }),
    close: async () => {
      stop.abort(new Error('the process stops'))
      await running
      await Promise.all(senders.map(sender => sender.end(flushMs)))
    },
  }
}

interface Line {
  readonly level: LogLevel
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

function writeLost(plain: Log, url: string): (lines: readonly Line[], why: string) => void {
  return (lines, why) => {
    tellLost(plain, 'log lines, which follow here', url)(lines, why)
    for (const { level, message, fields } of lines) plain[level](message, fields)
  }
}

/** Unlike OpenTelemetry's own libraries, nothing is sent unless it is asked for: metrics are there to be scraped. */
function wants(env: Seams['env'], signal: 'METRICS' | 'TRACES'): boolean {
  return (env[`OTEL_${signal}_EXPORTER`] ?? '').trim().toLowerCase() === 'otlp'
}

function protocolOf(env: Seams['env'], signal: string): string {
  return env[`OTEL_EXPORTER_OTLP_${signal}_PROTOCOL`] || env['OTEL_EXPORTER_OTLP_PROTOCOL'] || 'http/protobuf'
}

function intervalOf(env: Seams['env']): number {
  const ms = Number(env['OTEL_METRIC_EXPORT_INTERVAL'] ?? metricsEveryMsDefault)
  return ms >= 1_000 ? ms : metricsEveryMsDefault
}
