// Quotas and rates as data: the one place of these numbers. Who calls AWS checks them before it writes; the emulator enforces them. They are
// AWS's published defaults; an account's own values come from configuration or Service Quotas and replace single rows. Each has a name that
// stands in conditions, so that a person can look it up and raise it.

export interface Limit {
  readonly name: string
  readonly value: number
  /** `per account` and the like, in words for people. */
  readonly scope: string
  /** Code under which Service Quotas knows it, where it can be raised there. */
  readonly quotaCode?: string
}

export type LimitName =
  | 'iam/roles'
  | 'iam/policies'
  | 'iam/oidc-providers'
  | 'iam/instance-profiles'
  | 'iam/attached-policies'
  | 'iam/trust-policy-characters'
  | 'iam/managed-policy-characters'
  | 'iam/inline-policy-characters'
  | 'iam/policy-versions'
  | 'iam/client-ids'
  | 'iam/thumbprints'
  | 'iam/users'
  | 'iam/groups'
  | 'iam/user-inline-policy-characters'
  | 'iam/group-inline-policy-characters'
  | 'iam/tags'
  | 'iam/role-name-characters'
  | 's3/buckets'
  | 's3/bucket-policy-bytes'
  | 's3/bucket-name-characters'
  | 'eks/clusters'
  | 'eks/pod-identity-associations'
  | 'eks/tags'
  | 'acm/tags'
  | 'acm/certificates'
  | 'acm/certificates-per-year'
  | 'acm/names-per-certificate'
  | 'route53/hosted-zones'
  | 'route53/records-per-zone'
  | 'route53/tags'
  | 'route53/changes-per-batch'
  | 'route53/value-characters-per-batch'
  | 'sts/session-policy-characters'
  | 'sts/web-identity-token-characters'

export const limits: Readonly<Record<LimitName, Limit>> = {
  'iam/roles': { name: 'Roles per account', value: 1_000, scope: 'per account', quotaCode: 'L-FE177D64' },
  'iam/policies': { name: 'Customer managed policies per account', value: 1_500, scope: 'per account', quotaCode: 'L-E95E4862' },
  'iam/oidc-providers': {
    name: 'OpenId connect providers per account',
    value: 100,
    scope: 'per account',
    quotaCode: 'L-858F3967',
  },
  'iam/instance-profiles': { name: 'Instance profiles per account', value: 1_000, scope: 'per account', quotaCode: 'L-6E65F664' },
  'iam/attached-policies': { name: 'Managed policies per role', value: 10, scope: 'per role', quotaCode: 'L-0DA4ABF3' },
  'iam/trust-policy-characters': { name: 'Role trust policy length', value: 2_048, scope: 'per role', quotaCode: 'L-C07B4B0D' },
  'iam/managed-policy-characters': { name: 'Managed policy length', value: 6_144, scope: 'per policy' },
  'iam/inline-policy-characters': { name: 'Role inline policies, all together', value: 10_240, scope: 'per role' },
  'iam/policy-versions': { name: 'Versions per managed policy', value: 5, scope: 'per policy' },
  'iam/client-ids': { name: 'Client ids per OIDC provider', value: 100, scope: 'per provider' },
  'iam/thumbprints': { name: 'Thumbprints per OIDC provider', value: 5, scope: 'per provider' },
  'iam/users': { name: 'Users per account', value: 5_000, scope: 'per account', quotaCode: 'L-F55AF5E4' },
  'iam/groups': { name: 'Groups per account', value: 300, scope: 'per account' },
  'iam/user-inline-policy-characters': { name: 'User inline policies, all together', value: 2_048, scope: 'per user' },
  'iam/group-inline-policy-characters': { name: 'Group inline policies, all together', value: 5_120, scope: 'per group' },
  'iam/tags': { name: 'Tags per IAM resource', value: 50, scope: 'per resource' },
  'iam/role-name-characters': { name: 'Role name length', value: 64, scope: 'per role' },
  's3/buckets': { name: 'General purpose buckets', value: 10_000, scope: 'per account', quotaCode: 'L-DC2B2D3D' },
  's3/bucket-policy-bytes': { name: 'Bucket policy size', value: 20_480, scope: 'per bucket' },
  's3/bucket-name-characters': { name: 'Bucket name length', value: 63, scope: 'per bucket' },
  'eks/clusters': { name: 'Clusters', value: 100, scope: 'per account and region', quotaCode: 'L-1194D53C' },
  'eks/pod-identity-associations': { name: 'Pod Identity associations per cluster', value: 5_000, scope: 'per cluster' },
  'eks/tags': { name: 'Tags per EKS resource', value: 50, scope: 'per resource' },
  'acm/tags': { name: 'Tags per certificate', value: 50, scope: 'per certificate' },
  'acm/certificates': { name: 'ACM certificates', value: 2_500, scope: 'per account and region', quotaCode: 'L-F141DD1D' },
  'acm/certificates-per-year': {
    name: 'ACM certificates created in last 365 days',
    value: 5_000,
    scope: 'per account and region',
  },
  'acm/names-per-certificate': {
    name: 'Domain names per ACM certificate',
    value: 10,
    scope: 'per certificate',
    quotaCode: 'L-FB94F0B0',
  },
  'route53/hosted-zones': { name: 'Hosted zones', value: 500, scope: 'per account', quotaCode: 'L-4EA4796A' },
  'route53/records-per-zone': {
    name: 'Records per hosted zone',
    value: 10_000,
    scope: 'per hosted zone',
    quotaCode: 'L-E209CC9F',
  },
  'route53/tags': { name: 'Tags per hosted zone or health check', value: 50, scope: 'per resource' },
  'route53/changes-per-batch': { name: 'Records per ChangeResourceRecordSets', value: 1_000, scope: 'per call' },
  'route53/value-characters-per-batch': {
    name: 'Characters of values per ChangeResourceRecordSets',
    value: 32_000,
    scope: 'per call',
  },
  'sts/session-policy-characters': { name: 'Session policies, all together', value: 2_048, scope: 'per session' },
  'sts/web-identity-token-characters': { name: 'Web identity token length', value: 20_000, scope: 'per call' },
}

export interface Rate {
  /** Calls per second in the long run, and how many may come at once. */
  readonly perSecond: number
  readonly burst: number
  /** Of all calls, those that change something, where the service counts these by themselves. */
  readonly writes?: { readonly perSecond: number; readonly burst: number }
}

/**
 * What a service is known to allow an account in a region: published rates where there are any, otherwise a share small enough to leave room
 * for others in the account. Nobody is held to it who is not throttled: it is where the pace goes at the first throttle.
 */
export const callRates: Readonly<Record<string, Rate>> = {
  acm: { perSecond: 5, burst: 5 },
  eks: { perSecond: 5, burst: 10 },
  iam: { perSecond: 15, burst: 30, writes: { perSecond: 5, burst: 10 } },
  route53: { perSecond: 5, burst: 5 },
  s3: { perSecond: 100, burst: 200 },
  sts: { perSecond: 100, burst: 200 },
}

/** Characters of a policy as AWS counts them: white space outside texts is free. */
export function policyCharacters(text: string): number {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, (_, quoted: string | undefined) => quoted ?? '').length
}
