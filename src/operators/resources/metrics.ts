// What dashboards made for AWS Controllers for Kubernetes look for, under its names, and a few more.
import { AwsError } from '#aws'
import type { AwsClientsOptions } from '#aws/client'
import type { Metrics } from '#runtime'
import { conditionTypes, type Resource } from './api.ts'
import type { KindModel } from './model/kind-model.ts'

export interface MeasuredCall {
  readonly operation: string
  readonly verb: string
  readonly error?: unknown
}

export type OnCall = (call: MeasuredCall) => void

export interface KindMetrics {
  onCall(call: MeasuredCall): void
  /** A resource was found changed by somebody else. */
  onDrift(): void
  /** Its series go with it. */
  onGone(key: { readonly namespace: string; readonly name: string }): void
  onConditions(claim: Resource, conditions: readonly { readonly type: string; readonly status: string }[], nowMs: number): void
}

/** `namesObjects`: series for each object; without it they would only overwrite one another, so there are none. */
export function kindMetrics(metrics: Metrics | undefined, { service, kind }: KindModel, namesObjects: boolean): KindMetrics {
  if (metrics === undefined) return { onCall: () => {}, onDrift: () => {}, onConditions: () => {}, onGone: () => {} }
  const requests = metrics.counter('ack_outbound_api_requests_total', 'Calls to AWS, by service, type and operation.')
  const errors = metrics.counter('ack_outbound_api_requests_error_total', 'Calls that AWS refused, by HTTP status.')
  const throttled = metrics.counter('ack_aws_throttled_total', 'Calls that AWS throttled, by service.')
  const drifts = metrics.counter('ack_drift_detected_total', 'Resources that somebody else had changed, by kind.')
  const condition = metrics.gauge('ack_resource_condition', '1 for a condition that is True, else 0.')
  const synced = metrics.gauge('ack_resource_last_sync_timestamp_seconds', 'When a resource was last found in step, by kind.')
  return {
    onCall: ({ operation, verb, error }) => {
      requests.add({ service: service.alias, op_type: verb, op_id: operation })
      if (!(error instanceof AwsError)) return
      if (error.throttling) throttled.add({ service: service.alias })
      const status_code = String(error.httpStatus ?? 0)
      errors.add({ service: service.alias, op_id: operation, status_code })
    },
    onDrift: () => drifts.add({ kind: kind.kind }),
    onGone: ({ namespace, name }) => {
      for (const type of conditionTypes) condition.remove({ kind: kind.kind, namespace, name, type })
    },
    onConditions: ({ metadata }, conditions, nowMs) => {
      const labels = { kind: kind.kind, namespace: metadata.namespace ?? '', name: metadata.name }
      if (namesObjects) {
        const said = new Set(conditions.map(({ type }) => type))
        for (const type of conditionTypes) if (!said.has(type)) condition.remove({ ...labels, type })
      }
      for (const { type, status } of conditions) {
        if (namesObjects) condition.set(status === 'True' ? 1 : 0, { ...labels, type })
        if (type === 'ACK.ResourceSynced' && status === 'True') synced.set(nowMs / 1_000, { kind: kind.kind })
      }
    },
  }
}

/** How fast a service is called where it once throttled; absent while it does not. */
export function paceGauge(metrics: Metrics): NonNullable<AwsClientsOptions['onPace']> {
  const gauge = metrics.gauge('vouch_aws_calls_per_second_max', 'How fast a service is called at most, where it throttled us.')
  return ({ service, place, isOfWrites, perSecond }) => {
    const labels = { service, place, calls: isOfWrites ? 'writes' : 'all' }
    if (Number.isFinite(perSecond)) gauge.set(Math.round(perSecond * 10) / 10, labels)
    else gauge.remove(labels)
  }
}
