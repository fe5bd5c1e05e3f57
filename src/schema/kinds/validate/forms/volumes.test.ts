// Volumes of pods as a real server holds them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type JsonObject, renderJson } from '../../../json.ts'
import { templateForm } from './pods.ts'

/** As a real server shows them, all their fields set. */
const rows: readonly (readonly [given: JsonObject, shown: string])[] = [
  [
    { awsElasticBlockStore: { fsType: 'fsType', partition: 4, readOnly: true, volumeID: 'volumeID' } },
    '"AWSElasticBlockStore":{"VolumeID":"volumeID","FSType":"fsType","Partition":4,"ReadOnly":true}',
  ],
  [
    {
      azureDisk: {
        cachingMode: 'cachingMode',
        diskName: 'diskName',
        diskURI: 'diskURI',
        fsType: 'fsType',
        kind: 'kind',
        readOnly: true,
      },
    },
    '"AzureDisk":{"DiskName":"diskName","DataDiskURI":"diskURI","CachingMode":"cachingMode","FSType":"fsType","ReadOnly":true,"Kind":"kind"}',
  ],
  [
    { azureFile: { readOnly: true, secretName: 'secretName', shareName: 'shareName' } },
    '"AzureFile":{"SecretName":"secretName","ShareName":"shareName","ReadOnly":true}',
  ],
  [
    {
      cephfs: {
        monitors: ['monitors'],
        path: 'path',
        readOnly: true,
        secretFile: 'secretFile',
        secretRef: { name: 'name' },
        user: 'user',
      },
    },
    '"CephFS":{"Monitors":["monitors"],"Path":"path","User":"user","SecretFile":"secretFile","SecretRef":{"Name":"name"},"ReadOnly":true}',
  ],
  [
    { cinder: { fsType: 'fsType', readOnly: true, secretRef: { name: 'name' }, volumeID: 'volumeID' } },
    '"Cinder":{"VolumeID":"volumeID","FSType":"fsType","ReadOnly":true,"SecretRef":{"Name":"name"}}',
  ],
  [
    { configMap: { defaultMode: 5, items: [{ key: 'key', mode: 6, path: 'path' }], name: 'name', optional: true } },
    '"ConfigMap":{"Name":"name","Items":[{"Key":"key","Path":"path","Mode":6}],"DefaultMode":5,"Optional":true}',
  ],
  [
    {
      csi: {
        driver: 'driver',
        fsType: 'fsType',
        nodePublishSecretRef: { name: 'name' },
        readOnly: true,
        volumeAttributes: { b: 'x', a: 'y' },
      },
    },
    '"CSI":{"Driver":"driver","ReadOnly":true,"FSType":"fsType","VolumeAttributes":{"a":"y","b":"x"},"NodePublishSecretRef":{"Name":"name"}}',
  ],
  [
    {
      downwardAPI: {
        defaultMode: 7,
        items: [
          {
            fieldRef: { apiVersion: 'apiVersion', fieldPath: 'fieldPath' },
            mode: 8,
            path: 'path',
            resourceFieldRef: { containerName: 'containerName', divisor: '1500m', resource: 'resource' },
          },
        ],
      },
    },
    '"DownwardAPI":{"Items":[{"Path":"path","FieldRef":{"APIVersion":"apiVersion","FieldPath":"fieldPath"},"ResourceFieldRef":{"ContainerName":"containerName","Resource":"resource","Divisor":"1500m"},"Mode":8}],"DefaultMode":7}',
  ],
  [{ emptyDir: { medium: 'medium', sizeLimit: '1Mi' } }, '"EmptyDir":{"Medium":"medium","SizeLimit":"1Mi"}'],
  [
    {
      ephemeral: {
        volumeClaimTemplate: {
          metadata: {
            annotations: { b: 'x', a: 'y' },
            creationTimestamp: '2024-01-02T03:04:05Z',
            deletionGracePeriodSeconds: 2,
            deletionTimestamp: '2024-01-02T03:04:05Z',
            finalizers: ['finalizers'],
            generateName: 'generateName',
            generation: 3,
            labels: { b: 'x', a: 'y' },
            managedFields: [
              {
                apiVersion: 'apiVersion',
                fieldsType: 'fieldsType',
                fieldsV1: { 'f:a': {} },
                manager: 'manager',
                operation: 'operation',
                subresource: 'subresource',
                time: '2024-01-02T03:04:05Z',
              },
            ],
            name: 'name',
            namespace: 'namespace',
            ownerReferences: [
              { apiVersion: 'apiVersion', blockOwnerDeletion: true, controller: true, kind: 'kind', name: 'name', uid: 'uid' },
            ],
            resourceVersion: 'resourceVersion',
            selfLink: 'selfLink',
            uid: 'uid',
          },
          spec: {
            accessModes: ['accessModes'],
            dataSource: { apiGroup: 'apiGroup', kind: 'kind', name: 'name' },
            dataSourceRef: { apiGroup: 'apiGroup', kind: 'kind', name: 'name', namespace: 'namespace' },
            resources: { limits: { b: '1500m', a: '1Mi' }, requests: { b: '1500m', a: '1Mi' } },
            selector: {
              matchExpressions: [{ key: 'key', operator: 'operator', values: ['values'] }],
              matchLabels: { b: 'x', a: 'y' },
            },
            storageClassName: 'storageClassName',
            volumeAttributesClassName: 'volumeAttributesClassName',
            volumeMode: 'volumeMode',
            volumeName: 'volumeName',
          },
        },
      },
    },
    '"Ephemeral":{"VolumeClaimTemplate":{"name":"name","generateName":"generateName","namespace":"namespace","selfLink":"selfLink","uid":"uid","resourceVersion":"resourceVersion","generation":3,"creationTimestamp":"2024-01-02T03:04:05Z","deletionTimestamp":"2024-01-02T03:04:05Z","deletionGracePeriodSeconds":2,"labels":{"a":"y","b":"x"},"annotations":{"a":"y","b":"x"},"ownerReferences":[{"apiVersion":"apiVersion","kind":"kind","name":"name","uid":"uid","controller":true,"blockOwnerDeletion":true}],"finalizers":["finalizers"],"managedFields":[{"manager":"manager","operation":"operation","apiVersion":"apiVersion","time":"2024-01-02T03:04:05Z","fieldsType":"fieldsType","fieldsV1":{"f:a":{}},"subresource":"subresource"}],"Spec":{"AccessModes":["accessModes"],"Selector":{"matchLabels":{"a":"y","b":"x"},"matchExpressions":[{"key":"key","operator":"operator","values":["values"]}]},"Resources":{"Limits":{"a":"1Mi","b":"1500m"},"Requests":{"a":"1Mi","b":"1500m"}},"VolumeName":"volumeName","StorageClassName":"storageClassName","VolumeMode":"volumeMode","DataSource":{"APIGroup":"apiGroup","Kind":"kind","Name":"name"},"DataSourceRef":{"APIGroup":"apiGroup","Kind":"kind","Name":"name","Namespace":"namespace"},"VolumeAttributesClassName":"volumeAttributesClassName"}}}',
  ],
  [
    { fc: { fsType: 'fsType', lun: 8, readOnly: true, targetWWNs: ['targetWWNs'], wwids: ['wwids'] } },
    '"FC":{"TargetWWNs":["targetWWNs"],"Lun":8,"FSType":"fsType","ReadOnly":true,"WWIDs":["wwids"]}',
  ],
  [
    {
      flexVolume: {
        driver: 'driver',
        fsType: 'fsType',
        options: { b: 'x', a: 'y' },
        readOnly: true,
        secretRef: { name: 'name' },
      },
    },
    '"FlexVolume":{"Driver":"driver","FSType":"fsType","SecretRef":{"Name":"name"},"ReadOnly":true,"Options":{"a":"y","b":"x"}}',
  ],
  [
    { flocker: { datasetName: 'datasetName', datasetUUID: 'datasetUUID' } },
    '"Flocker":{"DatasetName":"datasetName","DatasetUUID":"datasetUUID"}',
  ],
  [
    { gcePersistentDisk: { fsType: 'fsType', partition: 9, pdName: 'pdName', readOnly: true } },
    '"GCEPersistentDisk":{"PDName":"pdName","FSType":"fsType","Partition":9,"ReadOnly":true}',
  ],
  [
    { gitRepo: { directory: 'directory', repository: 'repository', revision: 'revision' } },
    '"GitRepo":{"Repository":"repository","Revision":"revision","Directory":"directory"}',
  ],
  [
    { glusterfs: { endpoints: 'endpoints', path: 'path', readOnly: true } },
    '"Glusterfs":{"EndpointsName":"endpoints","Path":"path","ReadOnly":true}',
  ],
  [{ hostPath: { path: 'path', type: 'type' } }, '"HostPath":{"Path":"path","Type":"type"}'],
  [
    {
      iscsi: {
        chapAuthDiscovery: true,
        chapAuthSession: true,
        fsType: 'fsType',
        initiatorName: 'initiatorName',
        iqn: 'iqn',
        iscsiInterface: 'iscsiInterface',
        lun: 1,
        portals: ['portals'],
        readOnly: true,
        secretRef: { name: 'name' },
        targetPortal: 'targetPortal',
      },
    },
    '"ISCSI":{"TargetPortal":"targetPortal","IQN":"iqn","Lun":1,"ISCSIInterface":"iscsiInterface","FSType":"fsType","ReadOnly":true,"Portals":["portals"],"DiscoveryCHAPAuth":true,"SessionCHAPAuth":true,"SecretRef":{"Name":"name"},"InitiatorName":"initiatorName"}',
  ],
  [{ nfs: { path: 'path', readOnly: true, server: 'server' } }, '"NFS":{"Server":"server","Path":"path","ReadOnly":true}'],
  [
    { persistentVolumeClaim: { claimName: 'claimName', readOnly: true } },
    '"PersistentVolumeClaim":{"ClaimName":"claimName","ReadOnly":true}',
  ],
  [{ photonPersistentDisk: { fsType: 'fsType', pdID: 'pdID' } }, '"PhotonPersistentDisk":{"PdID":"pdID","FSType":"fsType"}'],
  [
    { portworxVolume: { fsType: 'fsType', readOnly: true, volumeID: 'volumeID' } },
    '"PortworxVolume":{"VolumeID":"volumeID","FSType":"fsType","ReadOnly":true}',
  ],
  [
    {
      projected: {
        defaultMode: 2,
        sources: [
          {
            configMap: { items: [{ key: 'key', mode: 3, path: 'path' }], name: 'name', optional: true },
            downwardAPI: {
              items: [
                {
                  fieldRef: { apiVersion: 'apiVersion', fieldPath: 'fieldPath' },
                  mode: 4,
                  path: 'path',
                  resourceFieldRef: { containerName: 'containerName', divisor: '1500m', resource: 'resource' },
                },
              ],
            },
            secret: { items: [{ key: 'key', mode: 6, path: 'path' }], name: 'name', optional: true },
            serviceAccountToken: { audience: 'audience', expirationSeconds: 7, path: 'path' },
          },
        ],
      },
    },
    '"Projected":{"Sources":[{"Secret":{"Name":"name","Items":[{"Key":"key","Path":"path","Mode":6}],"Optional":true},"DownwardAPI":{"Items":[{"Path":"path","FieldRef":{"APIVersion":"apiVersion","FieldPath":"fieldPath"},"ResourceFieldRef":{"ContainerName":"containerName","Resource":"resource","Divisor":"1500m"},"Mode":4}]},"ConfigMap":{"Name":"name","Items":[{"Key":"key","Path":"path","Mode":3}],"Optional":true},"ServiceAccountToken":{"Audience":"audience","ExpirationSeconds":7,"Path":"path"},"ClusterTrustBundle":null,"PodCertificate":null}],"DefaultMode":2}',
  ],
  [
    { quobyte: { group: 'group', readOnly: true, registry: 'registry', tenant: 'tenant', user: 'user', volume: 'volume' } },
    '"Quobyte":{"Registry":"registry","Volume":"volume","ReadOnly":true,"User":"user","Group":"group","Tenant":"tenant"}',
  ],
  [
    {
      rbd: {
        fsType: 'fsType',
        image: 'image',
        keyring: 'keyring',
        monitors: ['monitors'],
        pool: 'pool',
        readOnly: true,
        secretRef: { name: 'name' },
        user: 'user',
      },
    },
    '"RBD":{"CephMonitors":["monitors"],"RBDImage":"image","FSType":"fsType","RBDPool":"pool","RadosUser":"user","Keyring":"keyring","SecretRef":{"Name":"name"},"ReadOnly":true}',
  ],
  [
    {
      scaleIO: {
        fsType: 'fsType',
        gateway: 'gateway',
        protectionDomain: 'protectionDomain',
        readOnly: true,
        secretRef: { name: 'name' },
        sslEnabled: true,
        storageMode: 'storageMode',
        storagePool: 'storagePool',
        system: 'system',
        volumeName: 'volumeName',
      },
    },
    '"ScaleIO":{"Gateway":"gateway","System":"system","SecretRef":{"Name":"name"},"SSLEnabled":true,"ProtectionDomain":"protectionDomain","StoragePool":"storagePool","StorageMode":"storageMode","VolumeName":"volumeName","FSType":"fsType","ReadOnly":true}',
  ],
  [
    { secret: { defaultMode: 8, items: [{ key: 'key', mode: 9, path: 'path' }], optional: true, secretName: 'secretName' } },
    '"Secret":{"SecretName":"secretName","Items":[{"Key":"key","Path":"path","Mode":9}],"DefaultMode":8,"Optional":true}',
  ],
  [
    {
      storageos: {
        fsType: 'fsType',
        readOnly: true,
        secretRef: { name: 'name' },
        volumeName: 'volumeName',
        volumeNamespace: 'volumeNamespace',
      },
    },
    '"StorageOS":{"VolumeName":"volumeName","VolumeNamespace":"volumeNamespace","FSType":"fsType","ReadOnly":true,"SecretRef":{"Name":"name"}}',
  ],
  [
    {
      vsphereVolume: {
        fsType: 'fsType',
        storagePolicyID: 'storagePolicyID',
        storagePolicyName: 'storagePolicyName',
        volumePath: 'volumePath',
      },
    },
    '"VsphereVolume":{"VolumePath":"volumePath","FSType":"fsType","StoragePolicyName":"storagePolicyName","StoragePolicyID":"storagePolicyID"}',
  ],
]

const shown = (given: JsonObject): string => renderJson(templateForm({ spec: { volumes: [given] } }))

for (const [given, told] of rows)
  test(`a volume of ${Object.keys(given)[0]} is shown as a real server holds it`, () => {
    assert.ok(shown(given).includes(told), shown(given))
  })

test('a volume is shown with all the sources that it has not', () => {
  const told =
    '{"Name":"a","HostPath":null,"EmptyDir":{"Medium":"","SizeLimit":null},"GCEPersistentDisk":null,"AWSElasticBlockStore":null,"GitRepo":null,"Secret":null,"NFS":null,"ISCSI":null,"Glusterfs":null,"PersistentVolumeClaim":null,"RBD":null,"Quobyte":null,"FlexVolume":null,"Cinder":null,"CephFS":null,"Flocker":null,"DownwardAPI":null,"FC":null,"AzureFile":null,"ConfigMap":null,"VsphereVolume":null,"AzureDisk":null,"PhotonPersistentDisk":null,"Projected":null,"PortworxVolume":null,"ScaleIO":null,"StorageOS":null,"CSI":null,"Ephemeral":null,"Image":null}'
  const given = { name: 'a', emptyDir: {} }
  assert.ok(shown(given).includes(told), shown(given))
})
