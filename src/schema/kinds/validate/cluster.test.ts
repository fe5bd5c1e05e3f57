import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals, schemaOf } from '../../testing/refusals.ts'

const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
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
    'spec.podCIDRs: Internal error: invalid PodCIDRs. failed to check with dual stack with error:invalid CIDR[1]: <nil> (invalid CIDR address: x)',
    'spec.podCIDRs: Invalid value: ["10.0.0.0/24","x"]: may specify no more than one CIDR for each IP family',
  ])
  assert.deepEqual(refusals(node({ podCIDRs: ['x'] })), [
    'spec.podCIDRs[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ])
  for (const podCIDRs of [
    ['10.0.0.0/24', '10.0.1.0/24'],
    ['10.0.0.0/24', 'fd00::/64', 'fe00::/64'],
  ])
    assert.deepEqual(refusals(node({ podCIDRs })), [
      `spec.podCIDRs: Invalid value: ${JSON.stringify(podCIDRs)}: may specify no more than one CIDR for each IP family`,
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

test('a taint of a node has a key, a value and an effect', () => {
  assert.deepEqual(refusals(node({ taints: [{ value: '-' }] })), [
    'metadata.taints[0].key: Invalid value: "": name part must be non-empty',
    `metadata.taints[0].key: Invalid value: "": ${qualified}`,
    `metadata.taints[0].value: Invalid value: "-": ${labelValue}`,
    'metadata.taints[0].effect: Required value',
  ])
})

const wholes = 'pods services secrets configmaps persistentvolumeclaims services.nodeports example.com/gpu count/a'.split(' ')
const parts = ['cpu', 'storage', 'foo', 'x.kubernetes.io/a', 'kubernetes.io/a', 'requests.example.com/a']

test('a new node has no less than nothing, and whole pods and devices', () => {
  const has = (capacity: JsonObject, allocatable: JsonObject = {}): readonly string[] =>
    refusals(object('v1', 'Node', { spec: {}, status: { capacity, allocatable } }))
  assert.deepEqual(has({ cpu: '-1' }, { 'a.b/c': '-0.5' }), [
    `status.capacity.cpu: Invalid value: "-1": ${atLeast0}`,
    `status.allocatable.a.b/c: Invalid value: "-500m": ${atLeast0}`,
    'status.allocatable.a.b/c: Invalid value: "-500m": must be an integer',
  ])
  for (const name of wholes)
    assert.deepEqual(has({ [name]: '0.5' }, { cpu: '1' }), [`status.capacity.${name}: Invalid value: "500m": must be an integer`])
  for (const name of parts) assert.deepEqual(has({ [name]: '0.5' }), [])
  const old = node({})
  assert.deepEqual(refusals(object('v1', 'Node', { spec: {}, status: { capacity: { cpu: '-1' } } }), { old }), [])
})

test('an address of a node stands once', () => {
  const old = node({})
  const addresses = ['a', 'b', 'a', 'a'].map(address => ({ type: 'Hostname', address }))
  const again = (index: number): string => `status.addresses[${index}]: Duplicate value: {"Type":"Hostname","Address":"a"}`
  assert.deepEqual(refusals({ ...old, status: { addresses } }, { old, subresource: 'status' }), [again(2), again(3)])
  const other = [...addresses.slice(0, 2), { type: 'InternalDNS', address: 'a' }]
  assert.deepEqual(refusals({ ...old, status: { addresses: other } }, { old, subresource: 'status' }), [])
})

test('a node is warned of an identity that nobody reads, and of networks in old forms', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'Node' })
  const podCIDRs = [
    '010.0.0.1/24',
    '10.0.0.0/024',
    'fd00::1/64',
    'FD00::1/64',
    'FD00::/64',
    '::ffff:10.0.0.1/120',
    'fd00::/64',
    'x',
  ]
  const later = 'will be considered invalid in a future Kubernetes release: use'
  const which = 'is ambiguous in this context (should be'
  assert.deepEqual(validate(node({ externalID: 'e', podCIDRs })).warnings, [
    'spec.externalID: this field is deprecated, and is unused by Kubernetes',
    `spec.podCIDRs[0]: CIDR value "010.0.0.1/24" ${which} "10.0.0.0/24" or "10.0.0.1/32"?)`,
    `spec.podCIDRs[0]: non-standard CIDR value "010.0.0.1/24" ${later} "10.0.0.0/24"`,
    `spec.podCIDRs[1]: non-standard CIDR value "10.0.0.0/024" ${later} "10.0.0.0/24"`,
    `spec.podCIDRs[2]: CIDR value "fd00::1/64" ${which} "fd00::/64" or "fd00::1/128"?)`,
    `spec.podCIDRs[3]: CIDR value "FD00::1/64" ${which} "fd00::/64" or "fd00::1/128"?)`,
    'spec.podCIDRs[4]: IPv6 CIDR value "FD00::/64" should be in RFC 5952 canonical format ("fd00::/64")',
    `spec.podCIDRs[5]: CIDR value "::ffff:10.0.0.1/120" ${which} "10.0.0.0/24" or "10.0.0.1/128"?)`,
    `spec.podCIDRs[5]: non-standard CIDR value "::ffff:10.0.0.1/120" ${later} "10.0.0.0/24"`,
  ])
  assert.deepEqual(validate(node({})).warnings, [])
})

const namespace = (finalizers: string[], content: JsonObject = {}): JsonObject =>
  object('v1', 'Namespace', { spec: { finalizers }, ...content })
const unknownFinalizer = 'name is neither a standard finalizer name nor is it fully qualified'

test('what a namespace waits for is known or has a domain', () => {
  assert.deepEqual(refusals(namespace(['kubernetes', 'orphan', 'foregroundDeletion', 'a.com/b'])), [])
  assert.deepEqual(refusals(namespace(['other', '-', '/a'])), [
    `spec.finalizers: Invalid value: "other": ${unknownFinalizer}`,
    `spec.finalizers: Invalid value: "-": ${qualified}`,
    `spec.finalizers: Invalid value: "-": ${unknownFinalizer}`,
    'spec.finalizers: Invalid value: "/a": prefix part must be non-empty',
  ])
  const old = namespace(['kubernetes'])
  assert.deepEqual(refusals(namespace(['kubernetes', 'other']), { old, subresource: 'finalize' }), [
    `spec.finalizers[1]: Invalid value: "other": ${unknownFinalizer}`,
  ])
  assert.deepEqual(refusals(namespace(['other']), { old }), [])
})

test('a namespace that stays is in use', () => {
  const old = namespace([])
  const said = (phase: string, metadata: JsonObject = { name: 'x' }): readonly string[] =>
    refusals(namespace([], { status: { phase }, metadata }), { old, subresource: 'status' })
  assert.deepEqual(said('Active'), [])
  assert.deepEqual(said(''), [])
  assert.deepEqual(said('Terminating'), [
    'status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
  ])
  assert.deepEqual(said('Terminating', { name: 'x', deletionTimestamp: '2026-01-01T00:00:00Z' }), [])
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
