// One object of each kind, of which more is said than people say: each can be made as it is, and breaks in a thousand ways.
import type { JsonObject } from '#schema'
import { labels, nodeTerm, podSpec, selector } from './pod.ts'

export interface Rich {
  readonly path: string
  readonly object: JsonObject
}

interface Place {
  readonly name: string
  readonly isInCluster: boolean
}

const inDefault: Place = { name: 'it', isInCluster: false }

function inCluster(name = 'it'): Place {
  return { name, isInCluster: true }
}

function rich(apiVersion: string, kind: string, resource: string, body: object, { name, isInCluster }: Place = inDefault): Rich {
  const metadata = { name, labels: { app: 'a' }, annotations: { note: 'b' } }
  const root = `${apiVersion.includes('/') ? '/apis' : '/api'}/${apiVersion}`
  return {
    path: `${root}${isInCluster ? '' : '/namespaces/default'}/${resource}`,
    object: { apiVersion, kind, metadata, ...(body as JsonObject) },
  }
}

/** Made by openssl, of a key that is gone. */
const signingRequest =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KTUlISE1HNENBUUF3RERFS01BZ0dBMVVFQXd3QllUQlpNQk1HQnlxR1NNNDlBZ0VHQ0NxR1NNNDlBd0VIQTBJQQpCSmpnc1dER2E0b0tmOXQ0bDBERVBwYUh6NFVSeDZxcUdoalR5T3VsYWZvc3dKaW9ERGhjTmE5ajJORHVlS2owClVwSmdoQVBMNlkzVmR1eS9OeHB6SjZTZ0FEQUtCZ2dxaGtqT1BRUURBZ05KQURCR0FpRUFvcHM4Vzh5OS9iTnIKNDhRUG91dFpFMkhEbGNTVjU3TS9xOVRrdjZZMWlBOENJUUQzazZyWU10TDgwOGwzMG0yNFBXcmN6ck9oaW03WApIREdVelJPeCtnKzRJUT09Ci0tLS0tRU5EIENFUlRJRklDQVRFIFJFUVVFU1QtLS0tLQo='

const small = { containers: [{ name: 'a', image: 'b' }] }
const clientConfig = { service: { namespace: 'a', name: 'b', path: '/p', port: 443 } }
const rules = [
  { operations: ['CREATE', 'UPDATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'], scope: 'Namespaced' },
]
const hook = {
  name: 'a.b.c',
  clientConfig,
  rules,
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  namespaceSelector: selector,
  objectSelector: selector,
  sideEffects: 'None',
  timeoutSeconds: 5,
  admissionReviewVersions: ['v1'],
  matchConditions: [{ name: 'm', expression: 'true' }],
}

export const richObjects: Readonly<Record<string, Rich>> = {
  pod: rich('apps/v1', 'Deployment', 'deployments', {
    spec: { selector: { matchLabels: { app: 'a' } }, template: { metadata: { labels }, spec: podSpec } },
  }),
  deployment: rich('apps/v1', 'Deployment', 'deployments', {
    spec: {
      replicas: 3,
      minReadySeconds: 2,
      revisionHistoryLimit: 4,
      progressDeadlineSeconds: 500,
      paused: false,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: 1 } },
      selector: selector,
      template: { metadata: { labels, annotations: { a: 'b' } }, spec: small },
    },
  }),
  statefulset: rich('apps/v1', 'StatefulSet', 'statefulsets', {
    spec: {
      replicas: 3,
      serviceName: 's',
      podManagementPolicy: 'Parallel',
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 1 } },
      revisionHistoryLimit: 4,
      minReadySeconds: 1,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Retain' },
      ordinals: { start: 1 },
      selector: selector,
      template: { metadata: { labels }, spec: small },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], volumeMode: 'Filesystem', resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  }),
  daemonset: rich('apps/v1', 'DaemonSet', 'daemonsets', {
    spec: {
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 1, maxSurge: 0 } },
      minReadySeconds: 1,
      revisionHistoryLimit: 3,
      selector: selector,
      template: { metadata: { labels }, spec: small },
    },
  }),
  replicaset: rich('apps/v1', 'ReplicaSet', 'replicasets', {
    spec: { replicas: 2, minReadySeconds: 1, selector: selector, template: { metadata: { labels }, spec: small } },
  }),
  rc: rich('v1', 'ReplicationController', 'replicationcontrollers', {
    spec: { replicas: 2, minReadySeconds: 1, selector: { app: 'a' }, template: { metadata: { labels }, spec: small } },
  }),
  job: rich('batch/v1', 'Job', 'jobs', {
    spec: {
      parallelism: 2,
      completions: 3,
      activeDeadlineSeconds: 5,
      backoffLimit: 3,
      ttlSecondsAfterFinished: 5,
      completionMode: 'Indexed',
      suspend: true,
      podReplacementPolicy: 'Failed',
      backoffLimitPerIndex: 1,
      maxFailedIndexes: 1,
      podFailurePolicy: {
        rules: [
          { action: 'Ignore', onExitCodes: { containerName: 'a', operator: 'In', values: [1, 2] } },
          { action: 'FailJob', onPodConditions: [{ type: 'DisruptionTarget', status: 'True' }] },
        ],
      },
      successPolicy: { rules: [{ succeededIndexes: '0-1', succeededCount: 1 }] },
      template: { metadata: { labels }, spec: { ...small, restartPolicy: 'Never' } },
    },
  }),
  cronjob: rich('batch/v1', 'CronJob', 'cronjobs', {
    spec: {
      schedule: '*/5 * * * *',
      timeZone: 'Europe/Berlin',
      startingDeadlineSeconds: 5,
      concurrencyPolicy: 'Forbid',
      suspend: false,
      successfulJobsHistoryLimit: 3,
      failedJobsHistoryLimit: 1,
      jobTemplate: {
        metadata: { labels },
        spec: { parallelism: 1, template: { spec: { ...small, restartPolicy: 'OnFailure' } } },
      },
    },
  }),
  service: rich('v1', 'Service', 'services', {
    spec: {
      type: 'LoadBalancer',
      selector: { app: 'a' },
      ports: [
        { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP', appProtocol: 'kubernetes.io/h2c', nodePort: 30080 },
        { name: 'dns', port: 53, targetPort: 53, protocol: 'UDP' },
      ],
      externalIPs: ['1.2.3.4'],
      sessionAffinity: 'ClientIP',
      sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } },
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30090,
      publishNotReadyAddresses: true,
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      allocateLoadBalancerNodePorts: true,
      loadBalancerClass: 'a.b/c',
      internalTrafficPolicy: 'Local',
      trafficDistribution: 'PreferClose',
    },
  }),
  external: rich('v1', 'Service', 'services', { spec: { type: 'ExternalName', externalName: 'a.b' } }),
  clusterip: rich('v1', 'Service', 'services', {
    spec: { type: 'ClusterIP', clusterIP: 'None', selector: { app: 'a' }, ports: [{ port: 80, targetPort: 80 }] },
  }),
  ingress: rich('networking.k8s.io/v1', 'Ingress', 'ingresses', {
    spec: {
      ingressClassName: 'c',
      defaultBackend: { service: { name: 's', port: { number: 80 } } },
      tls: [{ hosts: ['a.b'], secretName: 's' }],
      rules: [
        {
          host: '*.a.b',
          http: {
            paths: [
              { path: '/x', pathType: 'Prefix', backend: { service: { name: 's', port: { name: 'http' } } } },
              { path: '/y', pathType: 'Exact', backend: { resource: { apiGroup: 'a.b', kind: 'C', name: 'd' } } },
            ],
          },
        },
      ],
    },
  }),
  ingressclass: rich(
    'networking.k8s.io/v1',
    'IngressClass',
    'ingressclasses',
    { spec: { controller: 'a.b/c', parameters: { apiGroup: 'a.b', kind: 'C', name: 'd', scope: 'Namespace', namespace: 'e' } } },
    inCluster(),
  ),
  netpol: rich('networking.k8s.io/v1', 'NetworkPolicy', 'networkpolicies', {
    spec: {
      podSelector: selector,
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        {
          from: [
            { podSelector: selector, namespaceSelector: selector },
            { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } },
          ],
          ports: [{ port: 80, endPort: 90, protocol: 'TCP' }],
        },
      ],
      egress: [{ to: [{ namespaceSelector: selector }], ports: [{ port: 'http', protocol: 'UDP' }] }],
    },
  }),
  hpa: rich('autoscaling/v2', 'HorizontalPodAutoscaler', 'horizontalpodautoscalers', {
    spec: {
      minReplicas: 1,
      maxReplicas: 5,
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'a' },
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } },
        {
          type: 'ContainerResource',
          containerResource: { name: 'cpu', container: 'c', target: { type: 'AverageValue', averageValue: '5' } },
        },
        {
          type: 'Pods',
          pods: { metric: { name: 'm', selector: selector }, target: { type: 'AverageValue', averageValue: '5' } },
        },
        {
          type: 'Object',
          object: {
            describedObject: { apiVersion: 'v1', kind: 'Service', name: 's' },
            metric: { name: 'm' },
            target: { type: 'Value', value: '5' },
          },
        },
        { type: 'External', external: { metric: { name: 'm', selector: selector }, target: { type: 'Value', value: '5' } } },
      ],
      behavior: {
        scaleUp: {
          stabilizationWindowSeconds: 5,
          selectPolicy: 'Max',
          policies: [{ type: 'Pods', value: 3, periodSeconds: 60 }],
        },
        scaleDown: {
          stabilizationWindowSeconds: 5,
          selectPolicy: 'Disabled',
          policies: [{ type: 'Percent', value: 3, periodSeconds: 60 }],
        },
      },
    },
  }),
  pdb: rich('policy/v1', 'PodDisruptionBudget', 'poddisruptionbudgets', {
    spec: { maxUnavailable: '50%', selector: selector, unhealthyPodEvictionPolicy: 'AlwaysAllow' },
  }),
  role: rich('rbac.authorization.k8s.io/v1', 'Role', 'roles', {
    rules: [{ apiGroups: ['apps'], resources: ['deployments'], verbs: ['get'], resourceNames: ['x'] }],
  }),
  clusterrole: rich(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'clusterroles',
    {
      rules: [
        { nonResourceURLs: ['/metrics'], verbs: ['get'] },
        { apiGroups: [''], resources: ['pods'], verbs: ['*'] },
      ],
    },
    inCluster(),
  ),
  aggregated: rich(
    'rbac.authorization.k8s.io/v1',
    'ClusterRole',
    'clusterroles',
    { aggregationRule: { clusterRoleSelectors: [selector] } },
    inCluster(),
  ),
  rolebinding: rich('rbac.authorization.k8s.io/v1', 'RoleBinding', 'rolebindings', {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'r' },
    subjects: [
      { kind: 'ServiceAccount', name: 's', namespace: 'n' },
      { kind: 'User', name: 'u', apiGroup: 'rbac.authorization.k8s.io' },
      { kind: 'Group', name: 'g', apiGroup: 'rbac.authorization.k8s.io' },
    ],
  }),
  clusterrolebinding: rich(
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    'clusterrolebindings',
    {
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'r' },
      subjects: [{ kind: 'ServiceAccount', name: 's', namespace: 'n' }],
    },
    inCluster(),
  ),
  lease: rich('coordination.k8s.io/v1', 'Lease', 'leases', {
    spec: {
      holderIdentity: 'h',
      leaseDurationSeconds: 5,
      acquireTime: '2026-01-01T00:00:00.000000Z',
      renewTime: '2026-01-01T00:00:00.000000Z',
      leaseTransitions: 1,
    },
  }),
  endpointslice: rich('discovery.k8s.io/v1', 'EndpointSlice', 'endpointslices', {
    addressType: 'IPv4',
    endpoints: [
      {
        addresses: ['10.0.0.1'],
        conditions: { ready: true, serving: true, terminating: false },
        hostname: 'h',
        targetRef: { kind: 'Pod', name: 'p', namespace: 'n' },
        nodeName: 'n',
        zone: 'z',
        hints: { forZones: [{ name: 'z' }] },
      },
    ],
    ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' }],
  }),
  endpoints: rich('v1', 'Endpoints', 'endpoints', {
    subsets: [
      {
        addresses: [{ ip: '10.0.0.1', hostname: 'h', nodeName: 'n', targetRef: { kind: 'Pod', name: 'p', namespace: 'n' } }],
        notReadyAddresses: [{ ip: '10.0.0.2' }],
        ports: [{ name: 'http', port: 80, protocol: 'TCP', appProtocol: 'http' }],
      },
    ],
  }),
  pv: rich(
    'v1',
    'PersistentVolume',
    'persistentvolumes',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteOnce'],
        persistentVolumeReclaimPolicy: 'Retain',
        storageClassName: 'x',
        mountOptions: ['a'],
        volumeMode: 'Filesystem',
        claimRef: { namespace: 'a', name: 'b' },
        nodeAffinity: { required: { nodeSelectorTerms: [nodeTerm] } },
        csi: {
          driver: 'a.b',
          volumeHandle: 'h',
          fsType: 'ext4',
          readOnly: false,
          controllerPublishSecretRef: { name: 'a', namespace: 'b' },
        },
      },
    },
    inCluster(),
  ),
  pvc: rich('v1', 'PersistentVolumeClaim', 'persistentvolumeclaims', {
    spec: {
      accessModes: ['ReadWriteOnce'],
      selector: selector,
      resources: { requests: { storage: '1Gi' }, limits: { storage: '2Gi' } },
      volumeName: 'v',
      storageClassName: 'x',
      volumeMode: 'Block',
      dataSource: { apiGroup: 'snapshot.storage.k8s.io', kind: 'VolumeSnapshot', name: 's' },
    },
  }),
  storageclass: rich(
    'storage.k8s.io/v1',
    'StorageClass',
    'storageclasses',
    {
      provisioner: 'a.b/c',
      parameters: { a: 'b' },
      reclaimPolicy: 'Retain',
      mountOptions: ['x'],
      allowVolumeExpansion: true,
      volumeBindingMode: 'WaitForFirstConsumer',
      allowedTopologies: [{ matchLabelExpressions: [{ key: 'z', values: ['a'] }] }],
    },
    inCluster(),
  ),
  csidriver: rich(
    'storage.k8s.io/v1',
    'CSIDriver',
    'csidrivers',
    {
      spec: {
        attachRequired: true,
        podInfoOnMount: true,
        volumeLifecycleModes: ['Persistent'],
        storageCapacity: true,
        fsGroupPolicy: 'File',
        tokenRequests: [{ audience: 'a', expirationSeconds: 3600 }],
        requiresRepublish: true,
        seLinuxMount: true,
      },
    },
    inCluster(),
  ),
  csinode: rich(
    'storage.k8s.io/v1',
    'CSINode',
    'csinodes',
    { spec: { drivers: [{ name: 'a.b', nodeID: 'n', topologyKeys: ['k'], allocatable: { count: 3 } }] } },
    inCluster(),
  ),
  quota: rich('v1', 'ResourceQuota', 'resourcequotas', {
    spec: {
      hard: { cpu: '1', 'requests.memory': '1Gi', pods: '5', 'count/deployments.apps': '3' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['x'] }] },
    },
  }),
  quotascopes: rich('v1', 'ResourceQuota', 'resourcequotas', {
    spec: { hard: { pods: '5' }, scopes: ['BestEffort', 'NotTerminating'] },
  }),
  limits: rich('v1', 'LimitRange', 'limitranges', {
    spec: {
      limits: [
        {
          type: 'Container',
          max: { cpu: '2' },
          min: { cpu: '100m' },
          default: { cpu: '1' },
          defaultRequest: { cpu: '500m' },
          maxLimitRequestRatio: { cpu: '4' },
        },
        { type: 'Pod', max: { memory: '1Gi' } },
        { type: 'PersistentVolumeClaim', max: { storage: '1Gi' }, min: { storage: '1' } },
      ],
    },
  }),
  configmap: rich('v1', 'ConfigMap', 'configmaps', { data: { a: 'b' }, binaryData: { c: 'aGk=' }, immutable: false }),
  secret: rich('v1', 'Secret', 'secrets', { type: 'Opaque', data: { a: 'aGk=' }, stringData: { b: 'c' }, immutable: false }),
  sa: rich('v1', 'ServiceAccount', 'serviceaccounts', {
    secrets: [{ name: 'a' }],
    imagePullSecrets: [{ name: 'b' }],
    automountServiceAccountToken: false,
  }),
  namespace: rich('v1', 'Namespace', 'namespaces', { spec: { finalizers: ['kubernetes', 'a.b/c'] } }, inCluster()),
  node: rich(
    'v1',
    'Node',
    'nodes',
    {
      spec: {
        podCIDR: '10.0.0.0/24',
        podCIDRs: ['10.0.0.0/24'],
        providerID: 'p',
        unschedulable: true,
        taints: [{ key: 'a', value: 'b', effect: 'NoSchedule' }],
      },
      status: { capacity: { cpu: '1' }, allocatable: { cpu: '1' }, addresses: [{ type: 'InternalIP', address: '1.1.1.1' }] },
    },
    inCluster(),
  ),
  priorityclass: rich(
    'scheduling.k8s.io/v1',
    'PriorityClass',
    'priorityclasses',
    { value: 100, globalDefault: false, description: 'd', preemptionPolicy: 'Never' },
    inCluster(),
  ),
  runtimeclass: rich(
    'node.k8s.io/v1',
    'RuntimeClass',
    'runtimeclasses',
    {
      handler: 'h',
      overhead: { podFixed: { cpu: '1' } },
      scheduling: { nodeSelector: { a: 'b' }, tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }] },
    },
    inCluster(),
  ),
  mutating: rich(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    'mutatingwebhookconfigurations',
    { webhooks: [{ ...hook, reinvocationPolicy: 'IfNeeded' }] },
    inCluster(),
  ),
  validating: rich(
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    'validatingwebhookconfigurations',
    { webhooks: [{ ...hook, clientConfig: { url: 'https://a.b/c' } }] },
    inCluster(),
  ),
  vap: rich(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicy',
    'validatingadmissionpolicies',
    {
      spec: {
        failurePolicy: 'Fail',
        paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
        matchConstraints: {
          resourceRules: [{ ...rules[0], resourceNames: ['x'] }],
          namespaceSelector: selector,
          objectSelector: selector,
          matchPolicy: 'Exact',
          excludeResourceRules: rules,
        },
        validations: [{ expression: 'object.metadata.name != "a"', message: 'm', messageExpression: '"a"', reason: 'Invalid' }],
        auditAnnotations: [{ key: 'k', valueExpression: '"v"' }],
        matchConditions: [{ name: 'm', expression: 'true' }],
        variables: [{ name: 'v', expression: '1' }],
      },
    },
    inCluster(),
  ),
  vapbinding: rich(
    'admissionregistration.k8s.io/v1',
    'ValidatingAdmissionPolicyBinding',
    'validatingadmissionpolicybindings',
    {
      spec: {
        policyName: 'p',
        paramRef: { name: 'n', namespace: 'x', parameterNotFoundAction: 'Deny' },
        matchResources: { resourceRules: rules, matchPolicy: 'Exact' },
        validationActions: ['Deny', 'Audit'],
      },
    },
    inCluster(),
  ),
  csr: rich(
    'certificates.k8s.io/v1',
    'CertificateSigningRequest',
    'certificatesigningrequests',
    {
      spec: {
        request: signingRequest,
        signerName: 'a.b/c',
        expirationSeconds: 3600,
        usages: ['client auth', 'digital signature'],
      },
    },
    inCluster(),
  ),
  flowschema: rich(
    'flowcontrol.apiserver.k8s.io/v1',
    'FlowSchema',
    'flowschemas',
    {
      spec: {
        priorityLevelConfiguration: { name: 'p' },
        matchingPrecedence: 500,
        distinguisherMethod: { type: 'ByUser' },
        rules: [
          {
            subjects: [
              { kind: 'User', user: { name: 'u' } },
              { kind: 'ServiceAccount', serviceAccount: { namespace: 'a', name: 'b' } },
              { kind: 'Group', group: { name: 'g' } },
            ],
            resourceRules: [
              { verbs: ['get'], apiGroups: ['apps'], resources: ['deployments'], namespaces: ['x'], clusterScope: true },
            ],
            nonResourceRules: [{ verbs: ['get'], nonResourceURLs: ['/x'] }],
          },
        ],
      },
    },
    inCluster(),
  ),
  plc: rich(
    'flowcontrol.apiserver.k8s.io/v1',
    'PriorityLevelConfiguration',
    'prioritylevelconfigurations',
    {
      spec: {
        type: 'Limited',
        limited: {
          nominalConcurrencyShares: 5,
          lendablePercent: 10,
          borrowingLimitPercent: 20,
          limitResponse: { type: 'Queue', queuing: { queues: 64, handSize: 6, queueLengthLimit: 50 } },
        },
      },
    },
    inCluster(),
  ),
  event: rich('v1', 'Event', 'events', {
    involvedObject: {
      kind: 'Pod',
      namespace: 'default',
      name: 'p',
      uid: 'u',
      apiVersion: 'v1',
      resourceVersion: '5',
      fieldPath: 'f',
    },
    reason: 'R',
    message: 'm',
    source: { component: 'c', host: 'h' },
    firstTimestamp: '2026-01-01T00:00:00Z',
    lastTimestamp: '2026-01-01T00:00:00Z',
    count: 1,
    type: 'Normal',
  }),
  newevent: rich('events.k8s.io/v1', 'Event', 'events', {
    eventTime: '2026-01-01T00:00:00.000000Z',
    series: { count: 2, lastObservedTime: '2026-01-01T00:00:00.000000Z' },
    reportingController: 'a.b/c',
    reportingInstance: 'i',
    action: 'a',
    reason: 'R',
    regarding: { kind: 'Pod', namespace: 'default', name: 'p' },
    related: { kind: 'Pod', name: 'q', namespace: 'default' },
    note: 'n',
    type: 'Warning',
  }),
  podtemplate: rich('v1', 'PodTemplate', 'podtemplates', { template: { metadata: { labels }, spec: small } }),
  controllerrevision: rich('apps/v1', 'ControllerRevision', 'controllerrevisions', { revision: 1, data: { a: 1 } }),
  apiservice: rich(
    'apiregistration.k8s.io/v1',
    'APIService',
    'apiservices',
    {
      spec: {
        group: 'a.b',
        version: 'v1',
        service: { namespace: 'n', name: 's', port: 443 },
        groupPriorityMinimum: 100,
        versionPriority: 10,
        insecureSkipTLSVerify: true,
      },
    },
    inCluster('v1.a.b'),
  ),
  volumeattachment: rich(
    'storage.k8s.io/v1',
    'VolumeAttachment',
    'volumeattachments',
    { spec: { attacher: 'a.b', nodeName: 'n', source: { persistentVolumeName: 'p' } } },
    inCluster(),
  ),
  crd: rich(
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    'customresourcedefinitions',
    {
      spec: {
        group: 'x.example.com',
        scope: 'Namespaced',
        names: {
          plural: 'gadgets',
          singular: 'gadget',
          kind: 'Gadget',
          listKind: 'GadgetList',
          shortNames: ['gg'],
          categories: ['all'],
        },
        conversion: { strategy: 'None' },
        preserveUnknownFields: false,
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            deprecated: true,
            deprecationWarning: 'w',
            subresources: {
              status: {},
              scale: {
                specReplicasPath: '.spec.replicas',
                statusReplicasPath: '.status.replicas',
                labelSelectorPath: '.status.selector',
              },
            },
            additionalPrinterColumns: [
              { name: 'A', type: 'string', format: 'byte', description: 'd', priority: 1, jsonPath: '.spec.a' },
            ],
            selectableFields: [{ jsonPath: '.spec.a' }],
            schema: {
              openAPIV3Schema: {
                type: 'object',
                description: 'd',
                required: ['spec'],
                properties: {
                  spec: {
                    type: 'object',
                    properties: {
                      a: {
                        type: 'string',
                        pattern: '^a',
                        minLength: 1,
                        maxLength: 5,
                        enum: ['a', 'b'],
                        default: 'a',
                        nullable: false,
                        title: 't',
                        example: 'x',
                      },
                      replicas: {
                        type: 'integer',
                        format: 'int32',
                        minimum: 1,
                        maximum: 5,
                        multipleOf: 2,
                        exclusiveMinimum: true,
                      },
                      list: {
                        type: 'array',
                        items: { type: 'object', required: ['k'], properties: { k: { type: 'string' } } },
                        minItems: 1,
                        maxItems: 5,
                        'x-kubernetes-list-type': 'map',
                        'x-kubernetes-list-map-keys': ['k'],
                      },
                      map: {
                        type: 'object',
                        additionalProperties: { type: 'string' },
                        maxProperties: 5,
                        minProperties: 1,
                        'x-kubernetes-map-type': 'atomic',
                      },
                      any: { 'x-kubernetes-preserve-unknown-fields': true },
                      io: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
                      emb: {
                        type: 'object',
                        'x-kubernetes-embedded-resource': true,
                        'x-kubernetes-preserve-unknown-fields': true,
                      },
                    },
                    'x-kubernetes-validations': [
                      {
                        rule: 'self.replicas > 1',
                        message: 'm',
                        messageExpression: '"a"',
                        reason: 'FieldValueInvalid',
                        fieldPath: '.replicas',
                      },
                    ],
                  },
                  status: { type: 'object', properties: { replicas: { type: 'integer' }, selector: { type: 'string' } } },
                },
              },
            },
          },
        ],
      },
    },
    inCluster('gadgets.x.example.com'),
  ),
}
