// Names of what the operator generates (§3.1-3.6). They are a contract: objects and AWS resources made by an earlier version, or by
// the reference operator, are found again by them, so a change of one character makes duplicates.
import { hash as digestOf } from 'node:crypto'

interface Named {
  readonly namespace: string
  readonly name: string
}

interface Identified extends Named {
  readonly uid: string
}

/** S3's own limit. */
const bucketLengthMax = 63
/** IAM's own limits. */
const roleLengthMax = 64
const policyLengthMax = 128
/** Kubernetes' own limit for a label value. */
const labelLengthMax = 63
const suffixLength = 10

/**
 * Bucket of a self-hosted issuer. Depends on no uid: a Config made again finds the same bucket. Without a salt anybody can tell the name
 * beforehand, and have it before us.
 */
export function bucketName(namespace: string, region: string, salt = ''): string {
  return bounded(joined('', namespace, region), bucketLengthMax, [namespace, region, ...(salt === '' ? [] : [salt])])
}

/** IAM role of a Role. Depends on its uid: a Role made again gets another one. */
export function iamRoleName({ uid, namespace, name }: Identified): string {
  return bounded(joined('', namespace, name), roleLengthMax, [uid, namespace, name])
}

/**
 * The same for as long as the ServiceAccount of the cluster is called so: a Role made again finds it, and policies elsewhere that name its
 * ARN go on to fit. Two hubs of one account that call a cluster the same collide, and the second is refused, by the owner mark.
 */
export function stableRoleName(cluster: string, { namespace, name }: Named): string {
  return bounded(joined('', cluster, namespace, name), roleLengthMax, ['service-account', cluster, namespace, name])
}

/** IAM policy made of a Role's `policyDocument`. */
export function iamPolicyName({ uid, namespace, name }: Identified): string {
  return bounded(joined('pol', namespace, name), policyLengthMax, [uid, 'policy', namespace, name])
}

export function oidcProviderName(namespace: string): string {
  return joined('oidc', namespace)
}

export function signingSecretName(configName: string): string {
  return joined('signing-key', configName)
}

/** Not hashed: Roles whose names differ only in what `safe` folds share it, and the second one is refused. */
export function podIdentityAssociationName(roleName: string): string {
  return joined('pia', roleName)
}

/** Value of the labels `owner-ref` and `service-account`. */
export function ownerLabel({ namespace, name }: Named): string {
  return bounded(`${safe(namespace)}-${safe(name)}`, labelLengthMax, [namespace, name])
}

/** What can stand in a name: lower case, every run of other characters one hyphen, none at the ends; never empty. */
export function safe(text: string): string {
  const folded = text.toLowerCase().replaceAll(/[^a-z0-9-]+/g, '-')
  return folded.replaceAll(/^-+|-+$/g, '') || 'x'
}

function joined(kind: string, ...parts: readonly string[]): string {
  return ['awi', ...(kind === '' ? [] : [kind]), ...parts.map(safe)].join('-')
}

/** `base`, cut where it must be, and a hash over the raw parts that keeps names apart which `safe` would fold into one. */
function bounded(base: string, lengthMax: number, parts: readonly string[]): string {
  const hash = digestOf('sha256', parts.join('/'), 'hex').slice(0, suffixLength)
  const whole = `${base}-${hash}`
  if (whole.length <= lengthMax) return whole
  return `${whole.slice(0, lengthMax - suffixLength - 1).replace(/-+$/, '')}-${hash}`
}
