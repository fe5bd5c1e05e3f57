import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { stripTypeScriptTypes } from 'node:module'
import { test } from 'node:test'
import { compileFunction } from 'node:vm'
import type { HttpExchange } from '#base'
import { createApiServer } from './create-api-server.ts'
import { widgetDefinition, widgetVersion } from './widget.fixture.ts'

/** A watch that labels what is new. */
function startOperator(ask: HttpExchange): () => Promise<void> {
  const abort = new AbortController()
  const run = async (): Promise<void> => {
    const target = '/apis/example.com/v1/widgets?watch=1'
    const { body } = await ask({ method: 'GET', target, headers: {}, body: null, signal: abort.signal })
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      const { type, object } = JSON.parse(Buffer.from(chunk).toString())
      if (type !== 'ADDED') continue
      await ask({
        method: 'PATCH',
        target: `/apis/example.com/v1/namespaces/${object.metadata.namespace}/widgets/${object.metadata.name}`,
        headers: { 'content-type': 'application/merge-patch+json' },
        body: Buffer.from('{"metadata":{"labels":{"seen":"yes"}}}'),
      })
    }
  }
  const done = run()
  return () => {
    abort.abort()
    return done
  }
}

test('the test of an operator in the README runs and passes', async () => {
  const text = await readFile(new URL('README.md', import.meta.url), 'utf8')
  const block = /```ts\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
  assert.match(block, /from 'vouch\/apiserver'/)
  const code = stripTypeScriptTypes(block.replace(/^import .*\n/gm, ''))
  const bodies: (() => Promise<void>)[] = []
  const define = (_name: string, body: () => Promise<void>): void => void bodies.push(body)
  const names = ['assert', 'test', 'createApiServer', 'widgetDefinition', 'startOperator', 'Buffer']
  const run = compileFunction(code, names) as (...values: unknown[]) => void
  run(assert, define, createApiServer, widgetDefinition([widgetVersion({ type: 'object' })]), startOperator, Buffer)
  assert.equal(bodies.length, 1)
  await bodies[0]?.()
})
