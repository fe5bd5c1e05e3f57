// The generated policy: made where the binding brings a document of its own, taken away where it does not (§4.3).
import { given } from '#base'
import type { Condition } from '#kube'
import type { Action, OwnAction } from '#runtime'
import type { ChildParent } from '../children/child.ts'
import { childCondition } from '../children/ready.ts'
import { renderUserPolicy } from '../documents/user-policy.ts'
import { bindingCondition } from './binding-conditions.ts'
import { type ResourceStates, type RoleResources, resourceNames } from './resources.ts'
import type { RoleSeen } from './seen.ts'

export interface PolicyDecision<Own extends OwnAction> {
  /** Before the role, which refers to it. */
  readonly make: readonly Action<Own>[]
  /** After the role, which may still refer to it. */
  readonly drop: readonly Action<Own>[]
  readonly condition: Condition
  readonly policyArns: readonly string[]
  readonly generatedArn?: string
}

export function decidePolicy<S extends ResourceStates, Own extends OwnAction>(
  seen: RoleSeen<S>,
  parent: ChildParent,
  resources: RoleResources<S, Own>,
): PolicyDecision<Own> {
  const { claim, resources: states } = seen
  const { policyARNs = [], policyDocument } = claim.spec
  const nothing = { make: [], drop: [], policyArns: policyARNs }
  if (policyDocument === undefined) {
    const condition = bindingCondition('PolicyReady', 'True', 'ManagedPoliciesOnly', 'only managed policies are attached')
    return { ...nothing, drop: resources.remove(states, claim, 'policy'), condition }
  }
  const document = renderUserPolicy(policyDocument)
  if (!document.ok) return { ...nothing, condition: bindingCondition('PolicyReady', 'False', 'InvalidSpec', document.message) }
  const { namespace = '', name } = claim.metadata
  const wanted = { name: resourceNames(claim).policy, binding: `${namespace}/${name}`, document: document.text }
  const { arn } = states.policy
  return {
    make: resources.ensurePolicy(states, parent, wanted),
    drop: [],
    condition: childCondition(states.policy, { condition: 'PolicyReady', noun: 'IAM policy', needsArn: true }),
    // Until the generated policy has an ARN the role is made without it, so that the role is there sooner (case 127).
    policyArns: [...policyARNs, ...(arn === undefined ? [] : [arn])],
    ...given({ generatedArn: arn }),
  }
}
