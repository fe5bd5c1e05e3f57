// Which name a role that is yet to be made gets. What was made, or is on record, keeps its own: pods, buckets and keys name its ARN.
import { stableRoleName } from '../names.ts'
import type { RoleSeen } from './seen.ts'

/**
 * The name to put on record before anything is made under it; nothing where the name is made of the uid, which every process finds again
 * by itself. A role that somebody may have made already under the name of the uid is no other one: it is seen, or its ARN is on record.
 */
export function nameToRecord({ claim, operatorConfig, resources }: RoleSeen): string | undefined {
  if (operatorConfig?.spec.roleNames !== 'ServiceAccount') return undefined
  const { roleName, roleARN } = claim.status ?? {}
  if (roleName !== undefined || roleARN !== undefined || resources.role.owned === 'ours') return undefined
  return stableRoleName(claim.metadata.namespace ?? '', claim.spec.serviceAccount)
}
