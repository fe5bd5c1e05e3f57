// Pods of an embedded API server as processes of this machine.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ApiServer, createApiServer } from '#apiserver'
import { silentLog, systemClock } from '#base'
import { type KubeObject, pods, secrets, serviceAccounts } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { until } from '../until.ts'
import { type Pod, type RunningNode, startNode } from './index.ts'

interface World extends AsyncDisposable {
  readonly kube: KubeClient
  readonly server: ApiServer
  readonly node: RunningNode
  pod(name: string, container: object, volumes?: readonly object[]): Promise<void>
  /** The pod, once it is as it should be. */
  seen(name: string, isSo: (pod: Pod) => boolean): Promise<Pod>
}

const namespace = 'demo'
const program = process.execPath

async function world(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-node-'))
  const controllers = ['namespace', 'serviceaccount', 'root-ca-cert-publisher', 'scheduler', 'node']
  const server = createApiServer({
    controllers,
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }],
  })
  const kube = createKubeClient({ clock: systemClock, address: 'here', exchange: server.as() })
  const stop = new AbortController()
  const options = { kube, clock: systemClock, log: silentLog, apiServer: 'https://127.0.0.1:1', folder, ownRoots: false }
  const node = startNode(
    { ...options, name: 'embedded-node-0', images: { here: { program } }, namespaces: [namespace], restartMs: 20 },
    stop.signal,
  )
  const { signal } = stop
  await until({ what: 'the account of pods', signal }, async () =>
    Boolean(await kube.find(serviceAccounts, { namespace, name: 'default' })),
  )
  return {
    kube,
    server,
    node,
    pod: async (name, container, volumes = []) => {
      const spec = { containers: [{ name: 'main', image: 'here', ...container }], volumes }
      const object = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace, name }, spec }
      await kube.create(pods, object)
    },
    seen: async (name, isSo) => {
      const look = async (): Promise<boolean> => isSo(await kube.get<Pod>(pods, { namespace, name }))
      await until({ what: `pod ${name}`, signal }, look)
      return await kube.get<Pod>(pods, { namespace, name })
    },
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('the test ends'))
      await node.stopped
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function secretOf(name: string): KubeObject {
  const data = { word: Buffer.from('sesame').toString('base64') }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata: { namespace, name }, data }
  return secret
}

test('a container sees its arguments, its variables and the files of its volumes, and a missing Secret is waited for', async () => {
  await using here = await world()
  const print =
    'console.log(process.argv.slice(1).map(f => require("fs").readFileSync(f, "utf8")).join(), process.env.WORD); setInterval(() => {}, 1e6)'
  const container = {
    args: ['-e', print, '/etc/kubernetes/word'],
    env: [{ name: 'WORD', valueFrom: { secretKeyRef: { name: 'late', key: 'word' } } }],
    volumeMounts: [{ name: 'late', mountPath: '/etc/kubernetes' }],
  }
  await here.pod('reader', container, [{ name: 'late', secret: { secretName: 'late' } }])
  const waits = await here.seen('reader', ({ status }) => JSON.stringify(status).includes('not found'))
  assert.match(JSON.stringify(waits.status?.containerStatuses), /secret \\"late\\" not found/)
  await here.kube.create(secrets, secretOf('late'))
  await here.seen('reader', ({ status }) => status?.containerStatuses?.[0]?.ready === true)
  const said = (): string => here.node.logOf({ namespace, name: 'reader' }, 'main') ?? ''
  await until({ what: 'what it read', signal: AbortSignal.timeout(20_000) }, async () => said() !== '')
  assert.equal(said(), 'sesame sesame\n')
  assert.deepEqual(here.node.startedWith({ namespace, name: 'reader' }, 'main')?.arguments.at(-1), '/etc/kubernetes/word')
})

test('a container that ends is started again, and its status holds its last words', async () => {
  await using here = await world()
  await here.pod('crashing', { args: ['-e', 'console.error("no such flag"); process.exit(3)'] })
  const { status } = await here.seen('crashing', pod => (pod.status?.containerStatuses?.[0]?.restartCount ?? 0) >= 2)
  const text = JSON.stringify(status)
  assert.match(text, /"exitCode":3,"reason":"Error","message":"no such flag\\n"/)
  assert.match(text, /CrashLoopBackOff|"running"/)
})

test('an image that is not there is said to be missing', async () => {
  await using here = await world()
  await here.pod('stranger', { image: 'elsewhere' })
  const { status } = await here.seen('stranger', pod => pod.status?.containerStatuses?.[0]?.state !== undefined)
  assert.match(JSON.stringify(status?.containerStatuses), /ImagePullBackOff.*pulling image \\"elsewhere\\"/)
})

test('a pod that is deleted is gone when its process is', async () => {
  await using here = await world()
  await here.pod('short', { args: ['-e', 'console.log(process.pid); setInterval(() => {}, 1e6)'] })
  const log = (): string => here.node.logOf({ namespace, name: 'short' }, 'main') ?? ''
  await until({ what: 'its process', signal: AbortSignal.timeout(20_000) }, async () => log() !== '')
  const pid = Number(log())
  await here.kube.delete(pods, { namespace, name: 'short' })
  const isGone = async (): Promise<boolean> => (await here.kube.find(pods, { namespace, name: 'short' })) === undefined
  await until({ what: 'its end', signal: AbortSignal.timeout(20_000) }, isGone)
  assert.throws(() => process.kill(pid, 0), /ESRCH/)
})
