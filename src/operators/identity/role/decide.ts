// What to do about a binding: a ladder of what has to be known, then role and policy, then the delivery (§4.3). The steps and their
// conditions are the reference's; what is ours is that nothing waits for a timer that an event could wake, and that what lasts a moment
// only is not told (M3, M4).
import { given, type Instant } from '#base'
import type { Condition } from '#kube'
import { type Action, awaitChange, emptyPlan, lookAgain, type Next, type OwnAction, type Plan, sooner } from '#runtime'
import { type DeliveryType, roleKind, type ServiceAccountRole } from '../api/kinds.ts'
import { finalizers, labels } from '../api/labels.ts'
import { roleArnReleased } from '../api/own-events.ts'
import { keepWording } from '../api/wording.ts'
import type { RoleWanted } from '../children/build.ts'
import type { ChildParent } from '../children/child.ts'
import { type AckResourceEntry, upsertEntries } from '../children/entry.ts'
import { childCondition } from '../children/ready.ts'
import { type ChildState, lookForChildren } from '../children/state.ts'
import { roleLabels } from '../documents/owner-labels.ts'
import type { DescribedCluster } from '../inventory/describe.ts'
import type { ForeignAnnotation } from '../target/annotation.ts'
import { type AssociationDecision, decideAssociation } from './association.ts'
import { bindingCondition, failReady, heldCondition } from './binding-conditions.ts'
import { decideDeletion } from './deletion.ts'
import { agentCondition, type DeliveryPlan, decideAnnotationDelivery, decideLeftAnnotation } from './delivery.ts'
import { decideNaming, type Naming } from './naming.ts'
import { decidePolicy, type PolicyDecision } from './policy.ts'
import { readinessOf } from './readiness.ts'
import { type ResourceStates, type RoleResources, resourceNames } from './resources.ts'
import type { RoleSeen } from './seen.ts'
import { settledStates, settlingMs, silentWaitMs } from './settling.ts'
import { renderTrust } from './trust.ts'

export interface DecideRoleOptions<S extends ResourceStates, Own extends OwnAction> {
  readonly resources: RoleResources<S, Own>
  /** Children are made in the region of the Config instead of the one their controller runs with (14.1 L4). */
  readonly regionalChildren?: boolean
  readonly foreignAnnotation?: ForeignAnnotation | undefined
}

/** Why a plan looks again whose conditions are said only when something fails. */
const whyQuiet = 'to tell what does not become ready'
const lookAtOnce = lookAgain(0, 'the name of the role is on record now')

export function decideRole<S extends ResourceStates, Own extends OwnAction>(
  seen: RoleSeen<S> | undefined,
  now: Instant,
  options: DecideRoleOptions<S, Own>,
): Plan<Own> {
  if (seen === undefined) return emptyPlan
  if (seen.claim.metadata.deletionTimestamp !== undefined) return decideDeletion(seen, now, options.resources)
  const known = whatIsKnown(seen)
  if (known.kind === 'missing') return { actions: hold(seen), conditions: known.conditions, next: awaitChange }
  const naming = decideNaming({ ...seen, resources: settledStates(seen.resources, now) }, now)
  if (naming.kind === 'record')
    return { actions: hold(seen), conditions: known.conditions, status: naming.status, next: lookAtOnce }
  if (naming.kind === 'refused') {
    return stopAt(seen, known.conditions, bindingCondition('RoleReady', 'False', 'InvalidSpec', naming.message))
  }
  const plan = decideKnown(seen, { ...known, naming }, now, options)
  const { metadata, status } = seen.claim
  const conditions = keepWording(plan.conditions, status?.conditions, metadata.generation)
  return { ...plan, conditions, next: sooner(plan.next, lookForChildren(...Object.values(seen.resources))) }
}

interface Known {
  readonly kind: 'known'
  readonly delivery: DeliveryType
  readonly config: NonNullable<RoleSeen['config']>
  readonly cluster: Extract<DescribedCluster, { kind: 'resolved' }>
  readonly trustPolicy: string
  readonly conditions: readonly Condition[]
}

type Named = Extract<Naming, { kind: 'named' }>

/** Steps 2-7: each that is not fulfilled ends the ladder; what was made before stays as it is. */
function whatIsKnown(seen: RoleSeen): Known | { readonly kind: 'missing'; readonly conditions: readonly Condition[] } {
  const { claim, siblings, operatorConfig, config, cluster } = seen
  const conditions: Condition[] = []
  const missing = (...said: readonly Condition[]): { kind: 'missing'; conditions: readonly Condition[] } => ({
    kind: 'missing',
    conditions: [...conditions, ...said],
  })
  const { serviceAccount } = claim.spec
  const elder = elderOf(claim, siblings)
  if (elder !== undefined) {
    const who = `${serviceAccount.namespace}/${serviceAccount.name}`
    const message = `ServiceAccount ${who} has the binding ${elder}, which is older and keeps it; delete one of the two`
    return missing(...failReady('DeliveryReady', 'InvalidSpec', message))
  }
  if (operatorConfig === undefined) {
    const message = 'AWSWorkloadIdentityOperatorConfig/default does not exist; create it'
    return missing(...failReady('OperatorConfigReady', 'OperatorConfigUnavailable', message))
  }
  conditions.push(bindingCondition('OperatorConfigReady', 'True', 'Ready', 'operator configuration is valid'))
  if (config === undefined) {
    const message = `AWSWorkloadIdentityConfig/default does not exist in namespace ${claim.metadata.namespace ?? ''}; create it`
    return missing(...failReady('ConfigResolved', 'ConfigUnavailable', message))
  }
  conditions.push(bindingCondition('ConfigResolved', 'True', 'Resolved', 'namespace config resolved'))
  if (cluster.kind === 'unresolved') {
    const { reason, message } = cluster
    return missing(
      bindingCondition('InventoryResolved', 'False', reason, message),
      ...failReady('DeliveryReady', reason, message),
    )
  }
  conditions.push(bindingCondition('InventoryResolved', 'True', 'Resolved', 'ClusterProfile resolved'))
  const delivery = config.spec.type
  const trust = renderTrust({ delivery, config, properties: cluster.properties, serviceAccount })
  if (!trust.ok) return missing(...failReady('TrustPolicyReady', 'TrustPolicyInputMissing', trust.message))
  conditions.push(bindingCondition('TrustPolicyReady', 'True', 'Rendered', 'trust policy rendered'))
  return { kind: 'known', delivery, config, cluster, trustPolicy: trust.text, conditions }
}

/** Of two bindings of a ServiceAccount the older one keeps it and notices nothing, whoever made the younger one. */
function elderOf({ metadata }: RoleSeen['claim'], [oldest]: RoleSeen['siblings']): string | undefined {
  return oldest === `${metadata.namespace ?? ''}/${metadata.name}` ? undefined : oldest
}

/** Steps 8-13. */
function decideKnown<S extends ResourceStates, Own extends OwnAction>(
  unsettled: RoleSeen<S>,
  known: Known & { readonly naming: Named },
  now: Instant,
  options: DecideRoleOptions<S, Own>,
): Plan<Own> {
  const seen = { ...unsettled, resources: settledStates(unsettled.resources, now) }
  const { claim, resources: states } = seen
  const { resources } = options
  const parent = parentOf(seen, known, options)
  const policy = decidePolicy(seen, parent, resources)
  const told = [...known.conditions, policy.condition]
  if (policy.condition.reason === 'InvalidSpec' || policy.condition.reason === 'ChildApplyFailed') {
    return stopAt(seen, told, policy.condition)
  }
  const permissionsBoundary = seen.operatorConfig?.spec.permissionsBoundaryARN
  const wanted = {
    trustPolicy: known.trustPolicy,
    policyArns: policy.policyArns,
    ...given({ permissionsBoundary }),
  }
  const makeRole = resources.ensureRole(states, parent, { name: resourceNames(claim).role, ...wanted }, 'role')
  const roleReady = childCondition(states.role, { condition: 'RoleReady', noun: 'IAM role', needsArn: true })
  told.push(roleReady)
  if (roleReady.reason === 'ChildApplyFailed') return stopAt(seen, told, roleReady)
  const delivery = decideDelivery(seen, known, parent, options)
  told.push(...delivery.conditions)
  const status = statusOf(seen, known, policy)
  const made = [...hold(seen), ...policy.make, ...makeRole, ...delivery.actions, ...policy.drop]
  if (delivery.stop !== undefined) return { ...stopAt(seen, told, delivery.stop), actions: made, status }
  const summed = delivery.gated
    ? gatedReadiness(delivery.conditions)
    : readinessOf({ delivery: known.delivery, config: known.config, conditions: told, refusedTypes: refusedTypes(seen, known) })
  const readiness = known.naming.pending === undefined ? summed : pendingReadiness(summed, known.naming.pending)
  // The actions for the other role come after those for the role in force, so that a failure among them keeps nothing else back.
  const actions = [...made, ...decideOther(seen, { naming: known.naming, parent, wanted, isReady: isReady(summed) }, resources)]
  told.push(...known.naming.conditions)
  const plan = { actions, conditions: [...told, ...readiness], status }
  const isActed = resources.settlesAtOnce === true && actions.some(({ kind }) => kind === 'act:aws')
  const quietMs = isQuiet(seen, readiness, now) ? silentWaitMs(wantedStates(seen, known), now) : 0
  // Only child objects take their time: a resource that our own calls make is there when they are answered.
  if (quietMs > 0)
    return { ...plan, next: { kind: 'look-again', afterMs: isActed ? 0 : quietMs, why: whyQuiet, leavesStatus: true } }
  if (isActed) return { ...plan, next: lookAgain(0, 'to see what was made') }
  const settleMs = Math.max(...Object.values(states).map(({ object }: ChildState) => settlingMs(object, now)))
  return { ...plan, next: sooner(nextOf(delivery.lookAgainMs, settleMs), lookForChildren(known.naming)) }
}

interface OtherWanted {
  readonly naming: Named
  readonly parent: ChildParent
  readonly wanted: Omit<RoleWanted, 'name'>
  readonly isReady: boolean
}

/** The role to come is made as the one in force is; the former one is kept so until it is released and the one in force is delivered. */
function decideOther<S extends ResourceStates, Own extends OwnAction>(
  { claim, resources: states }: RoleSeen<S>,
  { naming, parent, wanted, isReady }: OtherWanted,
  resources: RoleResources<S, Own>,
): readonly Action<Own>[] {
  const { role, other: name } = resourceNames(claim)
  if (name === undefined) return []
  if (naming.isReleased !== true || !isReady) return resources.ensureRole(states, parent, { name, ...wanted }, 'other')
  const removal = resources.remove(states, claim, 'other')
  const { arn } = states.other
  return arn === undefined || removal.length === 0 ? removal : [...removal, roleArnReleased(claim, arn, role)]
}

function isReady(readiness: readonly Condition[]): boolean {
  return readiness.some(({ type, status }) => type === 'Ready' && status === 'True')
}

/** What `spec` asks for is not in force, so the binding is not Ready at this generation [S27], whatever works meanwhile. */
function pendingReadiness(summed: readonly Condition[], message: string): readonly Condition[] {
  return isReady(summed)
    ? [
        bindingCondition('DeliveryReady', 'False', 'WaitingForACK', message),
        bindingCondition('Ready', 'False', 'WaitingForACK', message),
      ]
    : summed
}

interface AnyDelivery<Own extends OwnAction> extends Omit<DeliveryPlan, 'actions'> {
  readonly actions: readonly Action<Own>[]
  readonly stop?: Condition
}

function decideDelivery<S extends ResourceStates, Own extends OwnAction>(
  seen: RoleSeen<S>,
  known: Known,
  parent: ChildParent,
  { resources, foreignAnnotation: foreign }: DecideRoleOptions<S, Own>,
): AnyDelivery<Own> {
  const { claim, resources: states } = seen
  if (known.delivery !== 'EKSPodIdentity') {
    const { arn } = states.role
    const delivery = decideAnnotationDelivery(
      seen,
      {
        deliveryType: known.delivery,
        resolvedClusterName: known.cluster.logicalName,
        ...given({ roleARN: arn }),
      },
      foreign,
    )
    // An association may be left from a time when the Config had another type.
    return { ...delivery, actions: [...delivery.actions, ...resources.remove(states, claim, 'association')] }
  }
  const association: AssociationDecision<Own> = decideAssociation(seen, known.cluster.properties, parent, resources)
  const conditions = [
    ...(association.condition === undefined ? [] : [association.condition]),
    agentCondition(known.cluster.properties),
  ]
  const actions = [...decideLeftAnnotation(seen), ...association.actions]
  return { actions, conditions, ...given({ stop: association.stop }) }
}

function parentOf<S extends ResourceStates, Own extends OwnAction>(
  { claim }: RoleSeen<S>,
  { delivery, config }: Known,
  { regionalChildren }: DecideRoleOptions<S, Own>,
): ChildParent {
  const parent = { object: claim, labels: roleLabels(claim, delivery), uidLabel: labels.bindingUid }
  return regionalChildren === true ? { ...parent, region: config.spec.region } : parent
}

/** The finalizer is there before the first effect (P2). */
function hold({ claim }: RoleSeen): readonly Action[] {
  if (claim.metadata.finalizers?.includes(finalizers.role) === true) return []
  return [{ kind: 'add-finalizer', type: roleKind.type, object: claim, finalizer: finalizers.role }]
}

/** Something is in the way that only a person can move: nothing is written but why. */
function stopAt(seen: RoleSeen, told: readonly Condition[], { reason, message }: Condition): Plan {
  const conditions = [
    ...told,
    bindingCondition('DeliveryReady', 'False', reason as 'InvalidSpec', message),
    bindingCondition('Ready', 'False', reason as 'InvalidSpec', message),
  ]
  const next: Next = reason === 'InvalidSpec' ? { kind: 'stalled', reason, message } : awaitChange
  return { actions: hold(seen), conditions, next }
}

function gatedReadiness(conditions: readonly Condition[]): readonly Condition[] {
  const message = conditions[0]?.message ?? ''
  return failReady('DeliveryReady', 'RemoteDeliveryPending', message)
}

function statusOf<Own extends OwnAction>(
  { claim, resources }: RoleSeen,
  { delivery, cluster }: Known,
  policy: PolicyDecision<Own>,
): Readonly<Record<string, unknown>> {
  const entries = Object.values(resources).flatMap((state: ChildState) => (state.entry === undefined ? [] : [state.entry]))
  const names = resourceNames(claim)
  const isWanted = ({ kind, name }: AckResourceEntry): boolean =>
    (kind !== 'Role' || name === names.role || name === names.other) &&
    (kind !== 'PodIdentityAssociation' || delivery === 'EKSPodIdentity') &&
    (kind !== 'Policy' || claim.spec.policyDocument !== undefined)
  const ackResources = upsertEntries(inPlaceOfFormer(claim), entries.filter(isWanted), isWanted)
  return {
    deliveryType: delivery,
    resolvedClusterName: delivery === 'EKSPodIdentity' ? undefined : cluster.logicalName,
    roleARN: resources.role.arn,
    generatedPolicyARN: policy.generatedArn,
    ackResources: ackResources.length === 0 ? undefined : ackResources,
  }
}

/** Where a former role goes, the one in force takes its place: what a status says does not depend on the way there. */
function inPlaceOfFormer(claim: ServiceAccountRole): readonly AckResourceEntry[] {
  const held = claim.status?.ackResources ?? []
  const { role, other } = resourceNames(claim)
  const isRole = ({ kind }: AckResourceEntry): boolean => kind === 'Role'
  const former = held.findIndex(entry => isRole(entry) && entry.name !== role && entry.name !== other)
  const inForce = held.find(entry => isRole(entry) && entry.name === role)
  if (former < 0 || inForce === undefined) return held
  return held.flatMap((entry, index) => (index === former ? [inForce] : entry === inForce ? [] : [entry]))
}

function wantedStates({ claim, resources: { role, policy, association } }: RoleSeen, { delivery }: Known): readonly ChildState[] {
  const isAssociated = delivery === 'EKSPodIdentity' && role.arn !== undefined
  return [role, ...(claim.spec.policyDocument === undefined ? [] : [policy]), ...(isAssociated ? [association] : [])]
}

/** `WaitingForACK` is the reason all the same, for those who match on it; the words are the refusal's. */
function refusedTypes(seen: RoleSeen, known: Known): readonly string[] {
  const { role, policy, association } = seen.resources
  const states: Readonly<Record<string, ChildState>> = {
    RoleReady: role,
    PolicyReady: policy,
    PodIdentityAssociationReady: association,
  }
  const wanted = wantedStates(seen, known)
  return Object.keys(states).filter(type =>
    wanted.some(state => state === states[type] && state.owned === 'ours' && state.stage === 'refused'),
  )
}

/**
 * Only waiting is left untold: where the status does not claim success, which would be wrong at once (S8, S9), or where what it claims of
 * this generation is about to be true again, since a change of ours is on its way to a role that is there and works.
 */
function isQuiet(seen: RoleSeen, readiness: readonly Condition[], now: Instant): boolean {
  if (readiness[0]?.reason !== 'WaitingForACK') return false
  const { claim, resources } = seen
  const held = heldCondition(claim, 'Ready')
  if (held?.status !== 'True') return true
  const isSameRole = resources.role.arn !== undefined && resources.role.arn === claim.status?.roleARN
  const isOnItsWay = Object.values(resources).some(({ object }: ChildState) => settlingMs(object, now) > 0)
  return isSameRole && isOnItsWay && held.observedGeneration === claim.metadata.generation
}

function nextOf(awayMs: number | undefined, settleMs: number): Next {
  if (settleMs > 0) return lookAgain(settleMs, 'the children may still speak of their old spec')
  return lookAgain(awayMs, 'the target may be back')
}
