// Horizontal autoscalers.
import { dnsLabelErrors, pathSegmentErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { parseQuantity } from '../../quantity.ts'
import { autoscalerFromV1 } from '../conversions/autoscalers.ts'
import { between, type Errors, eachItem, listOf, nonNegative, objectOf, oneOf, say, text } from './checks.ts'
import { checkContainerResource } from './resource-names.ts'

const sources = ['object', 'external', 'pods', 'resource', 'containerResource'] as const
type Source = (typeof sources)[number]
const metricTypes = ['ContainerResource', 'External', 'Object', 'Pods', 'Resource']
const windowSecondsMax = 3_600
const periodSecondsMax = 1_800

/** Whatever version it came in, it is judged in the form in which it is stored. */
export function validateAutoscaler(object: JsonObject, { old, subresource }: ValidationContext = {}): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    for (const count of ['currentReplicas', 'desiredReplicas'])
      nonNegative(objectOf(object.status)[count], `status.${count}`, errors)
    return errors
  }
  const stored = object.apiVersion === 'autoscaling/v1' ? autoscalerFromV1(object) : object
  const { minReplicas, maxReplicas = 0, scaleTargetRef, metrics, behavior } = objectOf(stored.spec)
  if (typeof minReplicas === 'number' && minReplicas < 1)
    errors.push(fieldError.invalid('spec.minReplicas', minReplicas, 'must be greater than or equal to 1'))
  if (typeof maxReplicas === 'number') {
    if (maxReplicas < 1) errors.push(fieldError.invalid('spec.maxReplicas', maxReplicas, 'must be greater than 0'))
    if (typeof minReplicas === 'number' && maxReplicas < minReplicas)
      errors.push(fieldError.invalid('spec.maxReplicas', maxReplicas, 'must be greater than or equal to `minReplicas`'))
  }
  checkTarget(objectOf(scaleTargetRef), 'spec.scaleTargetRef', errors, versionRule(objectOf(scaleTargetRef), old))
  eachItem(metrics, 'spec.metrics', (metric, at) => checkMetric(metric, at, errors))
  const counts = listOf(metrics).some(metric => ['Object', 'External'].includes(text(objectOf(metric).type)))
  const toZero = 'must specify at least one Object or External metric to support scaling to zero replicas'
  if (minReplicas === 0 && !counts) errors.push(fieldError.forbidden('spec.metrics', toZero))
  for (const direction of ['scaleUp', 'scaleDown'])
    checkRules(objectOf(behavior)[direction], `spec.behavior.${direction}`, errors)
  return errors
}

/** What a target must say of its version: an update that leaves the target alone is not asked. */
type VersionRule = 'any' | 'readable' | 'with a group'

function versionRule({ kind, apiVersion }: JsonObject, old: JsonObject | undefined): VersionRule {
  const before = objectOf(objectOf(old?.spec).scaleTargetRef)
  if (old !== undefined && before.kind === kind && before.apiVersion === apiVersion) return 'any'
  return kind === 'ReplicationController' ? 'readable' : 'with a group'
}

/** What is scaled, or described. */
function checkTarget({ kind, name, apiVersion }: JsonObject, at: string, errors: Errors, rule: VersionRule = 'readable'): void {
  for (const [field, value] of Object.entries({ kind, name })) {
    if (text(value) === '') errors.push(fieldError.required(`${at}.${field}`))
    else say(errors, `${at}.${field}`, value, pathSegmentErrors(text(value)))
  }
  if (rule === 'any') return
  const parts = text(apiVersion).split('/')
  if (parts.length > 2)
    errors.push(fieldError.invalid(`${at}.apiVersion`, apiVersion, `unexpected GroupVersion string: ${text(apiVersion)}`))
  else if (rule === 'with a group' && (parts.length < 2 || parts[0] === ''))
    errors.push(fieldError.invalid(`${at}.apiVersion`, text(apiVersion), 'apiVersion must specify API group'))
}

function checkMetric(metric: JsonObject, at: string, errors: Errors): void {
  const type = text(metric.type)
  const expected = `${type.charAt(0).toLowerCase()}${type.slice(1)}`
  const isKnown = metricTypes.includes(type)
  if (type === '') errors.push(fieldError.required(`${at}.type`, 'must specify a metric source type'))
  if (!isKnown) errors.push(fieldError.notSupported(`${at}.type`, type, metricTypes))
  const given = sources.filter(source => isObject(metric[source]))
  const first = given[0]
  if (first !== undefined) checkSource(first, objectOf(metric[first]), `${at}.${first}`, errors)
  // The server says it where it reads the type, and again where it looks for the source of that type.
  if (!isKnown) errors.push(fieldError.notSupported(`${at}.type`, type, metricTypes))
  else if (!isObject(metric[expected]))
    errors.push(fieldError.required(`${at}.${expected}`, 'must populate information for the given metric source'))
  if (given.length === 1) return
  for (const source of given.filter(one => one !== expected))
    errors.push(fieldError.forbidden(`${at}.${source}`, 'must populate the given metric source only'))
}

function checkSource(source: Source, value: JsonObject, at: string, errors: Errors): void {
  const target = objectOf(value.target)
  const isOfResource = source === 'resource' || source === 'containerResource'
  if (source === 'object') checkTarget(objectOf(value.describedObject), `${at}.describedObject`, errors)
  if (isOfResource) checkResource(source, value, at, errors)
  else checkMetricName(value.metric, `${at}.metric`, errors)
  checkAim(target, `${at}.target`, errors)
  if (isOfResource) checkUse(target, `${at}.target`, errors)
  else if (source === 'pods') checkPodsAim(target, `${at}.target.averageValue`, errors)
  else checkCount(source, target, `${at}.target`, errors)
}

const eitherOf = {
  object: 'must set either a target value or averageValue',
  external: 'must set either a target value for metric or a per-pod target',
} as const

/** What is counted has a value for all pods or for each. */
function checkCount(source: 'object' | 'external', { value, averageValue }: JsonObject, at: string, errors: Errors): void {
  if (value === undefined && averageValue === undefined) errors.push(fieldError.required(`${at}.averageValue`, eitherOf[source]))
  if (source === 'external' && value !== undefined && averageValue !== undefined)
    errors.push(fieldError.forbidden(`${at}.value`, 'may not set both a target value for metric and a per-pod target'))
}

function checkResource(source: Source, { name, container }: JsonObject, at: string, errors: Errors): void {
  if (text(name) === '') errors.push(fieldError.required(`${at}.name`, 'must specify a resource name'))
  if (source !== 'containerResource') return
  if (text(name) !== '') checkContainerResource(text(name), `${at}.name`, errors)
  if (text(container) === '') errors.push(fieldError.required(`${at}.container`, 'must specify a container'))
  else say(errors, `${at}.container`, container, dnsLabelErrors(text(container)))
}

function checkUse({ averageUtilization, averageValue }: JsonObject, at: string, errors: Errors): void {
  const unset = 'must set either a target raw value or a target utilization'
  if (averageUtilization === undefined && averageValue === undefined)
    errors.push(fieldError.required(`${at}.averageUtilization`, unset))
  if (averageUtilization !== undefined && averageValue !== undefined)
    errors.push(fieldError.forbidden(`${at}.averageValue`, 'may not set both a target raw value and a target utilization'))
}

function checkMetricName(metric: Json | undefined, at: string, errors: Errors): void {
  const name = text(objectOf(metric).name)
  if (name === '') errors.push(fieldError.required(`${at}.name`, 'must specify a metric name'))
  else say(errors, `${at}.name`, name, pathSegmentErrors(name))
}

function checkPodsAim({ averageValue }: JsonObject, at: string, errors: Errors): void {
  if (averageValue === undefined) errors.push(fieldError.required(at, 'must specify a positive target averageValue'))
}

function checkAim({ type, value, averageValue, averageUtilization }: JsonObject, at: string, errors: Errors): void {
  if (text(type) === '') errors.push(fieldError.required(`${at}.type`, 'must specify a metric target type'))
  if (!['Utilization', 'Value', 'AverageValue'].includes(text(type)))
    errors.push(fieldError.invalid(`${at}.type`, text(type), 'must be either Utilization, Value, or AverageValue'))
  for (const [field, amount] of Object.entries({ value, averageValue }))
    if (amount !== undefined && !isPositive(amount))
      errors.push(fieldError.invalid(`${at}.${field}`, text(amount), 'must be positive'))
  if (typeof averageUtilization === 'number' && averageUtilization < 1)
    errors.push(fieldError.invalid(`${at}.averageUtilization`, averageUtilization, 'must be greater than 0'))
}

function isPositive(amount: Json): boolean {
  return (parseQuantity(text(amount))?.numerator ?? 0n) > 0n
}

function checkRules(rules: Json | undefined, at: string, errors: Errors): void {
  if (!isObject(rules)) return
  const { stabilizationWindowSeconds, selectPolicy, policies } = rules
  between(stabilizationWindowSeconds, `${at}.stabilizationWindowSeconds`, [0, windowSecondsMax], errors)
  oneOf(selectPolicy, `${at}.selectPolicy`, ['Disabled', 'Max', 'Min'], errors)
  if (listOf(policies).length === 0) errors.push(fieldError.required(`${at}.policies`, 'must specify at least one Policy'))
  eachItem(policies, `${at}.policies`, (policy, each) => {
    oneOf(policy.type, `${each}.type`, ['Percent', 'Pods'], errors)
    between(policy.value, `${each}.value`, [1, Number.MAX_SAFE_INTEGER], errors)
    between(policy.periodSeconds, `${each}.periodSeconds`, [1, periodSecondsMax], errors)
  })
}
