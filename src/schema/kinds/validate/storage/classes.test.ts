import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const object = (kind: string, content: JsonObject): JsonObject => ({
  apiVersion: 'storage.k8s.io/v1',
  kind,
  metadata: { name: 'x' },
  ...content,
})

test('a class of storage says how volumes are made, for good', () => {
  const storage = (content: JsonObject): JsonObject => object('StorageClass', { provisioner: 'a.com/b', ...content })
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
  assert.deepEqual(refusals(storage({ provisioner: '', parameters: { c: 'd', a: 'b' }, volumeBindingMode: 'Later' }), { old }), [
    'provisioner: Required value',
    'volumeBindingMode: Unsupported value: "Later": supported values: "Immediate", "WaitForFirstConsumer"',
    'provisioner: Forbidden: updates to provisioner are forbidden.',
    'volumeBindingMode: Invalid value: "Later": field is immutable',
  ])
})

test('what is left of a class of storage is told of one class', () => {
  const capacity = (storageClassName: string): JsonObject => object('CSIStorageCapacity', { storageClassName })
  assert.deepEqual(refusals(capacity('fast')), [])
  assert.deepEqual(refusals(capacity('Fast')), [`storageClassName: Invalid value: "Fast": ${subdomain}`])
  assert.deepEqual(refusals(capacity('slow'), { old: capacity('fast') }), [
    'storageClassName: Invalid value: "slow": field is immutable',
  ])
})

test('a class of attributes names its driver', () => {
  const attributes = (driverName: string): JsonObject => object('VolumeAttributesClass', { driverName })
  assert.deepEqual(refusals(attributes('a.com')), [])
  assert.deepEqual(refusals(attributes('')), ['driverName: Required value'])
})

const storage = (content: JsonObject): JsonObject => object('StorageClass', { provisioner: 'a.com/b', ...content })
const many = (count: number): JsonObject => Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, '']))
const term = (...matchLabelExpressions: JsonObject[]): JsonObject => ({ matchLabelExpressions })
const zones = (...values: string[]): JsonObject => ({ key: 'zone', values })
const at = 'allowedTopologies'
const twice = (index: number): string => `${at}[${index}].matchLabelExpressions: Duplicate value: ""`

const rows: readonly (readonly [what: string, content: JsonObject, ...told: string[]])[] = [
  ['a maker in capitals', { provisioner: 'A.com/B' }],
  ['a maker that has no name', { provisioner: '-' }, `provisioner: Invalid value: "-": ${qualified}`],
  ['no word about what is left of a volume', { reclaimPolicy: '' }],
  ['a parameter without a name', { parameters: { '': 'a' } }, 'parameters: Invalid value: "": field can not be empty.'],
  ['many parameters', { parameters: many(512) }],
  ['more parameters', { parameters: many(513) }, 'parameters: Too long: may not be more than 512 bytes'],
  ['a long parameter', { parameters: { a: 'x'.repeat(256 * 1024 - 1) } }],
  [
    'a longer parameter',
    { parameters: { a: 'x'.repeat(256 * 1024) } },
    'parameters: Too long: may not be more than 262144 bytes',
  ],
  ['places', { [at]: [term(zones('a', '-')), term(zones('b'))] }],
  ['nowhere', { [at]: [{}] }, twice(0)],
  ['nowhere twice', { [at]: [{}, {}] }, twice(0), twice(0), twice(1), twice(1), twice(1)],
  [
    'one place twice',
    { [at]: [term(zones('a', 'b'), { key: 'disk', values: ['c'] }), term({ key: 'disk', values: ['c'] }, zones('b', 'a'))] },
    twice(1),
  ],
  [
    'labels that are none, and one twice',
    { [at]: [term(zones('a', 'a'), zones('b'), { key: '-' })] },
    `${at}[0].matchLabelExpressions[0].values[1]: Duplicate value: "a"`,
    `${at}[0].matchLabelExpressions[1].key: Duplicate value: "zone"`,
    `${at}[0].matchLabelExpressions[2].values: Required value`,
    `${at}[0].matchLabelExpressions[2].key: Invalid value: "-": ${qualified}`,
  ],
]

for (const [what, content, ...told] of rows)
  test(`a class of storage with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(storage(content)), told)
  })

test('a class of storage whose places have an old label is told of the new one', () => {
  const { validate } = schemaOf(storage({}))
  const places = [term(zones('a'), { key: 'failure-domain.beta.kubernetes.io/zone', values: ['b'] })]
  assert.deepEqual(validate(storage({ [at]: places })).warnings, [
    `${at}[0].matchLabelExpressions[1].key: deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
  ])
})
