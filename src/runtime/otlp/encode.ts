// The three messages of OTLP (opentelemetry-proto 1.x): logs, metrics, traces, as bytes for the collector.
import type { LogLevel } from '#base'
import type { MetricFamily, MetricLabels, MetricPoint, MetricType } from '../metrics/registry.ts'
import { bytes, double, type EncodedField, fixed64, integer, message, packedDoubles, packedFixed64, text } from './protobuf.ts'

/** Who speaks: attributes such as `service.name`, and the program as the scope. */
export interface Speaker {
  readonly resource: Readonly<Record<string, string>>
  readonly scope: { readonly name: string; readonly version: string }
}

export interface LogRecord {
  readonly timeMs: number
  readonly level: LogLevel
  readonly message: string
  readonly fields: Readonly<Record<string, unknown>>
}

export interface SpanEvent {
  readonly timeMs: number
  readonly name: string
  readonly attributes: Readonly<Record<string, unknown>>
}

export interface SpanRecord extends SpanEvent {
  readonly traceId: Uint8Array
  readonly spanId: Uint8Array
  readonly endMs: number
  readonly events: readonly SpanEvent[]
  readonly error: string | undefined
}

const severities: Readonly<Record<LogLevel, number>> = { debug: 5, info: 9, warn: 13, error: 17 }
const cumulative = 2
const internalSpan = 1
const okStatus = 1
const errorStatus = 2

export function encodeLogs(speaker: Speaker, records: readonly LogRecord[]): Uint8Array {
  return envelope(
    speaker,
    records.map(({ timeMs, level, message: body, fields }) =>
      message(
        2,
        fixed64(1, nanoseconds(timeMs)),
        integer(2, severities[level]),
        text(3, level.toUpperCase()),
        message(5, text(1, body)),
        ...attributes(6, fields),
        fixed64(11, nanoseconds(timeMs)),
      ),
    ),
  )
}

export function encodeMetrics(
  speaker: Speaker,
  families: readonly MetricFamily[],
  { startMs, timeMs }: { readonly startMs: number; readonly timeMs: number },
): Uint8Array {
  const times = [fixed64(2, nanoseconds(startMs)), fixed64(3, nanoseconds(timeMs))]
  return envelope(
    speaker,
    families.map(({ name, help, type, points }) => message(2, text(1, name), text(2, help), dataOf[type](points, times))),
  )
}

export function encodeSpans(speaker: Speaker, spans: readonly SpanRecord[]): Uint8Array {
  return envelope(
    speaker,
    spans.map(span =>
      message(
        2,
        bytes(1, span.traceId),
        bytes(2, span.spanId),
        text(5, span.name),
        integer(6, internalSpan),
        fixed64(7, nanoseconds(span.timeMs)),
        fixed64(8, nanoseconds(span.endMs)),
        ...attributes(9, span.attributes),
        ...span.events.map(event =>
          message(11, fixed64(1, nanoseconds(event.timeMs)), text(2, event.name), ...attributes(3, event.attributes)),
        ),
        span.error === undefined ? message(15, integer(3, okStatus)) : message(15, text(2, span.error), integer(3, errorStatus)),
      ),
    ),
  )
}

/** Resource and scope around the items, whose field number is the same for all three. */
function envelope({ resource, scope }: Speaker, items: readonly EncodedField[]): Uint8Array {
  return message(
    1,
    message(1, ...attributes(1, resource)),
    message(2, message(1, text(1, scope.name), text(2, scope.version)), ...items),
  )
}

/** Each type has a field and a form of its own. */
const dataOf: Readonly<Record<MetricType, (points: readonly MetricPoint[], times: readonly EncodedField[]) => EncodedField>> = {
  gauge: (points, times) => message(5, ...points.map(point => numberPoint(point, times))),
  counter: (points, times) =>
    message(7, ...points.map(point => numberPoint(point, times)), integer(2, cumulative), integer(3, true)),
  histogram: (points, times) => message(9, ...points.map(point => histogramPoint(point, times)), integer(2, cumulative)),
  summary: (points, times) =>
    message(11, ...points.map(point => message(1, ...labels(7, point), ...times, ...sumAndCount(point)))),
}

function numberPoint(point: MetricPoint, times: readonly EncodedField[]): EncodedField {
  return message(1, ...labels(7, point), ...times, double(4, point.value))
}

function histogramPoint(point: MetricPoint, times: readonly EncodedField[]): EncodedField {
  const { bounds = [], counts = [] } = point
  const below = counts.reduce((sum, count) => sum + count, 0)
  return message(
    1,
    ...labels(9, point),
    ...times,
    ...sumAndCount(point),
    packedFixed64(6, [...counts, point.count - below]),
    packedDoubles(7, bounds),
  )
}

function sumAndCount({ value, count }: MetricPoint): readonly EncodedField[] {
  return [fixed64(4, BigInt(count)), double(5, value)]
}

function labels(number: number, point: { readonly labels: MetricLabels }): readonly EncodedField[] {
  return attributes(number, point.labels)
}

function attributes(number: number, fields: Readonly<Record<string, unknown>>): readonly EncodedField[] {
  return Object.entries(fields).flatMap(([key, value]) =>
    value === undefined ? [] : [message(number, text(1, key), message(2, anyValue(value)))],
  )
}

function anyValue(value: unknown): EncodedField {
  switch (typeof value) {
    case 'string':
      return text(1, value)
    case 'boolean':
      return integer(2, value)
    case 'bigint':
      return integer(3, value)
    case 'number':
      return Number.isSafeInteger(value) ? integer(3, value) : double(4, value)
    default:
      return text(1, JSON.stringify(value) ?? String(value))
  }
}

function nanoseconds(ms: number): bigint {
  return BigInt(Math.round(ms * 1_000)) * 1_000n
}
