// What a cluster inventory publishes on the hub: a ClusterProfile for each cluster, saying how to reach it and what it is.

import { type KubeObject, namespaces } from '#kube'
import { clusterProfileKind } from '#operators/identity'
import { account, type DevCluster, type DevWorld, region } from './world.ts'

const prefix = 'aws.identity.appthrust.io'

export async function publishInventory({ hub, edge, prod, stage }: DevWorld): Promise<void> {
  for (const cluster of [edge, prod, stage]) {
    const metadata = { name: cluster.name }
    await hub.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata })
    await hub.kube.create(clusterProfileKind.type, profileOf(cluster))
    const status = statusOf(cluster, cluster === edge ? {} : eksProperties(cluster))
    await hub.kube.patch(
      clusterProfileKind.type,
      { namespace: cluster.name, name: cluster.name },
      'merge',
      { status },
      { subresource: 'status' },
    )
  }
}

function profileOf({ name }: DevCluster): KubeObject {
  const labels = { 'open-cluster-management.io/cluster-name': name, 'x-k8s.io/cluster-manager': 'open-cluster-management' }
  const profile = {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { namespace: name, name, labels },
    spec: { displayName: name, clusterManager: { name: 'open-cluster-management' } },
  }
  return profile
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
    [`${prefix}/eks-cluster-name`]: name,
    [`${prefix}/eks-cluster-arn`]: `arn:aws:eks:${region}:${account}:cluster/${name}`,
    [`${prefix}/aws-account-id`]: account,
    [`${prefix}/eks-auto-mode`]: 'true',
  }
}
