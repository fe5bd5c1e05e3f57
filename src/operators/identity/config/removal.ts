// How a Config goes: in the reverse order of trust (P16, M10). First what makes Pods ask, then what trusts their tokens, then what proves
// them, and the name last: somebody who took a freed bucket while a provider still trusts it could speak for every ServiceAccount of the
// cluster. Each is *seen* absent before the next goes, and what is in the way is named.
import { type Condition, findCondition, secrets } from '#kube'
import type { Action, Next, OwnAction, Plan } from '#runtime'
import { conditionTypes, type Reason } from '../api/conditions.ts'
import { configKind, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { annotations, finalizers } from '../api/labels.ts'
import { finalizerRemoved, foreignChildLeft } from '../api/own-events.ts'
import { type ChildState, isGoing, isSynced } from '../children/state.ts'
import type { ChildWriter, WantedPlace } from '../children/writer.ts'
import { discoveryKey, keySetKey } from '../documents/publication.ts'
import { decideRuntimeRemoval } from '../target/removal.ts'
import { deleteIssuerObject } from './issuer-store.ts'
import { bucketPlace, providerPlace } from './places.ts'
import type { ConfigSeen } from './seen.ts'
import { secretTrouble } from './signing-secret.ts'

/** Everything that can be in the way is watched; this is for what a watch could miss. */
const fallbackMs = 300_000

interface Step {
  readonly actions: readonly Action<OwnAction>[]
  readonly blocked?: { readonly reason: Reason; readonly message: string }
  /** Nothing is left of it, or it was handed over. */
  readonly done: boolean
}

const nothing: Step = { actions: [], done: true }

export function decideRemoval(seen: ConfigSeen, config: WorkloadIdentityConfig, children: ChildWriter): Plan<OwnAction> {
  if (!(config.metadata.finalizers ?? []).includes(finalizers.config))
    return { actions: [], conditions: [], next: { kind: 'await-change' } }
  const forced = config.metadata.annotations?.[annotations.forceDelete] === 'true'
  if (seen.roles !== undefined && !forced) {
    return blockedPlan([], { reason: 'RolesRemain', message: rolesRemain(config, seen.roles) })
  }
  const steps: readonly (() => Step)[] = [
    () => releaseRuntime(seen, config, forced),
    () => releaseProvider(seen, config, children),
    () => releaseIssuer(seen, config, children),
  ]
  for (const take of steps) {
    const step = take()
    if (!step.done) return step.blocked === undefined ? goingPlan(step.actions) : blockedPlan(step.actions, step.blocked)
  }
  return release(seen, config)
}

/** Said to be unblocked before it goes, if it was ever said to be blocked: whoever waits for that condition hears of it (case 117). */
function release(seen: ConfigSeen, config: WorkloadIdentityConfig): Plan<OwnAction> {
  const type = conditionTypes.deletionBlocked
  if (findCondition(config.status?.conditions, type)?.status === 'True') {
    const message = 'nothing is left that belongs to this Config'
    return {
      actions: [],
      conditions: [{ type, status: 'False', reason: 'DeletionUnblocked', message }],
      next: { kind: 'look-again', afterMs: 1_000, why: 'the finalizer goes next' },
    }
  }
  const remove: Action = { kind: 'remove-finalizer', type: configKind.type, object: config, finalizer: finalizers.config }
  const told = finalizerRemoved(config, `removed ${finalizers.config}`)
  return { actions: [remove, told, ...foreignEvents(seen, config)], conditions: [], next: { kind: 'await-change' } }
}

function releaseRuntime(seen: ConfigSeen, config: WorkloadIdentityConfig, forced: boolean): Step {
  if (config.spec.type !== 'SelfHostedIRSA') return nothing
  const { sharesRuntime, resolution, runtime } = seen
  const blocked = (message: string): Step => ({
    actions: [],
    blocked: { reason: 'RemoteClusterUnavailable', message },
    done: forced,
  })
  if (resolution.kind === 'unresolved') {
    // Recorded before the cluster is touched for the first time: without the record there is nothing to find.
    return config.status?.webhookRuntimeNamespace === undefined ? nothing : blocked(resolution.message)
  }
  if (sharesRuntime?.kind === 'shared') return nothing
  if (sharesRuntime?.kind === 'unknown') return blocked(sharesRuntime.message)
  if (runtime === undefined) {
    return blocked(
      'where the webhook runs is not recorded, and there is no operator config that says so: create it, or force the deletion',
    )
  }
  const removal = decideRuntimeRemoval(runtime)
  if (removal.blocked === undefined) return { actions: removal.actions, done: removal.gone }
  return { actions: removal.actions, blocked: removal.blocked, done: forced && removal.actions.length === 0 }
}

function releaseProvider({ provider, selfHosted }: ConfigSeen, config: WorkloadIdentityConfig, children: ChildWriter): Step {
  if (config.spec.eksIRSA?.oidcProvider.management === 'External') return nothing
  const own = releaseChild(provider, providerPlace(config), children)
  const others = selfHosted?.trustedBy ?? []
  if (!own.done || others.length === 0) return own
  const message = `OpenIDConnectProvider ${others.join(', ')} trusts the issuer of this Config: delete it first, its bucket's name could be taken by others`
  return { actions: [], blocked: { reason: 'ChildrenPending', message }, done: false }
}

/** Documents, then the bucket; the key beside it. A bucket that is not ours keeps its objects. */
function releaseIssuer({ selfHosted }: ConfigSeen, config: WorkloadIdentityConfig, children: ChildWriter): Step {
  if (selfHosted === undefined) return nothing
  const { bucket, bucketName } = selfHosted
  const secret = selfHosted.secret.object
  const isOurs = secret !== undefined && ownedSecret(secret, config)
  const key: readonly Action[] =
    isOurs && secret.metadata.deletionTimestamp === undefined
      ? [{ kind: 'delete', type: secrets, object: secret, precondition: 'any-version' }]
      : []
  const place = { region: config.spec.region, bucket: bucketName }
  const step = releaseChild(bucket, bucketPlace(config, bucketName), children)
  // S3 refuses to delete a bucket that holds documents, also when somebody else asks for it, so we remove the documents first.
  const holdsDocuments = bucket.owned === 'ours' && wasOurs(bucket, config) && (!isGoing(bucket) || bucket.trouble !== undefined)
  const objects: readonly Action<OwnAction>[] = holdsDocuments
    ? [{ kind: 'together', branches: [discoveryKey, keySetKey].map(name => [deleteIssuerObject(place, name)]) }]
    : []
  const branches = [key, [...objects, ...step.actions]].filter(branch => branch.length > 0)
  return {
    ...step,
    actions: branches.length <= 1 ? branches.flat() : [{ kind: 'together', branches }],
    done: step.done && !isOurs,
  }
}

/** An object that asks for a bucket is no bucket: of a name that somebody else had first, nothing is deleted. */
function wasOurs(bucket: ChildState, { status }: WorkloadIdentityConfig): boolean {
  const isReady = findCondition(status?.conditions, conditionTypes.bucketReady)?.status === 'True'
  // S3 tells only the owner of a bucket that it is not empty.
  const isToldFull = bucket.trouble?.reason === 'BucketNotEmpty'
  return isSynced(bucket) || isReady || isToldFull || status?.selfHostedIssuer?.publication !== undefined
}

/** A Secret that only carries our label counts as well (case 114); one with another controller never. */
function ownedSecret(
  secret: NonNullable<NonNullable<ConfigSeen['selfHosted']>['secret']['object']>,
  config: WorkloadIdentityConfig,
): boolean {
  const { uid } = config.metadata
  const isMarked =
    secret.metadata.ownerReferences?.some(reference => reference.controller === true && reference.uid === uid) === true ||
    secret.metadata.labels?.['aws.identity.appthrust.io/config-uid'] === uid
  return isMarked && (secret.metadata.deletionTimestamp !== undefined || secretTrouble(secret, config) === undefined)
}

function releaseChild(child: ChildState, place: WantedPlace, children: ChildWriter): Step {
  if (child.owned !== 'ours') return nothing
  const { stage, trouble } = child
  const actions = stage === 'going' ? [] : children.remove(place.kind, child, place)
  if (actions.length > 0 || (stage !== 'going' && trouble === undefined)) return { actions, done: false }
  const why = trouble === undefined ? 'is being deleted' : `cannot be deleted: ${trouble.message}`
  const name = `${place.kind.type.kind} ${place.key.namespace}/${place.key.name}`
  return { actions: [], blocked: { reason: 'ChildrenPending', message: `${name} ${why}` }, done: false }
}

function goingPlan(actions: readonly Action<OwnAction>[]): Plan<OwnAction> {
  const acts = actions.some(({ kind }) => kind === 'act:aws')
  return { actions, conditions: [], next: acts ? { kind: 'look-again', afterMs: 0, why: 'to see what is gone' } : waitForEvents }
}

const waitForEvents: Next = { kind: 'look-again', afterMs: fallbackMs, why: 'what belongs to the Config is being deleted' }

function blockedPlan(
  actions: readonly Action<OwnAction>[],
  { reason, message }: { reason: Reason; message: string },
): Plan<OwnAction> {
  const condition: Condition = { type: conditionTypes.deletionBlocked, status: 'True', reason, message }
  return { actions, conditions: [condition], next: waitForEvents }
}

/** More names than a person reads at once are a number. */
const namesMax = 10

function rolesRemain({ metadata }: WorkloadIdentityConfig, roles: readonly string[]): string {
  const { namespace = '' } = metadata
  const count = roles.length === 1 ? '1 AWSServiceAccountRole remains' : `${roles.length} AWSServiceAccountRoles remain`
  const more = roles.length > namesMax ? ` and ${roles.length - namesMax} more` : ''
  const names = `${roles.slice(0, namesMax).join(', ')}${more}`
  return `${count} in ${namespace}: ${names}; delete them first, or annotate the Config with ${annotations.forceDelete}=true`
}

/** What carries a generated name and is not ours was left alone; that is worth knowing when the Config is gone (10.4). */
function foreignEvents({ provider, selfHosted }: ConfigSeen, config: WorkloadIdentityConfig): readonly Action[] {
  const secret = selfHosted?.secret.object
  const foreign = [provider, selfHosted?.bucket]
    .flatMap(child => (child?.owned === 'foreign' && child.object !== undefined ? [child.object] : []))
    .concat(secret === undefined || secretTrouble(secret, config) === undefined ? [] : [secret])
  return foreign.map(object => foreignChildLeft(config, object))
}
