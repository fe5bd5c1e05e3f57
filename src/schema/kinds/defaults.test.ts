import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { schemaOf } from '../testing/refusals.ts'

/** What an object of the kind becomes that says only this. */
function defaulted(apiVersion: string, kind: string, content: JsonObject): JsonObject {
  const {
    apiVersion: _version,
    kind: _kind,
    ...rest
  } = schemaOf({ apiVersion, kind }).applyDefaults({ apiVersion, kind, ...content })
  return rest
}

const podSpec = {
  restartPolicy: 'Always',
  terminationGracePeriodSeconds: 30,
  dnsPolicy: 'ClusterFirst',
  securityContext: {},
  schedulerName: 'default-scheduler',
}
const container = {
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  imagePullPolicy: 'IfNotPresent',
  resources: {},
}
const claimStatus = { status: { phase: 'Pending' } }

const volumeSources: readonly (readonly [field: string, defaults: JsonObject])[] = [
  ['rbd', { pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' }],
  ['iscsi', { iscsiInterface: 'default' }],
  ['azureDisk', { cachingMode: 'ReadWrite', kind: 'Shared', fsType: 'ext4', readOnly: false }],
  ['scaleIO', { storageMode: 'ThinProvisioned', fsType: 'xfs' }],
]

type Row = readonly [apiVersion: string, kind: string, what: string, given: JsonObject, becomes: JsonObject]

const workloads: readonly Row[] = [
  [
    'apps/v1',
    'Deployment',
    'nothing',
    { spec: { template: { spec: {} } } },
    {
      spec: {
        template: { spec: podSpec },
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    },
  ],
  [
    'apps/v1',
    'Deployment',
    'another strategy',
    { spec: { replicas: 0, strategy: { type: 'Recreate' } } },
    { spec: { replicas: 0, strategy: { type: 'Recreate' }, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 } },
  ],
  [
    'apps/v1',
    'Deployment',
    'half of a strategy',
    { spec: { strategy: { rollingUpdate: { maxSurge: 2 } } } },
    {
      spec: {
        replicas: 1,
        strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: 2 } },
        revisionHistoryLimit: 10,
        progressDeadlineSeconds: 600,
      },
    },
  ],
  [
    'apps/v1',
    'ReplicaSet',
    'nothing',
    { spec: { template: { spec: {} } } },
    { spec: { template: { spec: podSpec }, replicas: 1 } },
  ],
  [
    'apps/v1',
    'StatefulSet',
    'nothing',
    { spec: { template: { spec: {} }, volumeClaimTemplates: [{ apiVersion: 'x', metadata: { name: 'd' }, spec: {} }] } },
    {
      spec: {
        template: { spec: podSpec },
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        revisionHistoryLimit: 10,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        volumeClaimTemplates: [
          {
            apiVersion: 'v1',
            kind: 'PersistentVolumeClaim',
            metadata: { name: 'd' },
            spec: { volumeMode: 'Filesystem' },
            ...claimStatus,
          },
        ],
      },
    },
  ],
  ...(
    [
      ['a strategy of which nothing but the type is told', { type: 'RollingUpdate' }, { type: 'RollingUpdate' }],
      ['a strategy without its type', { rollingUpdate: {} }, { type: 'RollingUpdate', rollingUpdate: { partition: 0 } }],
      [
        'another strategy with a partition',
        { type: 'OnDelete', rollingUpdate: {} },
        { type: 'OnDelete', rollingUpdate: { partition: 0 } },
      ],
    ] as const
  ).map(
    ([what, updateStrategy, becomes]): Row => [
      'apps/v1',
      'StatefulSet',
      what,
      { spec: { updateStrategy } },
      {
        spec: {
          replicas: 1,
          podManagementPolicy: 'OrderedReady',
          revisionHistoryLimit: 10,
          updateStrategy: becomes,
          persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        },
      },
    ],
  ),
  [
    'apps/v1',
    'StatefulSet',
    'another strategy and half of a policy',
    { spec: { updateStrategy: { type: 'OnDelete' }, persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete' } } },
    {
      spec: {
        replicas: 1,
        podManagementPolicy: 'OrderedReady',
        revisionHistoryLimit: 10,
        updateStrategy: { type: 'OnDelete' },
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
      },
    },
  ],
  [
    'apps/v1',
    'DaemonSet',
    'nothing',
    { metadata: { name: 'd' }, spec: { template: { spec: {} } } },
    {
      metadata: { name: 'd', annotations: { 'deprecated.daemonset.template.generation': '1' } },
      spec: {
        template: { spec: podSpec },
        revisionHistoryLimit: 10,
        updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } },
      },
    },
  ],
  [
    'apps/v1',
    'DaemonSet',
    'another strategy',
    {
      metadata: { annotations: { a: 'b' } },
      spec: { updateStrategy: { type: 'OnDelete', rollingUpdate: { maxUnavailable: 2 } } },
    },
    {
      metadata: { annotations: { a: 'b', 'deprecated.daemonset.template.generation': '1' } },
      spec: { revisionHistoryLimit: 10, updateStrategy: { type: 'OnDelete', rollingUpdate: { maxUnavailable: 2, maxSurge: 0 } } },
    },
  ],
  [
    'v1',
    'ReplicationController',
    'nothing but labels',
    { metadata: {}, spec: { template: { metadata: { labels: { a: 'b' } }, spec: {} } } },
    {
      metadata: { labels: { a: 'b' } },
      spec: { template: { metadata: { labels: { a: 'b' } }, spec: podSpec }, replicas: 1, selector: { a: 'b' } },
    },
  ],
  [
    'v1',
    'ReplicationController',
    'labels of its own',
    {
      metadata: { labels: { c: 'd' } },
      spec: { replicas: 1, selector: { a: 'b' }, template: { metadata: { labels: { a: 'b' } } } },
    },
    {
      metadata: { labels: { c: 'd' } },
      spec: { replicas: 1, selector: { a: 'b' }, template: { metadata: { labels: { a: 'b' } } } },
    },
  ],
  [
    'v1',
    'ReplicationController',
    'a selector of its own',
    { spec: { replicas: 3, selector: { c: 'd' }, template: { metadata: { labels: { a: 'b' } } } } },
    { spec: { replicas: 3, selector: { c: 'd' }, template: { metadata: { labels: { a: 'b' } } } } },
  ],
  ['v1', 'ReplicationController', 'no labels', { spec: { template: {} } }, { spec: { template: {}, replicas: 1 } }],
  ['v1', 'PodTemplate', 'nothing', { template: { spec: {} } }, { template: { spec: podSpec } }],
]

const jobDefaults = {
  completionMode: 'NonIndexed',
  suspend: false,
  manualSelector: false,
  podReplacementPolicy: 'TerminatingOrFailed',
  backoffLimit: 6,
}
const jobs: readonly Row[] = [
  ['batch/v1', 'Job', 'nothing', { spec: {} }, { spec: { completions: 1, parallelism: 1, ...jobDefaults } }],
  ['batch/v1', 'Job', 'how many at a time', { spec: { parallelism: 2 } }, { spec: { parallelism: 2, ...jobDefaults } }],
  [
    'batch/v1',
    'Job',
    'how many in all',
    { spec: { completions: 2 } },
    { spec: { completions: 2, parallelism: 1, ...jobDefaults } },
  ],
  [
    'batch/v1',
    'Job',
    'which failures count',
    {
      spec: {
        podFailurePolicy: {
          rules: [{ onPodConditions: [{ type: 'A' }, { type: 'B', status: '' }, { type: 'C', status: 'False' }] }],
        },
      },
    },
    {
      spec: {
        podFailurePolicy: {
          rules: [
            {
              onPodConditions: [
                { type: 'A', status: 'True' },
                { type: 'B', status: 'True' },
                { type: 'C', status: 'False' },
              ],
            },
          ],
        },
        completions: 1,
        parallelism: 1,
        ...jobDefaults,
        podReplacementPolicy: 'Failed',
      },
    },
  ],
  [
    'batch/v1',
    'Job',
    'how often each index may fail',
    { spec: { completions: 1, parallelism: 1, backoffLimitPerIndex: 0 } },
    { spec: { completions: 1, parallelism: 1, backoffLimitPerIndex: 0, ...jobDefaults, backoffLimit: 2_147_483_647 } },
  ],
  [
    'batch/v1',
    'Job',
    'labels of its pods',
    { metadata: { name: 'j' }, spec: { parallelism: 1, template: { metadata: { labels: { a: 'b' } } } } },
    {
      metadata: { name: 'j', labels: { a: 'b' } },
      spec: { parallelism: 1, template: { metadata: { labels: { a: 'b' } } }, ...jobDefaults },
    },
  ],
  [
    'batch/v1',
    'Job',
    'labels of its own',
    { metadata: { labels: { c: 'd' } }, spec: { parallelism: 1, template: { metadata: { labels: { a: 'b' } } } } },
    {
      metadata: { labels: { c: 'd' } },
      spec: { parallelism: 1, template: { metadata: { labels: { a: 'b' } } }, ...jobDefaults },
    },
  ],
  [
    'batch/v1',
    'Job',
    'empty labels of its own',
    { metadata: { labels: {} }, spec: { parallelism: 1, template: { metadata: { labels: { a: 'b' } } } } },
    {
      metadata: { labels: { a: 'b' } },
      spec: { parallelism: 1, template: { metadata: { labels: { a: 'b' } } }, ...jobDefaults },
    },
  ],
  [
    'batch/v1',
    'CronJob',
    'nothing',
    { spec: { jobTemplate: { spec: { template: { spec: {} } } } } },
    {
      spec: {
        jobTemplate: { spec: { template: { spec: podSpec } } },
        concurrencyPolicy: 'Allow',
        suspend: false,
        successfulJobsHistoryLimit: 3,
        failedJobsHistoryLimit: 1,
      },
    },
  ],
]

const serviceDefaults = { type: 'ClusterIP', sessionAffinity: 'None' }
const inside = { internalTrafficPolicy: 'Cluster' }
const services: readonly Row[] = [
  [
    'v1',
    'Service',
    'ports',
    {
      spec: {
        ports: [{ port: 80 }, { port: 81, targetPort: 0 }, { port: 82, targetPort: '' }, { port: 83, targetPort: 'web' }, {}],
      },
    },
    {
      spec: {
        ports: [
          { port: 80, protocol: 'TCP', targetPort: 80 },
          { port: 81, protocol: 'TCP', targetPort: 81 },
          { port: 82, protocol: 'TCP', targetPort: 82 },
          { port: 83, protocol: 'TCP', targetPort: 'web' },
          { protocol: 'TCP', targetPort: 0 },
        ],
        ...serviceDefaults,
        ...inside,
      },
    },
  ],
  [
    'v1',
    'Service',
    'an affinity to nobody',
    { spec: { sessionAffinityConfig: { clientIP: { timeoutSeconds: 3 } } } },
    { spec: { ...serviceDefaults, ...inside } },
  ],
  [
    'v1',
    'Service',
    'an affinity to clients',
    { spec: { sessionAffinity: 'ClientIP' } },
    {
      spec: {
        ...serviceDefaults,
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 10_800 } },
        ...inside,
      },
    },
  ],
  [
    'v1',
    'Service',
    'an affinity for some time',
    { spec: { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 3 } } } },
    {
      spec: {
        ...serviceDefaults,
        sessionAffinity: 'ClientIP',
        sessionAffinityConfig: { clientIP: { timeoutSeconds: 3 } },
        ...inside,
      },
    },
  ],
  [
    'v1',
    'Service',
    'addresses of its own outside',
    { spec: { externalIPs: ['192.0.2.1'] } },
    { spec: { externalIPs: ['192.0.2.1'], ...serviceDefaults, externalTrafficPolicy: 'Cluster', ...inside } },
  ],
  [
    'v1',
    'Service',
    'no address of its own outside',
    { spec: { externalIPs: [] } },
    { spec: { externalIPs: [], ...serviceDefaults, ...inside } },
  ],
  [
    'v1',
    'Service',
    'a port on every node',
    { spec: { type: 'NodePort' } },
    { spec: { ...serviceDefaults, type: 'NodePort', externalTrafficPolicy: 'Cluster', ...inside } },
  ],
  [
    'v1',
    'Service',
    'a balancer',
    { spec: { type: 'LoadBalancer' } },
    {
      spec: {
        ...serviceDefaults,
        type: 'LoadBalancer',
        externalTrafficPolicy: 'Cluster',
        allocateLoadBalancerNodePorts: true,
        ...inside,
      },
    },
  ],
  [
    'v1',
    'Service',
    'a name elsewhere',
    { spec: { type: 'ExternalName', externalIPs: ['192.0.2.1'] } },
    { spec: { ...serviceDefaults, type: 'ExternalName', externalIPs: ['192.0.2.1'] } },
  ],
]

const rbac = 'rbac.authorization.k8s.io'
const hookDefaults = {
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: {},
  objectSelector: {},
  timeoutSeconds: 10,
}
const matchDefaults = { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} }
const admission = 'admissionregistration.k8s.io/v1'

const others: readonly Row[] = [
  [
    'v1',
    'Secret',
    'texts',
    { data: { a: 'eA==', b: 'eA==' }, stringData: { b: 'é', c: '' } },
    { data: { a: 'eA==', b: 'w6k=', c: '' }, type: 'Opaque' },
  ],
  ['v1', 'Secret', 'a type', { type: 'other' }, { type: 'other' }],
  [
    'v1',
    'Namespace',
    'a name',
    { metadata: { name: 'n', labels: { a: 'b' } } },
    { metadata: { name: 'n', labels: { a: 'b', 'kubernetes.io/metadata.name': 'n' } }, status: { phase: 'Active' } },
  ],
  [
    'v1',
    'Namespace',
    'nothing but a name',
    { metadata: { name: 'n' } },
    { metadata: { name: 'n', labels: { 'kubernetes.io/metadata.name': 'n' } }, status: { phase: 'Active' } },
  ],
  ['v1', 'Namespace', 'no name', { metadata: { name: '' } }, { metadata: { name: '' }, status: { phase: 'Active' } }],
  [
    'v1',
    'Namespace',
    'a name that is only begun, and an end',
    { metadata: { generateName: 'n-' }, status: { phase: 'Terminating' } },
    { metadata: { generateName: 'n-' }, status: { phase: 'Terminating' } },
  ],
  [
    'v1',
    'Node',
    'one network and what it has',
    { spec: { podCIDR: '10.0.0.0/24' }, status: { capacity: { cpu: '1' } } },
    {
      spec: { podCIDR: '10.0.0.0/24', podCIDRs: ['10.0.0.0/24'] },
      status: { capacity: { cpu: '1' }, allocatable: { cpu: '1' } },
    },
  ],
  [
    'v1',
    'Node',
    'networks and what there is of it for pods',
    { spec: { podCIDR: 'a', podCIDRs: ['b'] }, status: { capacity: { cpu: '2' }, allocatable: { cpu: '1' } } },
    { spec: { podCIDR: 'a', podCIDRs: ['a'] }, status: { capacity: { cpu: '2' }, allocatable: { cpu: '1' } } },
  ],
  [
    'v1',
    'Node',
    'networks whose first it names',
    { spec: { podCIDR: 'a', podCIDRs: ['a', 'b'] } },
    { spec: { podCIDR: 'a', podCIDRs: ['a', 'b'] } },
  ],
  ['v1', 'Node', 'networks', { spec: { podCIDRs: ['a', 'b'] } }, { spec: { podCIDR: 'a', podCIDRs: ['a', 'b'] } }],
  ['v1', 'Node', 'a network without a name', { spec: { podCIDRs: [''] } }, { spec: { podCIDRs: [''] } }],
  ['v1', 'Node', 'neither', { spec: {}, status: {} }, { spec: {}, status: {} }],
  [
    'v1',
    'Endpoints',
    'a port',
    { subsets: [{ ports: [{ port: 1 }, { port: 2, protocol: 'UDP' }] }] },
    {
      subsets: [
        {
          ports: [
            { port: 1, protocol: 'TCP' },
            { port: 2, protocol: 'UDP' },
          ],
        },
      ],
    },
  ],
  ['v1', 'PersistentVolumeClaim', 'nothing', { spec: {} }, { spec: { volumeMode: 'Filesystem' }, ...claimStatus }],
  [
    'v1',
    'PersistentVolumeClaim',
    'a state',
    { spec: { volumeMode: 'Block' }, status: { phase: 'Bound' } },
    { spec: { volumeMode: 'Block' }, status: { phase: 'Bound' } },
  ],
  [
    'v1',
    'PersistentVolume',
    'a folder',
    { spec: { hostPath: { path: '/a' } } },
    {
      spec: { hostPath: { path: '/a', type: '' }, persistentVolumeReclaimPolicy: 'Retain', volumeMode: 'Filesystem' },
      ...claimStatus,
    },
  ],
  ...volumeSources.map(
    ([field, defaults]) =>
      [
        'v1',
        'PersistentVolume',
        field,
        { spec: { [field]: {}, persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Block' } },
        { spec: { [field]: defaults, persistentVolumeReclaimPolicy: 'Delete', volumeMode: 'Block' }, ...claimStatus },
      ] as const,
  ),
  [
    'v1',
    'LimitRange',
    'bounds of a container',
    {
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2', memory: '1Gi' }, min: { cpu: '1', storage: '1' }, default: { cpu: '1500m' } },
        ],
      },
    },
    {
      spec: {
        limits: [
          {
            type: 'Container',
            max: { cpu: '2', memory: '1Gi' },
            min: { cpu: '1', storage: '1' },
            default: { cpu: '1500m', memory: '1Gi' },
            defaultRequest: { cpu: '1500m', memory: '1Gi', storage: '1' },
          },
        ],
      },
    },
  ],
  [
    'v1',
    'LimitRange',
    'a bound of a container, and what is none',
    {
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2' } },
          { type: 'Container', max: 'x' },
        ],
      },
    },
    {
      spec: {
        limits: [
          { type: 'Container', max: { cpu: '2' }, default: { cpu: '2' }, defaultRequest: { cpu: '2' } },
          { type: 'Container', max: 'x' },
        ],
      },
    },
  ],
  [
    'v1',
    'LimitRange',
    'bounds of a pod, and none of a container',
    { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }, { type: 'Container' }] } },
    { spec: { limits: [{ type: 'Pod', max: { cpu: '2' } }, { type: 'Container' }] } },
  ],
  [
    `${rbac}/v1`,
    'RoleBinding',
    'subjects',
    {
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', name: 's' },
        { kind: 'Robot', name: 'r' },
        { kind: 'User', name: 'u', apiGroup: '' },
      ],
      roleRef: { kind: 'Role', name: 'r' },
    },
    {
      subjects: [
        { kind: 'User', name: 'u', apiGroup: rbac },
        { kind: 'Group', name: 'g', apiGroup: rbac },
        { kind: 'ServiceAccount', name: 's' },
        { kind: 'Robot', name: 'r' },
        { kind: 'User', name: 'u', apiGroup: '' },
      ],
      roleRef: { kind: 'Role', name: 'r', apiGroup: rbac },
    },
  ],
  [
    `${rbac}/v1`,
    'ClusterRoleBinding',
    'a role of another group, or of an empty one',
    { roleRef: { kind: 'ClusterRole', name: 'r', apiGroup: 'x' } },
    { roleRef: { kind: 'ClusterRole', name: 'r', apiGroup: 'x' } },
  ],
  [
    `${rbac}/v1`,
    'ClusterRoleBinding',
    'a role of an empty group',
    { roleRef: { kind: 'ClusterRole', name: 'r', apiGroup: '' } },
    { roleRef: { kind: 'ClusterRole', name: 'r', apiGroup: rbac } },
  ],
  [
    'discovery.k8s.io/v1',
    'EndpointSlice',
    'a port',
    { ports: [{ port: 80 }] },
    { ports: [{ port: 80, name: '', protocol: 'TCP' }] },
  ],
  [
    admission,
    'MutatingWebhookConfiguration',
    'a rule and a service',
    { webhooks: [{ rules: [{ resources: ['pods'] }], clientConfig: { service: { name: 's' } } }] },
    {
      webhooks: [
        {
          rules: [{ resources: ['pods'], scope: '*' }],
          clientConfig: { service: { name: 's', port: 443 } },
          ...hookDefaults,
          reinvocationPolicy: 'Never',
        },
      ],
    },
  ],
  [
    admission,
    'ValidatingWebhookConfiguration',
    'a rule of some scope and an address',
    { webhooks: [{ rules: [{ scope: 'Cluster' }], clientConfig: { url: 'https://a' } }] },
    { webhooks: [{ rules: [{ scope: 'Cluster' }], clientConfig: { url: 'https://a' }, ...hookDefaults }] },
  ],
  [
    admission,
    'ValidatingAdmissionPolicy',
    'what it is about',
    { spec: { matchConstraints: { resourceRules: [{}], excludeResourceRules: [{ scope: 'Cluster' }, {}] } } },
    {
      spec: {
        matchConstraints: {
          resourceRules: [{ scope: '*' }],
          excludeResourceRules: [{ scope: 'Cluster' }, { scope: '*' }],
          ...matchDefaults,
        },
        failurePolicy: 'Fail',
      },
    },
  ],
  [
    admission,
    'ValidatingAdmissionPolicyBinding',
    'what it is about',
    { spec: { matchResources: {} } },
    { spec: { matchResources: matchDefaults } },
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'a kind',
    { spec: { names: { kind: 'MyWidget' } } },
    {
      spec: {
        names: { kind: 'MyWidget', singular: 'mywidget', listKind: 'MyWidgetList' },
        conversion: { strategy: 'None' },
      },
    },
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'no kind, and a service that converts',
    { spec: { names: { kind: '' }, conversion: { webhook: { clientConfig: { service: { name: 's' } } } } } },
    {
      spec: {
        names: { kind: '' },
        conversion: { strategy: 'None', webhook: { clientConfig: { service: { name: 's', port: 443 } } } },
      },
    },
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'whence',
    { spec: { ingress: [{ ports: [{ port: 1 }] }] } },
    { spec: { ingress: [{ ports: [{ port: 1, protocol: 'TCP' }] }], policyTypes: ['Ingress'] } },
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'whither',
    { spec: { egress: [{ ports: [{ port: 1, protocol: 'UDP' }, {}] }], policyTypes: [] } },
    {
      spec: {
        egress: [{ ports: [{ port: 1, protocol: 'UDP' }, { protocol: 'TCP' }] }],
        policyTypes: ['Ingress', 'Egress'],
      },
    },
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    'its types',
    { spec: { egress: [], policyTypes: ['Egress'] } },
    { spec: { egress: [], policyTypes: ['Egress'] } },
  ],
  [
    'networking.k8s.io/v1',
    'IngressClass',
    'parameters',
    { spec: { controller: 'a/b', parameters: { kind: 'K', name: 'n' } } },
    { spec: { controller: 'a/b', parameters: { kind: 'K', name: 'n', scope: 'Cluster' } } },
  ],
  ['authentication.k8s.io/v1', 'TokenRequest', 'nothing', { spec: {} }, { spec: { expirationSeconds: 3600 } }],
]

const shrink = { selectPolicy: 'Max', policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }] }
const grow = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
}
const averageOfCpu = {
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
}
const flow = 'flowcontrol.apiserver.k8s.io/v1'
const platform: readonly Row[] = [
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'nothing',
    { spec: { maxReplicas: 3 } },
    { spec: { maxReplicas: 3, minReplicas: 1, metrics: [averageOfCpu] } },
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'no metric and a behavior',
    { spec: { minReplicas: 2, metrics: [], behavior: {} } },
    { spec: { minReplicas: 2, metrics: [averageOfCpu], behavior: { scaleUp: grow, scaleDown: shrink } } },
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    'a metric and half of a behavior',
    { spec: { minReplicas: 2, metrics: [{ type: 'Pods' }], behavior: { scaleDown: { policies: [] } } } },
    {
      spec: {
        minReplicas: 2,
        metrics: [{ type: 'Pods' }],
        behavior: { scaleUp: grow, scaleDown: { selectPolicy: 'Max', policies: [] } },
      },
    },
  ],
  ['scheduling.k8s.io/v1', 'PriorityClass', 'a value', { value: 1 }, { value: 1, preemptionPolicy: 'PreemptLowerPriority' }],
  ['storage.k8s.io/v1', 'StorageClass', 'nothing', {}, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }],
  [
    'storage.k8s.io/v1',
    'CSIDriver',
    'nothing',
    {},
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: false,
        storageCapacity: false,
        fsGroupPolicy: 'ReadWriteOnceWithFSType',
        volumeLifecycleModes: ['Persistent'],
        requiresRepublish: false,
        seLinuxMount: false,
      },
    },
  ],
  [flow, 'FlowSchema', 'nothing', { spec: {} }, { spec: { matchingPrecedence: 1000 } }],
  [
    flow,
    'PriorityLevelConfiguration',
    'a limit',
    { spec: { limited: {} } },
    { spec: { limited: { nominalConcurrencyShares: 30, lendablePercent: 0 } } },
  ],
  [
    'resource.k8s.io/v1',
    'ResourceClaim',
    'wishes',
    {
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: {} },
            { name: 'b', firstAvailable: [{}, { allocationMode: 'All' }, { count: 2 }] },
          ],
        },
      },
    },
    {
      spec: {
        devices: {
          requests: [
            { name: 'a', exactly: { allocationMode: 'ExactCount', count: 1 } },
            {
              name: 'b',
              firstAvailable: [
                { allocationMode: 'ExactCount', count: 1 },
                { allocationMode: 'All' },
                { allocationMode: 'ExactCount', count: 2 },
              ],
            },
          ],
        },
      },
    },
  ],
]

for (const [apiVersion, kind, what, given, becomes] of [...workloads, ...jobs, ...services, ...others, ...platform])
  test(`a ${kind} of ${apiVersion} that says ${what} gets the rest`, () => {
    assert.deepEqual(defaulted(apiVersion, kind, given), becomes)
  })

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const images: readonly (readonly [image: string, policy: 'Always' | 'IfNotPresent'])[] = [
  ['web', 'Always'],
  ['web:latest', 'Always'],
  ['web:1', 'IfNotPresent'],
  [`web@${digest}`, 'IfNotPresent'],
  [`web:latest@${digest}`, 'Always'],
  ['localhost/web', 'Always'],
  ['localhost:5000/a/web:1', 'IfNotPresent'],
  ['registry.example.com/a__b/c-d.e', 'Always'],
  ['library/0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'Always'],
  ['0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef', 'IfNotPresent'],
  ['Web', 'IfNotPresent'],
  ['w'.repeat(247), 'Always'],
  ['w'.repeat(248), 'IfNotPresent'],
  [`a/${'w'.repeat(253)}`, 'Always'],
  [`a/${'w'.repeat(254)}`, 'IfNotPresent'],
  [`example.com/${'w'.repeat(255)}`, 'Always'],
  ['', 'IfNotPresent'],
]

function podOf(spec: JsonObject): JsonObject {
  return defaulted('v1', 'Pod', { spec }).spec as JsonObject
}

test('a template keeps a grace below nothing, which only its pods take for a second', () => {
  const spec = { template: { spec: { terminationGracePeriodSeconds: -5 } } }
  const { template } = defaulted('apps/v1', 'ReplicaSet', { spec }).spec as { template: JsonObject }
  assert.deepEqual(template.spec, { ...podSpec, terminationGracePeriodSeconds: -5 })
})

test('what has the tag latest, or neither tag nor digest, is pulled always', () => {
  const containers = images.map(([image]) => ({ image }))
  assert.deepEqual(
    (podOf({ containers }).containers as JsonObject[]).map(one => [one.image, one.imagePullPolicy]),
    images,
  )
})

const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 }
const get = { path: '/', scheme: 'HTTP' }
const image = 'web:1'

const pods: readonly (readonly [what: string, given: JsonObject, becomes: JsonObject])[] = [
  ['nothing', {}, {}],
  ['a grace below nothing', { terminationGracePeriodSeconds: -1 }, { terminationGracePeriodSeconds: 1 }],
  ['no grace', { terminationGracePeriodSeconds: 0 }, { terminationGracePeriodSeconds: 0 }],
  ['an account', { serviceAccountName: 'a' }, { serviceAccountName: 'a', serviceAccount: 'a' }],
  ['an account by its old name', { serviceAccount: 'a' }, { serviceAccount: 'a', serviceAccountName: 'a' }],
  ['two accounts', { serviceAccount: 'a', serviceAccountName: 'b' }, { serviceAccount: 'b', serviceAccountName: 'b' }],
  ['no links', { enableServiceLinks: false }, { enableServiceLinks: false }],
  [
    'limits',
    {
      containers: [{ image, resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1' } } }],
      initContainers: [{ image, resources: { limits: { cpu: '2' } } }],
      ephemeralContainers: [{ image, resources: { limits: { cpu: '2' } } }],
    },
    {
      containers: [
        { image, ...container, resources: { limits: { cpu: '2', memory: '1Gi' }, requests: { cpu: '1', memory: '1Gi' } } },
      ],
      initContainers: [{ image, ...container, resources: { limits: { cpu: '2' }, requests: { cpu: '2' } } }],
      ephemeralContainers: [{ image, ...container, resources: { limits: { cpu: '2' } } }],
    },
  ],
  [
    "ports on the host's network",
    {
      hostNetwork: true,
      containers: [{ image, ports: [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }, {}] }],
      initContainers: [{ image, ports: [{ containerPort: 82, protocol: 'UDP' }] }],
    },
    {
      hostNetwork: true,
      containers: [
        {
          image,
          ...container,
          ports: [
            { containerPort: 80, protocol: 'TCP', hostPort: 80 },
            { containerPort: 81, hostPort: 8081, protocol: 'TCP' },
            { protocol: 'TCP' },
          ],
        },
      ],
      initContainers: [{ image, ...container, ports: [{ containerPort: 82, protocol: 'UDP', hostPort: 82 }] }],
    },
  ],
  [
    'what only a gate would let it have',
    {
      hostnameOverride: 'h',
      volumes: [
        { name: 'i', image: { reference: 'r' } },
        { name: 'p', projected: { defaultMode: 0, sources: [{ clusterTrustBundle: { path: 'b' } }, { podCertificate: {} }] } },
      ],
      containers: [
        {
          image,
          restartPolicy: 'Always',
          restartPolicyRules: [{ action: 'Restart' }],
          lifecycle: { stopSignal: 'SIGTERM' },
          env: [{ name: 'A', valueFrom: { fileKeyRef: { key: 'k' } } }],
          volumeMounts: [{ name: 'i', mountPath: '/i' }],
        },
        { image, lifecycle: {}, volumeMounts: [{ name: 'i' }, { name: 'p' }] },
        { image, lifecycle: { stopSignal: 'SIGTERM', preStop: {} } },
      ],
      initContainers: [
        { image, restartPolicy: 'Always' },
        { image, restartPolicy: 'Never' },
      ],
    },
    {
      volumes: [{ name: 'p', projected: { defaultMode: 0, sources: [{}, {}] } }],
      containers: [
        { image, ...container, env: [{ name: 'A', valueFrom: {} }] },
        { image, ...container, lifecycle: {}, volumeMounts: [{ name: 'p' }] },
        { image, ...container, lifecycle: { preStop: {} } },
      ],
      initContainers: [
        { image, ...container, restartPolicy: 'Always' },
        { image, ...container },
      ],
    },
  ],
  ['one volume that only a gate would let it have', { volumes: [{ name: 'i', image: { reference: 'r' } }] }, {}],
  [
    'ports on its own network',
    { hostNetwork: false, containers: [{ image, ports: [{ containerPort: 80 }] }] },
    { hostNetwork: false, containers: [{ image, ...container, ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
  ],
  [
    'probes and hooks',
    {
      containers: [
        {
          image,
          livenessProbe: { httpGet: { port: 1 } },
          readinessProbe: { grpc: { port: 1 }, periodSeconds: 2 },
          startupProbe: { tcpSocket: { port: 1 } },
          lifecycle: { postStart: { httpGet: { port: 1 } }, preStop: { httpGet: { port: 1, path: '/a', scheme: 'HTTPS' } } },
        },
      ],
      ephemeralContainers: [{ image, livenessProbe: {} }],
    },
    {
      containers: [
        {
          image,
          ...container,
          livenessProbe: { httpGet: { port: 1, ...get }, ...probe },
          readinessProbe: { grpc: { port: 1, service: '' }, ...probe, periodSeconds: 2 },
          startupProbe: { tcpSocket: { port: 1 }, ...probe },
          lifecycle: {
            postStart: { httpGet: { port: 1, ...get } },
            preStop: { httpGet: { port: 1, path: '/a', scheme: 'HTTPS' } },
          },
        },
      ],
      ephemeralContainers: [{ image, ...container, livenessProbe: probe }],
    },
  ],
  [
    'variables',
    { containers: [{ image, env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }, { name: 'B' }] }] },
    {
      containers: [
        {
          image,
          ...container,
          env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name', apiVersion: 'v1' } } }, { name: 'B' }],
        },
      ],
    },
  ],
  [
    'volumes',
    {
      volumes: [
        { name: 'a' },
        { name: 'b', secret: { secretName: 's' } },
        { name: 'c', configMap: { name: 'c', defaultMode: 0 } },
        { name: 'd', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'f' } }] } },
        {
          name: 'e',
          projected: {
            sources: [
              { serviceAccountToken: { path: 't' } },
              { serviceAccountToken: { path: 't', expirationSeconds: 600 } },
              {
                downwardAPI: {
                  items: [
                    { path: 'p', fieldRef: { fieldPath: 'f', apiVersion: 'v2' } },
                    { path: 'q', fieldRef: {} },
                  ],
                },
              },
            ],
          },
        },
        { name: 'f', hostPath: { path: '/' } },
        { name: 'g', ephemeral: { volumeClaimTemplate: { spec: {} } } },
        { name: 'h', emptyDir: { medium: 'Memory' } },
        { name: 'i', iscsi: { lun: 0 } },
        { name: 'j', rbd: { image: 'i' } },
        { name: 'k', azureDisk: { diskName: 'd' } },
        { name: 'l', scaleIO: { system: 's', fsType: 'ext4' } },
      ],
    },
    {
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', secret: { secretName: 's', defaultMode: 0o644 } },
        { name: 'c', configMap: { name: 'c', defaultMode: 0 } },
        {
          name: 'd',
          downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'f', apiVersion: 'v1' } }], defaultMode: 0o644 },
        },
        {
          name: 'e',
          projected: {
            sources: [
              { serviceAccountToken: { path: 't', expirationSeconds: 3600 } },
              { serviceAccountToken: { path: 't', expirationSeconds: 600 } },
              {
                downwardAPI: {
                  items: [
                    { path: 'p', fieldRef: { fieldPath: 'f', apiVersion: 'v2' } },
                    { path: 'q', fieldRef: { apiVersion: 'v1' } },
                  ],
                },
              },
            ],
            defaultMode: 0o644,
          },
        },
        { name: 'f', hostPath: { path: '/', type: '' } },
        { name: 'g', ephemeral: { volumeClaimTemplate: { spec: { volumeMode: 'Filesystem' } } } },
        { name: 'h', emptyDir: { medium: 'Memory' } },
        { name: 'i', iscsi: { lun: 0, iscsiInterface: 'default' } },
        { name: 'j', rbd: { image: 'i', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } },
        { name: 'k', azureDisk: { diskName: 'd', cachingMode: 'ReadWrite', fsType: 'ext4', kind: 'Shared', readOnly: false } },
        { name: 'l', scaleIO: { system: 's', fsType: 'ext4', storageMode: 'ThinProvisioned' } },
      ],
    },
  ],
]

for (const [what, given, becomes] of pods)
  test(`a Pod that says ${what} gets the rest`, () => {
    assert.deepEqual(podOf(given), { ...podSpec, enableServiceLinks: true, ...becomes })
  })

test('a template gets no ports of its host, since only its pods have one', () => {
  const template = { spec: { hostNetwork: true, containers: [{ image, ports: [{ containerPort: 80 }] }] } }
  for (const [apiVersion, kind] of [
    ['apps/v1', 'Deployment'],
    ['batch/v1', 'Job'],
  ] as const) {
    const object = schemaOf({ apiVersion, kind }).applyDefaults({ apiVersion, kind, spec: { template } })
    assert.ok(JSON.stringify(object).includes('"ports":[{"containerPort":80,"protocol":"TCP"}]'), kind)
  }
})

test('defaults that are there already leave an object as it is', () => {
  const schema = schemaOf({ apiVersion: 'apps/v1', kind: 'Deployment' })
  const spec = { template: { spec: { containers: [{ image }], volumes: [{ name: 'a' }] } }, strategy: {} }
  const once = schema.applyDefaults({ apiVersion: 'apps/v1', kind: 'Deployment', spec })
  assert.deepEqual(schema.applyDefaults(once), once)
  const slice = { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ports: [{ name: '', protocol: 'TCP' }] }
  assert.equal(schemaOf(slice).applyDefaults(slice), slice)
  const config = schemaOf({ apiVersion: 'v1', kind: 'ConfigMap' })
  const object = { apiVersion: 'v1', kind: 'ConfigMap' }
  assert.equal(config.applyDefaults(object), object)
})
