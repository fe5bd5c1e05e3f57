// An unmodified controller manager of controller-runtime, two of them, given nothing but a kubeconfig: catalogue 208 and 209 on both servers.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, it } from 'node:test'
import { createApiServer } from '#apiserver'
import { systemSeams } from '#base'
import { configMaps, type KubeObject, namespaces } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { goProgram } from './programs/go-program.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const noControlPlane = await controlPlaneSkipped()
const program = goProgram('go-manager', 'controller-runtime')

interface Running {
  readonly child: ChildProcess
  says(line: string): Promise<void>
}

const folder = mkdtempSync(join(tmpdir(), 'vouch-manager-'))
const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe('two managers of controller-runtime', { skip: 'skipped' in program ? program.skipped : false }, () => {
  it('protobuf and streamed lists, one leader, and its successor on the embedded API server [#208, #209]', async () => {
    const server = createApiServer({ emulate: '1.34' })
    try {
      await server.listen()
      await proveManagers('embedded', server.kubeconfig())
    } finally {
      await server.close()
    }
  })

  it('the same on the real kube-apiserver [#208, #209]', { skip: noControlPlane ?? false }, async () => {
    await proveManagers('real', readFileSync((await sharedControlPlane()).kubeconfig, 'utf8'))
  })
})

async function proveManagers(name: string, kubeconfig: string): Promise<void> {
  const path = join(folder, `${name}.kubeconfig`)
  writeFileSync(path, kubeconfig, { mode: 0o600 })
  const { client } = await connect(systemSeams({}), { kubeconfig: [path], userAgent: 'vouch-test' })
  try {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'managed' } })
    const first = start(path, 'first')
    await first.says('leading')
    const second = start(path, 'second')
    await second.says('started')
    await createMap(client, 'one')
    await first.says('reconciled one')
    assert.equal(await seenBy(client, 'one'), 'first')
    // Killed: it hands nothing over, and the second has to wait until the lease has run out.
    first.child.kill('SIGKILL')
    await second.says('leading')
    await createMap(client, 'two')
    await second.says('reconciled two')
    assert.equal(await seenBy(client, 'two'), 'second')
    second.child.kill('SIGKILL')
  } finally {
    await client.close()
  }
}

function start(kubeconfig: string, name: string): Running {
  assert.ok('path' in program)
  const child = spawn(program.path, [kubeconfig, name], { env: { KUBE_FEATURE_WatchListClient: 'true' } })
  children.push(child)
  let output = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      for (const listener of listeners) listener()
    })
  }
  const says = (line: string): Promise<void> =>
    new Promise((resolve, reject) => {
      const look = (): void => {
        if (!output.split('\n').includes(line)) return
        clearTimeout(timer)
        listeners.delete(look)
        resolve()
      }
      const timer = setTimeout(() => {
        listeners.delete(look)
        reject(new Error(`manager ${name} did not say "${line}": ${output.slice(-2_000)}`))
      }, patienceMs)
      listeners.add(look)
      look()
    })
  return { child, says }
}

const patienceMs = 30_000

async function createMap(client: KubeClient, name: string): Promise<void> {
  await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'managed', name } } as KubeObject)
}

async function seenBy(client: KubeClient, name: string): Promise<string | undefined> {
  return (await client.get(configMaps, { namespace: 'managed', name })).metadata.labels?.['seen-by']
}
