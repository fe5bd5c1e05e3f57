// ClusterProfile, the inventory's record of a cluster (SIG Multicluster, KEP-4322): how to reach it and what it is. Whoever publishes it
// owns it; here it is only read. The schema is for worlds that have no inventory of their own (`npm start`, tests): in a fleet the
// published CRD is there already and stays as it is.
import { defineKind, type Kind, type Schema, type StoredCondition, type StoredObject, schema } from '#kube'

export interface AccessProvider {
  readonly name: string
  readonly cluster?: {
    readonly server: string
    readonly 'certificate-authority-data'?: string
    readonly 'proxy-url'?: string
    readonly extensions?: readonly { readonly name: string; readonly extension: Readonly<Record<string, unknown>> }[]
  }
}

export interface ClusterProfileSpec {
  readonly displayName?: string
  readonly clusterManager: { readonly name: string }
}

export interface ClusterProfileStatus {
  readonly conditions?: readonly StoredCondition[]
  readonly version?: { readonly kubernetes?: string }
  readonly properties?: readonly { readonly name: string; readonly value: string }[]
  readonly accessProviders?: readonly AccessProvider[]
  readonly credentialProviders?: readonly AccessProvider[]
}

export interface ClusterProfile extends StoredObject {
  readonly spec: ClusterProfileSpec
  readonly status?: ClusterProfileStatus
}

const access: Schema<AccessProvider> = schema.object({
  name: schema.string().describe('Which provider; matched against the names in the provider file.'),
  cluster: schema
    .object({
      server: schema.string().describe('Address of the API server.'),
      'certificate-authority-data': schema.string({ format: 'byte' }).optional().describe('PEM of its authorities, base64.'),
      'proxy-url': schema.string().optional().describe('Proxy for all requests.'),
      extensions: schema
        .list(schema.object({ name: schema.string(), extension: schema.openObject() }))
        .optional()
        .describe('What providers need besides.'),
    })
    .optional()
    .describe('How to talk to the cluster.'),
})

const property: Schema<{ readonly name: string; readonly value: string }> = schema.object({
  name: schema.string({ minLength: 1, maxLength: 253 }).describe('Name of the property.'),
  value: schema.string({ minLength: 1, maxLength: 1024 }).describe('Its value.'),
})

const spec: Schema<ClusterProfileSpec> = schema.object({
  displayName: schema.string().optional().describe('Name for people.'),
  clusterManager: schema
    .object({ name: schema.string().describe('Name of the manager.') })
    .rule({ rule: 'self == oldSelf', message: 'ClusterManager is immutable' })
    .describe('Who manages the cluster.'),
})

const status: Schema<ClusterProfileStatus> = schema.object({
  conditions: schema.conditions().optional(),
  version: schema
    .object({ kubernetes: schema.string().optional().describe('Version of Kubernetes.') })
    .optional()
    .describe('What the cluster runs.'),
  properties: schema
    .list(property, { keys: ['name'] })
    .optional()
    .describe('What is known about the cluster.'),
  accessProviders: schema
    .list(access, { keys: ['name'] })
    .optional()
    .describe('Ways to reach it.'),
  credentialProviders: schema
    .list(access, { keys: ['name'] })
    .optional()
    .describe('The former name of accessProviders.'),
})

export const clusterProfileKind: Kind<ClusterProfileSpec, ClusterProfileStatus> = defineKind({
  group: 'multicluster.x-k8s.io',
  version: 'v1alpha1',
  kind: 'ClusterProfile',
  plural: 'clusterprofiles',
  namespaced: true,
  description: 'A cluster of the fleet: how to reach it and what it is.',
  spec,
  status,
})

/** The hub namespace that stands for the cluster, which is also the cluster's name. */
export const clusterNameLabel = 'open-cluster-management.io/cluster-name'
/** Who published the profile; only `open-cluster-management`'s resolve. */
export const clusterManagerLabel = 'x-k8s.io/cluster-manager'
export const clusterManagerWanted = 'open-cluster-management'

/** What an inventory writes on the profile of a cluster that it manages. */
export function managedClusterLabels(cluster: string): Readonly<Record<string, string>> {
  return { [clusterNameLabel]: cluster, [clusterManagerLabel]: clusterManagerWanted }
}

/** The `n` of `<n>/<n>`: by the label, or the object's own name where there is none. */
export function clusterNameOf({ metadata }: StoredObject): string {
  const label = metadata.labels?.[clusterNameLabel]
  return label === undefined || label === '' ? metadata.name : label
}
