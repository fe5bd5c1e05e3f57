// /healthz, /livez and /readyz, with their verbose and exclude forms.
import type { HttpResponse } from '#base'
import type { Query } from '../http/query.ts'

const checks = ['ping', 'log', 'etcd', 'poststarthook/rbac/bootstrap-roles', 'poststarthook/start-apiextensions-controllers']

export function health(endpoint: string, rest: readonly string[], query: Query, ready: boolean): HttpResponse {
  const all = endpoint === 'readyz' ? [...checks, 'informer-sync', 'shutdown'] : checks
  const fails = (name: string): boolean => endpoint === 'readyz' && !ready && name === 'shutdown'
  if (rest.length > 0) {
    const name = rest.join('/')
    if (!all.includes(name)) return text(404, '404 page not found\n')
    return fails(name) ? text(500, `internal server error: reason withheld\n`) : text(200, 'ok')
  }
  const excluded = new Set(query.all('exclude'))
  const failed = all.some(name => fails(name) && !excluded.has(name))
  if (!failed && !query.has('verbose')) return text(200, 'ok')
  const lines = all.map(name => {
    if (excluded.has(name)) return `[+]${name} excluded: ok\n`
    return fails(name) ? `[-]${name} failed: reason withheld\n` : `[+]${name} ok\n`
  })
  const unknown = [...excluded].filter(name => !all.includes(name))
  if (unknown.length > 0) {
    const names = unknown.map(name => JSON.stringify(name)).join(',')
    lines.push(`warn: some health checks cannot be excluded: no matches for ${names}\n`)
  }
  return text(failed ? 500 : 200, `${lines.join('')}${endpoint} check ${failed ? 'failed' : 'passed'}\n`)
}

function text(status: number, body: string): HttpResponse {
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', 'x-content-type-options': 'nosniff' },
    body: Buffer.from(body),
  }
}
