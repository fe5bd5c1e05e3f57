import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '../create-api-server.ts'
import { Query } from '../http/query.ts'
import { RequestCounts } from './request-counts.ts'

test('/metrics counts requests by what they asked and how they ended, and objects by resource', async () => {
  const server = createApiServer({ controllers: 'none' })
  try {
    const ask = async (method: string, target: string, body?: object, type = 'application/json') => {
      const bytes = body === undefined ? null : Buffer.from(JSON.stringify(body))
      const response = await server.as()({ method, target, headers: { 'content-type': type }, body: bytes })
      return { status: response.status, text: Buffer.from(response.body as Uint8Array).toString() }
    }
    const all = '/api/v1/namespaces/default/configmaps'
    const one = (name: string): object => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name } })
    await ask('POST', all, one('a'))
    await ask('POST', all, one('b'))
    await ask('POST', all, one('b'))
    await ask('GET', `${all}/absent"\n`)
    await ask('PATCH', `${all}/c?fieldManager=m`, one('c'), 'application/apply-patch+yaml')
    const { status, text } = await ask('GET', '/metrics')
    assert.equal(status, 200)
    const line = (start: string): string | undefined => text.split('\n').find(found => found.startsWith(start))
    const made =
      'apiserver_request_total{component="apiserver",dry_run="",group="",resource="configmaps",scope="resource",subresource="",verb="POST",version="v1"'
    assert.equal(line(`${made},code="201"`), `${made},code="201"} 2`)
    assert.equal(line(`${made},code="409"`), `${made},code="409"} 1`)
    assert.match(text, /verb="APPLY",version="v1",code="201"} 1\n/)
    assert.match(text, /verb="GET",version="v1",code="404"} 1\n/)
    assert.match(line('apiserver_storage_objects{resource="configmaps"}') ?? '', / [3-9]$/)
    // Nothing but comments and samples: that is what a scraper takes.
    assert.ok(text.split('\n').every(found => found === '' || /^# (?:HELP|TYPE) |^[a-z_]+(?:\{[^\n]*\})? [0-9.e+]+$/.test(found)))
  } finally {
    await server.close()
  }
})

test('/metrics tells how long requests took, and times no watch', async () => {
  const counts = new RequestCounts()
  const call = (verb: string): Parameters<RequestCounts['add']>[0] => ({
    request: { method: 'GET', target: '/', headers: {}, body: null },
    info: {
      kind: 'resource',
      path: '/',
      verb,
      group: '',
      version: 'v1',
      resource: 'pods',
      namespace: '',
      pinnedName: '',
      name: '',
      subresource: '',
      rest: [],
    },
    query: new Query('dryRun=All'),
  })
  for (const ms of [1, 5, 6, 61_000]) counts.add(call('list'), 200, ms)
  counts.add(call('watch'), 200, 5)
  const { body } = counts.render({ tables: new Map() }, 'v1.34.0')
  const lines = Buffer.from(body as Uint8Array)
    .toString()
    .split('\n')
    .filter(line => line.startsWith('apiserver_request_duration_seconds'))
  const named =
    'component="apiserver",dry_run="All",group="",resource="pods",scope="cluster",subresource="",verb="LIST",version="v1"'
  assert.equal(lines.length, 26)
  assert.deepEqual(
    lines.filter(line => /le="(?:0\.005|0\.025|60|\+Inf)"|_sum|_count/.test(line)),
    [
      `apiserver_request_duration_seconds_bucket{${named},le="0.005"} 2`,
      `apiserver_request_duration_seconds_bucket{${named},le="0.025"} 3`,
      `apiserver_request_duration_seconds_bucket{${named},le="60"} 3`,
      `apiserver_request_duration_seconds_bucket{${named},le="+Inf"} 4`,
      `apiserver_request_duration_seconds_sum{${named}} 61.012`,
      `apiserver_request_duration_seconds_count{${named}} 4`,
    ],
  )
})

test('/metrics is not for everybody', async () => {
  const server = createApiServer({ controllers: 'none' })
  try {
    const stranger = server.as({ username: 'stranger', groups: ['system:authenticated'] })
    assert.equal((await stranger({ method: 'GET', target: '/metrics', headers: {}, body: null })).status, 403)
  } finally {
    await server.close()
  }
})
