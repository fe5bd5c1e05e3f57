// Which name the role of a binding has, and how a living binding moves from one name to another. What was made keeps its name, since
// pods, buckets and keys name its ARN; a binding moves only when its annotation or its own `spec.roleName` says so.
//
//   one role --record the name--> a second role is made --it is there for a while--> the second is in force, the first is kept
//      ^                                                                                              |
//      +---------------- the first is gone <---- somebody names it as released ----------------------+
//
// At each moment the role in force is there and is what the ServiceAccount is annotated with. Pods that were started before the change
// go on with the former role, which nobody here can see: so a person says when it may go.
import type { Instant } from '#base'
import { namePattern } from '#fleet'
import type { Condition } from '#kube'
import type { OperatorConfig, ServiceAccountRole } from '../api/kinds.ts'
import { annotations } from '../api/labels.ts'
import { childCondition } from '../children/ready.ts'
import type { ChildState } from '../children/state.ts'
import { bindingCondition, heldCondition } from './binding-conditions.ts'
import { resourceNames, roleNamesOf } from './resources.ts'
import type { RoleSeen } from './seen.ts'

/** IAM tells all its endpoints of a new role within seconds: pods are not sent to one that some do not know yet. */
export const visibleMs = 15_000

export type NameRecord = Pick<NonNullable<ServiceAccountRole['status']>, 'roleName' | 'otherRoleName' | 'roleARN'>

export type Naming =
  /** To be on record before anything else happens, so that a process that dies leaves no role that nobody finds. */
  | { readonly kind: 'record'; readonly status: { readonly [Name in keyof NameRecord]: NameRecord[Name] | undefined } }
  /** The binding asks for a name that it may not have, and there is no role yet. */
  | { readonly kind: 'refused'; readonly message: string }
  | {
      readonly kind: 'named'
      readonly conditions: readonly Condition[]
      /** `spec` asks for another role than the one in force, which is why the binding is not Ready. */
      readonly pending?: string
      /** The other role is the former one, and somebody said that nobody needs it. */
      readonly isReleased?: true
      readonly lookAgainMs?: number
    }

export function decideNaming(seen: RoleSeen, now: Instant): Naming {
  const { claim, resources } = seen
  const names = resourceNames(claim)
  const { roleName, roleARN } = claim.status ?? {}
  const isMade = roleName !== undefined || roleARN !== undefined || resources.role.owned === 'ours'
  const wanted = wantedName(seen, isMade)
  if (typeof wanted === 'object') {
    if (!isMade) return { kind: 'refused', message: wanted.wrong }
    return { kind: 'named', conditions: [migrated('False', 'InvalidSpec', wanted.wrong)], pending: wanted.wrong }
  }
  if (!isMade) return wanted === names.role ? settled(claim, names.role) : { kind: 'record', status: recordOf(claim, wanted) }
  if (wanted === names.role) return names.other === undefined ? settled(claim, names.role) : keepFormer(seen, names.other)
  if (names.other === undefined) return { kind: 'record', status: { otherRoleName: wanted } }
  if (wanted !== names.other) {
    const message = `the former role ${names.other} is still there: let it go first (${releaseOf(claim, names.other)})`
    return { kind: 'named', conditions: [migrated('False', 'FormerRoleKept', message)], ...pendingOf(claim, message) }
  }
  return moveTo(seen, names.other, now)
}

/** An object is what is wrong with the wish. */
function wantedName({ claim, operatorConfig }: RoleSeen, isMade: boolean): string | { readonly wrong: string } {
  const { ObjectUID, ServiceAccount, chosen } = roleNamesOf(claim)
  const { role, other } = resourceNames(claim)
  if (chosen !== undefined) {
    // A name that is on record was allowed once, and stays even where the rules would not allow it now.
    if ([role, other].includes(chosen) || mayChoose(chosen, claim, operatorConfig)) return chosen
    return {
      wrong: `spec.roleName ${chosen} is not allowed in ${claim.metadata.namespace}: allowedRoleNames of the AWSWorkloadIdentityOperatorConfig says which names are`,
    }
  }
  const asked = claim.metadata.annotations?.[annotations.roleNames]
  const choice = asked ?? (isMade ? undefined : operatorConfig?.spec.roleNames)
  if (choice === undefined) return role
  if (choice === 'ServiceAccount') return ServiceAccount
  if (choice === 'ObjectUID') return ObjectUID
  return { wrong: `the annotation ${annotations.roleNames} says ${choice}; it can say ObjectUID or ServiceAccount` }
}

function mayChoose(name: string, { metadata }: ServiceAccountRole, config: OperatorConfig | undefined): boolean {
  const fits = (patterns: readonly string[], text: string): boolean => patterns.some(pattern => namePattern(pattern).test(text))
  return (config?.spec.allowedRoleNames ?? []).some(
    ({ clusters, names }) => fits(names, name) && (clusters === undefined || fits(clusters, metadata.namespace ?? '')),
  )
}

/** The new role is in force from the moment that this is on record; the annotation follows. */
function moveTo({ claim, resources }: RoleSeen, next: string, now: Instant): Naming {
  const { role } = resourceNames(claim)
  const { other } = resources
  const ready = childCondition(other, { condition: 'RoleMigrated', noun: `IAM role ${next}`, needsArn: true })
  const leftMs = ready.status === 'True' ? youngMs(other, now) : 0
  if (ready.status === 'True' && leftMs === 0) {
    return { kind: 'record', status: { ...recordOf(claim, next), otherRoleName: role, roleARN: other.arn } }
  }
  const why = ready.status === 'True' ? 'it was made a moment ago' : ready.message
  const message = `${next} is to be the role of this binding, and ${role} is until then: ${why}`
  const lookAgain = leftMs > 0 ? { lookAgainMs: leftMs } : {}
  return { kind: 'named', conditions: [migrated('False', 'RoleMigrating', message)], ...pendingOf(claim, message), ...lookAgain }
}

function keepFormer({ claim, resources }: RoleSeen, former: string): Naming {
  const { role } = resourceNames(claim)
  if (claim.metadata.annotations?.[annotations.releaseRole] !== former) {
    const message = `${role} is the role of this binding; pods that were started before have ${former}: restart them, then let it go (${releaseOf(claim, former)})`
    return { kind: 'named', conditions: [migrated('True', 'FormerRoleKept', message)] }
  }
  if (resources.other.owned !== 'ours') return { kind: 'record', status: { otherRoleName: undefined } }
  const message = `${role} is the role of this binding; ${former} goes`
  return { kind: 'named', conditions: [migrated('True', 'FormerRoleKept', message)], isReleased: true }
}

/** Said of no binding that has the name by default and always had. */
function settled(claim: ServiceAccountRole, role: string): Naming {
  const isTold = heldCondition(claim, 'RoleMigrated') !== undefined || role !== roleNamesOf(claim).ObjectUID
  return {
    kind: 'named',
    conditions: isTold ? [migrated('True', 'RoleMigrated', `${role} is the only role of this binding`)] : [],
  }
}

/** A name that is made of the uid is found without a record. */
function recordOf(claim: ServiceAccountRole, name: string): { readonly roleName: string | undefined } {
  return { roleName: name === roleNamesOf(claim).ObjectUID ? undefined : name }
}

function pendingOf({ spec }: ServiceAccountRole, message: string): { readonly pending?: string } {
  return spec.roleName === undefined ? {} : { pending: message }
}

function releaseOf({ metadata }: ServiceAccountRole, former: string): string {
  return `kubectl -n ${metadata.namespace} annotate awsar ${metadata.name} ${annotations.releaseRole}=${former} --overwrite`
}

function youngMs({ madeAt = 0 }: ChildState, now: Instant): number {
  const leftMs = madeAt + visibleMs - now
  // Where our clock is far behind, the wait would have no end, so a wait that is too long counts as over.
  return leftMs > 2 * visibleMs ? 0 : Math.max(0, leftMs)
}

function migrated(
  status: 'True' | 'False',
  reason: 'RoleMigrating' | 'RoleMigrated' | 'FormerRoleKept' | 'InvalidSpec',
  message: string,
): Condition {
  return bindingCondition('RoleMigrated', status, reason, message)
}
