import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals, schemaOf } from '../../testing/refusals.ts'

const requests = { resources: { requests: { storage: '1Gi' } } }
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const modes = 'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'

function claim(spec: JsonObject, phase = 'Pending'): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolumeClaim',
    metadata: { name: 'c' },
    spec: { accessModes: ['ReadWriteOnce'], ...requests, ...spec },
    status: { phase },
  }
}

const claims: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{ storageClassName: 'fast', volumeMode: 'Block' }],
  [{ storageClassName: '' }],
  [{ accessModes: [] }, 'spec.accessModes: Required value: at least 1 access mode is required'],
  [{ accessModes: ['Read'] }, `spec.accessModes: Unsupported value: "Read": ${modes}`],
  [{ accessModes: ['ReadWriteOncePod'] }],
  [
    { accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] },
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ],
  [{ resources: {} }, 'spec.resources[storage]: Required value'],
  [{ resources: { requests: { storage: '0' } } }, 'spec.resources[storage]: Invalid value: "0": must be greater than zero'],
  [{ resources: { requests: { storage: '-1' } } }, 'spec.resources[storage]: Invalid value: "-1": must be greater than zero'],
  [{ resources: { requests: { storage: '1' } } }],
  [{ storageClassName: 'Fast' }, `spec.storageClassName: Invalid value: "Fast": ${subdomain}`],
  [{ volumeMode: 'Tape' }, 'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"'],
  [
    { selector: { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] } },
    "spec.selector.matchExpressions[0].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'",
  ],
]

for (const [spec, ...told] of claims)
  test(`a claim with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(claim(spec)), told)
  })

const frozen =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
const more = { resources: { requests: { storage: '2Gi' } } }

const changes: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...told: string[]])[] = [
  ['nothing', claim({}), claim({})],
  ['its size before it has a volume', claim({}), claim(more), frozen],
  ['its size once it has a volume', claim({}, 'Bound'), claim(more, 'Bound')],
  ['its limit', claim({}, 'Bound'), claim({ resources: { ...requests.resources, limits: { storage: '2Gi' } } }, 'Bound'), frozen],
  ['its volume', claim({}, 'Bound'), claim({ volumeName: 'v' }, 'Bound'), frozen],
  ['its class', claim({ storageClassName: 'a' }), claim({ storageClassName: 'b' }), frozen],
  ['that it has a class', claim({}), claim({ storageClassName: 'b' })],
  [
    'that it has a class beside its volume',
    claim({ volumeName: 'v' }),
    claim({ volumeName: 'v', storageClassName: 'b' }),
    frozen,
  ],
  ['its attributes before it has a volume', claim({}), claim({ volumeAttributesClassName: 'a' }), frozen],
  ['its attributes for others', claim({ volumeAttributesClassName: 'a' }), claim({ volumeAttributesClassName: 'b' }), frozen],
  ['its attributes once it has a volume', claim({}, 'Bound'), claim({ volumeAttributesClassName: 'a' }, 'Bound')],
]

for (const [what, old, now, ...told] of changes)
  test(`that a claim changes ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(now, { old }), told)
    assert.deepEqual(refusals(claim({ accessModes: [] }), { old, subresource: 'status' }), [])
  })

function volume(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v' },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, hostPath: { path: '/a' }, ...spec },
  }
}
const without = (field: string): JsonObject => {
  const { [field]: _gone, ...spec } = volume({}).spec as JsonObject
  return { ...volume({}), spec }
}
const driver = (content: JsonObject): JsonObject => {
  const object = without('hostPath')
  return { ...object, spec: { ...(object.spec as JsonObject), csi: { driver: 'a.com', volumeHandle: 'h', ...content } } }
}

const volumes: readonly (readonly [what: string, object: JsonObject, ...told: string[]])[] = [
  [
    'a folder',
    volume({ persistentVolumeReclaimPolicy: 'Recycle', storageClassName: 'a', volumeMode: 'Block', mountOptions: ['ro'] }),
  ],
  ['a driver', driver({})],
  ['no mode', volume({ accessModes: [] }), 'spec.accessModes: Required value'],
  ['another mode', volume({ accessModes: ['Read'] }), `spec.accessModes: Unsupported value: "Read": ${modes}`],
  [
    'no size',
    without('capacity'),
    'spec.capacity: Required value',
    'spec.capacity: Unsupported value: null: supported values: "storage"',
  ],
  [
    'another size',
    volume({ capacity: { cpu: '1' } }),
    'spec.capacity: Unsupported value: {"cpu":"1"}: supported values: "storage"',
  ],
  [
    'two sizes',
    volume({ capacity: { cpu: '1', storage: '1' } }),
    'spec.capacity: Unsupported value: {"cpu":"1","storage":"1"}: supported values: "storage"',
  ],
  [
    'the size of nothing',
    volume({ capacity: { storage: '0' } }),
    'spec.capacity[storage]: Invalid value: "0": must be greater than zero',
  ],
  ['no source', without('hostPath'), 'spec: Required value: must specify a volume type'],
  ['two sources', volume({ nfs: { server: 's', path: '/p' } }), 'spec.nfs: Forbidden: may not specify more than 1 volume type'],
  ['a driver without a volume', driver({ volumeHandle: '' }), 'spec.csi.volumeHandle: Required value'],
  [
    'another policy, mode and class',
    volume({ persistentVolumeReclaimPolicy: 'Burn', volumeMode: 'Tape', storageClassName: 'A' }),
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"',
    'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
    `spec.storageClassName: Invalid value: "A": ${subdomain}`,
  ],
]

for (const [what, object, ...told] of volumes)
  test(`a volume with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(object), told)
    assert.deepEqual(refusals(object, { old: volume({}), subresource: 'status' }), [])
  })

test('what a volume is stays, and what is said of it may change', () => {
  const old = volume({})
  const said = {
    capacity: { storage: '2Gi' },
    storageClassName: 'b',
    persistentVolumeReclaimPolicy: 'Delete',
    accessModes: ['ReadOnlyMany'],
  }
  assert.deepEqual(refusals(volume(said), { old }), [])
  assert.deepEqual(refusals(volume({ hostPath: { path: '/b' } }), { old }), [
    'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
  ])
  assert.deepEqual(refusals(volume({ volumeMode: 'Block' }), { old }), ['volumeMode: Invalid value: "Block": field is immutable'])
})

test('a volume that is recycled is warned of', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'PersistentVolume' })
  assert.deepEqual(validate(volume({ persistentVolumeReclaimPolicy: 'Recycle' })).warnings, [
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
  ])
  assert.deepEqual(validate(volume({ persistentVolumeReclaimPolicy: 'Retain' })).warnings, [])
})
