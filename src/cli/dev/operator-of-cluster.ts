// One operator of the story on one cluster, after what its manifests would have brought there: its kinds, its webhooks, and the ConfigMaps
// that its files come from.
import type { Environment, Files } from '#base'
import { configMaps, customResourceDefinitions, type KubeObject, type StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { Metrics, type OperatorNeeds, webhookHost } from '#runtime'
import { version } from '../frame/version.ts'
import { readOperatorFlags } from '../operator/flags.ts'
import { needsOf } from '../operator/installed.ts'
import { startPart } from '../operator/part.ts'
import { seamsOf } from './operator-seams.ts'
import { applyManifests } from './quickstart.ts'
import type { DevCluster, DevWorld } from './world.ts'

export interface ConfiguredOperator {
  readonly name: string
  readonly args: readonly string[]
  /** Variables of this operator's process, besides those of every operator of the story. */
  readonly env?: Environment
  /** The content of files, by the flag that names the file. */
  readonly files?: Readonly<Record<string, string>>
}

export interface PlacedOperator extends ConfiguredOperator {
  readonly cluster: DevCluster
}

export const operatorNamespace = 'vouch-system'
const webhookService = 'vouch-webhook'

/** What it needs where it runs, as `vouch render` would print it. */
export async function needsOfChosen({ name, args, env = {}, files = {} }: ConfiguredOperator): Promise<OperatorNeeds> {
  const settings = readOperatorFlags([`--controllers=${name}`, '--leader-elect=false', ...args], env)
  const place = { name: 'vouch', namespace: operatorNamespace, labels: {}, files }
  const [needs] = await needsOf(settings, place)
  if (needs === undefined) throw new Error(`${name} is not among the operators`)
  return needs
}

/** Resolves when its caches are whole and its webhooks are asked; what it starts ends with the signal. */
export async function startOperatorOf(
  world: DevWorld,
  placed: PlacedOperator,
  signal: AbortSignal,
): Promise<{ readonly stopped: Promise<void> }> {
  const { name, cluster, args, env = {} } = placed
  const { kube } = cluster
  const settings = readOperatorFlags([`--controllers=${name}`, '--leader-elect=false', ...args], env)
  const needs = await needsOfChosen(placed)
  for (const crd of needs.crds) await kube.create(customResourceDefinitions, { ...crd })
  await applyManifests(kube, [namespaceObject, ...needs.objects])
  const shared = seamsOf(world, [])
  const seams = { ...shared, env: { ...shared.env, ...env }, files: filesOfMounts(kube, needs, shared.files) }
  const metrics = new Metrics()
  const clients = { own: kube, namespace: operatorNamespace, of: () => kube }
  const [chosen] = settings.chosen
  if (chosen === undefined) throw new Error(`${name} is not among the operators`)
  const { running, manager } = await startPart({ run: { settings, seams, version }, clients, metrics, identity: 'dev' }, chosen)
  const { clock, log } = seams
  const service = { namespace: operatorNamespace, service: webhookService }
  cluster.server.serve(service, webhookHost({ clock, log, metrics, routes: running.webhooks ?? {} }))
  const stopped = manager.run(signal).then(async () => await running.close?.())
  await manager.whenSynced(signal)
  await applyManifests(kube, admissionOf(needs))
  return { stopped }
}

const namespaceObject: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: operatorNamespace } }

function admissionOf({ webhooks }: OperatorNeeds): readonly KubeObject[] {
  const service = { namespace: operatorNamespace, name: webhookService }
  return webhooks.map(({ suffix, configuration }) =>
    configuration({ name: `vouch-${suffix}`, service, labels: {}, caBundle: '' }),
  )
}

/** Mounted ConfigMaps as files, with the content that they have now, as a kubelet keeps them. */
function filesOfMounts(kube: KubeClient, { mounts }: OperatorNeeds, files: Files): Files {
  return {
    ...files,
    read: async path => {
      const mount = mounts.find(({ mountPath }) => path.startsWith(`${mountPath}/`))
      if (mount === undefined) return await files.read(path)
      const key = { namespace: operatorNamespace, name: mount.configMap }
      const found = await kube.find<StoredObject & { readonly data?: Readonly<Record<string, string>> }>(configMaps, key)
      const text = found?.data?.[path.slice(mount.mountPath.length + 1)]
      return text === undefined ? undefined : new TextEncoder().encode(text)
    },
  }
}
