import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const object = (apiVersion: string, kind: string, content: JsonObject, name = 'x'): JsonObject => ({
  apiVersion,
  kind,
  metadata: { name },
  ...content,
})
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

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
  const old = priority({ value: 1 })
  assert.deepEqual(refusals(priority({ value: 1, description: 'more' }), { old }), [])
  assert.deepEqual(refusals(priority({ value: 2, preemptionPolicy: 'Never' }), { old }), [
    'value: Forbidden: may not be changed in an update.',
    'preemptionPolicy: Invalid value: "Never": field is immutable',
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
})

test('a class of storage says how volumes are made, for good', () => {
  const storage = (content: JsonObject): JsonObject =>
    object('storage.k8s.io/v1', 'StorageClass', { provisioner: 'a.com/b', ...content })
  assert.deepEqual(refusals(storage({ reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' })), [])
  assert.deepEqual(refusals(storage({ provisioner: '', reclaimPolicy: 'Recycle', volumeBindingMode: 'Later' })), [
    'provisioner: Required value',
    'reclaimPolicy: Unsupported value: "Recycle": supported values: "Delete", "Retain"',
    'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
  ])
  const old = storage({ parameters: { a: 'b', c: 'd' } })
  assert.deepEqual(refusals(storage({ parameters: { c: 'd', a: 'b' }, allowVolumeExpansion: true }), { old }), [])
  const other = { provisioner: 'b.com/c', parameters: {}, reclaimPolicy: 'Retain', volumeBindingMode: 'WaitForFirstConsumer' }
  assert.deepEqual(refusals(storage(other), { old }), [
    'parameters: Forbidden: updates to parameters are forbidden.',
    'provisioner: Forbidden: updates to provisioner are forbidden.',
    'reclaimPolicy: Forbidden: updates to reclaimPolicy are forbidden.',
    'volumeBindingMode: Invalid value: "WaitForFirstConsumer": field is immutable',
  ])
})

test('the drivers of a node have names there', () => {
  const drivers = (...list: JsonObject[]): JsonObject => object('storage.k8s.io/v1', 'CSINode', { spec: { drivers: list } })
  assert.deepEqual(refusals(drivers({ name: 'A.com', nodeID: 'n' })), [])
  assert.deepEqual(refusals(drivers({ name: 'a.com', nodeID: '' }, { name: 'a_b', nodeID: 'n' })), [
    'spec.drivers[0].nodeID: Required value',
    `spec.drivers[1].name: Invalid value: "a_b": ${subdomain}`,
  ])
})

test('what is left of a class of storage is told of one class', () => {
  const capacity = (storageClassName: string): JsonObject =>
    object('storage.k8s.io/v1', 'CSIStorageCapacity', { storageClassName })
  assert.deepEqual(refusals(capacity('fast')), [])
  assert.deepEqual(refusals(capacity('Fast')), [`storageClassName: Invalid value: "Fast": ${subdomain}`])
  assert.deepEqual(refusals(capacity('slow'), { old: capacity('fast') }), [
    'storageClassName: Invalid value: "slow": field is immutable',
  ])
})

test('who attaches a volume, and to which node, is said', () => {
  const attachment = (spec: JsonObject): JsonObject => object('storage.k8s.io/v1', 'VolumeAttachment', { spec })
  const source = { persistentVolumeName: 'v' }
  assert.deepEqual(refusals(attachment({ attacher: 'A.com', nodeName: 'n', source })), [])
  assert.deepEqual(refusals(attachment({ attacher: '-', nodeName: '', source })), [
    `spec.attacher: Invalid value: "-": ${subdomain}`,
    'spec.nodeName: Required value',
  ])
})

test('a class of attributes names its driver', () => {
  const attributes = (driverName: string): JsonObject => object('storage.k8s.io/v1', 'VolumeAttributesClass', { driverName })
  assert.deepEqual(refusals(attributes('a.com')), [])
  assert.deepEqual(refusals(attributes('')), ['driverName: Required value'])
})

test('of two schemas of flow the one of lower precedence goes first, up to ten thousand', () => {
  const flow = (matchingPrecedence: number): JsonObject =>
    object('flowcontrol.apiserver.k8s.io/v1', 'FlowSchema', {
      spec: { matchingPrecedence, priorityLevelConfiguration: { name: 'x' } },
    })
  assert.deepEqual(refusals(flow(10_000)), [])
  assert.deepEqual(refusals(flow(10_001)), ['spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000'])
})

test('a level of priority is limited or exempt', () => {
  const level = (type: string): JsonObject =>
    object('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', { spec: { type } })
  assert.deepEqual(refusals(level('Limited')), [])
  assert.deepEqual(refusals(level('Free')), ['spec.type: Unsupported value: "Free": supported values: "Exempt", "Limited"'])
})

test('a policy that denies has no need to warn as well', () => {
  const binding = (...validationActions: string[]): JsonObject =>
    object('admissionregistration.k8s.io/v1', 'ValidatingAdmissionPolicyBinding', {
      spec: { policyName: 'p', validationActions },
    })
  assert.deepEqual(refusals(binding('Deny', 'Audit')), [])
  assert.deepEqual(refusals(binding('Warn', 'Audit')), [])
  assert.deepEqual(refusals(binding('Deny', 'Warn')), [
    'spec.validationActions: Invalid value: ["Deny","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
  ])
})
