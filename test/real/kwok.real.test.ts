// kwok, which pretends to be the kubelets of nodes: it makes a node ready, runs the pods bound to it, and takes away those that are deleted,
// to the same status in both servers.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe } from 'node:test'
import { isRecord, systemSeams } from '#base'
import { type KubeObject, leases, namespaces, pods, type ResourceType, serviceAccounts } from '#kube'
import { connect, type KubeClient } from '#kube/client'
import { onBothServers, type Stage } from './both-servers.ts'
import { comesAbout, eventually } from './eventually.ts'
import { kwokProgram } from './programs/kwok.ts'
import { StartedProgram } from './programs/started-program.ts'

const program = kwokProgram()
const folder = mkdtempSync(join(tmpdir(), 'vouch-kwok-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const nodes: ResourceType = { group: '', version: 'v1', kind: 'Node', plural: 'nodes', namespaced: false }
const jobs: ResourceType = { group: 'batch', version: 'v1', kind: 'Job', plural: 'jobs', namespaced: true }
const namespace = 'kwok-pods'
const node = 'kwok-node'
const waitMs = 60_000

describe('kwok', { skip: 'skipped' in program ? program.skipped : false }, () => {
  const titles = {
    onEmbedded: 'runs nodes and pods of the embedded API server',
    onReal: 'makes of them what it makes of those of the real one',
  }
  onBothServers({ ...titles, timeoutMs: 240_000 }, play)
})

/** What kwok made of a node and its pods, without times. */
async function play({ name, kubeconfig }: Stage): Promise<unknown> {
  assert.ok('path' in program)
  const path = join(folder, `${name}.kubeconfig`)
  writeFileSync(path, kubeconfig, { mode: 0o600 })
  const args = [
    '--kubeconfig',
    path,
    '--config',
    join(program.path, 'stages.yaml'),
    '--manage-all-nodes=true',
    '--node-lease-duration-seconds=40',
  ]
  await using kwok = new StartedProgram(join(program.path, 'kwok'), args, { HOME: folder })
  const { client } = await connect(systemSeams({}), { kubeconfig: [path], userAgent: 'vouch-test' })
  try {
    await makeNode(client)
    // A pod that is there before its node is met twice by kwok, in its list and in its watch, and may get two addresses.
    const ready = await becomes(client, kwok, nodes, node, status => isReady(status))
    await makePods(client)
    const seen = {
      node: ready,
      long: await becomes(client, kwok, pods, 'long', status => status['phase'] === 'Running'),
      short: await becomes(client, kwok, pods, 'short', status => status['phase'] === 'Succeeded'),
    }
    const leaseKey = { namespace: 'kube-node-lease', name: node }
    const lease = await eventually(
      () => client.get(leases, leaseKey).catch(() => undefined),
      () => `no lease: ${kwok.words}`,
      waitMs,
    )
    assert.ok(fieldOf(lease, 'spec')['leaseDurationSeconds'] === 40)
    await client.delete(pods, { namespace, name: 'long' })
    await comesAbout(
      async () => !(await client.list(pods, { namespace })).items.some(({ metadata }) => metadata.name === 'long'),
      () => `the pod stays: ${kwok.words}`,
      waitMs,
    )
    await client.delete(nodes, { namespace: '', name: node })
    return seen
  } finally {
    await client.close()
  }
}

async function makeNode(client: KubeClient): Promise<void> {
  const annotations = { 'kwok.x-k8s.io/node': 'fake' }
  await client.create(nodes, { apiVersion: 'v1', kind: 'Node', metadata: { name: node, annotations } })
}

async function makePods(client: KubeClient): Promise<void> {
  await client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
  const account = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace, name: 'default' } }
  // Where the controllers run it is there already, or soon.
  await client.create(serviceAccounts, account).catch(() => undefined)
  const template = { metadata: { labels: { a: 'b' } }, spec: { restartPolicy: 'Never', containers } }
  const job = await client.create<KubeObject>(jobs, {
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { namespace, name: 'short' },
    spec: { suspend: true, template },
  } as KubeObject)
  const owner = { apiVersion: 'batch/v1', kind: 'Job', name: 'short', uid: job.metadata.uid }
  await client.create(pods, podOn('long', []))
  await client.create(pods, podOn('short', [owner]))
}

const containers = [{ name: 'main', image: 'example.com/app:1' }]

/** One that a job owns is done at once. */
function podOn(name: string, ownerReferences: readonly object[]): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace, name, ownerReferences },
    spec: { nodeName: node, restartPolicy: 'Never', containers },
  } as KubeObject
}

async function becomes(
  client: KubeClient,
  kwok: StartedProgram,
  type: ResourceType,
  name: string,
  isSo: (status: Fields) => boolean,
): Promise<unknown> {
  const key = { namespace: type.namespaced ? namespace : '', name }
  let last: Fields = {}
  const object = await eventually(
    async () => {
      const found = await client.get(type, key)
      last = fieldOf(found, 'status')
      return isSo(last) ? found : undefined
    },
    () => `${name} is ${JSON.stringify(last)}: ${kwok.words}`,
    waitMs,
  )
  return withoutTimes(fieldOf(object, 'status'))
}

type Fields = Readonly<Record<string, unknown>>

function fieldOf(object: object, name: 'spec' | 'status'): Fields {
  const value = (object as Fields)[name]
  return isRecord(value) ? value : {}
}

function isReady({ conditions }: Fields): boolean {
  return Array.isArray(conditions) && conditions.some(({ type, status }) => type === 'Ready' && status === 'True')
}

/** Times and addresses are another run's every time; that they are there, and in the form in which the server keeps times, is not. */
function withoutTimes(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value)
      .replaceAll(/"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"/g, '"<time>"')
      .replaceAll(/"10\.0\.0\.\d+"/g, '"<address>"'),
  )
}
