// The AWS side of a binding without child objects: the same role, policy and association, made by calls of our own (`--aws-writer
// direct`). The guarantees are those of the other way: names are made of the binding's uid, so a create whose answer was lost is found
// again and never repeated under another name; the uid stands in the tags, and what carries another one is not touched; what is
// destroyed is destroyed for the binding as it is now.
import { parsePolicy, tryParseEksClusterArn } from '#aws'
import { type Clock, given, type Instant } from '#base'
import {
  Account,
  type AccountOptions,
  mayHaveMade,
  notVisibleYet,
  Readings,
  sendChange,
  strangerMs,
  wasNothingToDo,
} from '#cloud'
import type { NameRule } from '#fleet'
import { type Act, type Reads, Trouble } from '#runtime'
import { configKind, type ServiceAccountRole, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { annotations, labels, singletonName } from '../api/labels.ts'
import { entryOf } from '../children/entry.ts'
import { associationKind, type ChildKind, roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { absentChild, type ChildState } from '../children/state.ts'
import { describeCluster } from '../inventory/describe.ts'
import { claimsOfChild, withPolicyArn, withRoleArn } from '../role/child-resources.ts'
import { type ResourceName, type ResourceStates, type RoleResources, resourceNames } from '../role/resources.ts'
import { profilesOf } from '../role/sources.ts'
import { type AwsAction, type CallPlace, changeOf, isCreation } from './action.ts'
import { record, type Tags, text } from './answer.ts'
import { type PolicyActual, policyAfter, policyCalls, policyRemoval, readPolicy } from './iam-policy.ts'
import { type RoleActual, readRole, roleAfter, roleCalls, roleRemoval } from './iam-role.ts'
import { findLeftOver, leftOverWatches } from './left-over.ts'
import {
  type AssociationActual,
  associationAfter,
  associationCalls,
  associationRemoval,
  readAssociation,
} from './pod-association.ts'
import { awsTrouble } from './trouble.ts'

export interface DirectOptions extends AccountOptions {
  readonly clock: Pick<Clock, 'monotonicMs'>
  /** Which names a ClusterProfile may have; any when absent. */
  readonly mayName?: NameRule | undefined
  /** How often what is in order is looked at again. Default ten hours, as ACK's controllers do. */
  readonly driftMs?: number
}

/** What was seen in AWS, beside what it means. */
export interface DirectStates extends ResourceStates {
  readonly actual: {
    readonly role: RoleActual | undefined
    readonly policy: PolicyActual | undefined
    readonly association: AssociationActual | undefined
    readonly other: RoleActual | undefined
  }
  readonly eks?: EksPlace
}

/** Where the association is or is to be. */
interface EksPlace {
  readonly clusterName: string
  readonly region: string
}

/** Longer than the calls of one pass take, short enough that nobody has changed hands in between. */
export const staleMs = 30_000
export const driftMsDefault: number = 10 * 3_600_000
const everyResource: readonly ResourceName[] = ['role', 'policy', 'association', 'other']
const kinds: Readonly<Record<ResourceName, ChildKind>> = {
  role: iamRoleKind,
  policy: policyKind,
  association: associationKind,
  other: iamRoleKind,
}

export function directResources(options: DirectOptions): RoleResources<DirectStates, AwsAction> {
  return new Direct(options)
}

class Direct implements RoleResources<DirectStates, AwsAction> {
  readonly settlesAtOnce = true
  readonly watches = leftOverWatches([iamRoleKind, policyKind, associationKind], claimsOfChild)
  readonly #options: DirectOptions
  readonly #memory: {
    readonly role: Readings<RoleActual>
    readonly policy: Readings<PolicyActual>
    readonly association: Readings<AssociationActual>
  }
  readonly #account: Account

  constructor(options: DirectOptions) {
    this.#options = options
    this.#account = new Account(options)
    const remember = { clock: options.clock, ageMsMax: options.driftMs ?? driftMsDefault }
    this.#memory = { role: new Readings(remember), policy: new Readings(remember), association: new Readings(remember) }
  }

  observe = async (claim: ServiceAccountRole, world: Reads, signal: AbortSignal): Promise<DirectStates> => {
    const leftOver = leftOversOf(claim, world)
    const roles = await this.#roles(claim, leftOver, signal)
    const eks = eksOf(claim, world, roles.role, this.#options.mayName)
    const association =
      eks === undefined || leftOver.association !== undefined
        ? undefined
        : await this.#look('eks', () => this.#association(claim, eks, signal))
    const actual = { ...roles, association }
    this.#expectWhatProves(claim, actual, leftOver, eks)
    return { ...this.#states(claim, actual, leftOver), actual, ...given({ eks }) }
  }

  /** What IAM has; nothing is asked for what has no name yet, or is known to be left over. */
  async #roles(
    claim: ServiceAccountRole,
    leftOver: LeftOvers,
    signal: AbortSignal,
  ): Promise<Pick<DirectStates['actual'], 'role' | 'other' | 'policy'>> {
    const names = resourceNames(claim)
    const lookAtRole = (which: 'role' | 'other', name: string | undefined): Promise<RoleActual | undefined> | undefined =>
      leftOver[which] !== undefined || name === undefined
        ? undefined
        : this.#look('iam', () =>
            this.#memory.role.recall(memoryOf(which, claim.metadata.uid, name), () =>
              readRole(this.#account.client('iam'), name, signal),
            ),
          )
    const [role, other, policy] = await Promise.all([
      lookAtRole('role', names.role),
      lookAtRole('other', names.other),
      leftOver.policy === undefined ? this.#look('iam', () => this.#policy(claim, names.policy, signal)) : undefined,
    ])
    return { role, other, policy }
  }

  #association(
    { metadata, spec }: ServiceAccountRole,
    { clusterName, region }: EksPlace,
    signal: AbortSignal,
  ): Promise<AssociationActual | undefined> {
    return this.#memory.association.recall(metadata.uid, () =>
      readAssociation(this.#account.client('eks', region), { clusterName, serviceAccount: spec.serviceAccount }, signal),
    )
  }

  /** Before something is deleted or released, what says that it is ours must have been seen. */
  #expectWhatProves(
    claim: ServiceAccountRole,
    actual: DirectStates['actual'],
    leftOver: LeftOvers,
    eks: EksPlace | undefined,
  ): void {
    const names = resourceNames(claim)
    if (claim.metadata.deletionTimestamp !== undefined) {
      const looked = everyResource.filter(
        which => leftOver[which] === undefined && names[which] !== undefined && (which !== 'association' || eks !== undefined),
      )
      this.#expectProof(claim, actual, looked)
    } else if (isReleased(claim, names.other) && leftOver.other === undefined) this.#expectProof(claim, actual, ['other'])
  }

  #states(
    claim: ServiceAccountRole,
    actual: DirectStates['actual'],
    leftOver: LeftOvers,
  ): Pick<DirectStates, 'role' | 'policy' | 'association' | 'other'> {
    const names = resourceNames(claim)
    const state = (which: ResourceName): ChildState => {
      const name = names[which]
      if (name === undefined) return absentChild
      const found = leftOver[which] ?? stateOf(claim, which, name, actual[which])
      if (found.owned === 'foreign') this.#readings(which).forget(memoryOf(which, claim.metadata.uid, name))
      return found
    }
    return {
      role: withRoleArn(state('role')),
      policy: withPolicyArn(state('policy')),
      association: state('association'),
      other: withRoleArn(state('other')),
    }
  }

  ensureRole: RoleResources<DirectStates, AwsAction>['ensureRole'] = (seen, parent, wanted, which) =>
    isLocked(seen[which])
      ? []
      : roleCalls(this.#place(which, parent.object.metadata.uid, wanted.name), wanted, parent.labels, seen.actual[which])

  ensurePolicy: RoleResources<DirectStates, AwsAction>['ensurePolicy'] = (seen, parent, wanted) =>
    isLocked(seen.policy)
      ? []
      : policyCalls(this.#place('policy', parent.object.metadata.uid, wanted.name), wanted, parent.labels, seen.actual.policy)

  ensureAssociation: RoleResources<DirectStates, AwsAction>['ensureAssociation'] = (seen, parent, wanted) =>
    isLocked(seen.association)
      ? []
      : associationCalls(
          this.#place('association', parent.object.metadata.uid, wanted.name, seen.eks?.region),
          wanted,
          parent.labels,
          seen.actual.association,
        )

  remove: RoleResources<DirectStates, AwsAction>['remove'] = (seen, claim, which) => {
    const name = resourceNames(claim)[which]
    if (seen[which].owned !== 'ours' || name === undefined) return []
    const place = this.#place(which, claim.metadata.uid, name, seen.eks?.region)
    const { policy, association } = seen.actual
    if (which === 'role' || which === 'other') {
      const role = seen.actual[which]
      return role === undefined ? [] : roleRemoval(place, name, role)
    }
    if (which === 'policy') return policy === undefined ? [] : policyRemoval(place, name, policy)
    return association === undefined ? [] : associationRemoval(place, name, association)
  }

  isHeld: RoleResources<DirectStates, AwsAction>['isHeld'] = (seen, _claim, which) => seen[which].owned === 'ours'

  deliveryOf: RoleResources<DirectStates, AwsAction>['deliveryOf'] = ({ actual, role }) =>
    role.owned === 'ours' ? actual.role?.tags[labels.delivery] : undefined

  resourceOf: RoleResources<DirectStates, AwsAction>['resourceOf'] = action =>
    action.kind === 'act:aws' ? ((action as AwsAction).which as ResourceName) : undefined

  act: Act<AwsAction> = async (action, context) => {
    const { memory } = action
    const which = action.which as ResourceName
    const readings = this.#readings(which)
    const dependency = action.dependency ?? action.service
    // P4: what is changed or destroyed was looked at just now; a create is its own look, since the name can be had only once.
    if (!isCreation(action) && readings.ageMs(memory) > staleMs) {
      readings.forget(memory)
      throw new Trouble({ kind: 'soon', reason: 'Stale', message: 'what is known of the resource is too old to act on' })
    }
    try {
      const client = this.#account.client(action.service, action.region)
      // A lost answer is looked up, not sent again: the next pass reads what came of it.
      const { output } = await sendChange(client, changeOf(action), context)
      if (which === 'policy') this.#memory.policy.update(memory, actual => policyAfter(actual, action, output))
      else if (which === 'association')
        this.#memory.association.update(memory, actual => associationAfter(actual, action, output))
      else this.#memory.role.update(memory, actual => roleAfter(actual, action, output))
      return { changed: true }
    } catch (error) {
      readings.forget(memory)
      if (isCreation(action) && mayHaveMade(error)) readings.mayHaveMade(memory)
      if (wasNothingToDo(changeOf(action), error)) {
        readings.noteAbsent(memory)
        return { changed: false }
      }
      throw awsTrouble(error, dependency)
    }
  }

  /** What may have been made a moment ago is not gone because it is not seen, and what was there is not gone because one look misses it. */
  #expectProof(claim: ServiceAccountRole, actual: DirectStates['actual'], looked: readonly ResourceName[]): void {
    const { metadata, status } = claim
    const names = resourceNames(claim)
    const onRecord: Readonly<Record<ResourceName, boolean>> = {
      role: status?.roleARN !== undefined,
      policy: status?.generatedPolicyARN !== undefined,
      association: status?.deliveryType === 'EKSPodIdentity',
      other: names.other !== undefined,
    }
    for (const which of looked) {
      const memory = memoryOf(which, metadata.uid, names[which] ?? '')
      const leftMs = actual[which] === undefined ? this.#readings(which).unprovenMs(memory, onRecord[which]) : 0
      if (leftMs > 0) throw notVisibleYet(which, `aws:${which === 'association' ? 'eks' : 'iam'}`, leftMs)
    }
  }

  async #policy(claim: ServiceAccountRole, name: string, signal: AbortSignal): Promise<PolicyActual | undefined> {
    const { metadata, spec, status } = claim
    // Without a document and without any change of the spec there never was one; a deletion is a change.
    const mayExist =
      spec.policyDocument !== undefined || status?.generatedPolicyARN !== undefined || (metadata.generation ?? 1) > 1
    if (!mayExist) return undefined
    return this.#memory.policy.recall(metadata.uid, async () => {
      const { partition, account } = await this.#account.identity(signal)
      const arn = `arn:${partition}:iam::${account}:policy/${name}`
      return readPolicy(this.#account.client('iam'), arn, signal)
    })
  }

  /** Both roles of a binding are remembered in one place, by their names: which of them is in force changes. */
  #readings(which: ResourceName): Pick<Readings<unknown>, 'ageMs' | 'forget' | 'mayHaveMade' | 'noteAbsent' | 'unprovenMs'> {
    return which === 'other' ? this.#memory.role : this.#memory[which]
  }

  #place(which: ResourceName, uid: string, name: string, region: string = this.#options.region): CallPlace {
    const isEks = which === 'association'
    const memory = memoryOf(which, uid, name)
    return { which, service: isEks ? 'eks' : 'iam', region: isEks ? region : this.#options.region, memory }
  }

  async #look<T>(service: string, read: () => Promise<T>): Promise<T> {
    try {
      return await read()
    } catch (error) {
      throw awsTrouble(error, `aws:${service}`)
    }
  }
}

/** The former role is about to be forgotten with its record, so that it is gone has to be proved as at the end of the binding. */
function isReleased({ metadata }: ServiceAccountRole, other: string | undefined): boolean {
  return other !== undefined && metadata.annotations?.[annotations.releaseRole] === other
}

function memoryOf(which: ResourceName, uid: string, name: string): string {
  return which === 'role' || which === 'other' ? `${uid}/${name}` : uid
}

type LeftOvers = Readonly<Record<ResourceName, ChildState | undefined>>

/** Before anything is asked of AWS: of what an object describes, ACK has the say. */
function leftOversOf(claim: ServiceAccountRole, world: Reads): LeftOvers {
  const names = resourceNames(claim)
  const parent = { object: claim, uidLabel: labels.bindingUid }
  const find = (which: ResourceName): ChildState | undefined => {
    const name = names[which]
    if (name === undefined) return undefined
    const key = { namespace: claim.metadata.namespace ?? '', name }
    return findLeftOver(world, { kind: kinds[which], key, parent })
  }
  return { role: find('role'), policy: find('policy'), association: find('association'), other: find('other') }
}

/** A stranger has it, or an object does. */
function isLocked({ owned, object }: ChildState): boolean {
  return owned === 'foreign' || object !== undefined
}

/** The owner mark decides: whatever has the name and not our uid is somebody else's (S2). */
function stateOf(
  claim: ServiceAccountRole,
  which: ResourceName,
  name: string,
  actual: { readonly arn: string; readonly tags: Tags; readonly madeAt?: Instant } | undefined,
): ChildState {
  if (actual === undefined) return absentChild
  if (actual.tags[labels.bindingUid] !== claim.metadata.uid) {
    return { owned: 'foreign', lookAgainMs: strangerMs }
  }
  const key = { namespace: claim.metadata.namespace ?? '', name }
  const entry = entryOf(kinds[which].type, key, [{ type: 'ACK.ResourceSynced', status: 'True' }])
  const { arn, madeAt } = actual
  return {
    owned: 'ours',
    stage: 'synced',
    entry,
    ...(which === 'association' ? {} : { arn }),
    ...given({ madeAt }),
  }
}

/** Where EKS delivers: by the inventory, and where that is gone, by the role, whose trust names the cluster. */
function eksOf(
  claim: ServiceAccountRole,
  world: Reads,
  role: RoleActual | undefined,
  mayName: NameRule | undefined,
): EksPlace | undefined {
  const { namespace = '' } = claim.metadata
  const config = world.find<WorkloadIdentityConfig>(configKind.type, { namespace, name: singletonName })
  const deliveries = [config?.spec.type, claim.status?.deliveryType, role?.tags[labels.delivery]]
  if (!deliveries.includes('EKSPodIdentity')) return undefined
  const trusted = clusterOfTrust(role?.trustPolicy)
  const isDeleting = claim.metadata.deletionTimestamp !== undefined
  if (isDeleting && trusted !== undefined) return trusted
  const cluster = describeCluster(namespace, profilesOf(world, namespace), mayName)
  const arn = cluster.kind === 'resolved' ? cluster.properties.eksClusterArn : undefined
  const named = cluster.kind === 'resolved' ? cluster.properties.eksClusterName : undefined
  const parsed = arn === undefined ? undefined : tryParseEksClusterArn(arn)
  if (named !== undefined && parsed !== undefined) return { clusterName: named, region: parsed.region }
  if (trusted !== undefined) return trusted
  // Nothing was made before the cluster was known; but a recorded delivery without a way to it is no absence (P5).
  if (!isDeleting || role === undefined) return undefined
  const message = 'the EKS cluster of the association is not known any more: neither the ClusterProfile nor the role names it'
  throw new Trouble({ kind: 'wait', reason: 'NotFound', message })
}

function clusterOfTrust(document: string | undefined): EksPlace | undefined {
  const parsed = document === undefined ? undefined : parsePolicy(document, 'trust').document
  for (const { condition } of parsed?.statements ?? []) {
    const arn = text(record(condition?.StringEquals)['aws:RequestTag/eks-cluster-arn'])
    const found = arn === undefined ? undefined : tryParseEksClusterArn(arn)
    if (found !== undefined) return { region: found.region, clusterName: found.name }
  }
  return undefined
}
