// Many hosted control planes by one operator: how long until all are in place, how many writes each takes, what is written at rest, how soon a
// change is there, and what it holds in memory. Hub and guest are embedded servers of this process, so its memory is theirs as well; all planes
// share one guest, which keeps the connections and watches of each but not the servers.
import { createApiServer } from '#apiserver'
import { silentLog, systemClock, systemSeams } from '#base'
import { deployments, type KubeObject, renderCrd, type StoredObject } from '#kube'
import { createKubeClient } from '#kube/client'
import {
  controlPlaneKind,
  createHostedOperator,
  guestCondition,
  type HostedSettings,
  ourChoices,
  sidecarCondition,
} from '#operators/hosted'
import { createManager } from '#runtime'
import { authoritySecret, testAuthority } from '../src/operators/hosted/testing/authorities.fixture.ts'

const countDefault = 500

interface Plane extends StoredObject {
  readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
}

export async function run([text]: readonly string[]): Promise<void> {
  const count = text === undefined ? countDefault : Number(text)
  const hubServer = createApiServer({ seed: 1, controllers: 'none', objects: [renderCrd(controlPlaneKind), ...planes(count)] })
  const guestServer = createApiServer({ seed: 2, controllers: 'none' })
  const [hub, guest] = [hubServer, guestServer].map(server =>
    createKubeClient({ clock: systemClock, address: 'here', exchange: server.as() }),
  )
  if (hub === undefined || guest === undefined) return
  const settings: HostedSettings = {
    platforms: ['AWS', 'Azure'],
    image: 'vouch:1',
    imageMap: 'release-images',
    pullSecret: 'pull-secret',
    guestKubeconfig: 'service-network-admin-kubeconfig',
    namespaces: undefined,
    choices: ourChoices,
    workers: 8,
  }
  const seams = systemSeams({}, { log: silentLog })
  const operator = createHostedOperator({ settings, seams, clientOf: () => guest })
  let writes = 0
  let passes = 0
  const controllers = operator.controllers
  const manager = createManager({
    client: hub,
    seams,
    controllers,
    identity: 'bench',
    onPass: pass => {
      writes += pass.writes.filter(({ subresource }) => subresource === undefined).length
      passes++
    },
  })
  operator.attach?.(manager)
  const before = memory()
  const stop = new AbortController()
  const startedMs = systemClock.monotonicMs()
  const running = manager.run(stop.signal)
  await until(async () => (await hub.list<Plane>(controlPlaneKind.type)).items.every(isInPlace))
  const tookMs = systemClock.monotonicMs() - startedMs
  row('control planes', `${count}`)
  row('all in place', `${(tookMs / 1_000).toFixed(1)} s, ${(tookMs / count).toFixed(1)} ms each, of which two RSA keys`)
  row('writes, statuses left out', `${(writes / count).toFixed(2)} each`)
  row(
    'resident, servers included',
    `${before.toFixed(0)} MiB before, ${memory().toFixed(0)} MiB after, ${(((memory() - before) * 1_024) / count).toFixed(0)} KiB each`,
  )
  const [writesBefore, passesBefore] = [writes, passes]
  for (const controller of manager.controllers) for (let place = 0; place < count; place++) controller.add(keyOf(place))
  await until(async () => passes - passesBefore >= 2 * count)
  row('writes at rest, every plane looked at twice', `${writes - writesBefore}`)
  const changedMs = systemClock.monotonicMs()
  await hub.patch(controlPlaneKind.type, keyOf(0), 'merge', { spec: { platform: { azure: { tenantID: 'another' } } } })
  await until(async () => JSON.stringify(await hub.get(deployments, { ...keyOf(0), name: 'kube-apiserver' })).includes('another'))
  row('one change, until its Deployment has it', `${(systemClock.monotonicMs() - changedMs).toFixed(0)} ms`)
  stop.abort(new Error('the end'))
  await running
  await Promise.all([hubServer.close(), guestServer.close()])
}

function keyOf(place: number): { readonly namespace: string; readonly name: string } {
  return { namespace: `clusters-${place}`, name: 'plane' }
}

function planes(count: number): readonly KubeObject[] {
  const now = systemClock.now()
  const [root, signer] = [testAuthority('root-ca', 0, now), testAuthority('cluster-signer-ca', 1, now)]
  return Array.from({ length: count }, (_, place) => {
    const { namespace, name } = keyOf(place)
    const azure = { type: 'Azure', azure: { tenantID: 'contoso.example', cloud: 'AzurePublicCloud' } }
    return [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } },
      authoritySecret(namespace, 'root-ca', root),
      authoritySecret(namespace, 'cluster-signer-ca', signer),
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace, name: 'service-network-admin-kubeconfig' },
        data: { kubeconfig: wayIn },
      },
      kubeApiserver(namespace),
      controlPlaneKind.make({ namespace, name }, { platform: azure }),
    ]
  }).flat()
}

const wayIn = Buffer.from(
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    'current-context': 'admin',
    contexts: [{ name: 'admin', context: { cluster: 'cluster', user: 'admin' } }],
    clusters: [{ name: 'cluster', cluster: { server: 'https://kube-apiserver:6443' } }],
    users: [{ name: 'admin', user: { token: 'token' } }],
  }),
).toString('base64')

function kubeApiserver(namespace: string): KubeObject {
  const labels = { app: 'kube-apiserver' }
  const spec = {
    containers: [{ name: 'kube-apiserver', image: 'kube-apiserver:1' }],
    volumes: [{ name: 'tmp-dir', emptyDir: {} }],
  }
  const object = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { namespace, name: 'kube-apiserver' },
    spec: { replicas: 1, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  }
  return object
}

function isInPlace({ status }: Plane): boolean {
  return [sidecarCondition, guestCondition].every(type =>
    status?.conditions?.some(condition => condition.type === type && condition.status === 'True'),
  )
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await systemClock.sleep(20)
}

function memory(): number {
  return process.memoryUsage.rss() / 1_048_576
}

function row(what: string, value: string): void {
  console.log(`${what.padEnd(46)} ${value}`)
}
