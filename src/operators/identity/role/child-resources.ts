// The AWS side of a binding through ACK child objects.
import { isRoleArn, type RoleArn } from '#aws'
import { customResourceDefinitions, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import {
  type Action,
  type Change,
  isEqualJson,
  keepIdentity,
  type OwnAction,
  type Reads,
  toController,
  type Watch,
} from '#runtime'
import { configKind, roleKind, type ServiceAccountRole, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { labels, singletonName } from '../api/labels.ts'
import { patterns } from '../api/patterns.ts'
import { applyChild, deleteChild } from '../children/apply.ts'
import { podIdentityAssociationChild, policyChild, roleChild } from '../children/build.ts'
import { regionAnnotation } from '../children/child.ts'
import { associationKind, type ChildKind, roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { isControlledBy } from '../children/ownership.ts'
import { absentChild, type ChildState, findChild, readChild, standsForOther } from '../children/state.ts'
import { type ResourceName, type ResourceStates, type RoleResources, resourceNames } from './resources.ts'
import { allRoles, rolesOfAssociation } from './sources.ts'

const kinds: Readonly<Record<ResourceName, ChildKind>> = {
  role: iamRoleKind,
  policy: policyKind,
  association: associationKind,
  other: iamRoleKind,
}

export const childResources: RoleResources<ResourceStates, never> = {
  observe: async (claim, world, signal) => {
    const names = resourceNames(claim)
    const parent = { object: claim, uidLabel: labels.bindingUid }
    const look = async (which: ResourceName): Promise<ChildState> => {
      const kind = kinds[which]
      const name = names[which]
      if (name === undefined) return absentChild
      const key = { namespace: claim.metadata.namespace ?? '', name }
      // A kind that is not there is asked about only where it matters: a read of the server in every pass is not (M2).
      if (!world.isSynced(kind.type) && !mayExist(claim, which, world)) return absentChild
      return readChild(await findChild(world, kind, key, signal), { kind, key, parent })
    }
    const [role, policy, association, other] = await Promise.all([
      look('role').then(withRoleArn),
      look('policy').then(withPolicyArn),
      look('association'),
      look('other').then(withRoleArn),
    ])
    return { role, policy, association, other }
  },
  ensureRole: (seen, parent, wanted, which) =>
    standsForOther(seen[which]) ? [] : applyChild(roleChild(parent, wanted), seen[which].object),
  ensurePolicy: ({ policy }, parent, wanted) =>
    standsForOther(policy) ? [] : applyChild(policyChild(parent, wanted), policy.object),
  ensureAssociation: (seen, parent, wanted) => applyChild(podIdentityAssociationChild(parent, wanted), seen.association.object),
  remove: (seen, claim, which) =>
    standsForOther(seen[which]) ? [] : deleteChild({ kind: kinds[which] }, seen[which].object, claim.metadata.uid),
  isHeld: (seen, claim, which) => {
    const { object } = seen[which]
    return object !== undefined && isControlledBy(object, claim.metadata.uid)
  },
  deliveryOf: ({ role }) => (role.owned === 'ours' ? role.object?.metadata.labels?.[labels.delivery] : undefined),
  resourceOf: (action, claim) => resourceOfAction(action, claim),
  watches: [
    ...[iamRoleKind, policyKind, associationKind].map(
      ({ type }): Watch => ({ type, optional: true, isWorth: concernsParent, toClaims: claimsOfChild }),
    ),
    // A kind that was missing is there: whoever waits for it, waits for this (14.1 L12).
    {
      name: 'rolesForAckChildCRD',
      type: customResourceDefinitions,
      metadataOnly: true,
      project: keepIdentity,
      toClaims: ({ metadata }, world) => (isOurKind(metadata.name) ? allRoles(world) : []),
    },
  ],
}

/** What ACK notes on the child for itself, its finalizer and its intents, is nothing to the parent. */
export function concernsParent(change: Change): boolean {
  if (change.kind !== 'changed') return true
  return !isEqualJson(parentsView(change.previous), parentsView(change.object))
}

/** All that `applyChild` and `readChild` look at. */
function parentsView(object: StoredObject): readonly unknown[] {
  const { uid, deletionTimestamp, labels: held, ownerReferences, annotations } = object.metadata
  const { spec, status } = object as StoredObject & { readonly spec?: unknown; readonly status?: unknown }
  return [status, spec, uid, deletionTimestamp, held, ownerReferences, annotations?.[regionAnnotation]]
}

function isOurKind(crd: string): boolean {
  return Object.values(kinds).some(({ type }) => crd === `${type.plural}.${type.group}`)
}

/** Whoever controls the child; and whoever wants its name, which is not unique for associations: its release is their event. */
export async function claimsOfChild(object: StoredObject, world: Reads, cluster: string): Promise<readonly ObjectKey[]> {
  const controllers = await toController(roleKind.type)(object, world, cluster)
  if (object.kind !== associationKind.type.kind) return controllers
  const { namespace = '', name } = object.metadata
  return [
    ...controllers,
    ...rolesOfAssociation(world, namespace, name).map(({ metadata }) => ({ namespace, name: metadata.name })),
  ]
}

const roleArnPattern = new RegExp(patterns.roleArn)
const policyArnPattern = new RegExp(patterns.policyArn)

/** Others write the child's status. What is no ARN of the kind would have our own status refused as a whole (B21), so it counts as none. */
export function withRoleArn(state: ChildState): ChildState<RoleArn> {
  if (state.owned !== 'ours') return state
  const { arn, ...rest } = state
  return arn !== undefined && roleArnPattern.test(arn) && isRoleArn(arn) ? { ...rest, arn } : rest
}

/** As `withRoleArn`, of a policy. */
export function withPolicyArn(state: ChildState): ChildState {
  if (state.owned !== 'ours') return state
  const { arn, ...rest } = state
  return arn !== undefined && policyArnPattern.test(arn) ? { ...rest, arn } : rest
}

/** An association is where EKS delivers or delivered; a role and its policy may always be there. */
function mayExist(claim: ServiceAccountRole, which: ResourceName, world: Reads): boolean {
  if (which !== 'association') return true
  const { namespace = '' } = claim.metadata
  const config = world.find<WorkloadIdentityConfig>(configKind.type, { namespace, name: singletonName })
  const { deliveryType, ackResources = [] } = claim.status ?? {}
  return (
    [config?.spec.type, deliveryType].includes('EKSPodIdentity') ||
    ackResources.some(({ kind }) => kind === associationKind.type.kind) ||
    (config === undefined && deliveryType === undefined)
  )
}

function resourceOfAction(action: Action<OwnAction>, claim: ServiceAccountRole | undefined): ResourceName | undefined {
  const type = typeOf(action)
  const which = (['role', 'policy', 'association'] as const).find(
    one => kinds[one].type.kind === type?.kind && kinds[one].type.group === type.group,
  )
  if (which !== 'role' || claim === undefined) return which
  return nameOf(action) === resourceNames(claim).other ? 'other' : 'role'
}

function typeOf(action: Action<OwnAction>): ResourceType | undefined {
  return 'type' in action && typeof action.type === 'object' ? action.type : undefined
}

function nameOf(action: Action<OwnAction>): string | undefined {
  if (action.kind === 'apply' || action.kind === 'delete') return action.object.metadata.name
  return action.kind === 'patch' ? action.key.name : undefined
}
