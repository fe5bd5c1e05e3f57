import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '../create-api-server.ts'

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
      'apiserver_request_total{component="apiserver",group="",resource="configmaps",scope="namespace",subresource="",verb="POST",version="v1"'
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

test('/metrics is not for everybody', async () => {
  const server = createApiServer({ controllers: 'none' })
  try {
    const stranger = server.as({ username: 'stranger', groups: ['system:authenticated'] })
    assert.equal((await stranger({ method: 'GET', target: '/metrics', headers: {}, body: null })).status, 403)
  } finally {
    await server.close()
  }
})
