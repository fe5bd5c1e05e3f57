// The names by which people and ACM know what is ours: the wire contract of this operator.

export const group = 'acm.ops.example.dev'
export const finalizer = 'acm.ops.example.dev/finalizer'

/** On Certs. The first two are written by the operator, the others by people. */
export const annotations = {
  attempts: 'acm.ops.example.dev/reconcile-attempts-in-state',
  attemptsState: 'acm.ops.example.dev/last-reconcile-state',
  /** Any new value leaves `Failed` at once. */
  retry: 'acm.ops.example.dev/retry',
  /** Any new value asks for a renewal. */
  renew: 'acm.ops.example.dev/renew',
  /** `true` while it is deleted: let the object go and leave everything in AWS. */
  forceOrphan: 'acm.ops.example.dev/force-orphan',
  /** `true`: no write to AWS. */
  paused: 'acm.ops.example.dev/paused',
  /** `true`: key algorithm and issuer may change, which replaces the certificate. */
  allowReplace: 'acm.ops.example.dev/allow-replace',
  /** ARN of a certificate that is taken over instead of a request, where its tags agree. */
  adopt: 'acm.ops.example.dev/adopt',
} as const

/** Annotations of people that a pass has to look at. */
export const personAnnotations: readonly string[] = [
  annotations.retry,
  annotations.renew,
  annotations.forceOrphan,
  annotations.paused,
  annotations.adopt,
]

/** On certificates in ACM: whose they are. */
export const tagKeys = {
  managedBy: 'acm.ops.example.dev/managed-by',
  cluster: 'acm.ops.example.dev/cluster',
  namespace: 'acm.ops.example.dev/namespace',
  name: 'acm.ops.example.dev/name',
  uid: 'acm.ops.example.dev/uid',
  revision: 'acm.ops.example.dev/revision',
} as const

export const managedBy = 'cert-operator'

/** Keeps a Cert until its ARN is taken out of other objects; only where something was published. */
export const publishFinalizer = 'acm.ops.example.dev/published'

/** On ConfigMaps that the operator made. */
export const publishedLabel: Readonly<Record<string, string>> = { 'app.kubernetes.io/managed-by': managedBy }

/** Under which we own fields of Certs. */
export const fieldManager = 'cert-operator'

/** On Secrets that hold an exported certificate: which one. */
export const exportMarks = {
  certificate: 'acm.ops.example.dev/certificate-arn',
  serial: 'acm.ops.example.dev/serial',
} as const

/** Under which Secrets are written. */
export const exportManager = 'cert-operator-export'

/** Under which ARNs are written into other objects. */
export const publishManager = 'cert-operator-publish'
