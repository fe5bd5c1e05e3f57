import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { schemaOf } from '../../testing/refusals.ts'
import { convertBuiltin } from '../kind.ts'
import { autoscalerFromV1, autoscalerToV1, withStatusOf } from './autoscalers.ts'

const event = {
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'default' },
  involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' },
  message: 'started',
  source: { component: 'kubelet', host: 'n' },
  firstTimestamp: '2026-01-01T00:00:00Z',
  lastTimestamp: '2026-01-01T00:00:01Z',
  count: 2,
  eventTime: null,
  reportingComponent: 'kubelet',
  reportingInstance: 'n',
  reason: 'Started',
  type: 'Normal',
}

test('an event of the core group is the same event in the group of its own, and back', () => {
  const own = convertBuiltin(event, 'events.k8s.io/v1')
  assert.deepEqual(own, {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'e', namespace: 'default' },
    regarding: { kind: 'Pod', name: 'p', namespace: 'default' },
    note: 'started',
    deprecatedSource: { component: 'kubelet', host: 'n' },
    deprecatedFirstTimestamp: '2026-01-01T00:00:00Z',
    deprecatedLastTimestamp: '2026-01-01T00:00:01Z',
    deprecatedCount: 2,
    eventTime: null,
    reportingController: 'kubelet',
    reportingInstance: 'n',
    reason: 'Started',
    type: 'Normal',
  })
  assert.deepEqual(convertBuiltin(own, 'v1'), event)
})

const cpu = (averageUtilization: number): JsonObject => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
})
const described = { kind: 'Ingress', name: 'web', apiVersion: 'networking.k8s.io/v1' }
const named = { name: 'm', selector: { matchLabels: { a: 'b' } } }
const others: readonly JsonObject[] = [
  { type: 'Pods', pods: { metric: named, target: { type: 'AverageValue', averageValue: '5' } } },
  { type: 'Object', object: { describedObject: described, metric: { name: 'm' }, target: { type: 'Value', value: '2k' } } },
  { type: 'External', external: { metric: named, target: { type: 'Value', value: '3' } } },
  { type: 'External', external: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '3' } } },
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 9 } },
  },
]
const currently: readonly JsonObject[] = [
  { type: 'Resource', resource: { name: 'cpu', current: { averageValue: '10m', averageUtilization: 40 } } },
  { type: 'Pods', pods: { metric: { name: 'm' }, current: { averageValue: '4' } } },
  { type: 'Object', object: { describedObject: described, metric: { name: 'm' }, current: { value: '1k' } } },
  { type: 'External', external: { metric: named, current: { value: '7', averageValue: '2' } } },
  { type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', current: { averageValue: '1' } } },
]
const condition = {
  type: 'AbleToScale',
  status: 'True',
  lastTransitionTime: '2026-01-01T00:00:00Z',
  reason: 'Ready',
  message: 'less <than> & more',
}
const autoscaler = {
  apiVersion: 'autoscaling/v2',
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web', annotations: { mine: 'yes' } },
  spec: {
    scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' },
    minReplicas: 2,
    maxReplicas: 5,
    metrics: [...others, cpu(30)],
    behavior: {
      scaleUp: { stabilizationWindowSeconds: 0, policies: [{ type: 'Pods', value: 4, periodSeconds: 15 }] },
      scaleDown: { selectPolicy: 'Disabled', tolerance: '50m' },
    },
  },
  status: { currentReplicas: 2, desiredReplicas: 3, currentMetrics: currently, conditions: [condition] },
}

test('an autoscaler at v1 shows the use of processor time, and keeps the rest in annotations', () => {
  const shown = convertBuiltin(autoscaler, 'autoscaling/v1')
  assert.deepEqual(shown.spec, {
    scaleTargetRef: autoscaler.spec.scaleTargetRef,
    minReplicas: 2,
    maxReplicas: 5,
    targetCPUUtilizationPercentage: 30,
  })
  assert.deepEqual(shown.status, { currentReplicas: 2, desiredReplicas: 3, currentCPUUtilizationPercentage: 40 })
  const { annotations } = shown.metadata as { annotations: Record<string, string> }
  const prefix = 'autoscaling.alpha.kubernetes.io/'
  assert.deepEqual(annotations, {
    mine: 'yes',
    [`${prefix}metrics`]:
      '[{"type":"Pods","pods":{"metricName":"m","targetAverageValue":"5","selector":{"matchLabels":{"a":"b"}}}},' +
      '{"type":"Object","object":{"target":{"kind":"Ingress","name":"web","apiVersion":"networking.k8s.io/v1"},"metricName":"m","targetValue":"2k"}},' +
      '{"type":"External","external":{"metricName":"m","metricSelector":{"matchLabels":{"a":"b"}},"targetValue":"3"}},' +
      '{"type":"External","external":{"metricName":"m","targetAverageValue":"3"}},' +
      '{"type":"Resource","resource":{"name":"memory","targetAverageValue":"1Gi"}},' +
      '{"type":"ContainerResource","containerResource":{"name":"cpu","targetAverageUtilization":9,"container":"c"}}]',
    [`${prefix}current-metrics`]:
      '[{"type":"Resource","resource":{"name":"cpu","currentAverageUtilization":40,"currentAverageValue":"10m"}},' +
      '{"type":"Pods","pods":{"metricName":"m","currentAverageValue":"4"}},' +
      '{"type":"Object","object":{"target":{"kind":"Ingress","name":"web","apiVersion":"networking.k8s.io/v1"},"metricName":"m","currentValue":"1k"}},' +
      '{"type":"External","external":{"metricName":"m","metricSelector":{"matchLabels":{"a":"b"}},"currentValue":"7","currentAverageValue":"2"}},' +
      '{"type":"ContainerResource","containerResource":{"name":"cpu","currentAverageValue":"1","container":"c"}}]',
    [`${prefix}behavior`]:
      '{"ScaleUp":{"StabilizationWindowSeconds":0,"SelectPolicy":null,"Policies":[{"Type":"Pods","Value":4,"PeriodSeconds":15}],"Tolerance":null},' +
      '"ScaleDown":{"StabilizationWindowSeconds":null,"SelectPolicy":"Disabled","Policies":null,"Tolerance":"50m"}}',
    [`${prefix}conditions`]:
      '[{"type":"AbleToScale","status":"True","lastTransitionTime":"2026-01-01T00:00:00Z","reason":"Ready","message":"less \\u003cthan\\u003e \\u0026 more"}]',
  })
})

test('an autoscaler that goes through v1 comes back whole', () => {
  assert.deepEqual(convertBuiltin(convertBuiltin(autoscaler, 'autoscaling/v1'), 'autoscaling/v2'), autoscaler)
})

test('annotations that are no JSON say nothing, and are gone', () => {
  const metadata = { name: 'web', annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{', mine: 'yes' } }
  const v1 = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata, spec: { maxReplicas: 3 } }
  const stored = convertBuiltin(v1, 'autoscaling/v2')
  assert.deepEqual(stored.metadata, { name: 'web', annotations: { mine: 'yes' } })
  assert.deepEqual((stored.spec as JsonObject).metrics, [cpu(80)])
})

test('what has a field at v1, or says nothing, has no annotation', () => {
  const plain = {
    apiVersion: 'autoscaling/v2',
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'web' },
    spec: { metrics: [cpu(30)] },
  }
  assert.deepEqual(autoscalerToV1(plain), {
    ...plain,
    spec: { targetCPUUtilizationPercentage: 30 },
    status: {},
  })
  assert.deepEqual(autoscalerToV1({ ...plain, status: { currentMetrics: [], conditions: [] } }).metadata, { name: 'web' })
  const memory = { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 50 } } }
  assert.equal(
    (autoscalerToV1({ ...plain, spec: { metrics: [memory] } }).spec as JsonObject).targetCPUUtilizationPercentage,
    undefined,
  )
})

test('of several amounts of processor time the last is the current one', () => {
  const used = (averageUtilization: number): JsonObject => ({
    type: 'Resource',
    resource: { name: 'cpu', current: { averageUtilization } },
  })
  const { status } = autoscalerToV1({ ...autoscaler, status: { currentMetrics: [used(40), used(50)] } })
  assert.deepEqual(status, { currentCPUUtilizationPercentage: 50 })
})

test('what v1 says in fields is stored as metrics, and what it does not say is not stored', () => {
  const v1 = { apiVersion: 'autoscaling/v1', kind: 'HorizontalPodAutoscaler', metadata: { name: 'web' } }
  const stored = autoscalerFromV1({
    ...v1,
    spec: { maxReplicas: 3, targetCPUUtilizationPercentage: 20 },
    status: { currentReplicas: 1, currentCPUUtilizationPercentage: 10 },
  })
  assert.deepEqual(stored, {
    ...v1,
    spec: { maxReplicas: 3, metrics: [cpu(20)] },
    status: {
      currentReplicas: 1,
      currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 10 } } }],
    },
  })
  assert.deepEqual(autoscalerFromV1({ ...v1, spec: {}, status: {} }).status, {})
})

test('a behavior in one direction goes through v1, with or without policies', () => {
  for (const behavior of [
    { scaleUp: { stabilizationWindowSeconds: 30 } },
    { scaleDown: { policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }] } },
  ]) {
    const object = { ...autoscaler, spec: { ...autoscaler.spec, behavior } }
    assert.deepEqual((autoscalerFromV1(autoscalerToV1(object)).spec as JsonObject).behavior, behavior)
  }
  const bare = autoscalerToV1({ ...autoscaler, spec: { behavior: { scaleUp: { policies: [{}] } } } })
  assert.match(JSON.stringify(bare.metadata), /\{\\"Type\\":\\"\\",\\"Value\\":0,\\"PeriodSeconds\\":0\}/)
})

test('annotations that are a part of the status are those of the live object', () => {
  const status = 'autoscaling.alpha.kubernetes.io/conditions'
  assert.deepEqual(
    withStatusOf(
      { name: 'a', annotations: { mine: 'new', [status]: 'sent' } },
      { annotations: { mine: 'old', [status]: 'kept' } },
    ),
    {
      name: 'a',
      annotations: { mine: 'new', [status]: 'kept' },
    },
  )
  assert.deepEqual(withStatusOf({ name: 'a', annotations: { [status]: 'sent' } }, {}), { name: 'a' })
  assert.deepEqual(withStatusOf({ name: 'a', annotations: { mine: 'x' } }, {}), { name: 'a', annotations: { mine: 'x' } })
})

test('what the other form does not know goes, and of an unknown kind nothing', () => {
  assert.deepEqual(convertBuiltin({ ...event, odd: 1 }, 'v1'), event)
  assert.equal(convertBuiltin({ ...event, odd: 1 }, 'events.k8s.io/v1')['odd'], undefined)
  assert.deepEqual(convertBuiltin({ apiVersion: 'v1', kind: 'Odd', odd: 1 }, 'v1'), { apiVersion: 'v1', kind: 'Odd', odd: 1 })
  assert.deepEqual(convertBuiltin({ apiVersion: 'v1', kind: 'Odd', odd: 1 }, 'a/v1'), { apiVersion: 'a/v1', kind: 'Odd', odd: 1 })
})

test('a Job that comes back from storage has the labels of its pods', () => {
  const at = (apiVersion: string, kind: string): JsonObject => {
    const object = { apiVersion, kind, metadata: { name: 'x' }, spec: { template: { metadata: { labels: { a: 'b' } } } } }
    return (schemaOf(object).atRest?.(object).metadata ?? {}) as JsonObject
  }
  assert.deepEqual(at('batch/v1', 'Job'), { name: 'x', labels: { a: 'b' } })
  assert.deepEqual(at('apps/v1', 'Deployment'), { name: 'x' })
})
