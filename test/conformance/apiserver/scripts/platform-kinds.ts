// Kinds of the platform that nothing acts upon here: what a small object of each becomes, its table, and what a change of it changes.
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'
import { type KindRow, tryKind } from './kinds.ts'

type Made = Omit<KindRow, 'object' | 'resource'> & {
  readonly apiVersion: string
  readonly plural: string
  /** All but what every object has. */
  readonly body: Readonly<Record<string, Json>>
}

/** A request for `CN=somebody`, as openssl makes it. */
const request =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlITk1IVUNBUUF3RXpFUk1BOEdBMVVFQXd3SWMyOXRaV0p2Wkhrd1dUQVRCZ2' +
  'NxaGtqT1BRSUJCZ2dxaGtqTwpQUU1CQndOQ0FBUWdzd0Fsb3VWQ1JjQUZTUUtCalBqZXUwbWEvNlRySE0vcjUxR2dOM3FWUlhpOTlRNTZDeXRU' +
  'CkJoV2NxVFBuWlJwZGRWOTlFcHA1SFRxWnJEdVNYd0pzb0FBd0NnWUlLb1pJemowRUF3SURTQUF3UlFJaEFNT2UKOTNRY3B3dWMvZmFFMGJPK3' +
  'VqNXdQL09DSmpoOXFKMGNua1FMQlk5aEFpQTAxVVJjZkREQXlvazhza1VNWms4OAp2T0M3bkRkTmZiTFBJNGRWWDQvN25RPT0KLS0tLS1FTkQg' +
  'Q0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='
const device = { name: 'd', attributes: { model: { string: 'm' } } } satisfies Json
const kindsOfPlatform: Readonly<Record<string, Made>> = {
  HorizontalPodAutoscaler: {
    apiVersion: 'autoscaling/v2',
    plural: 'horizontalpodautoscalers',
    body: { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 } },
    variants: [
      {
        spec: {
          minReplicas: 2,
          metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }],
        },
      },
      { spec: { behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } } },
      { spec: { maxReplicas: 0 } },
      { spec: { maxReplicas: 2, minReplicas: 3 } },
      { spec: { maxReplicas: null } },
      { spec: { scaleTargetRef: { kind: 'Deployment', name: '' } } },
      { spec: 'x' },
    ],
    updates: [{ spec: { maxReplicas: 5 } }, { metadata: { labels: { a: 'b' } } }, { status: { currentReplicas: 2 } }],
  },
  CertificateSigningRequest: {
    apiVersion: 'certificates.k8s.io/v1',
    plural: 'certificatesigningrequests',
    cluster: true,
    body: { spec: { request, signerName: 'example.com/signer', usages: ['client auth'] } },
    variants: [],
  },
  PriorityClass: {
    apiVersion: 'scheduling.k8s.io/v1',
    plural: 'priorityclasses',
    cluster: true,
    body: { value: 1000 },
    variants: [
      { value: null },
      { value: 2000000000 },
      { preemptionPolicy: 'Never', globalDefault: false, description: 'd' },
      { preemptionPolicy: 'Nonsense' },
    ],
    updates: [{ description: 'more' }, { value: 5 }, { preemptionPolicy: 'Never' }],
  },
  RuntimeClass: {
    apiVersion: 'node.k8s.io/v1',
    plural: 'runtimeclasses',
    cluster: true,
    body: { handler: 'runsc' },
    variants: [
      { handler: null },
      { handler: 'Not A Label' },
      { scheduling: { nodeSelector: { a: 'b' } }, overhead: { podFixed: { cpu: '10m' } } },
    ],
    updates: [{ scheduling: { nodeSelector: { a: 'b' } } }, { handler: 'other' }],
  },
  StorageClass: {
    apiVersion: 'storage.k8s.io/v1',
    plural: 'storageclasses',
    cluster: true,
    body: { provisioner: 'example.com/disks', parameters: { kind: 'fast' } },
    variants: [
      { provisioner: null },
      { reclaimPolicy: 'Nonsense' },
      { volumeBindingMode: 'WaitForFirstConsumer', allowVolumeExpansion: true },
    ],
    updates: [
      { metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } } },
      { allowVolumeExpansion: true },
      { provisioner: 'example.com/other' },
    ],
  },
  CSIDriver: {
    apiVersion: 'storage.k8s.io/v1',
    plural: 'csidrivers',
    cluster: true,
    body: { spec: { attachRequired: false } },
    variants: [{ spec: null }],
    updates: [{ spec: { storageCapacity: true } }],
  },
  CSINode: {
    apiVersion: 'storage.k8s.io/v1',
    plural: 'csinodes',
    cluster: true,
    body: { spec: { drivers: [{ name: 'example.com', nodeID: 'n' }] } },
    variants: [{ spec: { drivers: [{ name: '', nodeID: 'n' }] } }],
    updates: [{ metadata: { labels: { a: 'b' } } }],
  },
  CSIStorageCapacity: {
    apiVersion: 'storage.k8s.io/v1',
    plural: 'csistoragecapacities',
    body: { storageClassName: 'fast', capacity: '1Gi' },
    variants: [{ storageClassName: null }],
    updates: [{ capacity: '2Gi' }],
  },
  VolumeAttachment: {
    apiVersion: 'storage.k8s.io/v1',
    plural: 'volumeattachments',
    cluster: true,
    body: { spec: { attacher: 'example.com', nodeName: 'node', source: { persistentVolumeName: 'volume' } } },
    variants: [{ spec: { attacher: '' } }],
    updates: [{ metadata: { labels: { a: 'b' } } }],
  },
  VolumeAttributesClass: {
    apiVersion: 'storage.k8s.io/v1',
    plural: 'volumeattributesclasses',
    cluster: true,
    body: { driverName: 'example.com', parameters: { iops: '100' } },
    variants: [{ driverName: null }],
    updates: [{ metadata: { labels: { a: 'b' } } }],
  },
  PriorityLevelConfiguration: {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    plural: 'prioritylevelconfigurations',
    cluster: true,
    body: { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { type: 'Reject' } } } },
    variants: [{ spec: { type: 'Nonsense' } }],
    updates: [{ spec: { limited: { nominalConcurrencyShares: 7 } } }],
  },
  ValidatingAdmissionPolicy: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    plural: 'validatingadmissionpolicies',
    cluster: true,
    body: {
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: ['nothing.example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['things'] },
          ],
        },
        validations: [{ expression: 'object.metadata.name != "x"' }],
      },
    },
    variants: [{ spec: { failurePolicy: 'Ignore' } }, { spec: { failurePolicy: 'Nonsense' } }],
    updates: [{ spec: { failurePolicy: 'Ignore' } }],
  },
  ValidatingAdmissionPolicyBinding: {
    apiVersion: 'admissionregistration.k8s.io/v1',
    plural: 'validatingadmissionpolicybindings',
    cluster: true,
    body: { spec: { policyName: 'nobody', validationActions: ['Deny'] } },
    variants: [],
    updates: [{ spec: { validationActions: ['Warn'] } }],
  },
  DeviceClass: {
    apiVersion: 'resource.k8s.io/v1',
    plural: 'deviceclasses',
    cluster: true,
    body: { spec: { selectors: [{ cel: { expression: 'device.driver == "example.com"' } }] } },
    variants: [],
    updates: [{ spec: { selectors: [{ cel: { expression: 'true' } }] } }],
  },
  ResourceClaim: {
    apiVersion: 'resource.k8s.io/v1',
    plural: 'resourceclaims',
    body: { spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'example.com' } }] } } },
    variants: [],
    updates: [{ metadata: { labels: { a: 'b' } } }],
  },
  ResourceClaimTemplate: {
    apiVersion: 'resource.k8s.io/v1',
    plural: 'resourceclaimtemplates',
    body: { spec: { spec: { devices: { requests: [{ name: 'one', exactly: { deviceClassName: 'example.com' } }] } } } },
    variants: [],
    updates: [{ metadata: { labels: { a: 'b' } } }],
  },
  ResourceSlice: {
    apiVersion: 'resource.k8s.io/v1',
    plural: 'resourceslices',
    cluster: true,
    body: {
      spec: {
        driver: 'example.com',
        nodeName: 'node',
        pool: { name: 'p', generation: 1, resourceSliceCount: 1 },
        devices: [device],
      },
    },
    variants: [],
    updates: [{ metadata: { labels: { a: 'b' } } }],
  },
}

export const platformScripts: readonly Script[] = [
  ...Object.entries(kindsOfPlatform).map(([kind, row]) => ({
    id: `platform-${kind.toLowerCase()}`,
    title: `built-in: ${kind}`,
    run: (s: Session) => tryKind(s, kindRow(kind, row)),
  })),
  { id: 'platform-approval', title: 'a certificate request that is approved, and told who asked', run: approval },
  { id: 'platform-autoscaler-status', title: 'the status of an autoscaler', run: autoscalerStatus },
]

async function approval(s: Session): Promise<void> {
  const at = s.clusterPath('certificatesigningrequests.certificates.k8s.io/v1')
  const [name, approved] = [`${s.ns}-one`, { type: 'Approved', status: 'True', reason: 'Good', message: 'm' }]
  const spec = { request, signerName: 'example.com/signer', usages: ['client auth'] }
  const object = { apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name } }
  await s.post(at, { ...object, spec: { ...spec, username: 'somebody-else', groups: ['system:masters'], uid: 'x' } })
  await s.patch(`${at}/${name}`, 'merge', { spec: { usages: ['server auth'], username: 'y' } })
  await s.patch(`${at}/${name}`, 'merge', { status: { conditions: [approved] } })
  await s.patch(`${at}/${name}/approval?fieldManager=approver`, 'merge', { status: { conditions: [approved] } })
  await s.get(`${at}/${name}/approval`)
  await s.get(`${at}/${name}`, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })
  await s.patch(`${at}/${name}/approval?fieldManager=approver`, 'merge', { spec: { usages: ['server auth'] } })
  await s.patch(`${at}/${name}/status?fieldManager=signer`, 'merge', {
    status: { conditions: [{ ...approved, type: 'Failed' }] },
  })
  await s.delete(`${at}/${name}`)
}

async function autoscalerStatus(s: Session): Promise<void> {
  const at = s.path('horizontalpodautoscalers.autoscaling/v2')
  const spec = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 }
  await s.post(at, { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata: { name: 'one' }, spec })
  const current = [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40, averageValue: '10m' } } }]
  await s.patch(`${at}/one/status?fieldManager=scaler`, 'merge', {
    spec: { maxReplicas: 9 },
    status: { currentReplicas: 2, desiredReplicas: 3, currentMetrics: current },
  })
  await s.get(`${at}/one`, { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } })
}

function kindRow(kind: string, { apiVersion, plural, body, ...row }: Made): KindRow {
  const [group = '', version = ''] = apiVersion.split('/')
  return {
    ...row,
    resource: `${plural}.${group}/${version}`,
    object: name => ({ apiVersion, kind, metadata: { name }, ...body }),
  }
}
