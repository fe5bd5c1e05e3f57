import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../../../../json.ts'
import { refusals } from '../../../../testing/refusals.ts'

function pod(spec: JsonObject, name = 'p'): JsonObject {
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers: [{ name: 'a', image: 'web:1' }], ...spec } }
}

const at = 'spec.volumes[0]'
const template = `${at}.ephemeral.volumeClaimTemplate`
const mode = 'must be a number between 0 and 0777 (octal), both inclusive'
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const nameForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const valueForm =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const byteSteps = '1, 1k, 1M, 1G, 1T, 1P, 1E, 1Ki, 1Mi, 1Gi, 1Ti, 1Pi, 1Ei'
const one = 'may not specify more than 1 volume type'
const amounts =
  'supported values: "limits.cpu", "limits.ephemeral-storage", "limits.memory", "requests.cpu", "requests.ephemeral-storage", "requests.memory"'
const iqns = 'must be valid format starting with iqn, eui, or naa'

const volume = (content: JsonObject): JsonObject => ({ volumes: [{ name: 'v', ...content }] })
const files = (...items: Json[]): JsonObject => volume({ configMap: { name: 'c', items } })
const downward = (...items: Json[]): JsonObject => volume({ downwardAPI: { items } })
const projected = (...sources: Json[]): JsonObject => volume({ projected: { sources } })
const ephemeral = (volumeClaimTemplate: JsonObject): JsonObject => volume({ ephemeral: { volumeClaimTemplate } })
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }
const amount = (resource: string, divisor: string): JsonObject =>
  downward({ path: 'p', resourceFieldRef: { containerName: 'a', resource, divisor } })
const field = (fieldRef: JsonObject): JsonObject => downward({ path: 'p', fieldRef })
const iscsi = (content: JsonObject): JsonObject =>
  volume({ iscsi: { targetPortal: 't', iqn: 'iqn.2001-04.com.example:a', lun: 0, ...content } })
const name = { fieldPath: 'metadata.name' }

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [
    {
      volumes: [
        { name: 'A', secret: {} },
        { name: '', secret: {} },
      ],
    },
    `${at}.secret.secretName: Required value`,
    `${at}.name: Invalid value: "A": ${label}`,
    'spec.volumes[1].secret.secretName: Required value',
    'spec.volumes[1].name: Required value',
  ],
  [
    {
      volumes: [
        { name: 'v', secret: {} },
        { name: 'v', emptyDir: {} },
        { name: 'v', secret: {} },
      ],
    },
    `${at}.secret.secretName: Required value`,
    'spec.volumes[2].secret.secretName: Required value',
    'spec.volumes[2].name: Duplicate value: "v"',
  ],
  [
    volume({
      emptyDir: {},
      hostPath: {},
      gitRepo: {},
      gcePersistentDisk: {},
      awsElasticBlockStore: {},
      secret: {},
      nfs: {},
      iscsi: {},
      glusterfs: {},
      flocker: {},
      persistentVolumeClaim: {},
      rbd: {},
      cinder: {},
      cephfs: {},
      quobyte: {},
      downwardAPI: {},
      fc: {},
      flexVolume: {},
      configMap: {},
      azureFile: {},
      vsphereVolume: {},
      photonPersistentDisk: {},
      portworxVolume: {},
      azureDisk: {},
      storageos: {},
      projected: {},
      scaleIO: {},
      csi: {},
      ephemeral: {},
    }),
    `${at}.hostPath: Forbidden: ${one}`,
    `${at}.gitRepo: Forbidden: ${one}`,
    `${at}.gcePersistentDisk: Forbidden: ${one}`,
    `${at}.awsElasticBlockStore: Forbidden: ${one}`,
    `${at}.secret: Forbidden: ${one}`,
    `${at}.nfs: Forbidden: ${one}`,
    `${at}.iscsi: Forbidden: ${one}`,
    `${at}.glusterfs: Forbidden: ${one}`,
    `${at}.flocker: Forbidden: ${one}`,
    `${at}.persistentVolumeClaim: Forbidden: ${one}`,
    `${at}.rbd: Forbidden: ${one}`,
    `${at}.cinder: Forbidden: ${one}`,
    `${at}.cephFS: Forbidden: ${one}`,
    `${at}.quobyte: Forbidden: ${one}`,
    `${at}.downwarAPI: Forbidden: ${one}`,
    `${at}.fc: Forbidden: ${one}`,
    `${at}.flexVolume: Forbidden: ${one}`,
    `${at}.configMap: Forbidden: ${one}`,
    `${at}.azureFile: Forbidden: ${one}`,
    `${at}.vsphereVolume: Forbidden: ${one}`,
    `${at}.photonPersistentDisk: Forbidden: ${one}`,
    `${at}.portworxVolume: Forbidden: ${one}`,
    `${at}.azureDisk: Forbidden: ${one}`,
    `${at}.storageos: Forbidden: ${one}`,
    `${at}.projected: Forbidden: ${one}`,
    `${at}.scaleIO: Forbidden: ${one}`,
    `${at}.csi: Forbidden: ${one}`,
    `${at}.ephemeral: Forbidden: ${one}`,
  ],
  [volume({ csi: {}, secret: {} }), `${at}.secret.secretName: Required value`, `${at}.csi: Forbidden: ${one}`],
  [volume({ gitRepo: {} }), `${at}.gitRepo.repository: Required value`],
  [volume({ glusterfs: {} }), `${at}.glusterfs.endpoints: Required value`, `${at}.glusterfs.path: Required value`],
  [volume({ rbd: {} }), `${at}.rbd.monitors: Required value`, `${at}.rbd.image: Required value`],
  [volume({ cephfs: {} }), `${at}.cephfs.monitors: Required value`],
  [volume({ azureFile: {} }), `${at}.azureFile.secretName: Required value`, `${at}.azureFile.shareName: Required value`],
  [volume({ vsphereVolume: {} }), `${at}.vsphereVolume.volumePath: Required value`],
  [volume({ photonPersistentDisk: {} }), `${at}.photonPersistentDisk.pdID: Required value`],
  [volume({ portworxVolume: {} }), `${at}.portworxVolume.volumeID: Required value`],
  [
    volume({ scaleIO: {} }),
    `${at}.scaleIO.gateway: Required value`,
    `${at}.scaleIO.system: Required value`,
    `${at}.scaleIO.volumeName: Required value`,
  ],
  [volume({ gitRepo: { repository: 'r', directory: '..d' } })],
  [
    volume({ gitRepo: { repository: 'r', directory: '/../d' } }),
    `${at}.gitRepo.directory: Invalid value: "/../d": must be a relative path`,
    `${at}.gitRepo.directory: Invalid value: "/../d": must not contain '..'`,
  ],
  [volume({ hostPath: { path: '', type: 'Any' } }), `${at}.hostPath.path: Required value`],
  [
    volume({ gcePersistentDisk: { partition: 256 } }),
    `${at}.persistentDisk.pdName: Required value`,
    `${at}.persistentDisk.partition: Invalid value: 256: must be between 1 and 255, inclusive`,
  ],
  [
    volume({ awsElasticBlockStore: { partition: -1 } }),
    `${at}.awsElasticBlockStore.volumeID: Required value`,
    `${at}.awsElasticBlockStore.partition: Invalid value: -1: must be between 1 and 255, inclusive`,
  ],
  [volume({ awsElasticBlockStore: { volumeID: 'v', partition: 0 } })],
  [volume({ awsElasticBlockStore: { volumeID: 'v', partition: 255 } })],
  [
    volume({ secret: { defaultMode: 512, items: [{}] } }),
    `${at}.secret.secretName: Required value`,
    `${at}.secret.defaultMode: Invalid value: 512: ${mode}`,
    `${at}.secret.items[0].key: Required value`,
    `${at}.secret.items[0].path: Required value`,
  ],
  [iscsi({ lun: 255, iqn: 'eui.0123456789abcdef' })],
  [
    iscsi({ targetPortal: '', iqn: '', lun: -1 }),
    `${at}.iscsi.targetPortal: Required value`,
    `${at}.iscsi.iqn: Required value`,
    `${at}.iscsi.lun: Invalid value: -1: must be between 0 and 255, inclusive`,
  ],
  [iscsi({ lun: 256 }), `${at}.iscsi.lun: Invalid value: 256: must be between 0 and 255, inclusive`],
  [iscsi({ iqn: 'iqn.2001-04.com.example' }), `${at}.iscsi.iqn: Invalid value: "iqn.2001-04.com.example": must be valid format`],
  [iscsi({ iqn: 'iqn.2001-04.a_b:x' }), `${at}.iscsi.iqn: Invalid value: "iqn.2001-04.a_b:x": must be valid format`],
  [iscsi({ iqn: 'iqn.2001-04.a:x y' }), `${at}.iscsi.iqn: Invalid value: "iqn.2001-04.a:x y": must be valid format`],
  [iscsi({ iqn: 'eui.0123456789abcde' }), `${at}.iscsi.iqn: Invalid value: "eui.0123456789abcde": must be valid format`],
  [iscsi({ iqn: 'naa.0123456789abcdef0123456789abcdef' })],
  [iscsi({ iqn: 'naa.0123456789abcdef' }), `${at}.iscsi.iqn: Invalid value: "naa.0123456789abcdef": must be valid format`],
  [iscsi({ iqn: 'IQN.2001-04.a:x' }), `${at}.iscsi.iqn: Invalid value: "IQN.2001-04.a:x": ${iqns}`],
  [
    iscsi({ chapAuthSession: true, initiatorName: 'x' }),
    `${at}.iscsi.secretRef: Required value`,
    `${at}.iscsi.initiatorname: Invalid value: "x": ${iqns}`,
  ],
  [iscsi({ chapAuthDiscovery: true, secretRef: {}, initiatorName: 'iqn.2001-04.a:x' })],
  [volume({ flocker: {} }), `${at}.flocker: Required value: one of datasetName and datasetUUID is required`],
  [
    volume({ flocker: { datasetName: 'a/b', datasetUUID: 'u' } }),
    `${at}.flocker: Invalid value: "resource": datasetName and datasetUUID can not be specified simultaneously`,
    `${at}.flocker.datasetName: Invalid value: "a/b": must not contain '/'`,
  ],
  [volume({ flocker: { datasetUUID: 'u' } })],
  [
    volume({ quobyte: {} }),
    `${at}.quobyte.registry: Required value: must be a host:port pair or multiple pairs separated by commas`,
    `${at}.quobyte.volume: Required value`,
  ],
  [
    volume({ quobyte: { registry: 'a:1,b', volume: 'v' } }),
    `${at}.quobyte.registry: Invalid value: "a:1,b": must be a host:port pair or multiple pairs separated by commas`,
  ],
  [volume({ quobyte: { registry: 'a:1,b:2', volume: 'v' } })],
  [volume({ fc: {} }), `${at}.fc.targetWWNs: Required value: must specify either targetWWNs or wwids, but not both`],
  [volume({ fc: { targetWWNs: ['w'] } }), `${at}.fc.lun: Required value: lun is required if targetWWNs is specified`],
  [
    volume({ fc: { targetWWNs: ['w'], wwids: ['i'], lun: 256 } }),
    `${at}.fc.targetWWNs: Invalid value: ["w"]: targetWWNs and wwids can not be specified simultaneously`,
    `${at}.fc.lun: Invalid value: 256: must be between 0 and 255, inclusive`,
  ],
  [volume({ fc: { wwids: ['i'], lun: -1 } })],
  [
    volume({ azureDisk: {} }),
    `${at}.azureDisk.diskName: Required value`,
    `${at}.azureDisk.diskURI: Required value`,
    `${at}.azureDisk.diskURI: Unsupported value: "": supported values: "https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd"`,
  ],
  [
    volume({ azureDisk: { diskName: 'd', diskURI: 'https://d', cachingMode: 'x', kind: 'x' } }),
    `${at}.azureDisk.cachingMode: Unsupported value: "x": supported values: "None", "ReadOnly", "ReadWrite"`,
    `${at}.azureDisk.kind: Unsupported value: "x": supported values: "Dedicated", "Managed", "Shared"`,
  ],
  [
    volume({ azureDisk: { diskName: 'd', diskURI: 'https://d', kind: 'Managed' } }),
    `${at}.azureDisk.diskURI: Unsupported value: "https://d": supported values: "/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}"`,
  ],
  [volume({ azureDisk: { diskName: 'd', diskURI: '/subscriptions/d', kind: 'Managed' } })],
  [volume({ cinder: { secretRef: {} } }), `${at}.cinder.volumeID: Required value`, `${at}.cinder.secretRef.name: Required value`],
  [
    volume({ flexVolume: { options: { 'kubernetes.io/a': 'x', 'b.k8s.io/c': 'x', 'example.com/d': 'x' } } }),
    `${at}.flexVolume.driver: Required value`,
    `${at}.flexVolume.options[kubernetes.io/a]: Invalid value: "kubernetes.io/a": kubernetes.io and k8s.io namespaces are reserved`,
    `${at}.flexVolume.options[b.k8s.io/c]: Invalid value: "b.k8s.io/c": kubernetes.io and k8s.io namespaces are reserved`,
  ],
  [
    volume({ storageos: { volumeNamespace: '-', secretRef: {} } }),
    `${at}.storageos.volumeName: Required value`,
    `${at}.storageos.volumeNamespace: Invalid value: "-": ${label}`,
    `${at}.storageos.secretRef.name: Required value`,
  ],
  [volume({ storageos: { volumeName: 'A' } }), `${at}.storageos.volumeName: Invalid value: "A": ${label}`],
  [volume({ csi: { driver: 'd'.repeat(63), nodePublishSecretRef: { name: 's' } } })],
  [
    volume({ csi: { driver: 'd'.repeat(64), nodePublishSecretRef: {} } }),
    `${at}.csi.driver: Too long: may not be more than 63 bytes`,
    `${at}.csi.nodePublishSecretRef.name: Required value`,
  ],
  [volume({ csi: { driver: 'd', nodePublishSecretRef: { name: '-' } } }), `${at}.csi.name: Invalid value: "-": ${subdomain}`],
  [
    files({ path: '..', key: 'k' }, { path: '...', key: 'k' }, { path: '/../a', key: 'k' }, { path: 'a/..b', key: 'A b' }),
    `${at}.configMap.items[0].path: Invalid value: "..": must not contain '..'`,
    `${at}.configMap.items[0].path: Invalid value: "..": must not start with '..'`,
    `${at}.configMap.items[1].path: Invalid value: "...": must not start with '..'`,
    `${at}.configMap.items[2].path: Invalid value: "/../a": must be a relative path`,
    `${at}.configMap.items[2].path: Invalid value: "/../a": must not contain '..'`,
  ],
  [
    downward({}, { path: '/p', mode: 512, fieldRef: name, resourceFieldRef: { resource: 'limits.cpu' } }),
    `${at}.downwardAPI.path: Required value`,
    `${at}.downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`,
    `${at}.downwardAPI.path: Invalid value: "/p": must be a relative path`,
    `${at}.downwardAPI: Invalid value: "resource": fieldRef and resourceFieldRef can not be specified simultaneously`,
    `${at}.downwardAPI.mode: Invalid value: 512: ${mode}`,
  ],
  [
    field({ apiVersion: 'v2', fieldPath: 'metadata.name' }),
    `${at}.downwardAPI.fieldRef.fieldPath: Invalid value: "metadata.name": error converting fieldPath: unsupported pod version: v2`,
  ],
  [
    field({ fieldPath: 'spec.host' }),
    `${at}.downwardAPI.fieldRef.fieldPath: Unsupported value: "spec.nodeName": supported values: "metadata.annotations", "metadata.labels", "metadata.name", "metadata.namespace", "metadata.uid"`,
  ],
  [field({ fieldPath: "metadata.labels['A b']" }), `${at}.downwardAPI.fieldRef: Invalid value: "A b": ${nameForm}`],
  [field({ fieldPath: "metadata.annotations['A b']" }), `${at}.downwardAPI.fieldRef: Invalid value: "a b": ${nameForm}`],
  [field({ fieldPath: "metadata.annotations['A/b']" })],
  [
    field({ fieldPath: "metadata.name['a']" }),
    `${at}.downwardAPI.fieldRef.fieldPath: Invalid value: "metadata.name['a']": error converting fieldPath: field label does not support subscript: metadata.name['a']`,
  ],
  [downward({ path: 'p', resourceFieldRef: {} }), `${at}.downwardAPI.resourceFieldRef.containerName: Required value`],
  [amount('', '1'), `${at}.downwardAPI.resourceFieldRef.resource: Required value`],
  [amount('limits.disk', '1'), `${at}.downwardAPI.resourceFieldRef.resource: Unsupported value: "limits.disk": ${amounts}`],
  [amount('limits.cpu', '1m')],
  [amount('limits.cpu', '0.001')],
  [
    amount('limits.cpu', '2'),
    `${at}.downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.cpu": only divisor's values 1m and 1 are supported with the cpu resource`,
  ],
  [amount('limits.memory', '1000')],
  [
    amount('limits.memory', '1024'),
    `${at}.downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.memory": only divisor's values ${byteSteps} are supported with the memory resource`,
  ],
  [
    amount('requests.ephemeral-storage', '3'),
    `${at}.downwardAPI.resourceFieldRef.divisor: Invalid value: "requests.ephemeral-storage": only divisor's values ${byteSteps} are supported with the local ephemeral storage resource`,
  ],
  [amount('limits.hugepages-2Mi', '1Mi')],
  [
    amount('limits.hugepages-2Mi', '3'),
    `${at}.downwardAPI.resourceFieldRef.divisor: Invalid value: "limits.hugepages-2Mi": only divisor's values ${byteSteps} are supported with the hugepages resource`,
  ],
  [
    projected(
      { secret: {} },
      { configMap: {} },
      { downwardAPI: { items: [{}] } },
      { serviceAccountToken: { path: '/t', expirationSeconds: 4294967297 } },
    ),
    `${at}.projected.sources[0].secret.name: Required value`,
    `${at}.projected.sources[1].configMap.name: Required value`,
    `${at}.projected.sources[2].downwardAPI.path: Required value`,
    `${at}.projected.sources[2].downwardAPI: Required value: one of fieldRef and resourceFieldRef is required`,
    `${at}.projected.sources[3].serviceAccountToken.expirationSeconds: Invalid value: 4294967297: may not specify a duration larger than 2^32 seconds`,
    `${at}.projected.path: Invalid value: "/t": must be a relative path`,
  ],
  [
    projected(
      { secret: { name: 's', items: [{ key: 'k', path: 'a' }, { path: 'a' }] } },
      { configMap: { name: 'c', items: [{ key: 'k', path: 'a' }] } },
      { downwardAPI: { items: [{ path: 'a', fieldRef: name }] } },
      { serviceAccountToken: { path: 'a', expirationSeconds: 4294967296 } },
    ),
    `${at}.projected.sources[0].secret.items[1].key: Required value`,
    `${at}.projected: Invalid value: "s": conflicting duplicate paths`,
    `${at}.projected: Invalid value: "c": conflicting duplicate paths`,
    `${at}.projected: Invalid value: "a": conflicting duplicate paths`,
  ],
  [
    projected({ secret: { name: 's' }, configMap: { name: 'c' } }, {}),
    `${at}.projected.sources[0]: Forbidden: ${one} per source`,
  ],
  [volume({ ephemeral: {} }), `${template}: Required value`],
  [
    ephemeral({}),
    `${template}.spec.accessModes: Required value: at least 1 access mode is required`,
    `${template}.spec.resources[storage]: Required value`,
  ],
  [ephemeral({ spec: claim, metadata: { labels: { a: 'b' }, annotations: { 'A/b': 'c' } } })],
  [
    ephemeral({
      spec: claim,
      metadata: {
        name: 'n',
        generateName: 'n',
        namespace: 'n',
        finalizers: ['f'],
        labels: { '-': '-' },
        annotations: { '-': 'x' },
      },
    }),
    `${template}.metadata.annotations: Invalid value: "-": ${nameForm}`,
    `${template}.metadata.labels: Invalid value: "-": ${nameForm}`,
    `${template}.metadata.labels: Invalid value: "-": ${valueForm}`,
    `${template}.metadata.name: Forbidden: cannot be set`,
    `${template}.metadata.generateName: Forbidden: cannot be set`,
    `${template}.metadata.namespace: Forbidden: cannot be set`,
    `${template}.metadata.finalizers: Forbidden: cannot be set`,
  ],
  [
    {
      resourceClaims: [
        { name: 'a', resourceClaimName: 'b' },
        { name: 'b', resourceClaimTemplateName: 'c' },
      ],
    },
  ],
  [
    { resourceClaims: [{}, { name: 'A' }, { name: 'A', resourceClaimName: '-', resourceClaimTemplateName: '-' }] },
    'spec.resourceClaims[0].name: Required value',
    'spec.resourceClaims[0]: Invalid value: {"Name":"","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    `spec.resourceClaims[1].name: Invalid value: "A": ${label}`,
    'spec.resourceClaims[1]: Invalid value: {"Name":"A","ResourceClaimName":null,"ResourceClaimTemplateName":null}: must specify one of: `resourceClaimName`, `resourceClaimTemplateName`',
    'spec.resourceClaims[2].name: Duplicate value: "A"',
    'spec.resourceClaims[2]: Invalid value: {"Name":"A","ResourceClaimName":"-","ResourceClaimTemplateName":"-"}: at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
    `spec.resourceClaims[2].resourceClaimName: Invalid value: "-": ${subdomain}`,
    `spec.resourceClaims[2].resourceClaimTemplateName: Invalid value: "-": ${subdomain}`,
  ],
]

for (const [spec, ...told] of rows)
  test(`a Pod with ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(pod(spec)), told)
  })

test('a claim that is made for a Pod is called by the names of both', () => {
  const spec = ephemeral({ spec: claim })
  const claimed = `${'p'.repeat(251)}-v`
  assert.deepEqual(refusals(pod(spec, 'p'.repeat(251))), [])
  assert.deepEqual(refusals(pod(spec, `p${'p'.repeat(251)}`)), [
    `${at}.name: Invalid value: "v": PVC name "p${claimed}": must be no more than 253 characters`,
  ])
  assert.deepEqual(refusals(pod({ volumes: [{ name: '', ephemeral: { volumeClaimTemplate: { spec: claim } } }] })), [
    `${at}.name: Required value`,
  ])
})
