import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals, schemaOf } from '../../testing/refusals.ts'

const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd' }

function autoscaler(spec: JsonObject, apiVersion = 'autoscaling/v2'): JsonObject {
  return {
    apiVersion,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name: 'h' },
    spec: { scaleTargetRef, maxReplicas: 5, ...spec },
  }
}

const value = { type: 'Value', value: '1' }
const average = { type: 'AverageValue', averageValue: '1' }
const utilization = { type: 'Utilization', averageUtilization: 50 }
const metrics = (...list: JsonObject[]): JsonObject => ({ metrics: list })
const resource = (target: JsonObject, name = 'cpu'): JsonObject => metrics({ type: 'Resource', resource: { name, target } })
const external = (target: JsonObject, name = 'm'): JsonObject =>
  metrics({ type: 'External', external: { metric: { name }, target } })
const described = { kind: 'Ingress', name: 'i', apiVersion: 'networking.k8s.io/v1' }
const aim = (target: JsonObject, describedObject: JsonObject = described): JsonObject =>
  metrics({ type: 'Object', object: { metric: { name: 'm' }, describedObject, target } })
const pods = (target: JsonObject): JsonObject => metrics({ type: 'Pods', pods: { metric: { name: 'm' }, target } })
const at = 'spec.metrics[0]'
const types = 'supported values: "ContainerResource", "External", "Object", "Pods", "Resource"'
const aims = 'must be either Utilization, Value, or AverageValue'
const behavior = (rules: JsonObject): JsonObject => ({
  behavior: { scaleDown: { policies: [{ type: 'Pods', value: 1, periodSeconds: 1 }], ...rules } },
})
const down = 'spec.behavior.scaleDown'
const policy = (content: JsonObject): JsonObject =>
  behavior({ policies: [{ type: 'Pods', value: 1, periodSeconds: 1, ...content }] })

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ minReplicas: 5 }],
  [{ minReplicas: 1, maxReplicas: 1 }],
  [{ minReplicas: 6 }, 'spec.maxReplicas: Invalid value: 5: must be greater than or equal to `minReplicas`'],
  [{ minReplicas: -1 }, 'spec.minReplicas: Invalid value: -1: must be greater than or equal to 1'],
  [
    { maxReplicas: 0 },
    'spec.maxReplicas: Invalid value: 0: must be greater than 0',
    'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
  ],
  [
    { minReplicas: 0 },
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
  ],
  [{ minReplicas: 0, ...external(value) }, 'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1'],
  [
    {
      minReplicas: 0,
      metrics: [...(external(value)['metrics'] as JsonObject[]), ...(resource(utilization)['metrics'] as JsonObject[])],
    },
    'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
  ],
  [{ minReplicas: 0, ...aim(value) }, 'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1'],
  [
    { scaleTargetRef: { apiVersion: 'apps/v1', kind: '', name: '' } },
    'spec.scaleTargetRef.kind: Required value',
    'spec.scaleTargetRef.name: Required value',
  ],
  [
    { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'a/b', name: '..' } },
    'spec.scaleTargetRef.kind: Invalid value: "a/b": may not contain \'/\'',
    'spec.scaleTargetRef.name: Invalid value: "..": may not be \'..\'',
  ],
  [
    { scaleTargetRef: { kind: 'Deployment', name: 'd' } },
    'spec.scaleTargetRef.apiVersion: Invalid value: "": apiVersion must specify API group',
  ],
  [
    { scaleTargetRef: { apiVersion: 'v1', kind: 'Deployment', name: 'd' } },
    'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
  ],
  [
    { scaleTargetRef: { apiVersion: '/v1', kind: 'Deployment', name: 'd' } },
    'spec.scaleTargetRef.apiVersion: Invalid value: "/v1": apiVersion must specify API group',
  ],
  [
    { scaleTargetRef: { apiVersion: 'a/b/c', kind: 'Deployment', name: 'd' } },
    'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ],
  [{ scaleTargetRef: { apiVersion: 'v1', kind: 'ReplicationController', name: 'd' } }],
  [
    { scaleTargetRef: { apiVersion: 'a/b/c', kind: 'ReplicationController', name: 'd' } },
    'spec.scaleTargetRef.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c',
  ],
  [
    metrics({ type: '' }),
    `${at}.type: Required value: must specify a metric source type`,
    `${at}.type: Unsupported value: "": ${types}`,
    `${at}.type: Unsupported value: "": ${types}`,
  ],
  [
    metrics({ type: 'Other' }),
    `${at}.type: Unsupported value: "Other": ${types}`,
    `${at}.type: Unsupported value: "Other": ${types}`,
  ],
  [metrics({ type: 'Pods' }), `${at}.pods: Required value: must populate information for the given metric source`],
  [
    metrics({
      type: 'Pods',
      pods: { metric: { name: 'm' }, target: average },
      external: { metric: { name: 'm' }, target: value },
    }),
    `${at}.external: Forbidden: must populate the given metric source only`,
  ],
  [
    metrics({ type: 'Pods', external: { metric: { name: 'm' }, target: value } }),
    `${at}.pods: Required value: must populate information for the given metric source`,
  ],
  [resource(utilization)],
  [resource(average, 'memory')],
  [resource(utilization, ''), `${at}.resource.name: Required value: must specify a resource name`],
  [
    resource({ type: 'Value', value: '1' }),
    `${at}.resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
  ],
  [
    resource({ ...utilization, averageValue: '1' }),
    `${at}.resource.target.averageValue: Forbidden: may not set both a target raw value and a target utilization`,
  ],
  [metrics({ type: 'ContainerResource', containerResource: { name: 'cpu', container: 'c', target: utilization } })],
  [
    metrics({ type: 'ContainerResource', containerResource: { name: 'cpu', container: '', target: utilization } }),
    `${at}.containerResource.container: Required value: must specify a container`,
  ],
  [resource({ ...utilization, averageUtilization: 1 })],
  [
    resource({ ...utilization, averageUtilization: 0 }),
    `${at}.resource.target.averageUtilization: Invalid value: 0: must be greater than 0`,
  ],
  [
    resource({ ...utilization, type: '' }),
    `${at}.resource.target.type: Required value: must specify a metric target type`,
    `${at}.resource.target.type: Invalid value: "": ${aims}`,
  ],
  [
    metrics({ type: 'Resource', resource: {} }),
    `${at}.resource.name: Required value: must specify a resource name`,
    `${at}.resource.target.type: Required value: must specify a metric target type`,
    `${at}.resource.target.type: Invalid value: "": ${aims}`,
    `${at}.resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
  ],
  [
    metrics({ type: 'ContainerResource', containerResource: { name: 'other', container: 'a.b', target: utilization } }),
    `${at}.containerResource.name: Invalid value: "other": must be a standard resource type or fully qualified`,
    `${at}.containerResource.name: Invalid value: "other": must be a standard resource for containers`,
    `${at}.containerResource.container: Invalid value: "a.b": must not contain dots`,
  ],
  [metrics({ type: 'ContainerResource', containerResource: { name: 'kubernetes.io/x', container: 'a', target: utilization } })],
  [
    metrics({ type: 'ContainerResource', containerResource: { name: 'requests.a.b/c', container: 'a', target: utilization } }),
    `${at}.containerResource.name: Invalid value: "requests.a.b/c": doesn't follow extended resource name standard`,
  ],
  [
    metrics({ type: 'Object', object: {} }),
    `${at}.object.describedObject.kind: Required value`,
    `${at}.object.describedObject.name: Required value`,
    `${at}.object.metric.name: Required value: must specify a metric name`,
    `${at}.object.target.type: Required value: must specify a metric target type`,
    `${at}.object.target.type: Invalid value: "": ${aims}`,
    `${at}.object.target.averageValue: Required value: must set either a target value or averageValue`,
  ],
  [
    metrics({ type: 'Odd', resource: {} }),
    `${at}.type: Unsupported value: "Odd": ${types}`,
    `${at}.resource.name: Required value: must specify a resource name`,
    `${at}.resource.target.type: Required value: must specify a metric target type`,
    `${at}.resource.target.type: Invalid value: "": ${aims}`,
    `${at}.resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization`,
    `${at}.type: Unsupported value: "Odd": ${types}`,
  ],
  [
    resource({ ...utilization, type: 'Some' }),
    `${at}.resource.target.type: Invalid value: "Some": must be either Utilization, Value, or AverageValue`,
  ],
  [external(value)],
  [external(average)],
  [external(value, ''), `${at}.external.metric.name: Required value: must specify a metric name`],
  [external(value, 'a/b'), `${at}.external.metric.name: Invalid value: "a/b": may not contain '/'`],
  [
    external({ type: 'Value' }),
    `${at}.external.target.averageValue: Required value: must set either a target value for metric or a per-pod target`,
  ],
  [
    external({ type: 'Value', value: '1', averageValue: '1' }),
    `${at}.external.target.value: Forbidden: may not set both a target value for metric and a per-pod target`,
  ],
  [external({ type: 'Value', value: '0' }), `${at}.external.target.value: Invalid value: "0": must be positive`],
  [
    external({ type: 'AverageValue', averageValue: '-1' }),
    `${at}.external.target.averageValue: Invalid value: "-1": must be positive`,
  ],
  [aim(value)],
  [aim({ type: 'Value' }), `${at}.object.target.averageValue: Required value: must set either a target value or averageValue`],
  [aim({ type: 'Value', value: '1', averageValue: '1' })],
  [
    aim(value, { kind: '', name: 'a/b', apiVersion: 'a/b/c' }),
    `${at}.object.describedObject.kind: Required value`,
    `${at}.object.describedObject.name: Invalid value: "a/b": may not contain '/'`,
    `${at}.object.describedObject.apiVersion: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`,
  ],
  [aim(value, { kind: 'Pod', name: 'p', apiVersion: 'v1' })],
  [pods(average)],
  [pods({ type: 'AverageValue' }), `${at}.pods.target.averageValue: Required value: must specify a positive target averageValue`],
  [pods({ type: 'AverageValue', averageValue: '0' }), `${at}.pods.target.averageValue: Invalid value: "0": must be positive`],
  [behavior({ stabilizationWindowSeconds: 3600, selectPolicy: 'Disabled' })],
  [behavior({ stabilizationWindowSeconds: 0 })],
  [
    behavior({ stabilizationWindowSeconds: 3601, selectPolicy: 'Any' }),
    `${down}.stabilizationWindowSeconds: Invalid value: 3601: must be less than or equal to 3600`,
    `${down}.selectPolicy: Unsupported value: "Any": supported values: "Disabled", "Max", "Min"`,
  ],
  [
    behavior({ stabilizationWindowSeconds: -1 }),
    `${down}.stabilizationWindowSeconds: Invalid value: -1: must be greater than or equal to zero`,
  ],
  [policy({ periodSeconds: 1800 })],
  [policy({ periodSeconds: 1801 }), `${down}.policies[0].periodSeconds: Invalid value: 1801: must be less than or equal to 1800`],
  [
    policy({ type: 'Any', value: 0, periodSeconds: 0 }),
    `${down}.policies[0].type: Unsupported value: "Any": supported values: "Percent", "Pods"`,
    `${down}.policies[0].value: Invalid value: 0: must be greater than zero`,
    `${down}.policies[0].periodSeconds: Invalid value: 0: must be greater than zero`,
  ],
]

for (const [spec, ...told] of rows)
  test(`an autoscaler with ${JSON.stringify(spec).slice(0, 120)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(autoscaler(spec)), told)
  })

test('a target that was taken once stays taken', () => {
  const odd = { scaleTargetRef: { apiVersion: 'v1', kind: 'Deployment', name: 'd' } }
  const told = ['spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group']
  assert.deepEqual(refusals(autoscaler(odd), { old: autoscaler(odd) }), [])
  assert.deepEqual(refusals(autoscaler(odd), { old: autoscaler({}) }), told)
  const other = { scaleTargetRef: { ...odd.scaleTargetRef, kind: 'ReplicaSet' } }
  assert.deepEqual(refusals(autoscaler(other), { old: autoscaler(odd) }), told)
})

test('an autoscaler at v1 is judged as it is stored', () => {
  assert.deepEqual(refusals(autoscaler({ targetCPUUtilizationPercentage: 0 }, 'autoscaling/v1')), [
    'spec.metrics[0].resource.target.averageUtilization: Invalid value: 0: must be greater than 0',
  ])
  assert.deepEqual(refusals(autoscaler({ minReplicas: 3 }, 'autoscaling/v1')), [])
})

test('an autoscaler that says how many there may be of nothing, or by no rule, is refused', () => {
  const { validate } = schemaOf({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' })
  const told = (spec: JsonObject): readonly string[] =>
    validate({ apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', spec: { scaleTargetRef, ...spec } }).errors.map(
      ({ field, detail }) => `${field}: ${detail}`,
    )
  assert.deepEqual(told({}), ['spec.maxReplicas: must be greater than 0'])
  assert.deepEqual(told({ maxReplicas: 1, ...behavior({ policies: [] }) }), [
    `${down}.policies: must specify at least one Policy`,
  ])
})

test('the counts of an autoscaler are none below nothing', () => {
  const old = autoscaler({})
  const told = (status: JsonObject): readonly string[] => refusals({ ...old, status }, { old, subresource: 'status' })
  assert.deepEqual(told({ currentReplicas: 0, desiredReplicas: 0 }), [])
  assert.deepEqual(told({ currentReplicas: -1, desiredReplicas: -2 }), [
    'status.currentReplicas: Invalid value: -1: must be greater than or equal to 0',
    'status.desiredReplicas: Invalid value: -2: must be greater than or equal to 0',
  ])
})
