// What is counted of ExternalDNS objects. No label holds the name of an object, a zone or an account.
import { deployments, type ResourceType } from '#kube'
import type { Manager, Metrics, PassRecord, RunningOperator } from '#runtime'
import type { ExternalDns } from '../api/kinds.ts'
import type { Tried } from '../preflight/try-options.ts'

export interface DnsTelemetry {
  readonly ofManager: NonNullable<RunningOperator['telemetry']>
  /** `type`: of the objects, as the manager watches them. */
  attach(manager: Pick<Manager, 'world'>, type: ResourceType): void
  converted(from: string, to: string, result: string): void
  judged(isAllowed: boolean): void
  /** After each try of credentials; nothing where it came to no answer. */
  tried(tried: Tried | undefined): void
  /** At each look at which an operand was in trouble. */
  operandFailed(reason: string): void
}

const seconds = [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

export function createTelemetry(metrics: Metrics): DnsTelemetry {
  const passes = metrics.counter('externaldns_operator_reconcile_total', 'Passes over objects, by controller and result.')
  const took = metrics.histogram('externaldns_operator_reconcile_duration_seconds', 'Time of passes over objects.', seconds)
  const updates = metrics.counter('externaldns_operator_deployment_updates_total', 'Deployments that were changed.')
  const preflights = metrics.counter('externaldns_operator_preflight_total', 'Tries of credentials, by check and result.')
  const failures = metrics.counter(
    'externaldns_operator_operand_errors_total',
    'Looks at which an operand was in trouble, by reason.',
  )
  const conversions = metrics.counter('externaldns_operator_conversion_total', 'Objects converted, by version and result.')
  const requests = metrics.counter('externaldns_operator_webhook_requests_total', 'Requests the webhook judged, by result.')
  updates.add({}, 0)
  for (const result of ['allowed', 'denied']) requests.add({ result }, 0)
  return {
    ofManager: {
      onPass: ({ controller, trouble, tookMs, writes }) => {
        passes.add({ controller, result: trouble === undefined ? 'success' : 'error' })
        took.observe(tookMs / 1_000, { controller })
        updates.add({}, deploymentUpdates(writes))
      },
    },
    attach: (manager, type) => countInstances(metrics, manager, type),
    converted: (from, to, result) => conversions.add({ from, to, result }),
    judged: isAllowed => requests.add({ result: isAllowed ? 'allowed' : 'denied' }),
    tried: tried => {
      if (tried === undefined) preflights.add({ check: 'any', result: 'undecided' })
      for (const { type, status } of tried?.conditions ?? [])
        preflights.add({ check: type, result: results[status] ?? 'unknown' })
    },
    operandFailed: reason => failures.add({ reason }),
  }
}

const results: Readonly<Record<string, string>> = { True: 'success', False: 'failure' }

function deploymentUpdates(writes: PassRecord['writes']): number {
  return writes.filter(
    ({ verb, type, result }) => verb === 'update' && type.plural === deployments.plural && result === 'changed',
  ).length
}

/** Read from the cache at each scrape. */
function countInstances(metrics: Metrics, { world }: Pick<Manager, 'world'>, type: ResourceType): void {
  const instances = metrics.gauge('externaldns_operator_instances', 'Objects, by provider and whether they are Available.')
  let shown: readonly { readonly provider: string; readonly available: string }[] = []
  metrics.collect(() => {
    for (const labels of shown) instances.remove(labels)
    const all = world.isSynced(type) ? world.list<ExternalDns>(type).map(labelsOf) : []
    for (const labels of all) instances.add(1, labels)
    shown = all
  })
}

function labelsOf({ spec, status }: ExternalDns): { readonly provider: string; readonly available: string } {
  const available = status?.conditions?.find(({ type }) => type === 'Available')?.status ?? 'Unknown'
  return { provider: spec.provider.type, available }
}
