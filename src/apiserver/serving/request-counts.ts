// `/metrics`: what was asked and how it ended, and how much is stored, under the names that a real API server uses.
import type { HttpResponse } from '#base'
import { type ApiCall, header } from '../http/call.ts'
import type { RequestInfo } from '../http/request-info.ts'
import type { Store } from '../store/store.ts'

/** Anybody may invent resources; what comes after as many as these is not counted. */
const seriesMax = 5_000

export class RequestCounts {
  readonly #counts = new Map<string, number>()

  add({ request, info }: Pick<ApiCall, 'request' | 'info'>, code: number): void {
    const labels = `${labelsOf(info, header(request, 'content-type') ?? '')},code="${code}"`
    const known = this.#counts.get(labels)
    if (known !== undefined || this.#counts.size < seriesMax) this.#counts.set(labels, (known ?? 0) + 1)
  }

  render(store: Pick<Store, 'tables'>, version: string): HttpResponse {
    const objects = [...store.tables].map(([name, { rows }]): [string, number] => [`resource="${escaped(name)}"`, rows.size])
    const body = Buffer.from(
      family('apiserver_request_total', 'counter', 'Requests, by what they asked and how they ended.', [...this.#counts]) +
        family('apiserver_storage_objects', 'gauge', 'Objects that are stored, by resource.', objects) +
        family('kubernetes_build_info', 'gauge', 'The version that is emulated.', [[`git_version="${version}"`, 1]]) +
        family('process_resident_memory_bytes', 'gauge', 'Memory of the process.', [['', process.memoryUsage.rss()]]),
    )
    return { status: 200, headers: { 'content-type': 'text/plain; version=0.0.4; charset=utf-8' }, body }
  }
}

const verbs: Readonly<Record<string, string>> = { create: 'POST', update: 'PUT' }

function labelsOf(info: RequestInfo, contentType: string): string {
  if (info.kind === 'path')
    return `component="apiserver",group="",resource="",scope="",subresource="",verb="${escaped(info.verb.toUpperCase())}",version=""`
  const verb =
    info.verb === 'patch' && contentType.startsWith('application/apply-patch')
      ? 'APPLY'
      : (verbs[info.verb] ?? info.verb.toUpperCase())
  const scope = info.name !== '' ? 'resource' : info.namespace !== '' ? 'namespace' : 'cluster'
  const { group, resource, subresource, version } = info
  const named = { group, resource, scope, subresource, verb, version }
  return `component="apiserver",${Object.entries(named)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')}`
}

function family(name: string, type: string, help: string, series: readonly (readonly [labels: string, value: number])[]): string {
  const lines = series.map(([labels, value]) => `${name}${labels === '' ? '' : `{${labels}}`} ${value}\n`)
  return `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n${lines.sort().join('')}`
}

function escaped(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n').slice(0, 100)
}
