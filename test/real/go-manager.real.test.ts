// An unmodified controller manager of controller-runtime, two of them, given nothing but a kubeconfig: catalogue 208 and 209 on both servers.
// The first serves webhooks, which the servers call, and both keep a cache of metadata alone.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { systemSeams } from '#base'
import {
  configMaps,
  type KubeObject,
  mutatingWebhookConfigurations,
  namespaces,
  type StoredObject,
  secrets,
  validatingWebhookConfigurations,
} from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { servingPair } from '../../src/base/x509/serving-pair.fixture.ts'
import { onBothServers, type Stage } from './both-servers.ts'
import { comesAbout } from './eventually.ts'
import { freePort } from './programs/free-port.ts'
import { goProgram } from './programs/go-program.ts'

const program = goProgram('go-manager', 'controller-runtime')

interface Running {
  readonly child: ChildProcess
  says(line: string): Promise<void>
}

const folder = mkdtempSync(join(tmpdir(), 'vouch-manager-'))
/** Of the webhooks of both managers, which look for it by these names. */
const pair = servingPair()
writeFileSync(join(folder, 'tls.crt'), pair.certificate)
writeFileSync(join(folder, 'tls.key'), pair.key, { mode: 0o600 })

const children: ChildProcess[] = []
after(() => {
  for (const child of children) child.kill('SIGKILL')
  rmSync(folder, { recursive: true, force: true })
})

describe('two managers of controller-runtime', { skip: 'skipped' in program ? program.skipped : false }, () => {
  const titles = {
    onEmbedded:
      'protobuf and streamed lists, webhooks, metadata alone, one leader, and its successor on the embedded API server [#208, #209]',
    onReal: 'the same on the real kube-apiserver [#208, #209]',
  }
  onBothServers({ ...titles, timeoutMs: 240_000 }, proveManagers)
})

async function proveManagers({ name, kubeconfig }: Stage): Promise<void> {
  const path = join(folder, `${name}.kubeconfig`)
  writeFileSync(path, kubeconfig, { mode: 0o600 })
  const { client } = await connect(systemSeams({}), { kubeconfig: [path], userAgent: 'vouch-test' })
  try {
    await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'managed' } })
    const port = await freePort()
    const first = start(path, 'first', port)
    await first.says('leading')
    const second = start(path, 'second', await freePort())
    await second.says('started')
    await createMap(client, 'one')
    await first.says('reconciled one')
    assert.equal(await seenBy(client, 'one'), 'first')
    await first.says('serving')
    await proveWebhooks(client, port)
    await createSecret(client, 'one')
    await first.says('noticed one')
    // Killed: it hands nothing over, and the second has to wait until the lease has run out.
    first.child.kill('SIGKILL')
    await second.says('leading')
    await createMap(client, 'two')
    await second.says('reconciled two')
    await createSecret(client, 'two')
    await second.says('noticed two')
    assert.deepEqual(await noticedBy(client), { one: 'first', two: 'second' })
    assert.equal(await seenBy(client, 'two'), 'second')
    second.child.kill('SIGKILL')
  } finally {
    await client.close()
  }
}

/** Calls the webhooks of the manager at this port, for as long as it takes to see what they do. */
async function proveWebhooks(client: KubeClient, port: number): Promise<void> {
  const hook = (kind: string, path: string, name: string): object => ({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind,
    metadata: { name },
    webhooks: [
      {
        name: `${name}.example.com`,
        clientConfig: { url: `https://127.0.0.1:${port}${path}`, caBundle: Buffer.from(pair.certificate).toString('base64') },
        rules: [{ apiGroups: [''], apiVersions: ['v1'], resources: ['configmaps'], operations: ['CREATE'] }],
        namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'managed' } },
        sideEffects: 'None',
        admissionReviewVersions: ['v1'],
      },
    ],
  })
  const configurations = [
    [mutatingWebhookConfigurations, hook('MutatingWebhookConfiguration', '/mutate--v1-configmap', 'defaults')],
    [validatingWebhookConfigurations, hook('ValidatingWebhookConfiguration', '/validate--v1-configmap', 'rules')],
  ] as const
  for (const [type, object] of configurations) await client.create(type, object as KubeObject)
  const refusal = 'admission webhook "rules.example.com" denied the request: no data may be forbidden'
  let last = ''
  // A server takes up webhooks in its own time.
  await comesAbout(
    async () => {
      const forbidden = createMap(client, `asked-${++asked}`, { forbidden: 'yes' })
      last = await forbidden.then(() => 'it was taken', String)
      return last.endsWith(refusal)
    },
    () => `what is forbidden: ${last}`,
  )
  await createMap(client, 'allowed')
  const { annotations } = (await client.get(configMaps, { namespace: 'managed', name: 'allowed' })).metadata
  assert.equal(annotations?.['defaulted-by'], 'first')
  for (const [type, object] of configurations)
    await client.delete(type, { namespace: '', name: (object as StoredObject).metadata.name })
  // Nor does it forget them at once, and the next one is made when nobody serves them any more.
  await comesAbout(
    async () => {
      const name = `unasked-${++asked}`
      await createMap(client, name)
      return (await client.get(configMaps, { namespace: 'managed', name })).metadata.annotations?.['defaulted-by'] === undefined
    },
    () => 'the webhooks are still called',
  )
}

let asked = 0

function start(kubeconfig: string, name: string, port: number): Running {
  assert.ok('path' in program)
  const child = spawn(program.path, [kubeconfig, name, String(port), folder], { env: { KUBE_FEATURE_WatchListClient: 'true' } })
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

async function createMap(client: KubeClient, name: string, data: object = {}): Promise<void> {
  const metadata = { namespace: 'managed', name }
  await client.create(configMaps, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data } as KubeObject)
}

async function createSecret(client: KubeClient, name: string): Promise<void> {
  const metadata = { namespace: 'managed', name }
  await client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata, stringData: { a: 'b' } } as KubeObject)
}

async function noticedBy(client: KubeClient): Promise<unknown> {
  const { items } = await client.list(secrets, { namespace: 'managed' })
  return Object.fromEntries(items.map(({ metadata }) => [metadata.name, metadata.annotations?.['noticed-by']]))
}

async function seenBy(client: KubeClient, name: string): Promise<string | undefined> {
  return (await client.get(configMaps, { namespace: 'managed', name })).metadata.labels?.['seen-by']
}
