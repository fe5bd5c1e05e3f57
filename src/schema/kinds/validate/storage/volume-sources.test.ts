import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const iscsi = { targetPortal: 'a', iqn: 'iqn.2001-04.com.example:storage', lun: 1 }
const secret = { name: 's', namespace: 'n' }
const somewhere = { required: { nodeSelectorTerms: [{}] } }

function volume(source: JsonObject, annotations: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'PersistentVolume',
    metadata: { name: 'v', annotations },
    spec: { accessModes: ['ReadWriteOnce'], capacity: { storage: '1Gi' }, ...source },
  }
}

const rows: readonly (readonly [source: JsonObject, ...told: string[]])[] = [
  [{ hostPath: { type: 'X' } }, 'spec.hostPath.path: Required value'],
  [
    { hostPath: { path: '../a', type: 'X' } },
    `spec.hostPath.path: Invalid value: "../a": must not contain '..'`,
    'spec.hostPath.type: Unsupported value: "X": supported values: "", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File", "FileOrCreate", "Socket"',
  ],
  [{ gcePersistentDisk: { pdName: 'a', partition: 255 } }],
  [
    { gcePersistentDisk: { partition: 256 } },
    'spec.persistentDisk.pdName: Required value',
    'spec.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive',
  ],
  [{ awsElasticBlockStore: { volumeID: 'a', partition: 0 } }],
  [
    { awsElasticBlockStore: { partition: -1 } },
    'spec.awsElasticBlockStore.volumeID: Required value',
    'spec.awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive',
  ],
  [{ glusterfs: { endpoints: 'a', path: 'b', endpointsNamespace: 'n' } }],
  [
    { glusterfs: { endpointsNamespace: '' } },
    'spec.glusterfs.endpoints: Required value',
    'spec.glusterfs.path: Required value',
    'spec.glusterfs.endpointsNamespace: Invalid value: "": if the endpointnamespace is set, it must be a valid namespace name',
  ],
  [
    { glusterfs: { endpoints: 'a', path: 'b', endpointsNamespace: 'N' } },
    `spec.glusterfs.endpointsNamespace: Invalid value: "N": ${label}`,
  ],
  [{ flocker: { datasetUUID: 'a' } }],
  [{ flocker: {} }, 'spec.flocker: Required value: one of datasetName and datasetUUID is required'],
  [
    { flocker: { datasetName: 'a/b', datasetUUID: 'c' } },
    'spec.flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously',
    `spec.flocker.datasetName: Invalid value: "a/b": must not contain '/'`,
  ],
  [
    { nfs: {} },
    'spec.nfs.server: Required value',
    'spec.nfs.path: Required value',
    'spec.nfs.path: Invalid value: "": must be an absolute path',
  ],
  [{ rbd: { monitors: ['a'], image: 'b' } }],
  [{ rbd: {} }, 'spec.rbd.monitors: Required value', 'spec.rbd.image: Required value'],
  [{ quobyte: { registry: 'a:1,[::1]:2,:', volume: 'b', tenant: 't'.repeat(64) } }],
  [
    { quobyte: {} },
    'spec.quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas',
    'spec.quobyte.volume: Required value',
  ],
  [
    { quobyte: { registry: 'a:1:2,b,[c:1', volume: 'b' } },
    ...Array.from(
      { length: 3 },
      () =>
        'spec.quobyte.registry: Invalid value: "a:1:2,b,[c:1": must be a host:port pair or multiple pairs separated by commas',
    ),
  ],
  [
    { quobyte: { registry: 'a', volume: 'b', tenant: 't'.repeat(65) } },
    'spec.quobyte.tenant: Required value: must be a UUID and may not exceed a length of 64 characters',
  ],
  [{ cephfs: { monitors: ['a'] } }],
  [{ cephfs: {} }, 'spec.cephfs.monitors: Required value'],
  [{ iscsi: { ...iscsi, secretRef: secret, chapAuthSession: true, initiatorName: 'iqn.2001-04..:a' } }],
  [{ iscsi: { ...iscsi, iqn: 'eui.02004567A425678D', lun: 255 } }],
  [{ iscsi: { ...iscsi, iqn: 'naa.62004567BA64678D0123456789ABCDEF', lun: 0 } }],
  [{ iscsi: {} }, 'spec.iscsi.targetPortal: Required value', 'spec.iscsi.iqn: Required value'],
  ...['iqn.2001-04.com', 'iqn.2001-04.com:', 'iqn.201-04.com:a', 'iqn.2001-04.com:a b', 'eui.1', 'naa.02004567A425678D', 'a'].map(
    iqn => [{ iscsi: { ...iscsi, iqn } }, `spec.iscsi.iqn: Invalid value: "${iqn}": must be valid format`] as const,
  ),
  [
    { iscsi: { ...iscsi, lun: 256, chapAuthDiscovery: true, initiatorName: 'a' } },
    'spec.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive',
    'spec.iscsi.secretRef: Required value',
    'spec.iscsi.initiatorname: Invalid value: "a": must be valid format',
  ],
  [{ iscsi: { ...iscsi, secretRef: {} } }, 'spec.iscsi.secretRef.name: Required value'],
  [{ cinder: { volumeID: 'a', secretRef: secret } }],
  [
    { cinder: { secretRef: {} } },
    'spec.cinder.volumeID: Required value',
    'spec.cinder.secretRef.name: Required value',
    'spec.cinder.secretRef.namespace: Required value',
  ],
  [{ fc: { wwids: ['a'] } }],
  [{ fc: { targetWWNs: ['a'], lun: 0 } }],
  [{ fc: { lun: 256 } }, 'spec.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both'],
  [{ fc: { targetWWNs: ['a'] } }, 'spec.fc.lun: Required value: lun is required if targetWWNs is specified'],
  [
    { fc: { targetWWNs: ['a'], wwids: ['b'], lun: -1 } },
    'spec.fc.targetWWNs: Invalid value: ["a"]: targetWWNs and wwids can not be specified simultaneously',
    'spec.fc.lun: Invalid value: -1: must be between 0 and 255, inclusive',
  ],
  [{ flexVolume: { driver: 'a', options: { 'b/kubernetes.io': 'c', 'xkubernetes.io/a': 'd', 'kubernetes.io.x/a': 'e' } } }],
  [{ flexVolume: {} }, 'spec.flexVolume.driver: Required value'],
  ...['kubernetes.io', 'KUBERNETES.io/x', 'x.k8s.io/'].map(
    option =>
      [
        { flexVolume: { driver: 'a', options: { [option]: 'b' } } },
        `spec.flexVolume.options[${option}]: Invalid value: "${option}": kubernetes.io and k8s.io namespaces are reserved`,
      ] as const,
  ),
  [{ azureFile: { secretName: 'A b', shareName: 'b' } }],
  [
    { azureFile: { secretNamespace: '' } },
    'spec.azureFile.secretName: Required value',
    'spec.azureFile.shareName: Required value',
    'spec.azureFile.secretNamespace: Required value',
  ],
  [{ azureDisk: { diskName: 'a', diskURI: 'https://b' } }],
  [{ azureDisk: { diskName: 'a', diskURI: '/subscriptions/b', kind: 'Managed' } }],
  [
    { azureDisk: { cachingMode: 'X', kind: 'Y' } },
    'spec.azureDisk.diskName: Required value',
    'spec.azureDisk.diskURI: Required value',
    'spec.azureDisk.cachingMode: Unsupported value: "X": supported values: "None", "ReadOnly", "ReadWrite"',
    'spec.azureDisk.kind: Unsupported value: "Y": supported values: "Dedicated", "Managed", "Shared"',
    'spec.azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"',
  ],
  [
    { azureDisk: { diskName: 'a', diskURI: 'https://b', kind: 'Managed' } },
    'spec.azureDisk.diskURI: Unsupported value: "https://b": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"',
  ],
  [{ vsphereVolume: {} }, 'spec.vsphereVolume.volumePath: Required value'],
  [{ photonPersistentDisk: {} }, 'spec.photonPersistentDisk.pdID: Required value'],
  [{ portworxVolume: {} }, 'spec.portworxVolume.volumeID: Required value'],
  [{ scaleIO: { gateway: 'a', system: 'b', volumeName: 'c', secretRef: {} } }],
  [
    { scaleIO: {} },
    'spec.scaleIO.gateway: Required value',
    'spec.scaleIO.system: Required value',
    'spec.scaleIO.volumeName: Required value',
  ],
  [{ local: { path: '/a' }, nodeAffinity: somewhere }],
  [{ local: { path: 'a/..' }, nodeAffinity: somewhere }, `spec.local.path: Invalid value: "a/..": must not contain '..'`],
  [{ local: {} }, 'spec.local.path: Required value', 'spec.nodeAffinity: Required value: Local volume requires node affinity'],
  [{ storageos: { volumeName: 'a', volumeNamespace: 'b', secretRef: secret } }],
  [
    { storageos: { volumeNamespace: 'B', secretRef: {} } },
    'spec.storageos.volumeName: Required value',
    `spec.storageos.volumeNamespace: Invalid value: "B": ${label}`,
    'spec.storageos.secretRef.name: Required value',
    'spec.storageos.secretRef.namespace: Required value',
  ],
  [{ csi: { driver: 'A.com', volumeHandle: 'h', nodeStageSecretRef: {}, nodePublishSecretRef: secret } }],
  [
    {
      csi: {
        controllerPublishSecretRef: {},
        controllerExpandSecretRef: { name: 'A' },
        nodePublishSecretRef: { namespace: 'B' },
        nodeExpandSecretRef: { name: 'c' },
      },
    },
    'spec.csi.driver: Required value',
    `spec.csi.driver: Invalid value: "": ${subdomain}`,
    'spec.csi.volumeHandle: Required value',
    'spec.csi.controllerPublishSecretRef.name: Required value',
    'spec.csi.controllerPublishSecretRef.namespace: Required value',
    `spec.csi.controllerExpandSecretRef.name: Invalid value: "A": ${subdomain}`,
    'spec.csi.controllerExpandSecretRef.namespace: Required value',
    'spec.csi.nodePublishSecretRef.name: Required value',
    `spec.csi.nodePublishSecretRef.namespace: Invalid value: "B": ${label}`,
    'spec.csi.nodeExpandSecretRef.namespace: Required value',
  ],
  [{}, 'spec: Required value: must specify a volume type'],
  [
    { hostPath: { path: '../a' }, csi: {} },
    `spec.hostPath.path: Invalid value: "../a": must not contain '..'`,
    'spec.csi: Forbidden: may not specify more than 1 volume type',
  ],
  [
    { csi: {}, cephfs: {}, hostPath: { path: '/a' } },
    'spec.cephFS: Forbidden: may not specify more than 1 volume type',
    'spec.csi: Forbidden: may not specify more than 1 volume type',
  ],
  [
    { csi: {}, flexVolume: {}, fc: { wwids: ['a'] } },
    'spec.flexVolume.driver: Required value',
    'spec.csi: Forbidden: may not specify more than 1 volume type',
  ],
]

for (const [source, ...told] of rows)
  test(`a volume from ${JSON.stringify(source).slice(0, 100)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(volume(source)), told)
  })

const abandoned: readonly (readonly [source: JsonObject, told: string])[] = [
  [{ photonPersistentDisk: { pdID: 'a' } }, 'spec.photonPersistentDisk: deprecated in v1.11, non-functional in v1.16+'],
  [{ scaleIO: { system: 'a' } }, 'spec.scaleIO: deprecated in v1.16, non-functional in v1.22+'],
  [{ storageos: { volumeName: 'a' } }, 'spec.storageOS: deprecated in v1.22, non-functional in v1.25+'],
  [{ glusterfs: { path: 'a' } }, 'spec.glusterfs: deprecated in v1.25, non-functional in v1.26+'],
  [{ rbd: { image: 'a' } }, 'spec.rbd: deprecated in v1.28, non-functional in v1.31+'],
  [{ cephfs: { monitors: ['a'] } }, 'spec.cephfs: deprecated in v1.28, non-functional in v1.31+'],
]

for (const [source, told] of abandoned)
  test(`whoever takes a volume from ${Object.keys(source).join()} is told that nothing mounts it any more`, () => {
    const { validate } = schemaOf({ apiVersion: 'v1', kind: 'PersistentVolume' })
    assert.deepEqual(validate(volume(source)).warnings, [told])
  })

const options = 'volume.beta.kubernetes.io/mount-options'
const mounted = [
  'gcePersistentDisk awsElasticBlockStore glusterfs nfs rbd quobyte cephfs iscsi cinder azureFile vsphereVolume azureDisk',
  'photonPersistentDisk',
].flatMap(fields => fields.split(' '))
const unmounted = ['hostPath', 'fc', 'flocker', 'flexVolume', 'portworxVolume', 'scaleIO', 'local', 'storageos', 'csi']
const refused = `metadata.annotations.${options}: Forbidden: may not specify mount options for this volume type`

for (const field of [...mounted, ...unmounted])
  test(`an annotation ${mounted.includes(field) ? 'may' : 'may not'} give options to mount a volume from ${field}`, () => {
    const told = refusals(volume({ [field]: {} }, { [options]: '' })).filter(text => text.startsWith('metadata.'))
    assert.deepEqual(told, mounted.includes(field) ? [] : [refused])
  })

test('options in an annotation are an old form', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'PersistentVolume' })
  assert.deepEqual(validate(volume({ nfs: { server: 's', path: '/' } }, { [options]: 'ro' })).warnings, [
    `metadata.annotations[${options}]: deprecated since v1.31; use "mountOptions" attribute instead`,
  ])
})
