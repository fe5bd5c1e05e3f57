// Names that other programs and older versions of ourselves read: labels, annotations, finalizers, singletons (§1.7). A change here
// orphans every object that carries the old name.
import { type Audience, asAudience } from '#aws'

export const group = 'aws.identity.appthrust.io'

/** The one name a Config and the operator config may have. */
export const singletonName = 'default'

export const finalizers = {
  config: 'aws.identity.appthrust.io/config-finalizer',
  role: 'aws.identity.appthrust.io/service-account-role-finalizer',
  replicaSet: 'aws.identity.appthrust.io/service-account-role-replicaset-finalizer',
} as const

export const labels = {
  managedBy: 'app.kubernetes.io/managed-by',
  configUid: 'aws.identity.appthrust.io/config-uid',
  bindingUid: 'aws.identity.appthrust.io/binding-uid',
  /** Reserved, never written. */
  inventoryNamespace: 'aws.identity.appthrust.io/inventory-namespace',
  ownerRef: 'aws.identity.appthrust.io/owner-ref',
  serviceAccount: 'aws.identity.appthrust.io/service-account',
  delivery: 'aws.identity.appthrust.io/delivery',
  runtime: 'aws.identity.appthrust.io/runtime',
  replicaSetUid: 'aws.identity.appthrust.io/replicaset-uid',
} as const

/** Value of `labels.managedBy`; also the name of the leader election lease and of the event source. */
export const operatorName = 'aws-workload-identity-operator'

/** Label keys that a ReplicaSet's template may not set, in the order of the schema's rule. */
export const reservedLabelKeys: readonly string[] = [
  labels.managedBy,
  labels.bindingUid,
  labels.configUid,
  labels.delivery,
  labels.inventoryNamespace,
  labels.ownerRef,
  labels.replicaSetUid,
  labels.runtime,
  labels.serviceAccount,
]

export const annotations = {
  /** On the signing Secret: the id of the key in `sa.pub`. */
  signingKeyId: 'aws.identity.appthrust.io/signing-key-id',
  replicaSetOwnerRef: 'aws.identity.appthrust.io/replicaset-owner-ref',
  /** Only the exact value `true` counts. */
  forceDelete: 'aws.identity.appthrust.io/force-delete',
  /** On the Pod template of the remote webhook. */
  servingCertificate: 'aws.identity.appthrust.io/serving-cert-sha256',
  /** From here on ours, not the reference's. On a Config: any new value asks for a new signing key. */
  rotateSigningKey: 'aws.identity.appthrust.io/rotate-signing-key',
  /** On a Config: the age at which the signing key is rotated on its own, as a duration such as `720h`; absent never. */
  signingKeyMaxAge: 'aws.identity.appthrust.io/signing-key-max-age',
  /** On a Config: ids of keys that its owner brought, which may be published; separated by commas or blanks. */
  acceptSigningKeys: 'aws.identity.appthrust.io/accept-signing-keys',
  /** On the signing Secret: since when `sa.key` is the one to sign with. */
  signingKeySince: 'aws.identity.appthrust.io/signing-key-since',
  /** On the signing Secret: the request that was answered last. */
  rotationRequest: 'aws.identity.appthrust.io/signing-key-rotation',
  /** On the signing Secret: since when the next key is seen published. */
  nextKeyPublished: 'aws.identity.appthrust.io/next-key-published',
  /** On the signing Secret: when the previous key is withdrawn. */
  previousKeyRetires: 'aws.identity.appthrust.io/previous-key-retires',
  /** On a Role: what the name of its IAM role rests on, whatever the operator config says; one that is made moves to that name. */
  roleNames: 'aws.identity.appthrust.io/role-names',
  /** On a Role that moved to another name: the former name, whose IAM role nobody needs any more. */
  releaseRole: 'aws.identity.appthrust.io/release-role',
  /** On a ReplicaSet: `true` leaves every cluster as it is. */
  rolloutPaused: 'aws.identity.appthrust.io/rollout-paused',
  /** On a ReplicaSet: any new value gives clusters that failed or ran out of time their time again. */
  rolloutRetry: 'aws.identity.appthrust.io/rollout-retry',
  /** On a ReplicaSet: `true` brings back the template that was rolled out last, for as long as it stands there. */
  rolloutRollback: 'aws.identity.appthrust.io/rollout-rollback',
  /** On the signing Secret, written by whoever runs the API server: the id of the key that it signs with now. */
  signingKeyInUse: 'aws.identity.appthrust.io/signing-key-in-use',
} as const

/** On a ServiceAccount of a target: its role, as AWS's own webhook reads it. */
export const roleArnAnnotation = 'eks.amazonaws.com/role-arn'

/** The audience of every projected token and of every trust policy. */
export const audience: Audience = asAudience('sts.amazonaws.com')

/** The default of the operator config's `webhookNamespace`. */
export const webhookNamespaceDefault = 'aws-pod-identity-webhook'
