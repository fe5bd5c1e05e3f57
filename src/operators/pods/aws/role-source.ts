// Who names the role, in the order of authority of §2.3. An exact entry of the ConfigMap counts instead of the one for any namespace, also
// when it names no role: that is how one ServiceAccount is kept from a role that its name would give it.
import type { ConfigMapEntry, IdentitySnapshot, ServiceAccountIdentity } from './api.ts'

export type RoleSource =
  | { readonly kind: 'service-account'; readonly says: ServiceAccountIdentity }
  | { readonly kind: 'config-map'; readonly says: ConfigMapEntry }

export function roleSourceOf({ serviceAccount, exactEntry, wildcardEntry }: IdentitySnapshot): RoleSource | undefined {
  if (serviceAccount !== undefined && serviceAccount.roleArn !== '') return { kind: 'service-account', says: serviceAccount }
  const entry = exactEntry ?? wildcardEntry
  return entry === undefined || entry.roleArn === '' ? undefined : { kind: 'config-map', says: entry }
}
