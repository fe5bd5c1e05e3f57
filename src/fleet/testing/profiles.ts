// ClusterProfiles for tests: as an inventory publishes them.
import { type ClusterProfile, clusterManagerLabel, clusterNameLabel } from '../cluster-profile.ts'

export interface AccessOffer {
  readonly name: string
  readonly cluster: Readonly<Record<string, string>>
}

export function healthyStatus(
  nowMs: number,
  access: AccessOffer,
  properties: Readonly<Record<string, string>> = {},
): Readonly<Record<string, unknown>> {
  const lastTransitionTime = new Date(nowMs).toISOString().replace(/\.\d+Z$/, 'Z')
  return {
    conditions: [{ type: 'ControlPlaneHealthy', status: 'True', reason: 'Healthy', message: '', lastTransitionTime }],
    properties: Object.entries(properties).map(([name, value]) => ({ name, value })),
    accessProviders: [access],
  }
}

export interface ProfileParts {
  readonly namespace?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly status?: ClusterProfile['status']
}

export const ocmLabels: Readonly<Record<string, string>> = {
  [clusterNameLabel]: 'wlc-a',
  [clusterManagerLabel]: 'open-cluster-management',
}
export const accessOffer: { readonly name: string; readonly cluster: { readonly server: string } } = {
  name: 'ocm',
  cluster: { server: 'https://wlc-a.example:6443' },
}

/** As an inventory publishes it, with an access provider. */
export function profileOf(
  name: string,
  { namespace = 'inventory', labels = ocmLabels, status }: ProfileParts = {},
): ClusterProfile {
  return {
    apiVersion: 'multicluster.x-k8s.io/v1alpha1',
    kind: 'ClusterProfile',
    metadata: { namespace, name, uid: `uid-${name}`, resourceVersion: '1', labels },
    spec: { clusterManager: { name: 'ocm' } },
    status: status ?? { accessProviders: [accessOffer] },
  }
}
