import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '../create-api-server.ts'

const podOf = (name: string, containers: readonly string[]): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: containers.map(container => ({ name: container, image: 'x' })) },
})

async function serverWithPods(): Promise<{
  readonly server: ReturnType<typeof createApiServer>
  readonly ask: (method: string, path: string) => Promise<{ readonly code: number; readonly text: string }>
}> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'default', name: 'default' } }
  const server = createApiServer({ objects: [account] })
  const ask = async (method: string, path: string, body: object | null = null) => {
    const headers = { 'content-type': 'application/json' }
    const bytes = body === null ? null : Buffer.from(JSON.stringify(body))
    const reply = await server.as()({ method, target: `/api/v1/namespaces/default/pods${path}`, headers, body: bytes })
    assert.ok(reply.body instanceof Uint8Array)
    return { code: reply.status, text: new TextDecoder().decode(reply.body) }
  }
  for (const [name, containers] of [
    ['quiet', ['a']],
    ['two', ['a', 'b']],
  ] as const)
    assert.equal((await ask('POST', '', podOf(name, containers))).code, 201)
  return { server, ask }
}

test('the log of a pod behind which nothing runs is refused and says so, and is not an empty text', async t => {
  const { server, ask } = await serverWithPods()
  t.after(() => server.close())
  const { code, text } = await ask('GET', '/quiet/log')
  assert.equal(code, 400)
  const said = 'nothing runs in pod quiet: this embedded API server starts no containers, so it has no log'
  assert.ok(text.includes(`"message":"${said}","reason":"BadRequest"`), text)
})

test('what somebody ran for a pod is its log, to the end or the last lines of it', async t => {
  const { server, ask } = await serverWithPods()
  t.after(() => server.close())
  server.printed({ namespace: 'default', name: 'quiet' }, 'one\ntwo\n')
  assert.deepEqual(await ask('GET', '/quiet/log'), { code: 200, text: 'one\ntwo\n' })
  assert.deepEqual(await ask('GET', '/quiet/log?tailLines=1'), { code: 200, text: 'two\n' })
})

test('which container is meant has to be said, in the words of a kubelet', async t => {
  const { server, ask } = await serverWithPods()
  t.after(() => server.close())
  assert.match((await ask('GET', '/two/log')).text, /a container name must be specified for pod two, choose one of: \[a b\]/)
  assert.match((await ask('GET', '/two/log?container=c')).text, /container c is not valid for pod two/)
})

for (const way of ['exec', 'attach', 'portforward'])
  test(`${way} says that nothing runs there`, async t => {
    const { server, ask } = await serverWithPods()
    t.after(() => server.close())
    for (const method of ['GET', 'POST']) {
      const { code, text } = await ask(method, `/quiet/${way}?command=sh`)
      assert.equal(code, 400)
      assert.match(text, new RegExp(`nothing runs in pod quiet: .* there is nothing for ${way} to reach`))
    }
  })
