// What a binding may have left on its ServiceAccount, and how to take it away (§4.3 "Annotation cleanup decision"). The ARN of the
// annotation is recognised by the names that roles of the binding can have, too. One that is made of its uid is nobody else's; the others
// are so only as long as no other binding has the ServiceAccount.

import { namespaceOfLogicalName } from '#fleet'
import type { Action } from '#runtime'
import { roleArnAnnotation } from '../api/labels.ts'
import { decideAnnotationRemoval } from '../target/annotation.ts'
import { roleNamesOf } from './resources.ts'
import type { RoleSeen } from './seen.ts'

export type Cleanup =
  | { readonly kind: 'clean' }
  | { readonly kind: 'remove'; readonly actions: readonly Action[] }
  /** Nothing can be said at this moment, and it will be soon. */
  | { readonly kind: 'wait'; readonly lookAgainMs: number }
  | { readonly kind: 'blocked'; readonly message: string }

const clean: Cleanup = { kind: 'clean' }
const byForce = 'or give up by the annotation aws.identity.appthrust.io/force-delete=true'

/** `roleDelivery`: how the role itself says that it is delivered, for a binding whose status did not get to say it. */
export function decideCleanup(seen: RoleSeen, roleDelivery: string | undefined): Cleanup {
  const { claim, config, annotation } = seen
  const { status } = claim
  const delivery = status?.deliveryType ?? roleDelivery ?? config?.spec.type
  if (delivery === 'EKSPodIdentity') return clean
  const recorded = status?.resolvedClusterName
  if (recorded !== undefined && namespaceOfLogicalName(recorded) !== claim.metadata.namespace) {
    return {
      kind: 'blocked',
      message: `the recorded cluster ${recorded} is none of this namespace; correct the status ${byForce}`,
    }
  }
  const arn = status?.roleARN ?? seen.resources.role.arn ?? seen.resources.other.arn
  if (annotation?.kind === 'reachable') return decideReachable(seen, arn)
  // No ARN anywhere: it was never annotated (case 151). The role and its ARN are there before an annotation is, so where there is neither
  // a record nor a role nothing was ever made, and a namespace that is no cluster keeps nobody (case 155).
  if (arn === undefined) return clean
  if (annotation?.kind === 'unknown') return { kind: 'wait', lookAgainMs: annotation.lookAgainMs }
  const why = annotation?.message ?? 'the cluster is not known'
  return {
    kind: 'blocked',
    message: `the annotation of the ServiceAccount cannot be removed: ${why}; make it reachable ${byForce}`,
  }
}

function decideReachable({ annotation, claim, resources, siblings }: RoleSeen, arn: string | undefined): Cleanup {
  if (annotation?.kind !== 'reachable') return clean
  const held = annotation.account?.metadata.annotations?.[roleArnAnnotation]
  if (held === undefined) return clean
  const { ObjectUID: own, ...others } = roleNamesOf(claim)
  const names = siblings.length > 1 ? [own] : [own, ...Object.values(others)]
  const isOurs =
    [arn, resources.role.arn, resources.other.arn].includes(held) || names.some(name => held.endsWith(`:role/${name}`))
  if (!isOurs) return clean
  const { actions } = decideAnnotationRemoval(annotation, { roleArn: held })
  return actions.length === 0 ? clean : { kind: 'remove', actions }
}
