// What is counted and logged of the operator's work, by the names that dashboards know (§10.2, 10.5). It looks on: at passes when they
// have ended, and at caches when they change. Nothing waits for it.
import type { Log } from '#base'
import { keyOf, type ObjectKey, renderKey, type StoredCondition, type StoredObject } from '#kube'
import type { Change, Counter, Gauge, JudgedChange, MappingFailed, Metrics, Outcome, PassRecord } from '#runtime'
import { conditionTypes } from '../api/conditions.ts'
import { configKind, replicaSetKind, roleKind } from '../api/kinds.ts'
import { boundedLabel, deliveryTypes, oneOfLabels, reasonLabel } from './labels.ts'
import { createRolloutGauges } from './rollouts.ts'

export interface Telemetry {
  /** For the manager's `onPass`. */
  onPass(record: PassRecord): void
  /** For the manager's `onMove`. */
  onMove(move: { readonly change: Change }): void
  /** For the manager's `onJudged`. */
  onJudged(judged: JudgedChange): void
  /** For the manager's `onMappingFailed`. */
  onMappingFailed(failed: MappingFailed): void
}

export interface TelemetryOptions {
  readonly metrics: Metrics
  readonly log: Log
  /** The delivery type of a claim, where one is known. */
  readonly deliveryTypeOf: (controller: string, key: ObjectKey) => string
}

const controllers: readonly string[] = [configKind.type.kind, roleKind.type.kind, replicaSetKind.type.kind]
/** Transitions of these are of interest to everybody, all others to those who look for trouble. */
const loudConditions = ['Ready', 'DeliveryReady', 'IssuerReady']
const childKinds = [roleKind.type.kind, 'Bucket', 'OpenIDConnectProvider', 'Secret', 'Role', 'Policy', 'PodIdentityAssociation']

export function createTelemetry({ metrics, log, deliveryTypeOf }: TelemetryOptions): Telemetry {
  const children = metrics.counter(
    'awio_child_apply_total',
    'Child objects brought about on the hub, by kind, operation and result.',
  )
  const transitions = metrics.counter('awio_condition_transition_total', 'Conditions whose status or reason changed.')
  const foreignKeys = metrics.gauge(
    'awio_foreign_signing_keys',
    'Whether the signing Secret of a namespace holds a key that is not on record; such a key is not published.',
  )
  const remote = metrics.counter('awio_remote_delivery_total', 'Objects brought about on targets, by kind and result.')
  const decisions = metrics.counter('awio_predicate_decision_total', 'Changes of claims, by whether they were worth a pass.')
  const mappingErrors = metrics.counter(
    'awio_watch_map_list_errors_total',
    'Changes of watched objects whose claims could not be told, by mapping; each is tried again.',
  )
  const countRollouts = createRolloutGauges(metrics)
  return {
    onJudged: ({ controller, isKept }) => {
      if (controllers.includes(controller)) decisions.add({ controller, decision: isKept ? 'kept' : 'dropped' })
    },
    onMappingFailed: ({ controller, watch }) => {
      if (!controllers.includes(controller)) return
      mappingErrors.add({ controller, map_func: boundedLabel(watch.name ?? ''), kind: boundedLabel(watch.type.kind) })
    },
    onPass: record => {
      if (!controllers.includes(record.controller)) return
      for (const outcome of record.outcomes) countOutcome(outcome, record, { children, remote, log, deliveryTypeOf })
    },
    onMove: ({ change }) => {
      countRollouts(change)
      if (change.object.kind === configKind.type.kind) countForeignKeys(foreignKeys, change)
      if (change.kind !== 'changed' || !controllers.includes(change.object.kind)) return
      tellTransitions(change.object, change.previous, { transitions, log })
    },
  }
}

interface OutcomeCounters extends Pick<TelemetryOptions, 'log' | 'deliveryTypeOf'> {
  readonly children: Counter
  readonly remote: Counter
}

function countOutcome(outcome: Outcome, record: PassRecord, { children, remote, log, deliveryTypeOf }: OutcomeCounters): void {
  const applied = appliedOf(outcome, record)
  if (applied === undefined) return
  const { kind, operation, result, cluster } = applied
  if (cluster === undefined) {
    if (childKinds.includes(kind)) children.add({ controller: record.controller, child_kind: kind, operation, result })
    tellChild(log, record, applied)
    return
  }
  remote.add({
    delivery_type: oneOfLabels(deliveryTypeOf(record.controller, record.key), deliveryTypes),
    resource: boundedLabel(kind),
    result,
    reason: reasonLabel(result === 'error' ? 'apply_failed' : operation),
  })
}

interface Applied {
  readonly kind: string
  readonly key: ObjectKey
  readonly operation: 'created' | 'updated' | 'unchanged'
  readonly result: 'success' | 'error'
  readonly cluster: string | undefined
}

/** Deletions and events are no deliveries; what was skipped was not tried. */
function appliedOf(outcome: Outcome, { writes, controller }: PassRecord): Applied | undefined {
  const { action } = outcome
  if (outcome.kind === 'skipped' || !('type' in action) || typeof action.type === 'string') return undefined
  if (action.kind !== 'apply' && action.kind !== 'create' && action.kind !== 'update' && action.kind !== 'patch') return undefined
  const key = action.kind === 'patch' ? action.key : keyOf(action.object as StoredObject)
  const { cluster } = action
  const common = { kind: action.type.kind, key, cluster }
  // A write to the claim itself is no write to a child.
  if (cluster === undefined && action.type.kind === controller) return undefined
  // A write that ended because another replica leads now says nothing about the child.
  if (outcome.kind === 'failed' && outcome.trouble.reason === 'NotLeader') return undefined
  if (outcome.kind === 'failed') return { ...common, operation: 'unchanged', result: 'error' }
  const isCreated = writes.some(
    write =>
      write.verb === 'create' &&
      write.result === 'changed' &&
      write.type === action.type &&
      renderKey(write.key) === renderKey(key),
  )
  return { ...common, operation: isCreated ? 'created' : outcome.changed ? 'updated' : 'unchanged', result: 'success' }
}

function tellChild(log: Log, { controller, key }: PassRecord, applied: Applied): void {
  const fields = {
    controller,
    'k8s.resource.namespace': key.namespace,
    'k8s.resource.name': key.name,
    'awio.child.kind': applied.kind,
    'awio.child.namespace': applied.key.namespace,
    'awio.child.name': applied.key.name,
    'awio.operation': applied.operation,
  }
  if (applied.result === 'error') log.error('child could not be applied', fields)
  else if (applied.operation === 'unchanged') log.debug('child is as it should be', fields)
  else log.info('child applied', fields)
}

/** One for the namespace while it is so; nothing where it never was. */
function countForeignKeys(gauge: Gauge, { kind, object }: Change): void {
  const labels = { namespace: boundedLabel(object.metadata.namespace ?? '') }
  const held = conditionsOf(object).find(({ type }) => type === conditionTypes.signingKeysProven)
  if (kind === 'removed' || held === undefined) gauge.remove(labels)
  else gauge.set(held.status === 'True' ? 0 : 1, labels)
}

function tellTransitions(
  object: StoredObject,
  previous: StoredObject,
  { transitions, log }: { readonly transitions: Counter; readonly log: Log },
): void {
  const before = new Map(conditionsOf(previous).map(condition => [condition.type, condition]))
  for (const { type, status, reason } of conditionsOf(object)) {
    const held = before.get(type)
    if (held?.status === status && held.reason === reason) continue
    transitions.add({
      kind: object.kind,
      condition: boundedLabel(type),
      status: boundedLabel(status),
      reason: reasonLabel(reason),
    })
    const fields = {
      'k8s.resource.kind': object.kind,
      'k8s.resource.namespace': object.metadata.namespace,
      'k8s.resource.name': object.metadata.name,
      'awio.condition.type': type,
      'awio.condition.status': status,
      'awio.condition.reason': reason,
    }
    if (loudConditions.includes(type)) log.info('condition changed', fields)
    else log.debug('condition changed', fields)
  }
}

function conditionsOf(object: StoredObject): readonly StoredCondition[] {
  return (
    (object as StoredObject & { readonly status?: { readonly conditions?: readonly StoredCondition[] } }).status?.conditions ?? []
  )
}
