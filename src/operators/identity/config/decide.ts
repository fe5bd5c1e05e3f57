// From what was seen of a Config to what is to happen (§4.2). Total and pure. Deletion is in removal.ts.
import { given, type Instant } from '#base'
import { type Condition, findCondition } from '#kube'
import { type Action, awaitChange, emptyPlan, lookAgain, type Next, type OwnAction, type Plan, sooner } from '#runtime'
import { conditionTypes } from '../api/conditions.ts'
import { configKind, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { finalizers } from '../api/labels.ts'
import { keepWording } from '../api/wording.ts'
import { lookForChildren } from '../children/state.ts'
import { type ChildWriter, childObjects } from '../children/writer.ts'
import { decideRuntime } from '../target/runtime.ts'
import { bookkeepingMs } from './bookkeeping.ts'
import { decideEksIssuer } from './eks-issuer.ts'
import { decideIssuer, type PathDecision } from './issuer.ts'
import { decideRemoval } from './removal.ts'
import type { RotationTimes } from './rotation.ts'
import type { ConfigSeen } from './seen.ts'

export interface ConfigSettings {
  /** How bucket and provider come about; child objects when absent. */
  readonly children?: ChildWriter
  readonly webhookImage: string
  readonly webhookReplicas?: number
  readonly rotation: RotationTimes
}

export function decideConfig(seen: ConfigSeen, now: Instant, settings: ConfigSettings): Plan<OwnAction> {
  const { config, operatorConfig } = seen
  if (config === undefined) return emptyPlan
  if (config.metadata.deletionTimestamp !== undefined) return decideRemoval(seen, config, settings.children ?? childObjects)
  // First and alone in its row: what comes after it is done for a claim that cannot vanish meanwhile (P2).
  const hold: Action = { kind: 'add-finalizer', type: configKind.type, object: config, finalizer: finalizers.config }
  if (operatorConfig === undefined) return { ...withoutOperatorConfig(), actions: [hold] }
  const path = decideComponents(seen, config, now, settings)
  const resolved = resolutionCondition(seen)
  const conditions = [
    {
      type: conditionTypes.operatorConfigReady,
      status: 'True',
      reason: 'Ready',
      message: 'the operator config is there',
    } as const,
    resolved,
    ...path.conditions,
  ]
  const said = {
    conditions: keepWording([...conditions, readyOf(config, conditions)], config.status?.conditions, config.metadata.generation),
    status: { ...path.status, resolvedClusterName: resolvedName(seen, config) },
  }
  const look = actsItself(path.actions)
    ? lookAgain(0, 'to see what was made')
    : lookForChildren(seen.provider, seen.selfHosted?.bucket)
  const next = sooner(path.next, look)
  const booksMs = bookkeepingMs(config, said, madeAt(seen), now)
  return { actions: [hold, ...path.actions], ...said, next: booksMs === 0 ? next : leavingStatus(next, booksMs) }
}

function madeAt({ provider, selfHosted }: ConfigSeen): readonly (Instant | undefined)[] {
  const secret = selfHosted?.secret.object?.metadata.creationTimestamp
  return [provider.madeAt, selfHosted?.bucket.madeAt, secret === undefined || secret === null ? undefined : Date.parse(secret)]
}

function leavingStatus(next: Next, afterMs: number): Next {
  const soon = sooner(next, lookAgain(afterMs, 'to write down what nobody waits for'))
  return soon.kind === 'look-again' ? { ...soon, leavesStatus: true } : soon
}

/** What calls of our own made tells nobody that it is there. */
function actsItself(actions: readonly Action<OwnAction>[]): boolean {
  return actions.some(({ kind }) => kind === 'act:aws')
}

/** What is there stays there, and what was said of it too. Its arrival is an event. */
function withoutOperatorConfig(): Plan<OwnAction> {
  const message = 'AWSWorkloadIdentityOperatorConfig default does not exist: create it, an empty spec will do'
  const said = { status: 'False', reason: 'OperatorConfigUnavailable', message } as const
  return {
    actions: [],
    conditions: [
      { type: conditionTypes.operatorConfigReady, ...said },
      { type: conditionTypes.ready, ...said },
    ],
    next: awaitChange,
  }
}

function resolutionCondition({ resolution }: ConfigSeen): Condition {
  const type = conditionTypes.clusterProfileResolved
  if (resolution.kind === 'unresolved') {
    return { type, status: 'False', reason: resolution.reason, message: resolution.message }
  }
  return { type, status: 'True', reason: 'Resolved', message: `the cluster is ${resolution.logicalName}` }
}

/** The cluster that is annotated; Pod Identity never touches one. */
function resolvedName({ resolution }: ConfigSeen, { spec }: WorkloadIdentityConfig): string | undefined {
  return resolution.kind === 'resolved' && spec.type !== 'EKSPodIdentity' ? resolution.logicalName : undefined
}

function decideComponents(
  seen: ConfigSeen,
  config: WorkloadIdentityConfig,
  now: Instant,
  settings: ConfigSettings,
): PathDecision {
  switch (config.spec.type) {
    case 'SelfHostedIRSA':
      return decideSelfHosted(seen, config, now, settings)
    case 'EKSIRSA': {
      const path = decideEksIssuer(config, seen.provider, settings.children ?? childObjects)
      return { ...path, conditions: [...path.conditions, noRuntime()], status: { ...path.status, ...withoutRuntime } }
    }
    default:
      return {
        actions: [],
        conditions: [notRequired(conditionTypes.issuerReady, 'EKS issues the credentials'), noRuntime()],
        status: {
          ackResources: undefined,
          selfHostedIssuer: undefined,
          signingKeys: undefined,
          issuerHostPath: undefined,
          oidcProviderARN: undefined,
          ...withoutRuntime,
        },
        next: awaitChange,
      }
  }
}

const withoutRuntime = { webhookRuntimeNamespace: undefined, webhookRuntimeCertNotAfter: undefined }

function noRuntime(): Condition {
  return notRequired(conditionTypes.webhookRuntimeReady, 'EKS brings its own webhook')
}

function notRequired(type: string, message: string): Condition {
  return { type, status: 'True', reason: 'NotRequired', message }
}

/** Two paths that do not wait for one another: a cluster that is away does not keep its issuer back, nor the other way round. */
function decideSelfHosted(
  seen: ConfigSeen,
  config: WorkloadIdentityConfig,
  now: Instant,
  settings: ConfigSettings,
): PathDecision {
  if (seen.selfHosted === undefined) return { actions: [], conditions: [], status: {}, next: awaitChange }
  const issuer = decideIssuer({
    config,
    seen: seen.selfHosted,
    provider: seen.provider,
    times: settings.rotation,
    now,
    children: settings.children ?? childObjects,
  })
  const runtime = decideRuntimePath(seen, config, now, settings)
  const branches = [issuer.actions, runtime.actions].filter(branch => branch.length > 0)
  return {
    actions: branches.length <= 1 ? branches.flat() : [{ kind: 'together', branches }],
    conditions: [...issuer.conditions, ...runtime.conditions],
    status: { ...issuer.status, ...runtime.status },
    next: sooner(runtime.next, issuer.next),
  }
}

function decideRuntimePath(
  { resolution, runtime, operatorConfig }: ConfigSeen,
  config: WorkloadIdentityConfig,
  now: Instant,
  settings: ConfigSettings,
): PathDecision {
  const type = conditionTypes.webhookRuntimeReady
  if (resolution.kind === 'unresolved') {
    const condition: Condition = { type, status: 'False', reason: resolution.reason, message: resolution.message }
    return { actions: [], conditions: [condition], status: {}, next: awaitChange }
  }
  if (runtime === undefined) return { actions: [], conditions: [], status: {}, next: awaitChange }
  const decision = decideRuntime(
    runtime,
    {
      image: settings.webhookImage,
      ...given({ replicas: settings.webhookReplicas }),
      current: findCondition(config.status?.conditions, type),
    },
    now,
  )
  const { certificateNotAfter } = decision
  const namespace = operatorConfig?.spec.selfHostedIRSA?.webhookNamespace
  // Where the runtime goes is recorded before the first object is made there, or a crash would leave objects that no deletion finds (P2).
  const isRecorded = config.status?.webhookRuntimeNamespace === namespace
  return {
    actions: isRecorded ? decision.actions : [],
    conditions: [decision.condition],
    status: {
      ...(runtime.kind === 'reachable' ? { webhookRuntimeNamespace: operatorConfig?.spec.selfHostedIRSA?.webhookNamespace } : {}),
      ...given({ webhookRuntimeCertNotAfter: certificateNotAfter }),
    },
    next: decision.next,
  }
}

/** Spec 4.2 "Ready computation": the first that is missing gives the reason. */
export function readyOf(config: WorkloadIdentityConfig, conditions: readonly Condition[]): Condition {
  const find = (type: string): Condition | undefined => conditions.find(condition => condition.type === type)
  const needed = [
    [conditionTypes.clusterProfileResolved, 'ClusterProfileNotFound'],
    [conditionTypes.issuerReady, 'WaitingForACK'],
    ...(config.spec.type === 'SelfHostedIRSA'
      ? [[conditionTypes.webhookRuntimeReady, 'WebhookRuntimeUnavailable'] as const]
      : []),
  ] as const
  for (const [type, reason] of needed) {
    const found = find(type)
    if (found?.status === 'True') continue
    const said = found ?? { reason, message: `${type} is not known yet` }
    return { type: conditionTypes.ready, status: 'False', reason: said.reason, message: said.message }
  }
  return {
    type: conditionTypes.ready,
    status: 'True',
    reason: 'Reconciled',
    message: 'ServiceAccounts of the cluster can get roles',
  }
}
