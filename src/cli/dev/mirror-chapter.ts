// The engine at work: the example operator copies a ConfigMap, and heals what somebody breaks.
import type { KubeObject, ResourceType } from '#kube'
import { createManager, type PassRecord } from '#runtime'
import { configMapMirror, configMaps } from '../../../examples/configmap-mirror/mirror.ts'
import type { Screen } from './screen.ts'
import { until } from './until.ts'
import type { DevWorld } from './world.ts'

const namespaces: ResourceType = { group: '', version: 'v1', kind: 'Namespace', plural: 'namespaces', namespaced: false }
const copy = { namespace: 'team-b', name: 'theme' }

/** Starts the operator, and leaves it running until the signal aborts. */
export async function mirrorChapter(
  world: DevWorld,
  screen: Screen,
  signal: AbortSignal,
): Promise<{ readonly stopped: Promise<void> }> {
  const { kube, seams } = world
  screen.chapter('An operator at work: examples/configmap-mirror, on the engine that every operator of Vouch runs on')
  const passes: PassRecord[] = []
  const manager = createManager({
    client: kube,
    seams,
    identity: 'dev',
    controllers: [configMapMirror],
    onPass: pass => passes.push(pass),
  })
  const running = manager.run(signal)
  await manager.whenSynced(signal)
  screen.line('done', 'the operator watches ConfigMaps and namespaces')
  for (const name of ['team-a', 'team-b']) {
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  }
  await kube.create(configMaps, theme())
  await until(() => isCopied(world), 'the copies of ConfigMap theme')
  const writes = passes.reduce((sum, { writes: made }) => sum + made.length, 0)
  screen.line(
    'done',
    `ConfigMap default/theme is copied into team-a and team-b (${writes} writes: finalizer, two copies, status)`,
  )
  await kube.delete(configMaps, copy)
  await until(() => isCopied(world), 'the copy that was deleted')
  screen.line('done', 'somebody deleted team-b/theme; it is back, driven by the event and not by a timer')
  return { stopped: running }
}

function theme(): KubeObject {
  const object = {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: {
      namespace: 'default',
      name: 'theme',
      labels: { 'mirror.example.com/source': 'true' },
      annotations: { 'mirror.example.com/to': 'team-a,team-b' },
    },
    data: { color: 'green' },
  }
  return object
}

async function isCopied({ kube }: DevWorld): Promise<boolean> {
  const source = await kube.get(configMaps, { namespace: 'default', name: 'theme' })
  const status = source.metadata.annotations?.['mirror.example.com/status'] ?? ''
  return (await kube.find(configMaps, copy)) !== undefined && status.includes('"Copied"')
}
