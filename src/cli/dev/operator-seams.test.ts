import assert from 'node:assert/strict'
import { test } from 'node:test'
import { credentialsProgram, mountedFiles } from './operator-seams.ts'

const call = { command: 'credentials-of-dev-clusters', args: [], outputBytesMax: 1, timeoutMs: 1 }
const infoOf = (server: string) => ({ KUBERNETES_EXEC_INFO: JSON.stringify({ spec: { cluster: { server } } }) })
const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

test('the helper program gives the token of the cluster that is asked for, and of no other', async () => {
  const clusters = [
    { address: 'https://a:1', server: { adminToken: 'of a' } },
    { address: 'https://b:1', server: { adminToken: 'of b' } },
  ]
  const { run } = credentialsProgram(clusters)
  const { code, stdout } = await run({ ...call, env: infoOf('https://b:1') })
  assert.deepEqual([code, (JSON.parse(textOf(stdout)) as { readonly status: unknown }).status], [0, { token: 'of b' }])
  for (const refused of [
    { ...call, env: infoOf('https://c:1') },
    { ...call, env: {} },
    { ...call, command: 'aws', env: infoOf('https://b:1') },
  ]) {
    const { code, stdout } = await run(refused)
    assert.deepEqual([code, stdout.length], [1, 0])
  }
})

test('what manifests mount are files, each key of the ConfigMap at its path', () => {
  const configMap = (name: string, data: object) => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data })
  const files = mountedFiles({
    mounts: [{ name: 'm', mountPath: '/etc/m', configMap: 'two' }],
    objects: [configMap('one', { a: '1' }), configMap('two', { b: '2', c: '3' })],
  })
  assert.deepEqual(files, [
    ['/etc/m/b', '2'],
    ['/etc/m/c', '3'],
  ])
})
