// What IAM counts and bounds.
import { limits } from '#aws'
import { type Quota, quotaTable } from '../quotas.ts'

type Name =
  | 'roles'
  | 'openIdConnectProviders'
  | 'trustPolicySize'
  | 'policies'
  | 'attachedPolicies'
  | 'instanceProfiles'
  | 'users'
  | 'groups'
  | 'policyVersions'
  | 'clientIds'
  | 'thumbprints'
  | 'tags'

export const iamQuotas: Readonly<Record<Name, Quota>> = quotaTable({
  roles: limits['iam/roles'],
  openIdConnectProviders: limits['iam/oidc-providers'],
  trustPolicySize: limits['iam/trust-policy-characters'],
  policies: limits['iam/policies'],
  attachedPolicies: limits['iam/attached-policies'],
  instanceProfiles: limits['iam/instance-profiles'],
  users: limits['iam/users'],
  groups: limits['iam/groups'],
  policyVersions: limits['iam/policy-versions'],
  clientIds: limits['iam/client-ids'],
  thumbprints: limits['iam/thumbprints'],
  tags: limits['iam/tags'],
})
