// What a cluster inventory publishes on the hub: a ClusterProfile for each cluster, saying how to reach it and what it is.

import { clusterProfileKind, managedClusterLabels } from '#fleet'
import { type KubeObject, namespaces } from '#kube'
import { propertyNames } from '#operators/identity'
import { account, type DevCluster, type DevWorld, region } from './world.ts'

export async function publishInventory({ hub, edge, prod, stage }: DevWorld): Promise<void> {
  for (const cluster of [edge, prod, stage]) await publishCluster(hub, cluster, cluster === edge ? {} : eksProperties(cluster))
}

/** Writes the cluster's profile, with these properties, into a namespace of its own. */
export async function publishCluster(
  hub: DevCluster,
  cluster: DevCluster,
  properties: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { name } = cluster
  await hub.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  await hub.kube.create(clusterProfileKind.type, profileOf(cluster))
  const status = statusOf(cluster, properties)
  await hub.kube.patch(clusterProfileKind.type, { namespace: name, name }, 'merge', { status }, { subresource: 'status' })
}

/** The tier of each cluster, by which placements choose. */
const tiers: Readonly<Record<string, string>> = { edge: 'canary', stage: 'staging', prod: 'production' }

function profileOf({ name }: DevCluster): KubeObject {
  const metadata = { namespace: name, name, labels: { ...managedClusterLabels(name), tier: tiers[name] ?? 'none' } }
  return clusterProfileKind.make(metadata, { displayName: name, clusterManager: { name: 'open-cluster-management' } })
}

function statusOf({ address, server }: DevCluster, properties: Readonly<Record<string, string>>): object {
  return {
    conditions: [
      {
        type: 'ControlPlaneHealthy',
        status: 'True',
        reason: 'Answers',
        message: 'the API server answers',
        lastTransitionTime: new Date().toISOString().replace(/\.\d+Z$/, 'Z'),
      },
    ],
    properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
    accessProviders: [
      {
        name: 'open-cluster-management',
        cluster: { server: address, 'certificate-authority-data': Buffer.from(server.ca).toString('base64') },
      },
    ],
  }
}

function eksProperties({ name }: DevCluster): Readonly<Record<string, string>> {
  return {
    [propertyNames.eksClusterName]: name,
    [propertyNames.eksClusterArn]: `arn:aws:eks:${region}:${account}:cluster/${name}`,
    [propertyNames.accountId]: account,
    [propertyNames.eksAutoMode]: 'true',
  }
}
