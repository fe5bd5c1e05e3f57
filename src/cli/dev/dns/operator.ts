// The dns operator of the story, on the cluster of one's own, after what its manifests would have brought there.
import type { CustomResourceDefinition, KubeObject } from '#kube'
import { customResourceDefinitions } from '#kube'
import { Metrics, webhookHost } from '#runtime'
import { version } from '../../frame/version.ts'
import { readOperatorFlags } from '../../operator/flags.ts'
import { needsOf } from '../../operator/installed.ts'
import { startPart } from '../../operator/part.ts'
import { seamsOf } from '../operator-seams.ts'
import { applyManifests } from '../quickstart.ts'
import type { DevCluster, DevWorld } from '../world.ts'

export interface DnsOperatorPlace {
  readonly cluster: DevCluster
  readonly args: readonly string[]
  /** What operands are told of the way out. */
  readonly proxy: string
}

const namespace = 'vouch-system'

/** Resolves when its caches are whole; what it starts ends with the signal. */
export async function startDnsOperator(
  world: DevWorld,
  { cluster, args, proxy }: DnsOperatorPlace,
  signal: AbortSignal,
): Promise<{ readonly stopped: Promise<void> }> {
  const settings = readOperatorFlags(['--controllers=dns', '--leader-elect=false', ...args], { HTTPS_PROXY: proxy })
  const needs = await needsOf(settings, { name: 'vouch', namespace, labels: {}, files: {} })
  for (const crd of needs.flatMap(({ crds }) => crds)) await cluster.kube.create(customResourceDefinitions, objectOf(crd))
  await applyManifests(
    cluster.kube,
    needs.flatMap(({ objects }) => objects),
  )
  const metrics = new Metrics()
  const seams = seamsOf(world, needs)
  const clients = { own: cluster.kube, namespace, of: () => cluster.kube }
  const run = { settings, seams, version }
  const [chosen] = settings.chosen
  if (chosen === undefined) throw new Error('the dns operator is not among the operators')
  const { running, manager } = await startPart({ run, clients, metrics, identity: 'dev' }, chosen)
  const { clock, log } = seams
  cluster.server.serve(
    { namespace, service: 'vouch-webhook' },
    webhookHost({ clock, log, metrics, routes: running.webhooks ?? {} }),
  )
  const stopped = manager.run(signal).then(async () => await running.close?.())
  await manager.whenSynced(signal)
  return { stopped }
}

function objectOf(crd: CustomResourceDefinition): KubeObject {
  return { ...crd }
}
