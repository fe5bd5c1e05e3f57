import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals, schemaOf } from '../../testing/refusals.ts'

const object = (apiVersion: string, kind: string, content: JsonObject, name = 'x'): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...content,
})
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"

const priority = (content: JsonObject, name?: string): JsonObject =>
  object('scheduling.k8s.io/v1', 'PriorityClass', content, name)

test('a class of priority stays below those of the system, and its value stays', () => {
  assert.deepEqual(refusals(priority({ value: 1_000_000_000 })), [])
  assert.deepEqual(refusals(priority({ value: 1_000_000_001 })), [
    'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
  ])
  assert.deepEqual(refusals(priority({ value: 2_000_000_000 }, 'system-mine')), [
    "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
  ])
  assert.deepEqual(refusals(priority({ value: 1, preemptionPolicy: 'Sometimes' })), [
    'preemptionPolicy: Unsupported value: "Sometimes": supported values: "PreemptLowerPriority", "Never"',
  ])
  assert.deepEqual(refusals(priority({ value: 1, preemptionPolicy: '' })), ['preemptionPolicy: Required value'])
  const old = priority({ value: 1 })
  assert.deepEqual(refusals(priority({ value: 1, description: 'more' }), { old }), [])
  assert.deepEqual(refusals(priority({ value: 2, preemptionPolicy: 'Never' }), { old }), [
    'value: Forbidden: may not be changed in an update.',
    'preemptionPolicy: Invalid value: "Never": field is immutable',
  ])
})

test('the classes of the system may be made again as they are', () => {
  const why = "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: "
  const node = (content: JsonObject): readonly string[] => refusals(priority(content, 'system-node-critical'))
  assert.deepEqual(refusals(priority({ value: 2_000_000_000 }, 'system-cluster-critical')), [])
  assert.deepEqual(node({ value: 2_000_001_000 }), [])
  assert.deepEqual(node({ value: 5, globalDefault: true }), [
    `${why}value of system-node-critical PriorityClass must be 2000001000`,
  ])
  assert.deepEqual(node({ value: 2_000_001_000, globalDefault: true }), [
    `${why}globalDefault of system-node-critical PriorityClass must be false`,
  ])
})

const shown = '{"Key":"a","Operator":"Exists","Value":"","Effect":"NoExecute","TolerationSeconds":3}'
const toleration = { key: 'a', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 3 }

const runtimes: readonly (readonly [what: string, content: JsonObject, ...told: string[]])[] = [
  [
    'all that it may say',
    {
      overhead: { podFixed: { cpu: '1', 'example.com/gpu': '1' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [toleration, { ...toleration, tolerationSeconds: 4 }] },
    },
  ],
  [
    'all that is wrong',
    {
      handler: 'A',
      overhead: { podFixed: { cpu: '-1', pods: '1' } },
      scheduling: { nodeSelector: { '/a': '-' }, tolerations: [{}] },
    },
    `handler: Invalid value: "A": ${label}`,
    'overhead.limits[cpu]: Invalid value: "-1": must be greater than or equal to 0',
    'overhead.limits[pods]: Invalid value: "pods": must be a standard resource for containers',
    'scheduling.nodeSelector: Invalid value: "/a": prefix part must be non-empty',
    `scheduling.nodeSelector: Invalid value: "-": ${labelValue}`,
    'scheduling.tolerations.tolerations[0].operator: Invalid value: "": operator must be Exists when `key` is empty, which means "match all values and all keys"',
  ],
  [
    'one toleration twice',
    { scheduling: { tolerations: [toleration, toleration] } },
    `scheduling.tolerations[1]: Duplicate value: ${shown}`,
  ],
  [
    'nothing twice to tolerate',
    { scheduling: { tolerations: [{ operator: 'Exists' }, { operator: 'Exists' }] } },
    'scheduling.tolerations[1]: Duplicate value: {"Key":"","Operator":"Exists","Value":"","Effect":"","TolerationSeconds":null}',
  ],
]

for (const [what, content, ...told] of runtimes)
  test(`a class of runtime with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(object('node.k8s.io/v1', 'RuntimeClass', { handler: 'h', ...content })), told)
  })

test('a class of runtime that chooses nodes by an old label is told of the new one', () => {
  const { validate } = schemaOf({ apiVersion: 'node.k8s.io/v1', kind: 'RuntimeClass' })
  const scheduling = { nodeSelector: { 'beta.kubernetes.io/os': 'linux', 'kubernetes.io/os': 'linux' } }
  assert.deepEqual(validate(object('node.k8s.io/v1', 'RuntimeClass', { handler: 'h', scheduling })).warnings, [
    'scheduling.nodeSelector: deprecated since v1.14; use "kubernetes.io/os" instead',
  ])
})

test('a class of runtime names its handler, for good', () => {
  const runtime = (handler: string): JsonObject => object('node.k8s.io/v1', 'RuntimeClass', { handler })
  assert.deepEqual(refusals(runtime('runc')), [])
  assert.deepEqual(refusals(runtime('Runc')), [`handler: Invalid value: "Runc": ${label}`])
  assert.deepEqual(refusals(runtime('runc'), { old: runtime('runc') }), [])
  assert.deepEqual(refusals(runtime('gvisor'), { old: runtime('runc') }), [
    'handler: Invalid value: "gvisor": field is immutable',
  ])
  const scheduling = { nodeSelector: { a: '-' } }
  const placed = object('node.k8s.io/v1', 'RuntimeClass', { handler: 'Runc', scheduling })
  assert.deepEqual(
    refusals(placed, { old: runtime('runc') }).map(line => line.slice(0, 42)),
    [
      'handler: Invalid value: "Runc": a lowercas',
      'scheduling.nodeSelector: Invalid value: "-',
      'handler: Invalid value: "Runc": field is i',
    ],
  )
})
