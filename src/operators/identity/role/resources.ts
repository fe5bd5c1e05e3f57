// The AWS side of a binding: an IAM role, a policy where it brings a document of its own, an association where EKS delivers. Two ways to
// have them made, through ACK child objects (child-resources.ts) and by calls of our own (direct/); decisions do not know which.
import type { Act, Action, OwnAction, Reads, Watch } from '#runtime'
import type { ServiceAccountRole } from '../api/kinds.ts'
import type { AssociationWanted, PolicyWanted, RoleWanted } from '../children/build.ts'
import type { ChildParent } from '../children/child.ts'
import type { ChildState } from '../children/state.ts'
import { iamPolicyName, iamRoleName, podIdentityAssociationName, stableRoleName } from '../names.ts'

export type ResourceName = 'role' | 'policy' | 'association'

/** What there is of each. */
export type ResourceStates = Readonly<Record<ResourceName, ChildState>>

export interface RoleResources<S extends ResourceStates, Own extends OwnAction> {
  observe(claim: ServiceAccountRole, world: Reads, signal: AbortSignal): Promise<S>
  ensureRole(seen: S, parent: ChildParent, wanted: RoleWanted): readonly Action<Own>[]
  ensurePolicy(seen: S, parent: ChildParent, wanted: PolicyWanted): readonly Action<Own>[]
  ensureAssociation(seen: S, parent: ChildParent, wanted: AssociationWanted): readonly Action<Own>[]
  /** Nothing for what is not there, not ours, or on its way already. */
  remove(seen: S, claim: ServiceAccountRole, which: ResourceName): readonly Action<Own>[]
  /** Whether a deletion has to wait for it to be gone. */
  isHeld(seen: S, claim: ServiceAccountRole, which: ResourceName): boolean
  /** How the role itself says that it is delivered: the record that is there before the status tells of a delivery. */
  deliveryOf(seen: S): string | undefined
  /** Of which one an action is, to say whose condition a failure belongs into. */
  resourceOf(action: Action<OwnAction>): ResourceName | undefined
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
}

export function resourceNames(claim: ServiceAccountRole): ResourceNames {
  const { metadata, spec, status } = claim
  const namespace = metadata.namespace ?? ''
  const identified = { uid: metadata.uid, namespace, name: metadata.name }
  // Only this one is believed of a status: another would lead to somebody else's role.
  const stable = stableRoleName(namespace, spec.serviceAccount)
  return {
    role: status?.roleName === stable ? stable : iamRoleName(identified),
    policy: iamPolicyName(identified),
    association: podIdentityAssociationName(metadata.name),
  }
}
