// The names by which users and other operators speak with the resource runtime: annotations, conditions, reasons. They are those of
// AWS Controllers for Kubernetes, so that objects can move from one to the other and back.
import type { StoredCondition, StoredObject } from '#kube'

export const annotations = {
  adopted: 'services.k8s.aws/adopted',
  adoptionPolicy: 'services.k8s.aws/adoption-policy',
  adoptionFields: 'services.k8s.aws/adoption-fields',
  /** A tag's key: only a resource that carries it with the manifest's own value is taken over. */
  adoptionTag: 'services.k8s.aws/adoption-tag',
  readOnly: 'services.k8s.aws/read-only',
  /** On read-only objects: which resource, by a name with `*` or by tags, as JSON. */
  lookup: 'services.k8s.aws/lookup',
  deletionPolicy: 'services.k8s.aws/deletion-policy',
  region: 'services.k8s.aws/region',
  paused: 'services.k8s.aws/paused',
  plan: 'services.k8s.aws/plan',
  allowReplace: 'services.k8s.aws/allow-replace',
  /** `true`: what was made stays as long as this stands, although the object is deleted. */
  deletionProtection: 'services.k8s.aws/deletion-protection',
  /** `detect-only`: what somebody else changed is told and not changed back. On namespaces, too. */
  driftPolicy: 'services.k8s.aws/drift-policy',
  /** The generation that was last found in step: kept where drift is only told. */
  inStepWith: 'services.k8s.aws/in-step-with',
  reconcileAt: 'services.k8s.aws/reconcile-at',
  resyncSeconds: 'services.k8s.aws/resync-seconds',
  skipDefaultTags: 'services.k8s.aws/skip-default-tags',
  /** Written before a create: the token by which a successor finds what may have been made. */
  createIntent: 'services.k8s.aws/create-intent',
  secretHash: 'services.k8s.aws/secret-hash',
  /** On FieldExports of several fields: where to, and the keys there. */
  exportedKeys: 'services.k8s.aws/exported-keys',
  /** On Secrets: what was exported into them. */
  exported: 'services.k8s.aws/exported',
} as const

/** On namespaces. */
export const namespaceAnnotations = {
  ownerAccount: 'services.k8s.aws/owner-account-id',
  team: 'services.k8s.aws/team-id',
  region: 'services.k8s.aws/default-region',
  endpoint: 'services.k8s.aws/endpoint-url',
  /** `key=value` with %VARIABLES%, separated by commas; added to those of the process. */
  defaultTags: 'services.k8s.aws/default-tags',
} as const

/** On external objects, where they can carry tags at their creation: the claim that they were made for. */
export const ownerTag = 'services.k8s.aws/owner-uid'

export const conditions = {
  ready: 'Ready',
  synced: 'ACK.ResourceSynced',
  terminal: 'ACK.Terminal',
  recoverable: 'ACK.Recoverable',
  advisory: 'ACK.Advisory',
  lateInitialized: 'ACK.LateInitialized',
  references: 'ACK.ReferencesResolved',
  roleSelected: 'ACK.IAMRoleSelected',
  deleting: 'ACK.Deleting',
  /** On AdoptedResources: the object was made and its resource taken over, once and for all. */
  adopted: 'ACK.Adopted',
  /** Our note to ourselves of whose the resource is, where neither its mark nor the rest of the status says it. */
  ownership: 'ACK.Ownership',
  /** Our note of what was sent of fields that no read tells. */
  sent: 'ACK.Sent',
  /** Of kstatus, there only while they hold: who reads the health of any object, such as Flux, needs no rule for ours. */
  reconciling: 'Reconciling',
  stalled: 'Stalled',
} as const

/** Notes to ourselves, which nobody else can write: the status has rights of its own. They outlive runs that say nothing of them. */
export const noteTypes: readonly string[] = [conditions.ownership, conditions.sent]

/** Everything that a run says anew; what it does not say is not so any more. */
export const conditionTypes: readonly string[] = Object.values(conditions).filter(type => !noteTypes.includes(type))

/** What stands in every status. */
export interface ResourceMetadata {
  readonly arn?: string
  readonly ownerAccountID?: string
  readonly partition?: string
  readonly region?: string
}

/** Fields of a manifest: plain JSON. */
export type Fields = Readonly<Record<string, unknown>>

export interface ResourceStatus extends Fields {
  readonly ackResourceMetadata?: ResourceMetadata
  readonly conditions?: readonly StoredCondition[]
}

/** An object of any inferred kind. */
export interface Resource extends StoredObject {
  readonly spec?: Fields
  readonly status?: ResourceStatus
}

export function isAnnotatedTrue({ metadata }: Resource, name: string): boolean {
  return metadata.annotations?.[name]?.toLowerCase() === 'true'
}
