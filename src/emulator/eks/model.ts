// What EKS remembers of one account and region: clusters with everything below them. Statuses are not stored: they follow from the
// moments at which a thing is ready or gone, so that time alone moves them.
import type { Instant } from '#base'
import { SortedMap } from '../state/sorted-map.ts'
import { newestOf, type Timeline } from '../state/timeline.ts'

export type EksTags = Readonly<Record<string, string>>

export interface EksState {
  /** By name; a cluster that is being deleted stays until it is gone. */
  readonly clusters: SortedMap<Cluster>
  /** Client tokens of create calls by `operation/cluster/token`, kept for a day. */
  readonly tokens: SortedMap<ClientToken>
}

export interface ClientToken {
  /** The request without its token, as JSON. */
  readonly request: string
  /** Id or name of what was made. */
  readonly made: string
}

export interface Cluster {
  readonly name: string
  readonly partition: string
  readonly account: string
  readonly region: string
  readonly createdMs: Instant
  readonly readyMs: Instant
  readonly goneMs?: Instant
  readonly updatingUntilMs?: Instant
  readonly version: string
  /** Path and host part of the emulator's own issuer: 32 hex digits. */
  readonly issuerId: string
  /** PEM, made once: no two signatures of one key are alike. */
  readonly certificateAuthority: string
  readonly settings: ClusterSettings
  readonly tags: EksTags
  /** A real API server that stands behind the cluster. */
  readonly bound?: ClusterEndpoint
  /** By `namespace/serviceAccount`; EKS Auth sees older versions. */
  readonly associations: SortedMap<Timeline<Association>>
  /** Association ids and where they are. */
  readonly associationIds: SortedMap<string>
  readonly addons: SortedMap<Addon>
  /** By principal ARN. */
  readonly accessEntries: SortedMap<AccessEntry>
  readonly identityProviders: SortedMap<IdentityProvider>
  readonly nodegroups: SortedMap<Nodegroup>
  readonly updates: SortedMap<ClusterUpdate>
}

/** As CreateCluster and UpdateClusterConfig brought them. */
export interface ClusterSettings {
  readonly roleArn: string
  readonly resourcesVpcConfig: Readonly<Record<string, unknown>>
  readonly kubernetesNetworkConfig?: Readonly<Record<string, unknown>>
  readonly logging?: unknown
  readonly encryptionConfig?: unknown
  readonly accessConfig?: Readonly<Record<string, unknown>>
  readonly upgradePolicy?: unknown
  readonly zonalShiftConfig?: unknown
  readonly computeConfig?: unknown
  readonly storageConfig?: unknown
  readonly remoteNetworkConfig?: unknown
  readonly deletionProtection?: boolean
}

export interface ClusterEndpoint {
  readonly endpoint: string
  /** PEM. */
  readonly certificateAuthority: string
  readonly issuer: string
}

export interface Association {
  readonly id: string
  readonly arn: string
  readonly namespace: string
  readonly serviceAccount: string
  readonly roleArn: string
  readonly createdMs: Instant
  readonly modifiedMs: Instant
  readonly tags: EksTags
  /** The add-on that made it. */
  readonly ownerArn?: string
  readonly disableSessionTags: boolean
  readonly targetRoleArn?: string
  readonly externalId?: string
  readonly policy?: string
}

export interface Addon {
  readonly name: string
  readonly arn: string
  readonly version: string
  readonly createdMs: Instant
  readonly modifiedMs: Instant
  readonly readyMs: Instant
  readonly goneMs?: Instant
  readonly serviceAccountRoleArn?: string
  readonly configurationValues?: string
  readonly associationArns: readonly string[]
  readonly tags: EksTags
}

export interface AccessEntry {
  readonly principalArn: string
  readonly arn: string
  readonly kubernetesGroups: readonly string[]
  readonly username: string
  readonly type: string
  readonly createdMs: Instant
  readonly modifiedMs: Instant
  readonly tags: EksTags
  /** The policies that are associated with the entry, by their ARN. */
  readonly policies: SortedMap<AssociatedPolicy>
}

export interface AssociatedPolicy {
  readonly policyArn: string
  readonly accessScope: unknown
  readonly associatedMs: Instant
  readonly modifiedMs: Instant
}

export interface IdentityProvider {
  readonly name: string
  readonly arn: string
  readonly oidc: Readonly<Record<string, unknown>>
  readonly readyMs: Instant
  readonly goneMs?: Instant
  readonly tags: EksTags
}

export interface Nodegroup {
  readonly name: string
  readonly arn: string
  readonly createdMs: Instant
  readonly modifiedMs: Instant
  readonly readyMs: Instant
  readonly goneMs?: Instant
  readonly settings: Readonly<Record<string, unknown>>
  readonly tags: EksTags
}

export interface ClusterUpdate {
  readonly id: string
  readonly type: string
  readonly params: readonly { readonly type: string; readonly value: string }[]
  readonly createdMs: Instant
  readonly doneMs: Instant
  /** Set for updates of parts of the cluster. */
  readonly addonName?: string
  readonly nodegroupName?: string
}

export const emptyEks: EksState = { clusters: SortedMap.empty(), tokens: SortedMap.empty() }

export function isGone(thing: { readonly goneMs?: Instant }, now: Instant): boolean {
  return thing.goneMs !== undefined && thing.goneMs <= now
}

export type EksClusterStatus = 'CREATING' | 'ACTIVE' | 'UPDATING' | 'DELETING'

export function clusterStatus(cluster: Cluster, now: Instant): EksClusterStatus {
  if (cluster.goneMs !== undefined) return 'DELETING'
  if (cluster.readyMs > now) return 'CREATING'
  return cluster.updatingUntilMs !== undefined && cluster.updatingUntilMs > now ? 'UPDATING' : 'ACTIVE'
}

export function partStatus(part: { readonly readyMs: Instant; readonly goneMs?: Instant }, now: Instant): string {
  if (part.goneMs !== undefined) return 'DELETING'
  return part.readyMs > now ? 'CREATING' : 'ACTIVE'
}

export function clusterArn(cluster: Pick<Cluster, 'partition' | 'region' | 'account' | 'name'>): string {
  return eksArn(cluster, `cluster/${cluster.name}`)
}

export function eksArn(
  place: { readonly partition: string; readonly region: string; readonly account: string },
  rest: string,
): string {
  return `arn:${place.partition}:eks:${place.region}:${place.account}:${rest}`
}

export function issuerOf(cluster: Cluster): string {
  return cluster.bound?.issuer ?? `https://${issuerHost(cluster)}/id/${cluster.issuerId}`
}

export function issuerHost(place: { readonly partition: string; readonly region: string }): string {
  const suffix = place.partition === 'aws-cn' ? 'amazonaws.com.cn' : 'amazonaws.com'
  return `oidc.eks.${place.region}.${suffix}`
}

export function pairKey(namespace: string, serviceAccount: string): string {
  return `${namespace}/${serviceAccount}`
}

export function associationById(cluster: Cluster, id: string): Association | undefined {
  const pair = cluster.associationIds.get(id)
  return pair === undefined ? undefined : newestOf(cluster.associations.get(pair))
}
