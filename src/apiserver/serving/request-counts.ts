// `/metrics`: what was asked, how it ended and how long it took, and how much is stored, under the names that a real API server uses.
import type { HttpResponse } from '#base'
import { type ApiCall, header } from '../http/call.ts'
import type { RequestInfo } from '../http/request-info.ts'
import type { Store } from '../store/store.ts'

/** Anybody may invent resources; what comes after as many as these is not counted. */
const seriesMax = 5_000

/** The bounds of the latency buckets in seconds, as a real server has them. */
const bounds = [0.005, 0.025, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1, 1.25, 1.5, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 45, 60]

/** What was asked, as the labels tell it, in their order. */
type Asked = readonly [
  component: string,
  dryRun: string,
  group: string,
  resource: string,
  scope: string,
  subresource: string,
  verb: string,
  version: string,
]
const labelNames = ['component', 'dry_run', 'group', 'resource', 'scope', 'subresource', 'verb', 'version'] as const

interface Series {
  readonly asked: Asked
  readonly codes: Map<number, number>
  /** How many took no longer than each bound, and longer than the one before it. */
  readonly within: number[]
  timed: number
  seconds: number
}

export class RequestCounts {
  readonly #series = new Map<string, Series>()
  /** One for each line of `apiserver_request_total`. */
  #counted = 0

  /** Watches are counted when they begin, and their time is none. */
  add({ request, info, query }: Pick<ApiCall, 'request' | 'info' | 'query'>, code: number, ms: number): void {
    const asked = askedOf(info, header(request, 'content-type') ?? '', query.get('dryRun') ?? '')
    const key = asked.join('\n')
    const known = this.#series.get(key)
    const series = known ?? { asked, codes: new Map(), within: bounds.map(() => 0), timed: 0, seconds: 0 }
    const count = series.codes.get(code)
    if (count === undefined && this.#counted >= seriesMax) return
    if (count === undefined) this.#counted++
    if (known === undefined) this.#series.set(key, series)
    series.codes.set(code, (count ?? 0) + 1)
    if (info.verb !== 'watch') time(series, ms / 1_000)
  }

  render(store: Pick<Store, 'tables'>, version: string): HttpResponse {
    const objects = [...store.tables].map(([name, { rows }]): Sample => [`{resource="${escaped(name)}"}`, rows.size])
    const all = [...this.#series.values()]
    const counts = all.flatMap(({ asked, codes }) =>
      [...codes].map(([code, count]): Sample => [`{${labels(asked)},code="${code}"}`, count]),
    )
    const body = Buffer.from(
      family('apiserver_request_total', 'counter', 'Requests, by what they asked and how they ended.', counts) +
        family(
          'apiserver_request_duration_seconds',
          'histogram',
          'How long requests took that are no watches.',
          all.flatMap(timesOf),
        ) +
        family('apiserver_storage_objects', 'gauge', 'Objects that are stored, by resource.', objects) +
        family('kubernetes_build_info', 'gauge', 'The version that is emulated.', [[`{git_version="${version}"}`, 1]]) +
        family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [['', process.memoryUsage.rss()]]),
    )
    return { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, body }
  }
}

function time(series: Series, seconds: number): void {
  series.timed++
  series.seconds += seconds
  const place = bounds.findIndex(bound => seconds <= bound)
  if (place >= 0) series.within[place] = (series.within[place] ?? 0) + 1
}

const verbs: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' }

function askedOf(info: RequestInfo, contentType: string, dryRun: string): Asked {
  if (info.kind === 'path') return ['apiserver', '', '', '', '', '', info.verb.toUpperCase(), '']
  const isApply = info.verb === 'patch' && contentType.startsWith('application/apply-patch')
  const verb = isApply ? 'APPLY' : (verbs[info.verb] ?? info.verb.toUpperCase())
  const scope = info.name !== '' || info.verb === 'create' ? 'resource' : info.namespace !== '' ? 'namespace' : 'cluster'
  return ['apiserver', dryRun === 'All' ? dryRun : '', info.group, info.resource, scope, info.subresource, verb, info.version]
}

function labels(asked: Asked): string {
  return asked.map((value, index) => `${labelNames[index]}="${escaped(value)}"`).join(',')
}

type Sample = readonly [nameAndLabels: string, value: number]

/** Each bound counts all that is below it. */
function timesOf({ asked, within, timed, seconds }: Series): readonly Sample[] {
  if (timed === 0) return []
  const named = labels(asked)
  let below = 0
  const buckets = within.map((count, index): Sample => [`_bucket{${named},le="${bounds[index]}"}`, (below += count)])
  return [...buckets, [`_bucket{${named},le="+Inf"}`, timed], [`_sum{${named}}`, seconds], [`_count{${named}}`, timed]]
}

function family(name: string, type: string, help: string, samples: readonly Sample[]): string {
  const lines = samples.map(([labelled, value]) => `${name}${labelled} ${value}\n`)
  // The buckets of a histogram stand in the order of their bounds.
  const ordered = type === 'histogram' ? lines : lines.sort()
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${ordered.join('')}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').slice(0, 100)
}
