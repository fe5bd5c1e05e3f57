// Metrics by hand: counters, gauges and histograms with labels, in the text form that Prometheus reads. Values live in maps from the
// rendered labels; a metric is told apart by its name, and asking twice for one gives the same.
import { invariant } from '#base'

/** Freeze those that are used again and again. */
export type MetricLabels = Readonly<Record<string, string>>

export interface Counter {
  add(labels?: MetricLabels, by?: number): void
  value(labels?: MetricLabels): number
}

export interface Gauge {
  set(value: number, labels?: MetricLabels): void
  add(by: number, labels?: MetricLabels): void
  remove(labels: MetricLabels): void
  value(labels?: MetricLabels): number
}

export interface Histogram {
  observe(value: number, labels?: MetricLabels): void
}

export type MetricType = 'counter' | 'gauge' | 'histogram' | 'summary'

/** One set of labels of a metric. Of histograms and summaries `value` is the sum. */
export interface MetricPoint {
  readonly labels: MetricLabels
  readonly value: number
  readonly count: number
  /** Upper bounds of buckets, and how many fell into each and into none before it. */
  readonly bounds?: readonly number[]
  readonly counts?: readonly number[]
}

export interface MetricFamily {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly points: readonly MetricPoint[]
}

interface Family {
  readonly name: string
  readonly help: string
  readonly type: MetricType
  readonly metric: Counter | Gauge | Histogram
  render(lines: string[]): void
  points(): readonly MetricPoint[]
}

/** Brings a counter to a total that is counted elsewhere. A total that fell says nothing: counters never go back. */
export function countTo(counter: Counter, total: number, labels: MetricLabels = {}): void {
  const by = total - counter.value(labels)
  if (by > 0 || total === 0) counter.add(labels, Math.max(0, by))
}

/** Label sets per metric: past this many, new ones are counted together. A label fed from input must not fill the memory (B29). */
const labelSetsMax = 5_000

export class Metrics {
  readonly #families = new Map<string, Family>()
  readonly #collectors: (() => void)[] = []

  counter(name: string, help: string): Counter {
    return this.#family(name, help, 'counter', () => new Values(name)) as Counter
  }

  gauge(name: string, help: string): Gauge {
    return this.#family(name, help, 'gauge', () => new Values(name)) as Gauge
  }

  histogram(name: string, help: string, buckets: readonly number[]): Histogram {
    return this.#family(name, help, 'histogram', () => new Buckets(name, buckets)) as Histogram
  }

  /** Sum and count only: a summary without quantiles. */
  summary(name: string, help: string): Histogram {
    return this.#family(name, help, 'summary', () => new Buckets(name)) as Histogram
  }

  /** Called before each exposition, to set gauges that are read rather than kept. */
  collect(collector: () => void): void {
    this.#collectors.push(collector)
  }

  /** Everything as values, in the order of names. */
  snapshot(): readonly MetricFamily[] {
    return this.#collected().map(({ name, help, type, points }) => ({ name, help, type, points: points() }))
  }

  #collected(): readonly Family[] {
    for (const collector of this.#collectors) collector()
    return [...this.#families.values()].sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Prometheus text format 0.0.4. */
  expose(): string {
    const lines: string[] = []
    for (const family of this.#collected()) {
      lines.push(`# HELP ${family.name} ${family.help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}`)
      lines.push(`# TYPE ${family.name} ${family.type}`)
      family.render(lines)
    }
    return `${lines.join('\n')}\n`
  }

  #family(name: string, help: string, type: Family['type'], make: () => Values | Buckets): Counter | Gauge | Histogram {
    const held = this.#families.get(name)
    if (held !== undefined) {
      invariant(held.type === type, 'one metric name is used for two types', name)
      return held.metric
    }
    invariant(/^[a-zA-Z_:][a-zA-Z0-9_:]*$/.test(name), 'this is no name of a metric', name)
    const metric = make()
    this.#families.set(name, {
      name,
      help,
      type,
      metric,
      render: lines => metric.render(lines),
      points: () => metric.points(),
    })
    return metric
  }
}

class Values implements Counter, Gauge {
  readonly #name: string
  readonly #values = new Map<string, number>()

  constructor(name: string) {
    this.#name = name
  }

  // A counter is called with labels first, a gauge with the amount first: each type's own order of what is always given.
  add(first?: MetricLabels | number, second?: MetricLabels | number): void {
    const labels = typeof first === 'object' ? first : typeof second === 'object' ? second : undefined
    const by = typeof first === 'number' ? first : typeof second === 'number' ? second : 1
    const id = bounded(this.#values, renderLabels(labels))
    this.#values.set(id, (this.#values.get(id) ?? 0) + by)
  }

  set(value: number, labels?: MetricLabels): void {
    this.#values.set(bounded(this.#values, renderLabels(labels)), value)
  }

  remove(labels: MetricLabels): void {
    this.#values.delete(renderLabels(labels))
  }

  value(labels?: MetricLabels): number {
    return this.#values.get(renderLabels(labels)) ?? 0
  }

  points(): readonly MetricPoint[] {
    return [...this.#values].map(([labels, value]) => ({ labels: parseLabels(labels), value, count: 1 }))
  }

  render(lines: string[]): void {
    for (const [labels, value] of this.#values) lines.push(`${this.#name}${wrap(labels)} ${renderNumber(value)}`)
  }
}

interface Distribution {
  readonly counts: number[]
  sum: number
  count: number
}

class Buckets implements Histogram {
  readonly #name: string
  /** The upper bounds of the buckets; undefined in a summary, which has no buckets. */
  readonly #bounds: readonly number[] | undefined
  readonly #values = new Map<string, Distribution>()

  constructor(name: string, bounds?: readonly number[]) {
    this.#name = name
    this.#bounds = bounds
  }

  observe(value: number, labels?: MetricLabels): void {
    const id = bounded(this.#values, renderLabels(labels))
    let held = this.#values.get(id)
    if (held === undefined) {
      held = { counts: this.#bounds?.map(() => 0) ?? [], sum: 0, count: 0 }
      this.#values.set(id, held)
    }
    held.sum += value
    held.count++
    const index = this.#bounds?.findIndex(bound => value <= bound) ?? -1
    if (index >= 0) held.counts[index] = (held.counts[index] ?? 0) + 1
  }

  points(): readonly MetricPoint[] {
    return [...this.#values].map(([labels, { counts, sum, count }]) => ({
      labels: parseLabels(labels),
      value: sum,
      count,
      ...(this.#bounds === undefined ? {} : { bounds: this.#bounds, counts: [...counts] }),
    }))
  }

  render(lines: string[]): void {
    for (const [labels, held] of this.#values) {
      const and = labels === '' ? '' : `${labels},`
      let cumulative = 0
      for (const [index, bound] of this.#bounds?.entries() ?? []) {
        cumulative += held.counts[index] ?? 0
        lines.push(`${this.#name}_bucket{${and}le="${bound}"} ${cumulative}`)
      }
      if (this.#bounds !== undefined) lines.push(`${this.#name}_bucket{${and}le="+Inf"} ${held.count}`)
      lines.push(`${this.#name}_sum${wrap(labels)} ${renderNumber(held.sum)}`)
      lines.push(`${this.#name}_count${wrap(labels)} ${held.count}`)
    }
  }
}

function bounded(values: ReadonlyMap<string, unknown>, id: string): string {
  return values.size >= labelSetsMax && !values.has(id) ? 'overflow="true"' : id
}

/** Labels that cannot change are rendered once: on a hot path the rendering would cost more than the counting. */
const renderedOnce = new WeakMap<MetricLabels, string>()

function renderLabels(labels: MetricLabels | undefined): string {
  if (labels === undefined) return ''
  const held = renderedOnce.get(labels)
  if (held !== undefined) return held
  const rendered = joinLabels(labels)
  if (Object.isFrozen(labels)) renderedOnce.set(labels, rendered)
  return rendered
}

function joinLabels(labels: MetricLabels): string {
  return Object.entries(labels)
    .map(([name, value]) => `${name}="${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n')}"`)
    .join(',')
}

/** Values are kept by their rendered labels, since that is what is asked for most. */
function parseLabels(rendered: string): MetricLabels {
  const unescape = (value: string): string => value.replace(/\\(.)/g, (_, char: string) => (char === 'n' ? '\n' : char))
  return Object.fromEntries(
    [...rendered.matchAll(/([A-Za-z_][A-Za-z0-9_]*)="((?:[^"\\]|\\.)*)"/g)].map(([, name = '', value = '']) => [
      name,
      unescape(value),
    ]),
  )
}

function wrap(labels: string): string {
  return labels === '' ? '' : `{${labels}}`
}

function renderNumber(value: number): string {
  if (value === Number.POSITIVE_INFINITY) return '+Inf'
  return value === Number.NEGATIVE_INFINITY ? '-Inf' : String(value)
}
