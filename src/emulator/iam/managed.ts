// Finding managed policies by ARN: the account's own, and AWS's.
import type { Ports } from '../ports.ts'
import { seenOf } from '../state/timeline.ts'
import type { IamCall } from './ask.ts'
import { keyOf } from './ask.ts'
import { type IamState, type ManagedPolicy, newest } from './model.ts'

/** The account's own policy of exactly this ARN. */
export function ownPolicy(state: IamState, arn: string): ManagedPolicy | undefined {
  const policy = newest(state, 'policies', policyKey(arn))
  return policy?.arn === arn ? policy : undefined
}

export function policyKey(arn: string): string {
  return keyOf(arn.slice(arn.lastIndexOf('/') + 1))
}

/** Whether it is there and may be attached. */
export function documentOf(call: Pick<IamCall, 'store' | 'ports'>, arn: string): string | undefined {
  const own = ownPolicy(call.store.get(), arn)
  return own === undefined ? call.ports.awsPolicies.get(arn)?.document : defaultDocument(own)
}

export function defaultDocument(policy: ManagedPolicy): string {
  return policy.versions.find(version => version.id === policy.defaultVersion)?.document ?? '{}'
}

/** As authorisation sees it. */
export function lateDocumentOf(
  state: IamState,
  arn: string,
  at: { readonly awsPolicies: Ports['awsPolicies']; readonly now: number; readonly delayMs: number },
): string | undefined {
  const policy = seenOf(state.policies.get(policyKey(arn)), at.now, at.delayMs)
  if (policy?.arn === arn) return defaultDocument(policy)
  return at.awsPolicies.get(arn)?.document
}
