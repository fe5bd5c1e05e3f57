import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { ask, type Reply, tokenOf } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { widgetDefinition, widgets } from '../widget.fixture.ts'

const path = '/api/v1/namespaces/default/configmaps'

function world(): ApiServer {
  return createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none' })
}

test('a body of 3 MiB and one byte is too large, whole or in pieces [#24]', async () => {
  const server = world()
  const large = new Uint8Array(3_145_729)
  assert.equal((await ask(server, 'POST', path, large)).body.reason, 'RequestEntityTooLarge')
  async function* pieces(): AsyncGenerator<Uint8Array> {
    for (let index = 0; index < 4; index++) yield new Uint8Array(1_000_000)
  }
  const response = await server.as()({ method: 'POST', target: path, headers: {}, body: pieces() })
  assert.equal(response.status, 413)
  await server.close()
})

test('nesting without end, broken text, NaN and numbers past a double are bad requests', async () => {
  const server = world()
  const deep = `{"data":${'{"a":'.repeat(20_000)}1${'}'.repeat(20_000)}}`
  for (const body of [
    deep,
    '{"a":',
    '',
    '[1]',
    '"x"',
    '{"a":NaN}',
    '{"metadata":{"name":"a","generation":1e999}}',
    '{"kind":"Pod"}',
    Uint8Array.of(0x7b, 0xff, 0xfe),
  ]) {
    const { status, body: answer } = await ask(server, 'POST', path, body)
    assert.equal(status, 400, JSON.stringify(answer).slice(0, 200))
    assert.equal(answer.kind, 'Status')
  }
  assert.equal((await ask(server, 'GET', path)).body.items.length, 0)
  await server.close()
})

test('unknown and duplicate fields are refused, warned of or let pass, as asked [#57, #58]', async () => {
  const server = world()
  const body = '{"metadata":{"name":"NAME"},"data":{"a":"1","a":"2"},"nonsense":1}'
  const make = (name: string, validation: string): Promise<Reply> =>
    ask(server, 'POST', `${path}?fieldValidation=${validation}`, body.replace('NAME', name))
  const strict = await make('a', 'Strict')
  assert.equal(strict.status, 400)
  assert.match(strict.body.message, /strict decoding error: duplicate field "data\.a", unknown field "nonsense"$/)
  const warned = await make('b', 'Warn')
  assert.deepEqual(
    [warned.status, warned.headers.warning],
    [201, ['299 - "duplicate field \\"data.a\\""', '299 - "unknown field \\"nonsense\\""']],
  )
  assert.deepEqual(warned.body.data, { a: '2' })
  assert.equal((await make('c', 'Ignore')).headers.warning, undefined)
  await server.close()
})

test('whole numbers past 2^53 come back digit by digit [#64]', async () => {
  const server = createApiServer({ seed: 1, controllers: 'none', objects: [widgetDefinition()] })
  const text = '{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"a"},"n":9007199254740993}'
  const created = await ask(server, 'POST', widgets, text)
  assert.match(created.text, /"n":9007199254740993/)
  await server.close()
})

test('hostile selectors are refused or harmless, and quick [#98]', async () => {
  const server = world()
  for (const selector of [
    'a in (',
    '!',
    'a=b=c',
    ',',
    'a>x',
    `${'a'.repeat(100_000)}=b`,
    `a in (${','.repeat(50_000)})`,
    '(((((',
  ]) {
    const { status } = await ask(server, 'GET', `${path}?labelSelector=${encodeURIComponent(selector)}`)
    assert.ok(status === 400 || status === 200, selector.slice(0, 40))
  }
  for (const selector of ['metadata.name', '=x', '\\', '\\'.repeat(10_000), 'data.x=1']) {
    assert.equal(
      (await ask(server, 'GET', `${path}?fieldSelector=${encodeURIComponent(selector)}`)).status,
      400,
      selector.slice(0, 40),
    )
  }
  await server.close()
})

test('JSON patches that point nowhere, climb into prototypes or never end change nothing [#119]', async () => {
  const server = world()
  await ask(server, 'POST', path, '{"metadata":{"name":"a"},"data":{"x":"1"}}')
  const patches = [
    '[{"op":"remove","path":"/data/missing"}]',
    '[{"op":"add","path":"/nowhere/deep","value":1}]',
    '[{"op":"test","path":"/data/x","value":"2"}]',
    '[{"op":"move","from":"/metadata","path":"/metadata/labels"}]',
    '[{"op":"add","path":"data","value":1}]',
    '[{"op":"whatever","path":"/data"}]',
    '[null]',
    '[{"op":"add","path":"/__proto__/polluted","value":"yes"}]',
  ]
  for (const patch of patches) {
    const { status } = await ask(server, 'PATCH', `${path}/a`, patch, { type: 'application/json-patch+json' })
    assert.equal(status, 422, patch)
  }
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
  const many = `[${Array.from({ length: 10_001 }, () => '{"op":"test","path":"/data/x","value":"1"}').join(',')}]`
  assert.equal((await ask(server, 'PATCH', `${path}/a`, many, { type: 'application/json-patch+json' })).status, 413)
  assert.deepEqual((await ask(server, 'GET', `${path}/a`)).body.data, { x: '1' })
  await server.close()
})

test('forged, unsigned, expired and cut tokens are refused, never anonymous [#189]', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock })
  await server.settle()
  const token = await tokenOf(server)
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  const forged = [
    `${encode({ alg: 'none' })}.${claims}.`,
    `${encode({ alg: 'HS256' })}.${claims}.${signature}`,
    `${head}.${encode({ ...JSON.parse(Buffer.from(claims, 'base64url').toString()), sub: 'system:serviceaccount:kube-system:root' })}.${signature}`,
    token.slice(0, -4),
    'x.y.z',
    'a'.repeat(100_000),
    '',
  ]
  const status = async (bearer: string): Promise<number> =>
    (await server.handle({ method: 'GET', target: path, headers: { authorization: `Bearer ${bearer}` }, body: null })).status
  for (const bad of forged) assert.equal(await status(bad), 401, bad.slice(0, 40))
  assert.equal(await status(token), 403)
  await clock.advance(3_600_000 + 61_000)
  assert.equal(await status(token), 401)
  await server.close()
})

test('a watch whose reader has gone leaves nothing behind', async () => {
  const clock = new ManualClock()
  const server = createApiServer({ seed: 1, clock, controllers: 'none' })
  const abort = new AbortController()
  const watches = await Promise.all(
    Array.from({ length: 1_000 }, async () => {
      const response = await server.as()({
        method: 'GET',
        target: `${path}?watch=1&allowWatchBookmarks=true&resourceVersion=${server.revision}`,
        headers: {},
        body: null,
        signal: abort.signal,
      })
      const lines = (response.body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()
      return { lines, first: lines.next() }
    }),
  )
  assert.ok(clock.pendingCount() >= 1_000)
  abort.abort()
  for (const { first } of watches) await first
  assert.equal(clock.pendingCount(), 0)
  await server.close()
})
