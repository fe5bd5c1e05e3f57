// Policy documents on their way into IAM: valid, small enough, and with their principals bound.
import { limits } from '#aws'
import { ServiceError } from '../error.ts'
import { documentFault, significantSize } from '../policy/validate.ts'
import type { IamCall } from './ask.ts'
import { limitExceeded, malformedPolicy } from './errors.ts'
import { iamQuotas } from './quotas.ts'

/** Characters of a managed policy. */
export const managedSizeMax: number = limits['iam/managed-policy-characters'].value

export function checkIdentityDocument(call: IamCall, text: string): void {
  const fault = documentFault(text, { kind: 'identity', partition: call.partition, principalExists: () => true })
  if (fault !== undefined) throw malformedPolicy(fault)
}

export function checkManagedSize(text: string): void {
  if (significantSize(text) > managedSizeMax) throw limitExceeded(`Cannot exceed quota for PolicySize: ${managedSizeMax}`)
}

/** Characters of all inline policies of an entity together. */
export const inlineSizes: Readonly<Record<'role' | 'user' | 'group', number>> = {
  role: limits['iam/inline-policy-characters'].value,
  user: limits['iam/user-inline-policy-characters'].value,
  group: limits['iam/group-inline-policy-characters'].value,
}

/** The sum over all inline policies of the entity. */
export function checkInlineSize(kind: keyof typeof inlineSizes, name: string, documents: readonly string[]): void {
  const size = documents.reduce((sum, text) => sum + significantSize(text), 0)
  if (size > inlineSizes[kind])
    throw limitExceeded(`Maximum policy size of ${inlineSizes[kind]} bytes exceeded for ${kind} ${name}`)
}

/** The trust policy as it is stored. */
export function boundTrustPolicy(call: IamCall, text: string): string {
  const { roles } = call.ports
  const fault = documentFault(text, {
    kind: 'trust',
    partition: call.partition,
    principalExists: principal => roles.principalExists(principal, 'late'),
  })
  if (fault !== undefined) throw malformedPolicy(fault)
  const quota = call.quota(iamQuotas.trustPolicySize)
  if (significantSize(text) > quota) throw limitExceeded(`Cannot exceed quota for ACLSizePerRole: ${quota}`)
  return roles.bound(text)
}

/** A session policy: an identity document whose fault is the caller's, with STS's code. */
export function checkSessionDocument(text: string, partition: string): void {
  const fault = documentFault(text, { kind: 'identity', partition, principalExists: () => true })
  if (fault !== undefined) throw new ServiceError('MalformedPolicyDocument', 400, fault)
}
