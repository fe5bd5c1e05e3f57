// Quotas in time: what a call would be refused for by a limit that nobody can raise is known before it is sent, and a quota that is full is
// called by the name under which it is raised. The numbers are those of #aws, which the emulator enforces.
import { type Limit, type LimitName, limits, policyCharacters } from '#aws'

export interface OverLimit {
  readonly limit: Limit
  /** One line for a condition: what is too much, how much it is, and what to do. */
  readonly message: string
}

type Values = Readonly<Record<string, unknown>>

interface Bound {
  readonly limit: LimitName
  readonly what: string
  measure(input: Values): number
}

const length =
  (name: string) =>
  (input: Values): number =>
    typeof input[name] === 'string' ? input[name].length : 0
const document =
  (name: string) =>
  (input: Values): number =>
    typeof input[name] === 'string' ? policyCharacters(input[name]) : 0
const count =
  (name: string) =>
  (input: Values): number =>
    Array.isArray(input[name]) ? input[name].length : 0
const bytes =
  (name: string) =>
  (input: Values): number =>
    typeof input[name] === 'string' ? Buffer.byteLength(input[name]) : 0

const iamTags: Bound = { limit: 'iam/tags', what: 'tags', measure: count('Tags') }
const managedPolicy: Bound = {
  limit: 'iam/managed-policy-characters',
  what: 'characters of the policy document, white space not counted',
  measure: document('PolicyDocument'),
}

/** By service and operation, the limits that one call alone can break and that no account can have raised. */
const boundsOf: Readonly<Record<string, readonly Bound[]>> = {
  'IAM CreateRole': [iamTags, { limit: 'iam/role-name-characters', what: 'characters of the name', measure: length('RoleName') }],
  'IAM CreatePolicy': [iamTags, managedPolicy],
  'IAM CreatePolicyVersion': [managedPolicy],
  'IAM CreateUser': [iamTags],
  'IAM CreateOpenIDConnectProvider': [
    iamTags,
    { limit: 'iam/client-ids', what: 'client ids', measure: count('ClientIDList') },
    { limit: 'iam/thumbprints', what: 'thumbprints', measure: count('ThumbprintList') },
  ],
  'IAM PutRolePolicy': [
    {
      limit: 'iam/inline-policy-characters',
      what: 'characters of the policy document, white space not counted',
      measure: document('PolicyDocument'),
    },
  ],
  'S3 CreateBucket': [{ limit: 's3/bucket-name-characters', what: 'characters of the name', measure: length('Bucket') }],
  'S3 PutBucketPolicy': [{ limit: 's3/bucket-policy-bytes', what: 'bytes of the bucket policy', measure: bytes('Policy') }],
  'ACM RequestCertificate': [{ limit: 'acm/tags', what: 'tags', measure: count('Tags') }],
  'EKS CreatePodIdentityAssociation': [
    {
      limit: 'eks/tags',
      what: 'tags',
      measure: ({ tags }) => (typeof tags === 'object' && tags !== null ? Object.keys(tags).length : 0),
    },
  ],
}

/** The first limit that the call is over; `undefined` for a call that no fixed limit speaks against. */
export function overLimit(service: string, operation: string, input: Values): OverLimit | undefined {
  for (const { limit, what, measure } of own(boundsOf, `${service} ${operation}`) ?? []) {
    const found = measure(input)
    const { name, value, scope } = limits[limit]
    if (found > value)
      return {
        limit: limits[limit],
        message: `${found} ${what} are more than AWS takes: "${name}" is ${value} ${scope}; make it smaller`,
      }
  }
  return undefined
}

/** The quota that counts what an operation makes, by service and operation. */
const counted: Readonly<Record<string, LimitName>> = {
  'IAM CreateRole': 'iam/roles',
  'IAM CreatePolicy': 'iam/policies',
  'IAM CreatePolicyVersion': 'iam/policy-versions',
  'IAM CreateOpenIDConnectProvider': 'iam/oidc-providers',
  'IAM CreateInstanceProfile': 'iam/instance-profiles',
  'IAM CreateUser': 'iam/users',
  'IAM CreateGroup': 'iam/groups',
  'IAM AttachRolePolicy': 'iam/attached-policies',
  'IAM UpdateAssumeRolePolicy': 'iam/trust-policy-characters',
  'S3 CreateBucket': 's3/buckets',
  'EKS CreateCluster': 'eks/clusters',
  'EKS CreatePodIdentityAssociation': 'eks/pod-identity-associations',
  'ACM RequestCertificate': 'acm/certificates',
  'ACM ImportCertificate': 'acm/certificates',
  'Route 53 CreateHostedZone': 'route53/hosted-zones',
  'Route 53 ChangeResourceRecordSets': 'route53/records-per-zone',
}

export function limitOfCall(service: string, operation: string): Limit | undefined {
  const name = own(counted, `${service} ${operation}`)
  return name === undefined ? undefined : limits[name]
}

function own<T>(table: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(table, name) ? table[name] : undefined
}
