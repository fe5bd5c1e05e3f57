// What is there before the operators start.

import { clusterProfileKind, managedClusterLabels } from '#fleet'
import { type CustomResourceDefinition, type KubeObject, renderCrd } from '#kube'
import type { KubeClient } from '#kube/client'
import { healthyStatus } from '../../src/fleet/testing/profiles.ts'
import { configKind, renderIdentityCrds, roleKind } from '../../src/operators/identity/api.ts'

export const region = 'us-east-1'
export const account = '111122223333'
/** The workload cluster, and the namespace of the hub that stands for it. */
export const cluster = 'edge'

export interface ServerContents {
  readonly hub: readonly KubeObject[]
  readonly target: readonly KubeObject[]
}

export function contentsOf(crds: readonly CustomResourceDefinition[]): ServerContents {
  const operatorConfig = {
    apiVersion: configKind.apiVersion,
    kind: 'AWSWorkloadIdentityOperatorConfig',
    metadata: { name: 'default' },
    spec: {},
  }
  const hub = [
    ...renderIdentityCrds(),
    renderCrd(clusterProfileKind),
    ...crds,
    namespace('inventory'),
    namespace(cluster),
    namespace('bound'),
    operatorConfig as KubeObject,
  ]
  return { hub, target: [namespace('aws-pod-identity-webhook')] }
}

/** The inventory says that the cluster is healthy. */
export async function publish(client: KubeClient, origin: string): Promise<void> {
  const { type, apiVersion } = clusterProfileKind
  const labels = managedClusterLabels(cluster)
  await client.create(type, {
    apiVersion,
    kind: type.kind,
    metadata: { namespace: 'inventory', name: cluster, labels },
    spec: { clusterManager: { name: 'ocm' } },
  } as KubeObject)
  const status = healthyStatus(Date.now(), { name: 'in-process', cluster: { server: origin } })
  await client.patch(type, { namespace: 'inventory', name: cluster }, 'merge', { status }, { subresource: 'status' })
}

export function roleOf(at: string, name: string): KubeObject {
  const serviceAccount = { namespace: 'default', name }
  return roleKind.make({ namespace: at, name }, { serviceAccount, policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] })
}

export function isReady(object: KubeObject): boolean {
  const { status } = object as {
    readonly status?: { readonly conditions?: readonly { readonly type: string; readonly status: string }[] }
  }
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}
