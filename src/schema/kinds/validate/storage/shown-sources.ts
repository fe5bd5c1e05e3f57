// Claims and sources of volumes as a real server's own types have them, for a refusal that shows what changed.
import { escapeHtml } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { objectOf } from '../checks.ts'
import { shownSelector } from '../selectors.ts'
import { unifiedDiff } from './unified-diff.ts'

/** By the name in the server's type: the field, what stands there when there is none, and how one looks that has fields itself. */
type Shape = Readonly<Record<string, readonly [field: string, none: Json, shape?: Shape]>>

const secret: Shape = { Name: ['name', ''], Namespace: ['namespace', ''] }
const reference: Shape = {
  Kind: ['kind', ''],
  Namespace: ['namespace', ''],
  Name: ['name', ''],
  UID: ['uid', ''],
  APIVersion: ['apiVersion', ''],
  ResourceVersion: ['resourceVersion', ''],
  FieldPath: ['fieldPath', ''],
}
const fsType = ['fsType', ''] as const
const readOnly = ['readOnly', false] as const
const secretRef = ['secretRef', null, secret] as const
const partitioned: Shape = { FSType: fsType, Partition: ['partition', 0], ReadOnly: readOnly }

const sources: Shape = {
  GCEPersistentDisk: ['gcePersistentDisk', null, { PDName: ['pdName', ''], ...partitioned }],
  AWSElasticBlockStore: ['awsElasticBlockStore', null, { VolumeID: ['volumeID', ''], ...partitioned }],
  HostPath: ['hostPath', null, { Path: ['path', ''], Type: ['type', null] }],
  Glusterfs: [
    'glusterfs',
    null,
    {
      EndpointsName: ['endpoints', ''],
      Path: ['path', ''],
      ReadOnly: readOnly,
      EndpointsNamespace: ['endpointsNamespace', null],
    },
  ],
  NFS: ['nfs', null, { Server: ['server', ''], Path: ['path', ''], ReadOnly: readOnly }],
  RBD: [
    'rbd',
    null,
    {
      CephMonitors: ['monitors', null],
      RBDImage: ['image', ''],
      FSType: fsType,
      RBDPool: ['pool', ''],
      RadosUser: ['user', ''],
      Keyring: ['keyring', ''],
      SecretRef: secretRef,
      ReadOnly: readOnly,
    },
  ],
  Quobyte: [
    'quobyte',
    null,
    {
      Registry: ['registry', ''],
      Volume: ['volume', ''],
      ReadOnly: readOnly,
      User: ['user', ''],
      Group: ['group', ''],
      Tenant: ['tenant', ''],
    },
  ],
  ISCSI: [
    'iscsi',
    null,
    {
      TargetPortal: ['targetPortal', ''],
      IQN: ['iqn', ''],
      Lun: ['lun', 0],
      ISCSIInterface: ['iscsiInterface', ''],
      FSType: fsType,
      ReadOnly: readOnly,
      Portals: ['portals', null],
      DiscoveryCHAPAuth: ['chapAuthDiscovery', false],
      SessionCHAPAuth: ['chapAuthSession', false],
      SecretRef: secretRef,
      InitiatorName: ['initiatorName', null],
    },
  ],
  FlexVolume: [
    'flexVolume',
    null,
    { Driver: ['driver', ''], FSType: fsType, SecretRef: secretRef, ReadOnly: readOnly, Options: ['options', null] },
  ],
  Cinder: ['cinder', null, { VolumeID: ['volumeID', ''], FSType: fsType, ReadOnly: readOnly, SecretRef: secretRef }],
  CephFS: [
    'cephfs',
    null,
    {
      Monitors: ['monitors', null],
      Path: ['path', ''],
      User: ['user', ''],
      SecretFile: ['secretFile', ''],
      SecretRef: secretRef,
      ReadOnly: readOnly,
    },
  ],
  FC: [
    'fc',
    null,
    { TargetWWNs: ['targetWWNs', null], Lun: ['lun', null], FSType: fsType, ReadOnly: readOnly, WWIDs: ['wwids', null] },
  ],
  Flocker: ['flocker', null, { DatasetName: ['datasetName', ''], DatasetUUID: ['datasetUUID', ''] }],
  AzureFile: [
    'azureFile',
    null,
    {
      SecretName: ['secretName', ''],
      ShareName: ['shareName', ''],
      ReadOnly: readOnly,
      SecretNamespace: ['secretNamespace', null],
    },
  ],
  VsphereVolume: [
    'vsphereVolume',
    null,
    {
      VolumePath: ['volumePath', ''],
      FSType: fsType,
      StoragePolicyName: ['storagePolicyName', ''],
      StoragePolicyID: ['storagePolicyID', ''],
    },
  ],
  AzureDisk: [
    'azureDisk',
    null,
    {
      DiskName: ['diskName', ''],
      DataDiskURI: ['diskURI', ''],
      CachingMode: ['cachingMode', null],
      FSType: ['fsType', null],
      ReadOnly: ['readOnly', null],
      Kind: ['kind', null],
    },
  ],
  PhotonPersistentDisk: ['photonPersistentDisk', null, { PdID: ['pdID', ''], FSType: fsType }],
  PortworxVolume: ['portworxVolume', null, { VolumeID: ['volumeID', ''], FSType: fsType, ReadOnly: readOnly }],
  ScaleIO: [
    'scaleIO',
    null,
    {
      Gateway: ['gateway', ''],
      System: ['system', ''],
      SecretRef: secretRef,
      SSLEnabled: ['sslEnabled', false],
      ProtectionDomain: ['protectionDomain', ''],
      StoragePool: ['storagePool', ''],
      StorageMode: ['storageMode', ''],
      VolumeName: ['volumeName', ''],
      FSType: fsType,
      ReadOnly: readOnly,
    },
  ],
  Local: ['local', null, { Path: ['path', ''], FSType: ['fsType', null] }],
  StorageOS: [
    'storageos',
    null,
    {
      VolumeName: ['volumeName', ''],
      VolumeNamespace: ['volumeNamespace', ''],
      FSType: fsType,
      ReadOnly: readOnly,
      SecretRef: ['secretRef', null, reference],
    },
  ],
  CSI: [
    'csi',
    null,
    {
      Driver: ['driver', ''],
      VolumeHandle: ['volumeHandle', ''],
      ReadOnly: readOnly,
      FSType: fsType,
      VolumeAttributes: ['volumeAttributes', null],
      ControllerPublishSecretRef: ['controllerPublishSecretRef', null, secret],
      NodeStageSecretRef: ['nodeStageSecretRef', null, secret],
      NodePublishSecretRef: ['nodePublishSecretRef', null, secret],
      ControllerExpandSecretRef: ['controllerExpandSecretRef', null, secret],
      NodeExpandSecretRef: ['nodeExpandSecretRef', null, secret],
    },
  ],
}

const content: Shape = { APIGroup: ['apiGroup', null], Kind: ['kind', ''], Name: ['name', ''] }
const claim: Shape = {
  AccessModes: ['accessModes', null],
  Selector: ['selector', null],
  Resources: ['resources', {}, { Limits: ['limits', null], Requests: ['requests', null] }],
  VolumeName: ['volumeName', ''],
  StorageClassName: ['storageClassName', null],
  VolumeMode: ['volumeMode', null],
  DataSource: ['dataSource', null, content],
  DataSourceRef: ['dataSourceRef', null, { ...content, Namespace: ['namespace', null] }],
  VolumeAttributesClassName: ['volumeAttributesClassName', null],
}

/** What changed of a volume's source. */
export function sourceChange(before: JsonObject, now: JsonObject): string {
  return unifiedDiff(lines(shown(before, sources)), lines(shown(now, sources)))
}

/** What changed of a claim. */
export function claimChange(before: JsonObject, now: JsonObject): string {
  return unifiedDiff(lines(shownClaim(before)), lines(shownClaim(now)))
}

function shownClaim(spec: JsonObject): JsonObject {
  const { selector } = spec
  return shown(isObject(selector) ? { ...spec, selector: shownSelector(selector) } : spec, claim)
}

function shown(value: JsonObject, shape: Shape): JsonObject {
  const entries = Object.entries(shape).map(([name, [field, none, inner]]): [string, Json] => {
    const given = value[field] ?? none
    if (isObject(given)) return [name, inner === undefined ? inOrder(field, given) : shown(given, inner)]
    return [name, given]
  })
  return Object.fromEntries(entries)
}

/** What people name themselves stands in the order of its names; a selector is in order already. */
function inOrder(field: string, given: JsonObject): JsonObject {
  if (field === 'selector') return given
  return Object.fromEntries(
    Object.keys(given)
      .sort()
      .map(name => [name, objectOf(given)[name] ?? null]),
  )
}

function lines(value: JsonObject): string[] {
  return escapeHtml(JSON.stringify(value, null, 1)).split('\n')
}
