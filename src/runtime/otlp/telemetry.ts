// Logs, metrics and traces on their way to a collector: each a batcher with its message.
import type { Clock, LogLevel, Net, Random } from '#base'
import type { MetricFamily, Metrics } from '../metrics/registry.ts'
import { pause } from '../scope.ts'
import type { Span, Tracer } from '../trace.ts'
import {
  encodeLogs,
  encodeMetrics,
  encodeSpans,
  type LogRecord,
  type SpanEvent,
  type SpanRecord,
  type Speaker,
} from './encode.ts'
import { Batcher, type BatcherOptions, type CollectorAddress } from './exporter.ts'

export interface OtlpOptions {
  readonly clock: Clock
  readonly random: Random
  readonly net: Pick<Net, 'dial'>
  readonly speaker: Speaker
}

/** Something that sends until it is told to stop, and then what is left. */
export interface Sender {
  run(signal: AbortSignal): Promise<void>
  /** Called after `run` has ended. */
  end(withinMs: number): Promise<void>
}

type Lost<T> = BatcherOptions<T>['onLost']

export function otlpLogs(
  { speaker, ...options }: OtlpOptions,
  to: CollectorAddress,
  onLost: Lost<LogRecord>,
): Sender & { readonly emit: (level: LogLevel, message: string, fields: Record<string, unknown>) => void } {
  const batcher = new Batcher<LogRecord>({ ...options, to, encode: records => encodeLogs(speaker, records), onLost })
  return {
    ...sending(batcher),
    emit: (level, message, fields) => batcher.add({ timeMs: options.clock.now(), level, message, fields }),
  }
}

interface Reading {
  readonly timeMs: number
  readonly families: readonly MetricFamily[]
}

/** What `metrics` shows, every so often and once more at the end. */
export function otlpMetrics(
  { speaker, ...options }: OtlpOptions,
  { to, metrics, everyMs, onLost }: { to: CollectorAddress; metrics: Metrics; everyMs: number; onLost: Lost<unknown> },
): Sender {
  const startMs = options.clock.now()
  const batcher = new Batcher<Reading>({
    ...options,
    to,
    // Two encoded messages behind each other are one message that has the parts of both.
    encode: readings =>
      Buffer.concat(readings.map(({ timeMs, families }) => encodeMetrics(speaker, families, { startMs, timeMs }))),
    onLost,
  })
  const read = (): void => batcher.add({ timeMs: options.clock.now(), families: metrics.snapshot() })
  const { run, end } = sending(batcher)
  return {
    run: async signal => {
      const reading = (async () => {
        while (await pause(options.clock, everyMs, signal)) read()
      })()
      await Promise.all([reading, run(signal)])
    },
    end: withinMs => {
      read()
      return end(withinMs)
    },
  }
}

export function otlpTraces(
  { speaker, ...options }: OtlpOptions,
  to: CollectorAddress,
  onLost: Lost<SpanRecord>,
): Sender & { readonly tracer: Tracer } {
  const { clock, random } = options
  const batcher = new Batcher<SpanRecord>({ ...options, to, encode: spans => encodeSpans(speaker, spans), onLost })
  const start: Tracer['start'] = (name, attributes): Span => {
    const [traceId, spanId, timeMs] = [random.bytes(16), random.bytes(8), clock.now()]
    const events: SpanEvent[] = []
    return {
      event: (event, more) => void events.push({ timeMs: clock.now(), name: event, attributes: more }),
      end: error => batcher.add({ traceId, spanId, name, attributes, timeMs, endMs: clock.now(), events, error }),
    }
  }
  return { ...sending(batcher), tracer: { start } }
}

function sending<T>(batcher: Batcher<T>): Sender {
  return {
    run: signal => batcher.run(signal),
    end: async withinMs => {
      await batcher.flush(withinMs)
      await batcher.close()
    },
  }
}
