// What is counted of the requests to webhooks, under the names that alert rules for controllers know.
import type { Counter, Gauge, Histogram, Metrics } from '../metrics/registry.ts'

type Labels = Readonly<Record<string, string>>

const latencyBuckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export class HostMeters {
  readonly #total: Counter
  readonly #latency: Histogram
  readonly #inFlight: Gauge
  readonly #panics: Counter
  /** One object for each set of labels: there are few, and each request needs three. */
  readonly #labels = new Map<string, Labels>()

  constructor(metrics: Metrics) {
    this.#total = metrics.counter(
      'controller_runtime_webhook_requests_total',
      'Total number of admission requests by HTTP status code.',
    )
    this.#latency = metrics.histogram(
      'controller_runtime_webhook_latency_seconds',
      'Histogram of the latency of processing admission requests',
      latencyBuckets,
    )
    this.#inFlight = metrics.gauge(
      'controller_runtime_webhook_requests_in_flight',
      'Current number of admission requests being served.',
    )
    this.#panics = metrics.counter('controller_runtime_webhook_panics_total', 'Total number of webhook panics')
  }

  /** The request has its place. */
  began(path: string): void {
    this.#inFlight.add(1, this.#labelsOf(path))
  }

  ended(path: string, seconds: number): void {
    const labels = this.#labelsOf(path)
    this.#inFlight.add(-1, labels)
    this.#latency.observe(seconds, labels)
  }

  /** Its handler threw. */
  failed(): void {
    this.#panics.add()
  }

  answered(path: string, status: number): void {
    this.#total.add(this.#labelsOf(path, String(status)))
  }

  #labelsOf(path: string, code?: string): Labels {
    const id = code === undefined ? path : `${path} ${code}`
    const held = this.#labels.get(id)
    if (held !== undefined) return held
    const labels = Object.freeze(code === undefined ? { webhook: path } : { webhook: path, code })
    this.#labels.set(id, labels)
    return labels
  }
}
