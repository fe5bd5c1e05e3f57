import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

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

test('the drivers of a node have names there', () => {
  const drivers = (...list: JsonObject[]): JsonObject => object('CSINode', { spec: { drivers: list } })
  assert.deepEqual(refusals(drivers({ name: 'A.com', nodeID: 'n' })), [])
  assert.deepEqual(refusals(drivers({ name: 'a.com', nodeID: '' }, { name: 'a_b', nodeID: 'n' })), [
    'spec.drivers[0].nodeID: Required value',
    `spec.drivers[1].name: Invalid value: "a_b": ${subdomain}`,
  ])
})

const at = 'spec.drivers[0]'

const nodes: readonly (readonly [what: string, driver: JsonObject, ...told: string[]])[] = [
  ['names of the longest', { name: 'a'.repeat(63), nodeID: 'n'.repeat(256), topologyKeys: ['a.com/b'], allocatable: {} }],
  ['nothing', {}, `${at}.name: Required value`, `${at}.name: Invalid value: "": ${subdomain}`, `${at}.nodeID: Required value`],
  [
    'names that are too long, and room for less than none',
    { name: 'a'.repeat(64), nodeID: 'n'.repeat(257), allocatable: { count: -1 } },
    `${at}.name: Too long: may not be more than 63 bytes`,
    `${at}.nodeID: Invalid value: "${'n'.repeat(257)}": must be 256 characters or less`,
    `${at}.allocatable.count: Invalid value: -1: must be greater than or equal to 0`,
  ],
  [
    'keys that are none, and one twice',
    { name: 'a', nodeID: 'n', topologyKeys: ['k', '-', 'k', ''] },
    `${at}: Invalid value: "-": ${qualified}`,
    `${at}: Duplicate value: "k"`,
    `${at}: Required value`,
    `${at}: Invalid value: "": name part must be non-empty`,
    `${at}: Invalid value: "": ${qualified}`,
  ],
]

for (const [what, driver, ...told] of nodes)
  test(`a driver of a node with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(object('CSINode', { spec: { drivers: [driver] } })), told)
  })

test('a driver stands once at a node', () => {
  const drivers = ['a', 'A', 'a'].map(name => ({ name, nodeID: 'n', allocatable: { count: -1 }, topologyKeys: ['/k'] }))
  const told = drivers.map((_driver, index) => [
    `spec.drivers[${index}].allocatable.count: Invalid value: -1: must be greater than or equal to 0`,
    ...(index === 2 ? ['spec.drivers[2].name: Duplicate value: "a"'] : []),
    `spec.drivers[${index}]: Invalid value: "/k": prefix part must be non-empty`,
  ])
  assert.deepEqual(refusals(object('CSINode', { spec: { drivers } })), told.flat())
})

const short = 'may not specify a duration less than 10 minutes'
const tokens = (...tokenRequests: JsonObject[]): JsonObject => ({ tokenRequests })

const drivers: readonly (readonly [what: string, spec: JsonObject, ...told: string[]])[] = [
  ['nothing', {}],
  ['all ways', { fsGroupPolicy: 'File', volumeLifecycleModes: ['Persistent', 'Ephemeral', 'Persistent'] }],
  [
    'other ways',
    { fsGroupPolicy: '', volumeLifecycleModes: ['Brief'], ...tokens({ audience: 'a', expirationSeconds: 1 }) },
    'spec.fsGroupPolicy: Unsupported value: "": supported values: "File", "None", "ReadWriteOnceWithFSType"',
    `spec.tokenRequests[0].expirationSeconds: Invalid value: 1: ${short}`,
    'spec.volumeLifecycleModes: Unsupported value: "Brief": supported values: "Persistent", "Ephemeral"',
  ],
  [
    'tokens of the shortest and the longest',
    tokens({ audience: 'a', expirationSeconds: 600 }, { audience: 'b', expirationSeconds: 2 ** 32 }),
  ],
  [
    'tokens for less and for more',
    tokens({ audience: 'a', expirationSeconds: 599 }, { audience: 'b', expirationSeconds: 2 ** 32 + 1 }),
    `spec.tokenRequests[0].expirationSeconds: Invalid value: 599: ${short}`,
    'spec.tokenRequests[1].expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds',
  ],
  [
    'two tokens for one audience, of which the second is not looked at',
    tokens({ audience: '' }, { audience: '', expirationSeconds: 1 }),
    'spec.tokenRequests[1].audience: Duplicate value: ""',
  ],
]

for (const [what, spec, ...told] of drivers)
  test(`a driver with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(object('CSIDriver', { spec })), told)
  })

test('whether and for how long a driver attaches stays, and all else may change', () => {
  const old = object('CSIDriver', { spec: { fsGroupPolicy: 'File' } })
  assert.deepEqual(refusals(object('CSIDriver', { spec: { fsGroupPolicy: 'None', podInfoOnMount: true } }), { old }), [])
  const other = { attachRequired: false, volumeLifecycleModes: ['Brief'] }
  assert.deepEqual(refusals(object('CSIDriver', { spec: other }), { old }), [
    'spec.volumeLifecycleModes: Unsupported value: "Brief": supported values: "Persistent", "Ephemeral"',
    'spec.attachedRequired: Invalid value: false: field is immutable',
    'spec.volumeLifecycleModes: Invalid value: ["Brief"]: field is immutable',
  ])
})

const known = { name: 'a.b', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 3 } }
const stays = (driver: string): string => `spec.drivers: Invalid value: {"Name":"a.b",${driver}}: field is immutable`

const nodeChanges: readonly (readonly [what: string, drivers: JsonObject[], ...told: string[]])[] = [
  ['nothing', [known]],
  ['that it has its driver', []],
  ['its driver for others', [{ name: 'c', nodeID: 'n' }]],
  ['the driver', [{ ...known, nodeID: 'm' }], stays('"NodeID":"m","TopologyKeys":["k"],"Allocatable":{"Count":3}')],
  ['what the driver says', [{ name: 'a.b', nodeID: 'n' }], stays('"NodeID":"n","TopologyKeys":null,"Allocatable":null')],
  [
    'the driver to what is none',
    [{ ...known, nodeID: '', allocatable: {} }],
    'spec.drivers[0].nodeID: Required value',
    'spec.drivers[0].nodeID: Required value',
    stays('"NodeID":"","TopologyKeys":["k"],"Allocatable":{"Count":null}'),
  ],
]

for (const [what, list, ...told] of nodeChanges)
  test(`that a node changes ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const old = object('CSINode', { spec: { drivers: [known] } })
    assert.deepEqual(refusals(object('CSINode', { spec: { drivers: list } }), { old }), told)
  })
