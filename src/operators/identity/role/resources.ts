// The AWS side of a binding: an IAM role, a policy where it brings a document of its own, an association where EKS delivers. Two ways to
// have them made, through ACK child objects (child-resources.ts) and by calls of our own (direct/); decisions do not know which.
import type { RoleArn } from '#aws'
import { given } from '#base'
import type { Act, Action, OwnAction, Reads, Watch } from '#runtime'
import type { RoleNames, ServiceAccountRole } from '../api/kinds.ts'
import type { AssociationWanted, PolicyWanted, RoleWanted } from '../children/build.ts'
import type { ChildParent } from '../children/child.ts'
import type { ChildState } from '../children/state.ts'
import { iamPolicyName, iamRoleName, podIdentityAssociationName, stableRoleName } from '../names.ts'

/** `role` is the one in force. `other` is a second one while the binding moves to another name (naming.ts). */
export type ResourceName = 'role' | 'policy' | 'association' | 'other'

/** What there is of each. */
export interface ResourceStates {
  readonly role: ChildState<RoleArn>
  readonly other: ChildState<RoleArn>
  readonly policy: ChildState
  readonly association: ChildState
}

export interface RoleResources<S extends ResourceStates, Own extends OwnAction> {
  observe(claim: ServiceAccountRole, world: Reads, signal: AbortSignal): Promise<S>
  ensureRole(seen: S, parent: ChildParent, wanted: RoleWanted, which: 'role' | 'other'): readonly Action<Own>[]
  ensurePolicy(seen: S, parent: ChildParent, wanted: PolicyWanted): readonly Action<Own>[]
  ensureAssociation(seen: S, parent: ChildParent, wanted: AssociationWanted): readonly Action<Own>[]
  /** Nothing for what is not there, not ours, or on its way already. */
  remove(seen: S, claim: ServiceAccountRole, which: ResourceName): readonly Action<Own>[]
  /** Whether a deletion has to wait for it to be gone. */
  isHeld(seen: S, claim: ServiceAccountRole, which: ResourceName): boolean
  /** How the role itself says that it is delivered: the record that is there before the status tells of a delivery. */
  deliveryOf(seen: S): string | undefined
  /** Of which one an action is, to say whose condition a failure belongs into. */
  resourceOf(action: Action<OwnAction>, claim: ServiceAccountRole | undefined): ResourceName | undefined
  readonly act?: Act<Own>
  /** Whether what an action made is there when the action succeeded, and not when somebody else has done his part. */
  readonly settlesAtOnce?: boolean
  /** What wakes a binding when its resources change. */
  readonly watches: readonly Watch[]
}

export interface ResourceNames {
  readonly role: string
  readonly policy: string
  readonly association: string
  /** Absent where there is one role and was none under another name. */
  readonly other?: string
}

/** One pass asks a dozen times, and each name is a hash. */
export function resourceNames(claim: ServiceAccountRole): ResourceNames {
  if (lately?.claim !== claim) lately = { claim, names: namesFor(claim) }
  return lately.names
}

/** The binding that was asked for last: objects do not change, so what holds of one holds as long as it is the same. */
let lately: { readonly claim: ServiceAccountRole; readonly names: ResourceNames } | undefined

function namesFor(claim: ServiceAccountRole): ResourceNames {
  const { role, other } = recordedRoleNames(claim)
  return {
    role,
    policy: iamPolicyName(identifiedBy(claim)),
    association: podIdentityAssociationName(claim.metadata.name),
    ...given({ other }),
  }
}

/** The names that roles of this binding can have, by what they rest on. */
export function roleNamesOf(claim: ServiceAccountRole): Readonly<Record<RoleNames, string>> & { readonly chosen?: string } {
  const { spec, metadata } = claim
  return {
    ObjectUID: iamRoleName(identifiedBy(claim)),
    ServiceAccount: stableRoleName(metadata.namespace ?? '', spec.serviceAccount),
    ...given({ chosen: spec.roleName }),
  }
}

/** Of a status only names that this binding can have are believed: another would lead to somebody else's role. */
function recordedRoleNames(claim: ServiceAccountRole): { readonly role: string; readonly other?: string } {
  const names = roleNamesOf(claim)
  const { roleName, otherRoleName } = claim.status ?? {}
  const believed = (name: string | undefined): string | undefined =>
    name !== undefined && Object.values(names).includes(name) ? name : undefined
  const role = believed(roleName) ?? names.ObjectUID
  const other = believed(otherRoleName)
  return other === undefined || other === role ? { role } : { role, other }
}

function identifiedBy({ metadata }: ServiceAccountRole): {
  readonly uid: string
  readonly namespace: string
  readonly name: string
} {
  return { uid: metadata.uid, namespace: metadata.namespace ?? '', name: metadata.name }
}
