// Engagement in the simulator: the bindings of identity-roles.ts, whose cluster comes and goes by its ClusterProfile. Published late,
// unhealthy for a while, deleted, reached by a second name; with every fault of the network between the operator and the cluster.

import { createEngagement } from '#fleet'
import type { KubeObject } from '#kube'
import type { Deed, Effect, ProcessContext, Subject, World } from '#simulator'
import { deed, removes } from './deeds.ts'
import { identityRolesSubject, startBindings } from './identity-roles.ts'

const cluster = 'wlc-a'
const profiles = '/apis/multicluster.x-k8s.io/v1alpha1/namespaces/awio-system/clusterprofiles'
const labels = { 'open-cluster-management.io/cluster-name': cluster, 'x-k8s.io/cluster-manager': 'open-cluster-management' }

export const identityFleetSubject: Subject = {
  ...identityRolesSubject,
  name: 'identity-fleet',
  versions: 1,
  // Published by the script, after the bindings began to wait for it.
  objects: server => identityRolesSubject.objects(server).filter(({ kind }) => kind !== 'ClusterProfile'),
  start,
  script: [
    ...identityRolesSubject.script,
    publish(cluster, 1_000),
    health(cluster, 'False', 6_000),
    health(cluster, 'True', 9_000),
    // The same cluster by another name, which came later (M12).
    publish('wlc-z', 11_000),
    withdraw(cluster, 17_000),
    withdraw('wlc-z', 20_000),
    publish(cluster, 21_000),
  ],
  disturbances: [
    // Without those that came later: the seeds that found something here go on to try the same.
    ...identityRolesSubject.disturbances.filter(({ fault }) => fault !== 'F17'),
    { ...health(cluster, 'Unknown', undefined), fault: 'F18', ...thenHealthy() },
    { ...health('wlc-z', 'False', undefined), fault: 'F18' },
  ],
  invariants: [...identityRolesSubject.invariants, { code: 'inventory-is-read-only', check: inventoryIsReadOnly }],
}

async function start(process: ProcessContext): Promise<void> {
  await startBindings(process, target => {
    const engagement = createEngagement({ seams: process.seams, providers: [], clientOf: () => target })
    const { controller, engagements } = engagement
    return { controllers: [controller], engagements, attach: manager => engagement.attach(manager) }
  })
}

/** Nobody but its publisher writes an inventory. */
function inventoryIsReadOnly({ by, after, before }: Effect): string | undefined {
  const object: KubeObject | undefined = after ?? before
  return object?.kind === 'ClusterProfile' && by !== 'user' ? `${by} wrote ClusterProfile ${object.metadata.name}` : undefined
}

function publish(name: string, afterMs: number): Deed {
  const body = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { namespace: 'awio-system', name, labels: { ...labels, 'open-cluster-management.io/cluster-name': name } },
    spec: { clusterManager: { name: 'ocm' } },
  }
  return deed(`publish ${name}`, `${profiles}/${name}`, afterMs, async world => {
    const { status } = await world.act('hub', 'POST', profiles, body)
    if (status < 300) await say(world, name, 'True')
  })
}

function health(name: string, status: 'True' | 'False' | 'Unknown', afterMs: number | undefined): Deed {
  return deed(`${name} is healthy: ${status}`, `${profiles}/${name}`, afterMs, world => say(world, name, status))
}

/** What is said of a cluster by mistake is put right. */
function thenHealthy(): Pick<Deed, 'run'> {
  return {
    run: async world => {
      await say(world, cluster, 'Unknown')
      world.parkDeed({ label: `${cluster} is healthy again`, afterMs: 5_000, run: later => say(later, cluster, 'True') })
    },
  }
}

async function say(world: World, name: string, status: string): Promise<void> {
  const condition = {
    type: 'ControlPlaneHealthy',
    status,
    reason: 'Said',
    message: '',
    lastTransitionTime: '2026-01-01T00:00:00Z',
  }
  const accessProviders = [{ name: 'ocm', cluster: { server: 'https://target' } }]
  const body = { status: { conditions: [condition], accessProviders } }
  await world.act('hub', 'PATCH', `${profiles}/${name}/status`, body, 'application/merge-patch+json')
}

function withdraw(name: string, afterMs: number): Deed {
  return removes(`withdraw ${name}`, { path: `${profiles}/${name}` }, afterMs)
}
