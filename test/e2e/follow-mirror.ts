// The life of a ConfigMap under the operator of the guide, which runs as a process of its own: copied, kept equal, taken back, and the
// operator stops when it is told to. The same on the embedded cluster and on a real one.
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { systemSeams } from '#base'
import { configMaps, type KubeObject, namespaces, type ObjectKey, type StoredObject } from '#kube'
import { connect } from '#kube/client'
import { eventually } from '../real/eventually.ts'

export interface MirrorRun {
  readonly kubeconfig: string
  start(env: Readonly<Record<string, string>>): ChildProcess
}

type ConfigMap = StoredObject & { readonly data?: Readonly<Record<string, string>> }

const source: ObjectKey = { namespace: 'default', name: 'theme' }
const copy: ObjectKey = { namespace: 'team-mirror', name: 'theme' }

export async function followMirror({ kubeconfig, start }: MirrorRun): Promise<void> {
  const { client } = await connect(systemSeams({}), { kubeconfig: [kubeconfig] })
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'team-mirror' } })
  const operator = start({ KUBECONFIG: kubeconfig, HEALTH_PORT: '0' })
  const said: string[] = []
  for (const stream of [operator.stdout, operator.stderr]) stream?.on('data', chunk => said.push(String(chunk)))
  const ended = once(operator, 'exit')
  const colorOf = async (key: ObjectKey): Promise<string | undefined> =>
    (await client.find<ConfigMap>(configMaps, key))?.data?.['color']
  const until = (what: string, isSo: () => Promise<boolean>): Promise<true> =>
    eventually(
      async () => (await isSo()) || undefined,
      () => `${what}\n${said.join('')}`,
    )
  try {
    await client.create(configMaps, theme())
    await until('the copy is there', async () => (await colorOf(copy)) === 'green')
    await client.patch(configMaps, copy, 'merge', { data: { color: 'red' } })
    await until('the copy is as it was', async () => (await colorOf(copy)) === 'green')
    await client.delete(configMaps, source)
    await until('source and copy are gone', async () =>
      [await client.find(configMaps, source), await client.find(configMaps, copy)].every(found => found === undefined),
    )
  } finally {
    operator.kill('SIGTERM')
    await ended
    await client.close()
  }
  assert.equal(operator.exitCode, 0, said.join(''))
}

function theme(): KubeObject & { readonly data: Readonly<Record<string, string>> } {
  const labels = { 'mirror.example.com/source': 'true' }
  const annotations = { 'mirror.example.com/to': 'team-mirror' }
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { ...source, labels, annotations }, data: { color: 'green' } }
}
