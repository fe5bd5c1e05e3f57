// The webhook runtime on a target: nine objects that make Pods there ask for the role of their ServiceAccount. Observed from caches (and
// from the server what the caches cannot see), decided as a whole, written only where something differs.
import { type Clock, expiryOf, type Instant, type Keys, type Random, renderDuration } from '#base'
import { asAway, type Engagements, seeTarget, type TargetAway } from '#fleet'
import {
  type Condition,
  clusterRoleBindings,
  clusterRoles,
  deployments,
  type KubeObject,
  mutatingWebhookConfigurations,
  namespaces,
  type ResourceType,
  renderTime,
  type StoredCondition,
  type StoredObject,
  secrets,
  serviceAccounts,
  services,
} from '#kube'
import { type Action, failuresOf, type Next, type Outcome, type Reads } from '#runtime'
import { type CertificatePlan, planCertificates } from './certificate-plan.ts'
import { type DrawnKeys, drawKeys, fingerprintOf, renewalDelayMs } from './certificates.ts'
import { hasOtherSelector, mergedDeployment, newDeployment, type Serving, servingOf } from './deployment.ts'
import type { Found, RuntimeObjects } from './found.ts'
import { caSecretName, isManaged, managedLabels, runtimeLabels, runtimeName } from './kinds.ts'
import { hasLabels, replaced } from './merge.ts'
import * as objects from './objects.ts'

export type RuntimeSeen =
  | TargetAway
  | {
      readonly kind: 'reachable'
      readonly cluster: string
      readonly namespace: string
      /** The namespace object; `undefined` when there is none. Whole only when its labels have to be put right. */
      readonly namespaceObject: StoredObject | undefined
      readonly objects: RuntimeObjects
      /** There when certificates have to be made. */
      readonly drawn?: DrawnKeys
    }

export interface RuntimePlace {
  /** The fleet member: the workload namespace. */
  readonly cluster: string
  /** Where the runtime lives on the target. */
  readonly namespace: string
}

export interface RuntimeTools {
  readonly signal: AbortSignal
  readonly clock: Pick<Clock, 'now'>
  readonly keys: Keys
  readonly random: Random
  readonly engagements?: Engagements | undefined
}

export interface RuntimeWanted {
  readonly image: string
  /** 1 unless the platform says otherwise. */
  readonly replicas?: number
  /** What is said now of `WebhookRuntimeReady`. */
  readonly current?: StoredCondition | undefined
}

export interface RuntimeDecision {
  readonly actions: readonly Action[]
  /** `WebhookRuntimeReady`. */
  readonly condition: Condition
  /** Of the serving certificate, where one was seen or made; to be kept as it is otherwise. */
  readonly certificateNotAfter?: string
  readonly next: Next
}

/** Where an event could be missed or there is none. */
const fallbackMs = 30_000
/** As often as everything is looked at anyway. */
const driftMs = 3_600_000

const slots: Readonly<Record<keyof RuntimeObjects, readonly [ResourceType, string]>> = {
  caSecret: [secrets, caSecretName],
  servingSecret: [secrets, runtimeName],
  serviceAccount: [serviceAccounts, runtimeName],
  clusterRole: [clusterRoles, runtimeName],
  clusterRoleBinding: [clusterRoleBindings, runtimeName],
  service: [services, runtimeName],
  deployment: [deployments, runtimeName],
  webhook: [mutatingWebhookConfigurations, runtimeName],
}

export const runtimeTypes: readonly ResourceType[] = [namespaces, ...new Set(Object.values(slots).map(([type]) => type))]

/** Waits for the target only where its caches cannot know: for objects without our labels, and only while ours are missing. */
export async function observeRuntime(world: Reads, place: RuntimePlace, tools: RuntimeTools): Promise<RuntimeSeen> {
  const { cluster, namespace } = place
  await world.cluster(cluster)?.follow(runtimeTypes, tools.signal)
  const target = seeTarget(world, { cluster, types: runtimeTypes }, tools.engagements)
  if (target.kind !== 'reachable') return target
  try {
    const found = await Promise.all(
      Object.entries(slots).map(
        async ([slot, [type, name]]) => [slot, await find(target.reads, type, name, place, tools)] as const,
      ),
    )
    const namespaceObject = await findNamespace(target.reads, namespace, tools)
    const seen = {
      ...place,
      kind: 'reachable',
      namespaceObject,
      objects: Object.fromEntries(found) as unknown as RuntimeObjects,
    } as const
    if (!planCertificates(seen, tools.clock.now()).needsKeys) return seen
    return { ...seen, drawn: await drawKeys(tools.keys, tools.random) }
  } catch (error) {
    tools.signal.throwIfAborted()
    return asAway(error, cluster)
  }
}

export function decideRuntime(seen: RuntimeSeen, wanted: RuntimeWanted, now: Instant): RuntimeDecision {
  if (seen.kind !== 'reachable') return decideAway(seen, wanted)
  const { namespace, namespaceObject } = seen
  if (namespaceObject === undefined || namespaceObject.metadata.deletionTimestamp !== undefined) {
    const state = namespaceObject === undefined ? 'does not exist' : 'is being deleted'
    const message = `namespace ${namespace} ${state} in cluster ${seen.cluster}; create it, the runtime follows at once`
    return pending([], 'RemoteNamespaceBootstrapPending', message)
  }
  const foreign = foreignNames(seen.objects)
  if (foreign.length > 0) return pending([], 'RemoteRuntimeUnmanaged', unmanagedMessage(foreign))
  const certificates = planCertificates(seen, now)
  // Only an observation draws keys, and this one was made before they became necessary: the next one draws them.
  if (certificates.kind === 'undrawn')
    return { ...pending([], 'WebhookRuntimeUnavailable', 'certificates are being made'), next: soon }
  return decideObjects(seen, wanted, certificates, now)
}

/** For the report: why the runtime could not be brought about, when an action on this cluster failed. */
export function runtimeFailure(outcomes: readonly Outcome[], cluster: string): Condition | undefined {
  const here = outcomes.filter(({ action }) => 'cluster' in action && action.cluster === cluster)
  const [trouble] = failuresOf(here).filter(({ kind }) => kind !== 'soon')
  if (trouble === undefined || trouble.reason === 'CacheStarting' || trouble.reason === 'NotLeader') return undefined
  const reason = trouble.reason === 'OwnedByAnother' ? 'RemoteRuntimeUnmanaged' : 'WebhookRuntimeApplyFailed'
  return { type: 'WebhookRuntimeReady', status: 'False', reason, message: `cluster ${cluster}: ${trouble.message}` }
}

const soon: Next = { kind: 'look-again', afterMs: 1_000, why: 'keys are drawn with the next look' }

/** What makes an object of ours as it should be; in the order in which each needs the ones before. */
function decideObjects(
  seen: Extract<RuntimeSeen, { kind: 'reachable' }>,
  wanted: RuntimeWanted,
  certificates: Extract<CertificatePlan, { kind: 'planned' }>,
  now: Instant,
): RuntimeDecision {
  const { cluster, namespace, objects: found } = seen
  const { ca, serving, bundle } = certificates
  const make = (slot: keyof RuntimeObjects, want: objects.Wanted): readonly Action[] =>
    bringAbout(cluster, slot, found[slot], want)
  const configuration = make('webhook', objects.webhookConfiguration(namespace, bundle))
  const isConfigured = found.webhook.kind === 'ours'
  const before: readonly Action[] = [
    ...namespaceLabels(cluster, seen.namespaceObject),
    ...make('caSecret', objects.caSecret(namespace, ca)),
    // Trust before proof: whoever calls the webhook knows the new authority before anything shows its signature (B16).
    ...(isConfigured ? configuration : []),
    ...make('servingSecret', objects.servingSecret(namespace, serving)),
    ...together([
      accountLabels(cluster, found.serviceAccount, namespace),
      make('clusterRole', objects.clusterRole()),
      make('clusterRoleBinding', objects.clusterRoleBinding(namespace)),
      make('service', objects.service(namespace)),
    ]),
  ]
  const certificateNotAfter = renderTime(expiryOf(serving.certificate))
  if (found.deployment.kind === 'ours' && hasOtherSelector(found.deployment.object)) {
    const message = `Deployment ${namespace}/${runtimeName} selects other Pods, which cannot be changed; delete it and it is made anew`
    return { ...pending(before, 'WebhookRuntimeApplyFailed', message), certificateNotAfter }
  }
  const want = { namespace, image: wanted.image, fingerprint: fingerprintOf(serving.certificate), ...replicasOf(wanted) }
  const { actions, serving: state } = decideDeployment(cluster, found.deployment, want)
  const after = isConfigured || state.lag !== undefined ? [] : configuration
  const condition = readiness(state, { isConfigured, cluster })
  const renewMs = Math.min(driftMs, renewalDelayMs(serving.certificate, now), certificates.settleMs ?? driftMs)
  const isReady = condition.status === 'True'
  return {
    actions: [...before, ...actions, ...after],
    condition,
    certificateNotAfter,
    next: isReady
      ? { kind: 'look-again', afterMs: renewMs, why: `certificates are looked at within ${renderDuration(renewMs)}` }
      : { kind: 'look-again', afterMs: Math.min(fallbackMs, renewMs), why: 'the Deployment is awaited' },
  }
}

type Answering = Pick<Serving, 'lag' | 'serves'>

/**
 * Nothing is sent to a webhook whose Pods were never up; but once they were, what counts is whether Pods answer, of whatever state (M13,
 * S9). The configuration is never taken away because the Deployment is down.
 */
function readiness(state: Answering, { isConfigured, cluster }: { isConfigured: boolean; cluster: string }): Condition {
  const { lag } = state
  if (lag === undefined) return synced(`the webhook runs in cluster ${cluster}`)
  if (isConfigured && state.serves) return synced(`the webhook runs in cluster ${cluster}; ${lag.message}`)
  return { type: 'WebhookRuntimeReady', status: 'False', reason: lag.reason, message: lag.message }
}

function synced(message: string): Condition {
  return { type: 'WebhookRuntimeReady', status: 'True', reason: 'WebhookRuntimeSynced', message }
}

function decideDeployment(
  cluster: string,
  found: Found,
  wanted: Parameters<typeof newDeployment>[0],
): { readonly actions: readonly Action[]; readonly serving: Answering } {
  const lag = {
    reason: 'WebhookDeploymentObservedGenerationLag',
    message: `Deployment ${wanted.namespace}/${runtimeName} has not been taken up yet`,
  } as const
  if (found.kind !== 'ours') {
    return {
      actions: [creation(cluster, deployments, newDeployment(wanted))],
      serving: { lag, serves: false },
    }
  }
  const { object } = found
  const serving = servingOf(object)
  const merged = object.metadata.deletionTimestamp === undefined ? mergedDeployment(object, wanted) : undefined
  if (merged === undefined) return { actions: [], serving }
  return { actions: [update(cluster, deployments, merged)], serving: { ...serving, lag } }
}

function bringAbout(cluster: string, slot: keyof RuntimeObjects, found: Found, wanted: objects.Wanted): readonly Action[] {
  const [type] = slots[slot]
  if (found.kind !== 'ours') return [creation(cluster, type, objects.newObject(wanted))]
  // An object that is going away is left alone; the event of its end brings the next pass.
  if (found.object.metadata.deletionTimestamp !== undefined) return []
  const merged = objects.mergedObject(found.object, wanted)
  return merged === undefined ? [] : [update(cluster, type, merged)]
}

/** Only the labels are ours, and of the rest the cache keeps nothing: a patch of the labels, with what was seen as its precondition. */
function accountLabels(cluster: string, found: Found, namespace: string): readonly Action[] {
  const type = serviceAccounts
  if (found.kind !== 'ours') return [creation(cluster, type, objects.newObject(objects.serviceAccount(namespace)))]
  const { metadata } = found.object
  if (metadata.deletionTimestamp !== undefined || hasLabels(found.object, runtimeLabels)) return []
  const { uid, resourceVersion, name } = metadata
  const body = { metadata: { labels: runtimeLabels } }
  return [{ kind: 'patch', cluster, type, key: { namespace, name }, patch: 'merge', body, uid, resourceVersion }]
}

/** A namespace that somebody marked as ours has all the labels; any other is left as it is. */
function namespaceLabels(cluster: string, object: StoredObject | undefined): readonly Action[] {
  if (object === undefined || !isManaged(object) || hasLabels(object, runtimeLabels)) return []
  return [update(cluster, namespaces, replaced(object, runtimeLabels, {}))]
}

function creation(cluster: string, type: ResourceType, object: KubeObject): Action {
  return { kind: 'create', cluster, type, object, mark: { labels: managedLabels } }
}

function update(cluster: string, type: ResourceType, object: StoredObject): Action {
  return { kind: 'update', cluster, type, object }
}

function together(branches: readonly (readonly Action[])[]): readonly Action[] {
  const busy = branches.filter(branch => branch.length > 0)
  if (busy.length <= 1) return busy.flat()
  return [{ kind: 'together', branches: busy }]
}

function replicasOf({ replicas }: RuntimeWanted): { readonly replicas?: number } {
  return replicas === undefined ? {} : { replicas }
}

async function find(reads: Reads, type: ResourceType, name: string, place: RuntimePlace, tools: RuntimeTools): Promise<Found> {
  const key = { namespace: type.namespaced ? place.namespace : '', name }
  const cached = reads.find(type, key)
  // ServiceAccounts are all cached; of the others only those with our labels, so that absence there means nothing.
  const object = cached ?? (type === serviceAccounts ? undefined : await reads.read(type, key, tools.signal))
  if (object === undefined) return { kind: 'absent' }
  return { kind: isManaged(object) ? 'ours' : 'foreign', object }
}

async function findNamespace(reads: Reads, name: string, { signal }: RuntimeTools): Promise<StoredObject | undefined> {
  const key = { namespace: '', name }
  const cached = reads.find(namespaces, key)
  if (cached === undefined || !isManaged(cached) || hasLabels(cached, runtimeLabels)) return cached
  return reads.read(namespaces, key, signal)
}

function decideAway(seen: TargetAway, { current }: RuntimeWanted): RuntimeDecision {
  if (seen.kind === 'unknown' && current?.status === 'True') {
    const { type, status, reason, message } = current
    const next: Next = { kind: 'look-again', afterMs: seen.lookAgainMs, why: seen.message }
    return { actions: [], condition: { type, status, reason, message }, next }
  }
  const said = pending([], 'RemoteClusterUnavailable', seen.message)
  if (seen.kind === 'away') return said
  return { ...said, next: { kind: 'look-again', afterMs: Math.min(fallbackMs, seen.lookAgainMs), why: seen.message } }
}

function pending(actions: readonly Action[], reason: string, message: string): RuntimeDecision {
  const condition: Condition = { type: 'WebhookRuntimeReady', status: 'False', reason, message }
  return { actions, condition, next: { kind: 'look-again', afterMs: fallbackMs, why: message } }
}

/** Of those that are in our way. */
export function foreignNames(found: RuntimeObjects): readonly string[] {
  return Object.entries(found).flatMap(([slot, one]: [string, Found]) => {
    if (one.kind !== 'foreign') return []
    const [type] = slots[slot as keyof RuntimeObjects]
    const { namespace, name } = one.object.metadata
    return [`${type.kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`]
  })
}

export function unmanagedMessage(foreign: readonly string[]): string {
  const labels = Object.entries(managedLabels).map(([name, value]) => `${name}=${value}`)
  return `${foreign.join(', ')} exists and is not ours; delete it, or give it the labels ${labels.join(' and ')}`
}

export { slots as runtimeSlots }
