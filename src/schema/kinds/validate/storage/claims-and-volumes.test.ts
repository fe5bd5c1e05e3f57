import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const requests = { resources: { requests: { storage: '1Gi' } } }
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const modes = 'supported values: "ReadOnlyMany", "ReadWriteMany", "ReadWriteOnce", "ReadWriteOncePod"'

const snapshot = { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' }
const ownClaim = "must be 'PersistentVolumeClaim' when referencing the default apiGroup"

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
  [
    { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] }, accessModes: [], volumeAttributesClassName: 'A' },
    'spec.accessModes: Required value: at least 1 access mode is required',
    'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    `spec.volumeAttributesClassName: Invalid value: "A": ${subdomain}`,
  ],
  [
    { selector: { matchExpressions: [{ key: 'a', operator: 'Is' }] }, accessModes: ['Read'] },
    'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
    `spec.accessModes: Unsupported value: "Read": ${modes}`,
  ],
  [{ volumeAttributesClassName: '' }],
  [{ dataSource: snapshot, dataSourceRef: snapshot }],
  [
    { dataSource: {}, dataSourceRef: { apiGroup: 'A', kind: 'B', name: '' } },
    'spec.dataSource.name: Required value',
    'spec.dataSource.kind: Required value',
    `spec.dataSource: Invalid value: "": ${ownClaim}`,
    'spec.dataSourceRef.name: Required value',
    `spec.dataSourceRef.apiGroup: Invalid value: "A": ${subdomain}`,
    'spec: Invalid value: {}: must match dataSourceRef',
  ],
  [{ dataSourceRef: { kind: 'Pod', name: 'p' } }, `spec.dataSourceRef: Invalid value: "Pod": ${ownClaim}`],
]

for (const [spec, ...told] of claims)
  test(`a claim with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(claim(spec)), told)
  })

const frozen =
  'spec: Forbidden: spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'
const more = { resources: { requests: { storage: '2Gi' } } }

/** Lines that go are marked, and those that come. */
const changed = (from: string, ...lines: string[]): string => `${[frozen, `@@ ${from} @@`, ...lines].join('\n')}\n`
const attributes = (before: string, now: string): string =>
  changed(
    '-14,5 +14,5',
    '  "VolumeMode": "Filesystem",',
    '  "DataSource": null,',
    '  "DataSourceRef": null,',
    `- "VolumeAttributesClassName": ${before}`,
    `+ "VolumeAttributesClassName": ${now}`,
    ' }',
  )
const classes = (name: string, before: string, now: string): string =>
  changed(
    '-10,7 +10,7',
    '   }',
    '  },',
    `  "VolumeName": "${name}",`,
    `- "StorageClassName": ${before},`,
    `+ "StorageClassName": ${now},`,
    '  "VolumeMode": "Filesystem",',
    '  "DataSource": null,',
    '  "DataSourceRef": null,',
  )
const sizes = (now: string): string =>
  changed(
    '-6,7 +6,7',
    '  "Resources": {',
    '   "Limits": null,',
    '   "Requests": {',
    '-   "storage": "1Gi"',
    `+   "storage": "${now}"`,
    '   }',
    '  },',
    '  "VolumeName": "",',
  )
const limited = { resources: { ...requests.resources, limits: { storage: '2Gi' } } }
const small = (storage: string): JsonObject => ({ resources: { requests: { storage } } })
const lessText = 'spec.resources.requests.storage: Forbidden: field can not be less than status.capacity'

const changes: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...told: string[]])[] = [
  ['nothing', claim({}), claim({})],
  ['its size to a smaller one before it has any', claim({}), claim(small('512Mi')), sizes('512Mi')],
  [
    'its size to as much as it has',
    { ...claim({}, 'Bound'), status: { phase: 'Bound', capacity: { storage: '512Mi' } } },
    claim(small('512Mi'), 'Bound'),
    lessText,
  ],
  [
    'its size to more than it has, but less than it asked for',
    { ...claim({}, 'Bound'), status: { phase: 'Bound', capacity: { storage: '512Mi' } } },
    claim(small('600Mi'), 'Bound'),
  ],
  [
    'its mode, what it selects and from what it is filled',
    claim({}),
    claim({
      volumeMode: 'Block',
      selector: { matchLabels: { b: '', a: '' } },
      dataSource: snapshot,
      dataSourceRef: snapshot,
    }),
    changed(
      '-2,7 +2,12',
      '  "AccessModes": [',
      '   "ReadWriteOnce"',
      '  ],',
      '- "Selector": null,',
      '+ "Selector": {',
      '+  "matchLabels": {',
      '+   "a": "",',
      '+   "b": ""',
      '+  }',
      '+ },',
      '  "Resources": {',
      '   "Limits": null,',
      '   "Requests": {',
      '@@ -11,8 +16,17 @@',
      '  },',
      '  "VolumeName": "",',
      '  "StorageClassName": null,',
      '- "VolumeMode": "Filesystem",',
      '- "DataSource": null,',
      '- "DataSourceRef": null,',
      '+ "VolumeMode": "Block",',
      '+ "DataSource": {',
      '+  "APIGroup": "snapshot.storage.k8s.io",',
      '+  "Kind": "VolumeSnapshot",',
      '+  "Name": "s"',
      '+ },',
      '+ "DataSourceRef": {',
      '+  "APIGroup": "snapshot.storage.k8s.io",',
      '+  "Kind": "VolumeSnapshot",',
      '+  "Name": "s",',
      '+  "Namespace": null',
      '+ },',
      '  "VolumeAttributesClassName": null',
      '  }'.slice(1),
    ),
    'volumeMode: Invalid value: "Block": field is immutable',
  ],
  ['its size before it has a volume', claim({}), claim(more), sizes('2Gi')],
  ['its size once it has a volume', claim({}, 'Bound'), claim(more, 'Bound')],
  [
    'its limit',
    claim({}, 'Bound'),
    claim(limited, 'Bound'),
    changed(
      '-4,7 +4,9',
      '  ],',
      '  "Selector": null,',
      '  "Resources": {',
      '-  "Limits": null,',
      '+  "Limits": {',
      '+   "storage": "2Gi"',
      '+  },',
      '   "Requests": {',
      '    "storage": "1Gi"',
      '   }',
    ),
  ],
  ['that it has a volume', claim({}, 'Bound'), claim({ volumeName: 'v' }, 'Bound')],
  ['its class', claim({ storageClassName: 'a' }), claim({ storageClassName: 'b' }), classes('', '"a"', '"b"')],
  ['that it has a class', claim({}), claim({ storageClassName: 'b' })],
  [
    'that it has a class beside its volume',
    claim({ volumeName: 'v' }),
    claim({ volumeName: 'v', storageClassName: 'b' }),
    classes('v', 'null', '"b"'),
  ],
  ['its attributes before it has a volume', claim({}), claim({ volumeAttributesClassName: 'a' }), attributes('null', '"a"')],
  [
    'its attributes for others',
    claim({ volumeAttributesClassName: 'a' }),
    claim({ volumeAttributesClassName: 'b' }),
    attributes('"a"', '"b"'),
  ],
  ['that it has attributes once it has a volume', claim({ volumeAttributesClassName: 'a' }, 'Bound'), claim({}, 'Bound')],
  ['its attributes once it has a volume', claim({}, 'Bound'), claim({ volumeAttributesClassName: 'a' }, 'Bound')],
]

for (const [what, old, now, ...told] of changes)
  test(`that a claim changes ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(now, { old }), told)
    assert.deepEqual(refusals(claim({ accessModes: [] }), { old, subresource: 'status' }), [])
  })

const states =
  'supported values: "ControllerResizeInProgress", "ControllerResizeInfeasible", "NodeResizeInProgress", "NodeResizeInfeasible", "NodeResizePending"'
const qualifiedText =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

const given: readonly (readonly [status: JsonObject, ...told: string[]])[] = [
  [{ capacity: { storage: '0', cpu: '1' }, allocatedResources: { storage: '0', 'a.b/c': '1' } }],
  [{ allocatedResourceStatuses: { storage: 'NodeResizePending', 'a.b/c': 'NodeResizeInProgress' } }],
  [
    { capacity: { storage: '-1' }, allocatedResources: { storage: '-1500m', b: '1' } },
    'status.capacity[storage]: Invalid value: -1: must be a valid resource quantity',
    'status.allocatedResources: Unsupported value: "b": supported values: "storage"',
    'status.allocatedResources[storage]: Invalid value: -2: must be a valid resource quantity',
  ],
  [
    { allocatedResourceStatuses: { storage: 'Big', b: 'NodeResizePending', '-': 'NodeResizePending' } },
    `status.allocatedResourceStatuses: Invalid value: "-": ${qualifiedText}`,
    'status.allocatedResourceStatuses: Unsupported value: "b": supported values: "storage"',
    `status.allocatedResourceStatuses: Unsupported value: "storage": ${states}`,
  ],
]

for (const [status, ...told] of given)
  test(`that a claim is given ${JSON.stringify(status)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals({ ...claim({}), status }, { old: claim({}), subresource: 'status' }), told)
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
  [
    'sizes below nothing',
    volume({ capacity: { storage: '-1500m', cpu: '0' } }),
    'spec.capacity: Unsupported value: {"cpu":"0","storage":"-1500m"}: supported values: "storage"',
    'spec.capacity[cpu]: Invalid value: "0": must be greater than zero',
    'spec.capacity[storage]: Invalid value: -2: must be a valid resource quantity',
    'spec.capacity[storage]: Invalid value: "-1500m": must be greater than zero',
  ],
  [
    'a size below all numbers',
    volume({ capacity: { storage: '-10e18' } }),
    'spec.capacity[storage]: Invalid value: "-10e18": must be greater than zero',
  ],
  [
    'a mode for one pod and others',
    volume({ accessModes: ['ReadWriteOncePod', 'ReadWriteOnce'] }),
    'spec.accessModes: Forbidden: may not use ReadWriteOncePod with other access modes',
  ],
  [
    'a mode for one pod and what is none',
    volume({ accessModes: ['ReadWriteOncePod', 'Read'] }),
    `spec.accessModes: Unsupported value: "Read": ${modes}`,
  ],
  [
    'no nodes from which it is reached',
    volume({ nodeAffinity: {} }),
    'spec.nodeAffinity.required: Required value: must specify required node constraints',
  ],
  ...['/', '//', '/a/../.'].map(
    path =>
      [
        `all of a node, by ${path}, to be emptied`,
        volume({ hostPath: { path }, persistentVolumeReclaimPolicy: 'Recycle', volumeMode: 'Tape' }),
        ...(path.includes('..') ? [`spec.hostPath.path: Invalid value: "${path}": must not contain '..'`] : []),
        "spec.persistentVolumeReclaimPolicy: Forbidden: may not be 'recycle' for a hostPath mount of '/'",
        'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
      ] as const,
  ),
  ['all of a node', volume({ hostPath: { path: '/' } })],
  ['a class of attributes', { ...driver({}), spec: { ...(driver({}).spec as JsonObject), volumeAttributesClassName: 'a' } }],
  [
    'a class of attributes that has no name, and no driver',
    volume({ volumeAttributesClassName: '' }),
    'spec.volumeAttributesClassName: Required value: an empty string is disallowed',
    'spec.csi: Required value: has to be specified when using volumeAttributesClassName',
  ],
  ['no source', without('hostPath'), 'spec: Required value: must specify a volume type'],
  ['two sources', volume({ nfs: { server: 's', path: '/p' } }), 'spec.nfs: Forbidden: may not specify more than 1 volume type'],
  ['a driver without a volume', driver({ volumeHandle: '' }), 'spec.csi.volumeHandle: Required value'],
  [
    'another policy, mode and class',
    volume({ persistentVolumeReclaimPolicy: 'Burn', volumeMode: 'Tape', storageClassName: 'A' }),
    'spec.persistentVolumeReclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Recycle", "Retain"',
    `spec.storageClassName: Invalid value: "A": ${subdomain}`,
    'spec.volumeMode: Unsupported value: "Tape": supported values: "Block", "Filesystem"',
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
    [
      'spec.persistentvolumesource: Forbidden: spec.persistentvolumesource is immutable after creation',
      '@@ -2,7 +2,7 @@',
      '  "GCEPersistentDisk": null,',
      '  "AWSElasticBlockStore": null,',
      '  "HostPath": {',
      '-  "Path": "/a",',
      '+  "Path": "/b",',
      '   "Type": ""',
      '  },',
      '  "Glusterfs": null,',
      '',
    ].join('\n'),
  ])
  assert.deepEqual(refusals(volume({ volumeMode: 'Block' }), { old }), ['volumeMode: Invalid value: "Block": field is immutable'])
})

test('a changed volume is looked at twice, and its class of attributes may be another but not none', () => {
  const spec = (volumeAttributesClassName?: string): JsonObject => ({
    ...(driver({}).spec as JsonObject),
    ...(volumeAttributesClassName !== undefined && { volumeAttributesClassName }),
  })
  const old = { ...driver({}), spec: spec('a') }
  assert.deepEqual(refusals({ ...old, spec: spec('b') }, { old }), [])
  assert.deepEqual(refusals({ ...old, spec: { ...spec(), accessModes: [] } }, { old }), [
    'spec.accessModes: Required value',
    'spec.accessModes: Required value',
    'spec.volumeAttributesClassName: Forbidden: update from non-nil value to nil is forbidden',
  ])
})

/** Each kind of source, all of it told: what comes with it and what the server's type has for what is left out. */
const sources: readonly (readonly [source: JsonObject, ...told: string[]])[] = [
  [
    { cinder: { volumeID: 'v' } },
    '"Cinder": {',
    ' "VolumeID": "v",',
    ' "FSType": "",',
    ' "ReadOnly": false,',
    ' "SecretRef": null',
  ],
  [
    { azureFile: { secretName: 's', shareName: 't' } },
    '"AzureFile": {',
    ' "SecretName": "s",',
    ' "ShareName": "t",',
    ' "ReadOnly": false,',
    ' "SecretNamespace": null',
  ],
  [{ photonPersistentDisk: { pdID: 'a' } }, '"PhotonPersistentDisk": {', ' "PdID": "a",', ' "FSType": ""'],
  [
    { storageos: { volumeName: 'a', volumeNamespace: 'b', secretRef: { name: 'a', namespace: 'b' } } },
    '"StorageOS": {',
    ' "VolumeName": "a",',
    ' "VolumeNamespace": "b",',
    ' "FSType": "",',
    ' "ReadOnly": false,',
    ' "SecretRef": {',
    '  "Kind": "",',
    '  "Namespace": "b",',
    '  "Name": "a",',
    '  "UID": "",',
    '  "APIVersion": "",',
    '  "ResourceVersion": "",',
    '  "FieldPath": ""',
    ' }',
  ],
  [
    {
      csi: {
        driver: 'a.b',
        volumeHandle: 'h',
        volumeAttributes: { z: '1', a: '2' },
        nodeStageSecretRef: { name: 'a', namespace: 'b' },
      },
    },
    '"CSI": {',
    ' "Driver": "a.b",',
    ' "VolumeHandle": "h",',
    ' "ReadOnly": false,',
    ' "FSType": "",',
    ' "VolumeAttributes": {',
    '  "a": "2",',
    '  "z": "1"',
    ' },',
    ' "ControllerPublishSecretRef": null,',
    ' "NodeStageSecretRef": {',
    '  "Name": "a",',
    '  "Namespace": "b"',
    ' },',
    ' "NodePublishSecretRef": null,',
    ' "ControllerExpandSecretRef": null,',
    ' "NodeExpandSecretRef": null',
  ],
]

for (const [source, ...told] of sources)
  test(`that a folder becomes ${Object.keys(source).join()} is told with all that comes`, () => {
    const { hostPath: _path, ...spec } = volume({}).spec as JsonObject
    const lines = refusals({ ...volume({}), spec: { ...spec, ...source } }, { old: volume({}) })
      .join()
      .split('\n')
    const come = lines.filter(line => line.startsWith('+') && line !== '+ "HostPath": null,').map(line => line.slice(2))
    assert.deepEqual(come.slice(0, -1), told)
    assert.match(come.at(-1) as string, /^\},?$/)
    assert.deepEqual(
      lines.filter(line => /^- {2}/.test(line)),
      ['-  "Path": "/a",', '-  "Type": ""'],
    )
  })

const zone = 'failure-domain.beta.kubernetes.io/zone'
const reached = (key: string, values: string[] = ['a'], more: JsonObject = {}): JsonObject =>
  volume({
    nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key, operator: 'In', values }], ...more }] } },
  })
const shownReach = (key: string, value: string): string =>
  `{"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"${key}","Operator":"In","Values":["${value}"]}],"MatchFields":null}]}}`
const kept = (shown: string): string =>
  `nodeAffinity: Invalid value: ${shown}: field is immutable, except for updating from beta label to GA`

const reaches: readonly (readonly [what: string, before: JsonObject, now: JsonObject, ...told: string[]])[] = [
  ['nothing', reached('x'), reached('x')],
  ['that it says from where', volume({}), reached('x')],
  ['that it says from anywhere', reached('x'), volume({}), kept('null')],
  ['the label', reached('x'), reached('y'), kept(shownReach('y', 'a'))],
  ['the label to its new name', reached(zone), reached('topology.kubernetes.io/zone')],
  ['the label to its old name', reached('topology.kubernetes.io/zone'), reached(zone), kept(shownReach(zone, 'a'))],
  [
    'the label to its new name, and the value',
    reached(zone),
    reached('topology.kubernetes.io/zone', ['b']),
    kept(shownReach('topology.kubernetes.io/zone', 'b')),
  ],
  [
    'the node',
    reached('x'),
    reached('x', ['a'], { matchFields: [{ key: 'metadata.name', operator: 'In', values: ['n'] }] }),
    kept(
      '{"Required":{"NodeSelectorTerms":[{"MatchExpressions":[{"Key":"x","Operator":"In","Values":["a"]}],"MatchFields":[{"Key":"metadata.name","Operator":"In","Values":["n"]}]}]}}',
    ),
  ],
]

for (const [what, old, now, ...told] of reaches)
  test(`that a volume changes ${what} of the nodes from which it is reached is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(now, { old }), told)
  })

test('a volume whose label of nodes loses its name is told of that name alone', () => {
  const told = refusals(reached(''), { old: reached('x') })
  assert.deepEqual(
    [...new Set(told.map(line => line.split(':')[0]))],
    ['spec.nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].key'],
  )
})

test('the group of what a claim is filled from is looked at when the claim is made', () => {
  const other = { ...snapshot, apiGroup: 'A' }
  const filled = claim({ dataSource: other, dataSourceRef: other })
  assert.equal(refusals(filled).length, 2)
  assert.deepEqual(refusals(filled, { old: filled }), [])
})

test('a volume that is recycled is warned of', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'PersistentVolume' })
  assert.deepEqual(validate(volume({ persistentVolumeReclaimPolicy: 'Recycle' })).warnings, [
    'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.',
  ])
  assert.deepEqual(validate(volume({ persistentVolumeReclaimPolicy: 'Retain' })).warnings, [])
})

const old = 'volume.beta.kubernetes.io/storage-class'
const oldText = `metadata.annotations[${old}]: deprecated since v1.8; use "storageClassName" attribute instead`

test('a claim is warned of a class in an annotation and of parts of a byte', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'PersistentVolumeClaim' })
  const resources = { requests: { storage: '1500m', cpu: '500m' }, limits: { storage: '0.5' } }
  const parts = 'is invalid, must be an integer'
  assert.deepEqual(validate({ ...claim({ resources }), metadata: { name: 'c', annotations: { [old]: 'a' } } }).warnings, [
    oldText,
    `spec.resources.requests[storage]: fractional byte value "1500m" ${parts}`,
    `spec.resources.limits[storage]: fractional byte value "0.5" ${parts}`,
  ])
  assert.deepEqual(validate(claim({})).warnings, [])
})

test('a volume is warned of a class in an annotation first', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'PersistentVolume' })
  const object = { ...volume({ persistentVolumeReclaimPolicy: 'Recycle' }), metadata: { annotations: { [old]: 'a' } } }
  assert.deepEqual(validate(object).warnings.slice(0, 1), [oldText])
  assert.equal(validate(object).warnings.length, 2)
})
