// Sources of volumes, those of the cluster's own volumes and those of pods, and claims.
import type { FormShape } from './form.ts'

type Field = FormShape[string]

const fsType = ['fsType', ''] as const
const readOnly = ['readOnly', false] as const
const partitioned: FormShape = { FSType: fsType, Partition: ['partition', 0], ReadOnly: readOnly }

/** What both know, and what has no secrets. */
const plainSources = {
  HostPath: ['hostPath', null, { Path: ['path', ''], Type: ['type', null] }],
  GCEPersistentDisk: ['gcePersistentDisk', null, { PDName: ['pdName', ''], ...partitioned }],
  AWSElasticBlockStore: ['awsElasticBlockStore', null, { VolumeID: ['volumeID', ''], ...partitioned }],
  NFS: ['nfs', null, { Server: ['server', ''], Path: ['path', ''], ReadOnly: readOnly }],
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
  Flocker: ['flocker', null, { DatasetName: ['datasetName', ''], DatasetUUID: ['datasetUUID', ''] }],
  FC: [
    'fc',
    null,
    { TargetWWNs: ['targetWWNs', null], Lun: ['lun', null], FSType: fsType, ReadOnly: readOnly, WWIDs: ['wwids', null] },
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
} satisfies FormShape

const iscsi = (SecretRef: Field): Field => [
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
    SecretRef,
    InitiatorName: ['initiatorName', null],
  },
]

const rbd = (SecretRef: Field): Field => [
  'rbd',
  null,
  {
    CephMonitors: ['monitors', null],
    RBDImage: ['image', ''],
    FSType: fsType,
    RBDPool: ['pool', ''],
    RadosUser: ['user', ''],
    Keyring: ['keyring', ''],
    SecretRef,
    ReadOnly: readOnly,
  },
]

const flexVolume = (SecretRef: Field): Field => [
  'flexVolume',
  null,
  {
    Driver: ['driver', ''],
    FSType: fsType,
    SecretRef,
    ReadOnly: readOnly,
    Options: ['options', null, 'names'],
  },
]

const cinder = (SecretRef: Field): Field => [
  'cinder',
  null,
  { VolumeID: ['volumeID', ''], FSType: fsType, ReadOnly: readOnly, SecretRef },
]

const cephFs = (SecretRef: Field): Field => [
  'cephfs',
  null,
  {
    Monitors: ['monitors', null],
    Path: ['path', ''],
    User: ['user', ''],
    SecretFile: ['secretFile', ''],
    SecretRef,
    ReadOnly: readOnly,
  },
]

const scaleIo = (SecretRef: Field): Field => [
  'scaleIO',
  null,
  {
    Gateway: ['gateway', ''],
    System: ['system', ''],
    SecretRef,
    SSLEnabled: ['sslEnabled', false],
    ProtectionDomain: ['protectionDomain', ''],
    StoragePool: ['storagePool', ''],
    StorageMode: ['storageMode', ''],
    VolumeName: ['volumeName', ''],
    FSType: fsType,
    ReadOnly: readOnly,
  },
]

const storageOs = (SecretRef: Field): Field => [
  'storageos',
  null,
  {
    VolumeName: ['volumeName', ''],
    VolumeNamespace: ['volumeNamespace', ''],
    FSType: fsType,
    ReadOnly: readOnly,
    SecretRef,
  },
]

/** With secrets, which differ: those of the cluster's own volumes say of which namespace they are. */
function commonSources(secretRef: Field, storageSecretRef: Field) {
  return {
    ...plainSources,
    ISCSI: iscsi(secretRef),
    RBD: rbd(secretRef),
    FlexVolume: flexVolume(secretRef),
    Cinder: cinder(secretRef),
    CephFS: cephFs(secretRef),
    ScaleIO: scaleIo(secretRef),
    StorageOS: storageOs(storageSecretRef),
  }
}

const gluster: FormShape = { EndpointsName: ['endpoints', ''], Path: ['path', ''], ReadOnly: readOnly }
const azureFile: FormShape = { SecretName: ['secretName', ''], ShareName: ['shareName', ''], ReadOnly: readOnly }

const secret: FormShape = { Name: ['name', ''], Namespace: ['namespace', ''] }
const reference: FormShape = {
  Kind: ['kind', ''],
  Namespace: ['namespace', ''],
  Name: ['name', ''],
  UID: ['uid', ''],
  APIVersion: ['apiVersion', ''],
  ResourceVersion: ['resourceVersion', ''],
  FieldPath: ['fieldPath', ''],
}
const ofCluster = commonSources(['secretRef', null, secret], ['secretRef', null, reference])

/** What stands in the spec of a PersistentVolume. */
export const persistentSources: FormShape = {
  GCEPersistentDisk: ofCluster.GCEPersistentDisk,
  AWSElasticBlockStore: ofCluster.AWSElasticBlockStore,
  HostPath: ofCluster.HostPath,
  Glusterfs: ['glusterfs', null, { ...gluster, EndpointsNamespace: ['endpointsNamespace', null] }],
  NFS: ofCluster.NFS,
  RBD: ofCluster.RBD,
  Quobyte: ofCluster.Quobyte,
  ISCSI: ofCluster.ISCSI,
  FlexVolume: ofCluster.FlexVolume,
  Cinder: ofCluster.Cinder,
  CephFS: ofCluster.CephFS,
  FC: ofCluster.FC,
  Flocker: ofCluster.Flocker,
  AzureFile: ['azureFile', null, { ...azureFile, SecretNamespace: ['secretNamespace', null] }],
  VsphereVolume: ofCluster.VsphereVolume,
  AzureDisk: ofCluster.AzureDisk,
  PhotonPersistentDisk: ofCluster.PhotonPersistentDisk,
  PortworxVolume: ofCluster.PortworxVolume,
  ScaleIO: ofCluster.ScaleIO,
  Local: ['local', null, { Path: ['path', ''], FSType: ['fsType', null] }],
  StorageOS: ofCluster.StorageOS,
  CSI: [
    'csi',
    null,
    {
      Driver: ['driver', ''],
      VolumeHandle: ['volumeHandle', ''],
      ReadOnly: readOnly,
      FSType: fsType,
      VolumeAttributes: ['volumeAttributes', null, 'names'],
      ControllerPublishSecretRef: ['controllerPublishSecretRef', null, secret],
      NodeStageSecretRef: ['nodeStageSecretRef', null, secret],
      NodePublishSecretRef: ['nodePublishSecretRef', null, secret],
      ControllerExpandSecretRef: ['controllerExpandSecretRef', null, secret],
      NodeExpandSecretRef: ['nodeExpandSecretRef', null, secret],
    },
  ],
}

const content: FormShape = { APIGroup: ['apiGroup', null], Kind: ['kind', ''], Name: ['name', ''] }

/** The spec of a PersistentVolumeClaim. */
export const claimSpec: FormShape = {
  AccessModes: ['accessModes', null],
  Selector: ['selector', null, 'selector'],
  Resources: ['resources', {}, { Limits: ['limits', null, 'amounts'], Requests: ['requests', null, 'amounts'] }],
  VolumeName: ['volumeName', ''],
  StorageClassName: ['storageClassName', null],
  VolumeMode: ['volumeMode', null],
  DataSource: ['dataSource', null, content],
  DataSourceRef: ['dataSourceRef', null, { ...content, Namespace: ['namespace', null] }],
  VolumeAttributesClassName: ['volumeAttributesClassName', null],
}

/** To something of the pod's namespace. */
export const localReference: FormShape = { Name: ['name', ''] }
export const fieldReference: FormShape = { APIVersion: ['apiVersion', ''], FieldPath: ['fieldPath', ''] }
export const resourceReference: FormShape = {
  ContainerName: ['containerName', ''],
  Resource: ['resource', ''],
  Divisor: ['divisor', '0', 'amount'],
}

const items = ['items', null, { Key: ['key', ''], Path: ['path', ''], Mode: ['mode', null] }] as const
const optional = ['optional', null] as const
const defaultMode = ['defaultMode', null] as const
const downward = [
  'items',
  null,
  {
    Path: ['path', ''],
    FieldRef: ['fieldRef', null, fieldReference],
    ResourceFieldRef: ['resourceFieldRef', null, resourceReference],
    Mode: ['mode', null],
  },
] as const

const projections: FormShape = {
  Secret: ['secret', null, { Name: ['name', ''], Items: items, Optional: optional }],
  DownwardAPI: ['downwardAPI', null, { Items: downward }],
  ConfigMap: ['configMap', null, { Name: ['name', ''], Items: items, Optional: optional }],
  ServiceAccountToken: [
    'serviceAccountToken',
    null,
    { Audience: ['audience', ''], ExpirationSeconds: ['expirationSeconds', 0], Path: ['path', ''] },
  ],
  // Gates keep these away.
  ClusterTrustBundle: ['clusterTrustBundle', null],
  PodCertificate: ['podCertificate', null],
}

const localSecret = ['secretRef', null, localReference] as const
const ofPod = commonSources(localSecret, localSecret)

/** Of a pod. */
export const podVolume: FormShape = {
  Name: ['name', ''],
  HostPath: ofPod.HostPath,
  EmptyDir: ['emptyDir', null, { Medium: ['medium', ''], SizeLimit: ['sizeLimit', null, 'amount'] }],
  GCEPersistentDisk: ofPod.GCEPersistentDisk,
  AWSElasticBlockStore: ofPod.AWSElasticBlockStore,
  GitRepo: ['gitRepo', null, { Repository: ['repository', ''], Revision: ['revision', ''], Directory: ['directory', ''] }],
  Secret: ['secret', null, { SecretName: ['secretName', ''], Items: items, DefaultMode: defaultMode, Optional: optional }],
  NFS: ofPod.NFS,
  ISCSI: ofPod.ISCSI,
  Glusterfs: ['glusterfs', null, gluster],
  PersistentVolumeClaim: ['persistentVolumeClaim', null, { ClaimName: ['claimName', ''], ReadOnly: readOnly }],
  RBD: ofPod.RBD,
  Quobyte: ofPod.Quobyte,
  FlexVolume: ofPod.FlexVolume,
  Cinder: ofPod.Cinder,
  CephFS: ofPod.CephFS,
  Flocker: ofPod.Flocker,
  DownwardAPI: ['downwardAPI', null, { Items: downward, DefaultMode: defaultMode }],
  FC: ofPod.FC,
  AzureFile: ['azureFile', null, azureFile],
  ConfigMap: ['configMap', null, { Name: ['name', ''], Items: items, DefaultMode: defaultMode, Optional: optional }],
  VsphereVolume: ofPod.VsphereVolume,
  AzureDisk: ofPod.AzureDisk,
  PhotonPersistentDisk: ofPod.PhotonPersistentDisk,
  Projected: ['projected', null, { Sources: ['sources', null, projections], DefaultMode: defaultMode }],
  PortworxVolume: ofPod.PortworxVolume,
  ScaleIO: ofPod.ScaleIO,
  StorageOS: ofPod.StorageOS,
  CSI: [
    'csi',
    null,
    {
      Driver: ['driver', ''],
      ReadOnly: ['readOnly', null],
      FSType: ['fsType', null],
      VolumeAttributes: ['volumeAttributes', null, 'names'],
      NodePublishSecretRef: ['nodePublishSecretRef', null, localReference],
    },
  ],
  Ephemeral: [
    'ephemeral',
    null,
    { VolumeClaimTemplate: ['volumeClaimTemplate', null, { '': ['metadata', {}, 'metadata'], Spec: ['spec', {}, claimSpec] }] },
  ],
  // A gate keeps this away.
  Image: ['image', null],
}
