// Health checks are stored and listed; nothing is ever probed.
import type { Call } from '../service.ts'
import { route53Failure } from './errors.ts'
import { bareId, healthCheckArn } from './ids.ts'
import type { Route53HealthCheck, Route53State } from './model.ts'
import { healthChecksMax } from './records.ts'
import { pageSize } from './zones.ts'

type Call53<I> = Call<Route53State, I>
type Config = Readonly<Record<string, unknown>>

export function createHealthCheck(
  call: Call53<{ readonly CallerReference: string; readonly HealthCheckConfig: Config }>,
): object {
  call.authorise({ action: 'route53:CreateHealthCheck', resource: '*' })
  const { CallerReference, HealthCheckConfig } = call.input
  const state = call.store.get()
  const same = [...state.healthChecks.values()].find(check => check.callerReference === CallerReference)
  if (same !== undefined && JSON.stringify(same.config) !== JSON.stringify(withDefaults(HealthCheckConfig))) {
    throw route53Failure(
      'HealthCheckAlreadyExists',
      `A health check has already been created with the specified caller reference: ${CallerReference}`,
    )
  }
  if (same === undefined && state.healthChecks.size >= healthChecksMax) {
    throw route53Failure('TooManyHealthChecks', 'Limits Exceeded: MAX_HEALTH_CHECKS_BY_OWNER - Cannot create more health checks.')
  }
  const check: Route53HealthCheck = same ?? {
    id: call.random(`healthcheck/${CallerReference}`).uuid(),
    account: call.account,
    callerReference: CallerReference,
    config: withDefaults(HealthCheckConfig),
    version: 1,
  }
  call.store.set({ ...state, healthChecks: state.healthChecks.set(check.id, check) })
  return { HealthCheck: render(check), Location: `https://route53.amazonaws.com/2013-04-01/healthcheck/${check.id}` }
}

function withDefaults(config: Config): Config {
  return {
    RequestInterval: 30,
    FailureThreshold: 3,
    MeasureLatency: false,
    Inverted: false,
    Disabled: false,
    EnableSNI: config['Type'] === 'HTTPS' || config['Type'] === 'HTTPS_STR_MATCH',
    ...config,
  }
}

function render(check: Route53HealthCheck): object {
  return {
    Id: check.id,
    CallerReference: check.callerReference,
    HealthCheckConfig: check.config,
    HealthCheckVersion: check.version,
  }
}

function found(call: Call53<{ readonly HealthCheckId: string }>): Route53HealthCheck {
  const id = bareId(call.input.HealthCheckId)
  const check = call.store.get().healthChecks.get(id)
  if (check === undefined) throw route53Failure('NoSuchHealthCheck', `No health check exists with the specified ID: ${id}`)
  return check
}

function authorise(call: Call53<{ readonly HealthCheckId: string }>, action: string): void {
  call.authorise({ action: `route53:${action}`, resource: healthCheckArn(call.partition, call.input.HealthCheckId) })
}

export function getHealthCheck(call: Call53<{ readonly HealthCheckId: string }>): object {
  authorise(call, 'GetHealthCheck')
  return { HealthCheck: render(found(call)) }
}

/** Nobody probes, so nobody has observed anything. */
export function getHealthCheckStatus(call: Call53<{ readonly HealthCheckId: string }>): object {
  authorise(call, 'GetHealthCheckStatus')
  found(call)
  return { HealthCheckObservations: [] }
}

export function updateHealthCheck(
  call: Call53<{
    readonly HealthCheckId: string
    readonly HealthCheckVersion?: number
    readonly ResetElements?: readonly string[]
  }>,
): object {
  authorise(call, 'UpdateHealthCheck')
  const check = found(call)
  const { HealthCheckId: _, HealthCheckVersion, ResetElements, ...changes } = call.input
  if (HealthCheckVersion !== undefined && HealthCheckVersion !== check.version) {
    throw route53Failure(
      'HealthCheckVersionMismatch',
      `The health check version ${HealthCheckVersion} is not the current version.`,
    )
  }
  const kept = Object.fromEntries(Object.entries(check.config).filter(([name]) => ResetElements?.includes(name) !== true))
  const updated = { ...check, config: { ...kept, ...changes }, version: check.version + 1 }
  const state = call.store.get()
  call.store.set({ ...state, healthChecks: state.healthChecks.set(check.id, updated) })
  return { HealthCheck: render(updated) }
}

export function deleteHealthCheck(call: Call53<{ readonly HealthCheckId: string }>): object {
  authorise(call, 'DeleteHealthCheck')
  const check = found(call)
  const state = call.store.get()
  call.store.set({
    ...state,
    healthChecks: state.healthChecks.delete(check.id),
    tags: state.tags.delete(`healthcheck/${check.id}`),
  })
  return {}
}

export function listHealthChecks(call: Call53<{ readonly Marker?: string; readonly MaxItems?: number }>): object {
  call.authorise({ action: 'route53:ListHealthChecks', resource: '*' })
  const { Marker } = call.input
  const limit = pageSize(call.input.MaxItems, 1_000)
  const from = [...call.store.get().healthChecks.entries(Marker === undefined ? {} : { from: Marker })].map(([, check]) => check)
  const next = from[limit]
  return {
    HealthChecks: from.slice(0, limit).map(render),
    ...(Marker !== undefined && { Marker }),
    IsTruncated: next !== undefined,
    ...(next !== undefined && { NextMarker: next.id }),
    MaxItems: limit,
  }
}

export function getHealthCheckCount(call: Call53<object>): object {
  call.authorise({ action: 'route53:GetHealthCheckCount', resource: '*' })
  return { HealthCheckCount: call.store.get().healthChecks.size }
}
