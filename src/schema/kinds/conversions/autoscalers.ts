// Autoscalers at `autoscaling/v1` and at `autoscaling/v2`, where they are stored. The older version has a field for the use of processor
// time alone; what else there is stands in annotations, so that whoever reads and writes at v1 loses nothing.
import { isList, isObject, type Json, type JsonObject, objectWith } from '../../json.ts'
import { listOf, objectOf, text } from '../validate/checks.ts'
import { metricFromV1, metricToV1, type Side } from './metrics.ts'

const prefix = 'autoscaling.alpha.kubernetes.io/'
const annotation = {
  metrics: `${prefix}metrics`,
  behavior: `${prefix}behavior`,
  currentMetrics: `${prefix}current-metrics`,
  conditions: `${prefix}conditions`,
} as const

const statusAnnotations: readonly string[] = [annotation.currentMetrics, annotation.conditions]
const reserved: ReadonlySet<string> = new Set([
  ...Object.values(annotation),
  `${prefix}scale-down-tolerance`,
  `${prefix}scale-up-tolerance`,
])

/** What v1 always meant without saying so. */
export const averageOfCpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}

export function autoscalerToV1(object: JsonObject): JsonObject {
  const [spec, status] = [objectOf(object.spec), objectOf(object.status)]
  const metrics = listOf(spec.metrics).map(objectOf)
  const { minReplicas, maxReplicas, scaleTargetRef } = spec
  const cpu = metrics.find(metric => utilization(metric, 'target') !== undefined)
  return {
    ...object,
    metadata: withAnnotations(objectOf(object.metadata), kept(metrics, spec, status)),
    spec: objectWith({
      scaleTargetRef,
      minReplicas,
      maxReplicas,
      targetCPUUtilizationPercentage: cpu === undefined ? undefined : utilization(cpu, 'target'),
    }),
    status: statusToV1(status),
  }
}

function statusToV1({
  observedGeneration,
  lastScaleTime,
  currentReplicas,
  desiredReplicas,
  currentMetrics,
}: JsonObject): JsonObject {
  const known = listOf(currentMetrics)
    .map(metric => utilization(objectOf(metric), 'current'))
    .filter(percentage => percentage !== undefined)
  const currentCPUUtilizationPercentage = known.at(-1)
  return objectWith({ observedGeneration, lastScaleTime, currentReplicas, desiredReplicas, currentCPUUtilizationPercentage })
}

/** What has no field at v1, as annotations. */
function kept(metrics: readonly JsonObject[], { behavior }: JsonObject, status: JsonObject): Record<string, string> {
  const others = metrics.filter(metric => utilization(metric, 'target') === undefined)
  const currentMetrics = listOf(status.currentMetrics).map(objectOf)
  const conditions = listOf(status.conditions).map(objectOf)
  return {
    ...(others.length > 0 ? { [annotation.metrics]: textOf(others.map(metric => metricToV1(metric, 'target'))) } : {}),
    ...(currentMetrics.length > 0
      ? { [annotation.currentMetrics]: textOf(currentMetrics.map(metric => metricToV1(metric, 'current'))) }
      : {}),
    ...(isObject(behavior) ? { [annotation.behavior]: textOf(goBehavior(behavior)) } : {}),
    ...(conditions.length > 0 ? { [annotation.conditions]: textOf(conditions.map(conditionInOrder)) } : {}),
  }
}

export function autoscalerFromV1(object: JsonObject): JsonObject {
  const { annotations } = objectOf(object.metadata)
  const { targetCPUUtilizationPercentage, ...spec } = objectOf(object.spec)
  const { currentCPUUtilizationPercentage, ...status } = objectOf(object.status)
  const read = (name: keyof typeof annotation): Json | undefined => readJson(objectOf(annotations)[annotation[name]])
  const metrics = [
    ...metricsIn(read('metrics'), 'target'),
    ...(targetCPUUtilizationPercentage === undefined ? [] : [cpuMetric('target', targetCPUUtilizationPercentage)]),
  ]
  const ofAnnotation = read('currentMetrics')
  const ofField = currentCPUUtilizationPercentage === undefined ? [] : [cpuMetric('current', currentCPUUtilizationPercentage)]
  const currentMetrics = ofAnnotation === undefined ? ofField : metricsIn(ofAnnotation, 'current')
  const conditions = listOf(read('conditions'))
  const behavior = read('behavior')
  return {
    ...object,
    metadata: withAnnotations(objectOf(object.metadata), {}),
    spec: objectWith({
      ...spec,
      metrics: metrics.length > 0 ? metrics : [averageOfCpu],
      behavior: behaviorOfGo(objectOf(behavior)),
    }),
    status: objectWith({
      ...status,
      currentMetrics: currentMetrics.length > 0 ? currentMetrics : undefined,
      conditions: conditions.length > 0 ? conditions : undefined,
    }),
  }
}

function cpuMetric(side: Side, percentage: Json): JsonObject {
  const amounts = { averageUtilization: percentage }
  return {
    type: 'Resource',
    resource: { name: 'cpu', [side]: side === 'target' ? { type: 'Utilization', ...amounts } : amounts },
  }
}

function metricsIn(value: Json | undefined, side: Side): JsonObject[] {
  return listOf(value).map(metric => metricFromV1(objectOf(metric), side))
}

function isCpu(metric: JsonObject): boolean {
  return metric.type === 'Resource' && objectOf(metric.resource).name === 'cpu'
}

/** Of a metric of processor time; undefined for any other. */
function utilization(metric: JsonObject, side: Side): Json | undefined {
  return isCpu(metric) ? objectOf(objectOf(metric.resource)[side]).averageUtilization : undefined
}

/** The object without the annotations that only a conversion writes. */
export function withoutForms(object: JsonObject): JsonObject {
  const metadata = objectOf(object.metadata)
  if (!Object.keys(objectOf(metadata.annotations)).some(key => reserved.has(key))) return object
  return { ...object, metadata: withAnnotations(metadata, {}) }
}

/** Only conversion writes these annotations; what somebody else wrote there is no annotation of the object. */
function withAnnotations(metadata: JsonObject, added: Readonly<Record<string, string>>): JsonObject {
  const { annotations, ...rest } = metadata
  const own = Object.entries(objectOf(annotations)).filter(([key]) => !reserved.has(key))
  const all = { ...Object.fromEntries(own), ...added }
  return Object.keys(all).length === 0 ? rest : { ...rest, annotations: all }
}

function readJson(value: Json | undefined): Json | undefined {
  try {
    const parsed: Json | undefined = value === undefined ? undefined : JSON.parse(text(value))
    return parsed
  } catch {
    return undefined
  }
}

function textOf(value: Json): string {
  return JSON.stringify(value).replace(/[<>&]/g, sign => `\\u00${sign.charCodeAt(0).toString(16)}`)
}

function conditionInOrder({ type, status, lastTransitionTime, reason, message }: JsonObject): JsonObject {
  return objectWith({ type, status, lastTransitionTime: lastTransitionTime ?? null, reason, message })
}

/** The server writes its own structure there, by the names that its fields have in Go. */
function goBehavior({ scaleUp, scaleDown }: JsonObject): JsonObject {
  return { ScaleUp: goRules(scaleUp), ScaleDown: goRules(scaleDown) }
}

function goRules(rules: Json | undefined): Json {
  if (!isObject(rules)) return null
  const { stabilizationWindowSeconds = null, selectPolicy = null, policies, tolerance = null } = rules
  const Policies = isList(policies)
    ? policies.map(objectOf).map(({ type = '', value = 0, periodSeconds = 0 }) => ({
        Type: type,
        Value: value,
        PeriodSeconds: periodSeconds,
      }))
    : null
  return {
    StabilizationWindowSeconds: stabilizationWindowSeconds,
    SelectPolicy: selectPolicy,
    Policies,
    Tolerance: tolerance,
  }
}

/** Undefined when it says nothing. */
function behaviorOfGo({ ScaleUp, ScaleDown }: JsonObject): JsonObject | undefined {
  const [scaleUp, scaleDown] = [rulesOfGo(ScaleUp), rulesOfGo(ScaleDown)]
  return scaleUp === undefined && scaleDown === undefined ? undefined : objectWith({ scaleUp, scaleDown })
}

function rulesOfGo(rules: Json | undefined): JsonObject | undefined {
  if (!isObject(rules)) return undefined
  const policies = listOf(rules.Policies)
    .map(objectOf)
    .map(({ Type, Value, PeriodSeconds }) => objectWith({ type: Type, value: Value, periodSeconds: PeriodSeconds }))
  return objectWith({
    stabilizationWindowSeconds: rules.StabilizationWindowSeconds ?? undefined,
    selectPolicy: rules.SelectPolicy ?? undefined,
    policies: policies.length > 0 ? policies : undefined,
    tolerance: rules.Tolerance ?? undefined,
  })
}

/** At v1 a part of the status stands in annotations: they are the live object's, whatever was sent. */
export function withStatusOf(metadata: Json | undefined, live: Json | undefined): JsonObject {
  const { annotations, ...rest } = objectOf(metadata)
  const sent = Object.entries(objectOf(annotations)).filter(([key]) => !statusAnnotations.includes(key))
  const kept = Object.entries(objectOf(objectOf(live).annotations)).filter(([key]) => statusAnnotations.includes(key))
  const all = Object.fromEntries([...sent, ...kept])
  return Object.keys(all).length === 0 ? rest : { ...rest, annotations: all }
}
