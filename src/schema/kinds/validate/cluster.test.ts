import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const atLeast0 = 'must be greater than or equal to 0'
const object = (apiVersion: string, kind: string, content: JsonObject): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name: 'x' },
  ...content,
})

const node = (spec: JsonObject): JsonObject => object('v1', 'Node', { spec })
const taint = (key: string, effect: string): JsonObject => ({ key, effect })

test('a taint of a node has one of three effects, and stands once with it', () => {
  const timeAdded = '2026-01-01T00:00:00Z'
  const later = { taints: [taint('a', 'NoExecute'), { ...taint('a', 'NoExecute'), timeAdded }] }
  assert.deepEqual(refusals(node(later)), [
    `metadata.taints[1]: Duplicate value: {"Key":"a","Value":"","Effect":"NoExecute","TimeAdded":"${timeAdded}"}: taints must be unique by key and effect pair`,
  ])
  const twice = { taints: [taint('a', 'NoSchedule'), taint('a', 'NoExecute'), { ...taint('a', 'NoSchedule'), value: 'b' }] }
  const told = [
    'metadata.taints[2]: Duplicate value: {"Key":"a","Value":"b","Effect":"NoSchedule","TimeAdded":null}: taints must be unique by key and effect pair',
  ]
  assert.deepEqual(refusals(node(twice)), told)
  assert.deepEqual(refusals(node(twice), { old: node({}) }), [...told, ...told])
  assert.deepEqual(refusals(node({ taints: [taint('a', 'Never')] })), [
    'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
  ])
})

test('the networks of a node are networks, and stay', () => {
  const old = node({ podCIDRs: ['10.0.0.0/24', 'fd00::/64'], providerID: 'p' })
  assert.deepEqual(refusals(old, { old }), [])
  assert.deepEqual(refusals(node({ podCIDRs: ['10.0.0.0/24', 'x'] })), [
    'spec.podCIDRs[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ])
  assert.deepEqual(refusals(node({ podCIDRs: ['10.0.1.0/24'], providerID: 'q' }), { old }), [
    'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
    'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
  ])
  assert.deepEqual(refusals(old, { old: node({}) }), [])
  assert.deepEqual(refusals(node({ podCIDR: 'fd00::/64', podCIDRs: ['10.0.0.0/24', 'fd00::/64'], providerID: 'p' }), { old }), [
    'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
  ])
  const alone = node({ podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] })
  assert.deepEqual(refusals(node({ podCIDR: '10.0.0.0/24' }), { old: alone }), [])
  assert.deepEqual(refusals(node({ podCIDR: '10.0.9.0/24', podCIDRs: ['10.0.0.0/24'] }), { old: alone }), [
    'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
  ])
})

test('a lease lasts some time, and has been handed on some times', () => {
  const lease = (spec: JsonObject): JsonObject => object('coordination.k8s.io/v1', 'Lease', { spec })
  assert.deepEqual(refusals(lease({ leaseDurationSeconds: 1, leaseTransitions: 0 })), [])
  assert.deepEqual(refusals(lease({ leaseDurationSeconds: 0, leaseTransitions: -1 })), [
    'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    `spec.leaseTransitions: Invalid value: -1: ${atLeast0}`,
  ])
})

const budget = (spec: JsonObject, status: JsonObject = {}): JsonObject =>
  object('policy/v1', 'PodDisruptionBudget', { spec, status })
const percent =
  "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"

const budgets: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ minAvailable: 0, unhealthyPodEvictionPolicy: 'AlwaysAllow', selector: {} }],
  [{ maxUnavailable: '100%' }],
  [{ maxUnavailable: '101%' }, 'spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%'],
  [{ minAvailable: -1 }, `spec.minAvailable: Invalid value: -1: ${atLeast0}`],
  [{ minAvailable: 'half' }, `spec.minAvailable: Invalid value: "half": ${percent}`],
  [{ minAvailable: 101 }],
  [
    { minAvailable: 1, maxUnavailable: 1 },
    'spec: Invalid value: {"MinAvailable":1,"Selector":null,"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    { minAvailable: 1, maxUnavailable: '1%', selector: { matchLabels: { a: 'b' } }, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
    'spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"a":"b"}},"MaxUnavailable":"1%","UnhealthyPodEvictionPolicy":"AlwaysAllow"}: minAvailable and maxUnavailable cannot be both set',
  ],
  [
    { unhealthyPodEvictionPolicy: 'Never', selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] } },
    'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    'spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"',
  ],
]

for (const [spec, ...told] of budgets)
  test(`a disruption budget with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(budget(spec)), told)
  })

test('what a disruption budget counts is never less than nothing', () => {
  const counts = ['disruptionsAllowed', 'currentHealthy', 'desiredHealthy', 'expectedPods']
  const old = budget({})
  const status = Object.fromEntries(counts.map(count => [count, -1]))
  assert.deepEqual(
    refusals(budget({ minAvailable: 'half' }, status), { old, subresource: 'status' }),
    counts.map(count => `status.${count}: Invalid value: -1: ${atLeast0}`),
  )
})
