import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createApiServer } from '../create-api-server.ts'

const podOf = (name: string, containers: readonly string[], nodeName: string): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default' },
  spec: { containers: containers.map(container => ({ name: container, image: 'x' })), nodeName },
})

async function serverWithPods(): Promise<{
  readonly server: ReturnType<typeof createApiServer>
  readonly ask: (method: string, path: string) => Promise<{ readonly code: number; readonly text: string }>
}> {
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'default', name: 'default' } }
  const node = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'here' } }
  const server = createApiServer({ objects: [account, node], controllers: 'none' })
  const ask = async (method: string, path: string, body: object | null = null) => {
    const headers = { 'content-type': 'application/json' }
    const bytes = body === null ? null : Buffer.from(JSON.stringify(body))
    const reply = await server.as()({ method, target: `/api/v1/namespaces/default/pods${path}`, headers, body: bytes })
    assert.ok(reply.body === null || reply.body instanceof Uint8Array)
    return { code: reply.status, text: new TextDecoder().decode(reply.body ?? new Uint8Array(0)) }
  }
  for (const [name, containers, nodeName] of [
    ['quiet', ['a'], 'here'],
    ['two', ['a', 'b'], 'here'],
    ['homeless', ['a'], ''],
    ['lost', ['a'], 'nowhere'],
  ] as const)
    assert.equal((await ask('POST', '', podOf(name, containers, nodeName))).code, 201)
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

test('a pod without a node has nothing to say, and one whose node is gone cannot be asked', async t => {
  const { server, ask } = await serverWithPods()
  t.after(() => server.close())
  assert.deepEqual(await ask('GET', '/homeless/log'), { code: 204, text: '' })
  assert.match((await ask('POST', '/homeless/exec?command=sh')).text, /pod homeless does not have a host assigned/)
  for (const way of ['log', 'exec?command=sh', 'portforward'])
    assert.match((await ask('GET', `/lost/${way}`)).text, /pods \\"nowhere\\" not found/)
  assert.match((await ask('GET', '/quiet/proxy/metrics')).text, /address not allowed/)
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
