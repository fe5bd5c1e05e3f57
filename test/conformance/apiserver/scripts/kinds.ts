// The built-in kinds: what a small object of each becomes, its table, and in which words broken ones are refused.
import { deployment, lease, ok, pod, role, roleBinding, secret } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export interface KindRow {
  /** As `Session.path` takes it. */
  readonly resource: string
  readonly cluster?: true
  readonly object: (name: string) => Json
  /** Merge patches that make a valid object a broken, or a remarkable, one. */
  readonly variants: readonly Json[]
  /** Merge patches for the stored object. */
  readonly updates?: readonly Json[]
}

const rbac = 'rbac.authorization.k8s.io'
const container = (rest: object = {}): Json => ({ name: 'c', image: 'example.com/c:1', ...rest }) as Json
const podSpec = (rest: object): Json => ({ spec: rest }) as Json
const withContainer = (rest: object): Json => podSpec({ containers: [container(rest)] })

const hook = {
  name: 'a.b.example.com',
  clientConfig: { url: 'https://hooks.example.com/x' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ operations: ['CREATE'], apiGroups: ['nothing.example.com'], apiVersions: ['v1'], resources: ['things'] }],
} satisfies Json

function webhooks(kind: string, name: string, rest: object): Json {
  return { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, webhooks: [{ ...hook, ...rest }] } as Json
}

function webhookVariants(kind: string): Json[] {
  const changes: object[] = [
    { name: 'short' },
    { sideEffects: 'Some' },
    { sideEffects: undefined },
    { admissionReviewVersions: [] },
    { admissionReviewVersions: ['v9'] },
    { timeoutSeconds: 0 },
    { timeoutSeconds: 31 },
    { failurePolicy: 'Nonsense' },
    { matchPolicy: 'Exact', failurePolicy: 'Ignore', timeoutSeconds: 5 },
    { clientConfig: {} },
    { clientConfig: { url: 'http://plain.example.com' } },
    { clientConfig: { url: 'https://u:p@x.example.com/?q=1' } },
    { clientConfig: { service: { namespace: 'n', name: 's' } } },
    { clientConfig: { service: { namespace: 'n', name: 's', port: 70000 } } },
    { clientConfig: { url: 'https://x', service: { namespace: 'n', name: 's' } } },
    { clientConfig: { url: 'https://x', caBundle: 'bm90IGEgY2VydA==' } },
    { rules: [{ operations: ['NONSENSE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }] },
    { rules: [{ operations: ['CREATE'], apiGroups: ['*', 'a'], apiVersions: ['v1'], resources: ['pods/*', 'pods'] }] },
    { rules: [{ operations: [], apiGroups: [], apiVersions: [], resources: [] }] },
    { rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: 'Nonsense' }] },
    { matchConditions: [{ name: 'a', expression: 'object.metadata.name == "x"' }] },
    { matchConditions: [{ name: 'bad name', expression: 'true' }] },
    { matchConditions: [{ name: 'a', expression: 'nope' }] },
    { matchConditions: [{ name: 'a', expression: '1' }] },
    { namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'In' }] } },
  ]
  const list = changes.map(change => webhooks(kind, 'x', change) as { webhooks: Json })
  return [...list.map(({ webhooks: hooks }) => ({ webhooks: hooks })), { webhooks: [hook, hook] }]
}

const kinds: Readonly<Record<string, KindRow>> = {
  configmap: {
    resource: 'configmaps',
    object: name => ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data: { a: '1' }, binaryData: { b: 'aGk=' } }),
    variants: [
      { data: { 'bad key': 'x' } },
      { data: { b: 'in both' } },
      { binaryData: { c: 'not base64!' } },
      { data: { a: 5 } },
      { data: ['a'] },
      { data: { '': 'x', '..': 'y' } },
      { immutable: 'yes' },
      { metadata: { labels: { 'bad key!': 'v' } } },
      { metadata: { labels: { a: 'bad value!' } } },
      { metadata: { annotations: { 'bad key!': 'v' } } },
      { metadata: { finalizers: ['unqualified'] } },
      { metadata: { finalizers: ['orphan', 'foregroundDeletion'] } },
      { metadata: { name: 'a/b' } },
      { metadata: { name: 'x'.repeat(254) } },
      { metadata: { name: null } },
      { metadata: { labels: { a: 1 } } },
      { metadata: 'x' },
      { kind: 'Secret' },
      { apiVersion: 'v2' },
      { kind: null },
      { apiVersion: null },
      { metadata: { managedFields: [{ manager: 'm', operation: 'Nonsense' }] } },
    ],
    updates: [
      { metadata: { uid: 'x' } },
      { metadata: { name: 'other' } },
      { metadata: { namespace: 'other' } },
      { data: { b: '2' } },
    ],
  },
  secret: {
    resource: 'secrets',
    object: name => secret(name, { data: { a: 'MQ==' } }),
    variants: [
      { data: { a: 'not base64' } },
      { data: { 'bad key': 'MQ==' } },
      { type: 'kubernetes.io/tls' },
      { type: 'kubernetes.io/tls', stringData: { 'tls.crt': 'x', 'tls.key': 'y' } },
      { type: 'kubernetes.io/dockerconfigjson' },
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'no json' } },
      { type: 'kubernetes.io/basic-auth' },
      { type: 'kubernetes.io/ssh-auth' },
      { type: 'kubernetes.io/service-account-token' },
      { stringData: { a: 'wins' } },
      { immutable: true },
    ],
    updates: [{ stringData: { b: '2' } }, { immutable: true }, { data: { b: 'Mw==' } }, { immutable: null }],
  },
  serviceaccount: {
    resource: 'serviceaccounts',
    object: name => ({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name } }),
    variants: [
      { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'a' }] },
      { secrets: [{ name: 's' }] },
      { metadata: { name: 'A' } },
    ],
    updates: [{ metadata: { annotations: { 'eks.amazonaws.com/role-arn': 'arn:aws:iam::1:role/x' } } }],
  },
  namespace: {
    resource: 'namespaces',
    cluster: true,
    object: name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }),
    variants: [
      { metadata: { name: 'a.b' } },
      { metadata: { labels: { 'kubernetes.io/metadata.name': 'other' } } },
      { spec: { finalizers: ['example.com/x'] } },
    ],
    updates: [
      { metadata: { labels: { a: 'b' } } },
      { spec: { finalizers: ['example.com/x'] } },
      { status: { phase: 'Terminating' } },
    ],
  },
  pod: {
    resource: 'pods',
    object: name => pod(name, { automountServiceAccountToken: false }),
    variants: [
      podSpec({ containers: [] }),
      podSpec({ containers: null }),
      withContainer({ name: 'Bad Name' }),
      withContainer({ image: '' }),
      withContainer({ image: ' x' }),
      withContainer({ image: 'example.com/c' }),
      withContainer({ image: 'example.com/c:latest' }),
      withContainer({ image: 'example.com/c@sha256:0123456789012345678901234567890123456789012345678901234567890123' }),
      withContainer({ imagePullPolicy: 'Sometimes' }),
      withContainer({ ports: [{ containerPort: 0 }] }),
      withContainer({ ports: [{ containerPort: 70000, protocol: 'XTP' }] }),
      withContainer({
        ports: [
          { containerPort: 80, name: 'http' },
          { containerPort: 81, name: 'http' },
        ],
      }),
      withContainer({
        env: [
          { name: 'A', value: '1' },
          { name: 'B', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        ],
      }),
      withContainer({ env: [{ name: '', value: '1' }] }),
      withContainer({ env: [{ name: 'A', value: '1', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] }),
      withContainer({ envFrom: [{ prefix: 'P_', configMapRef: { name: 'c' } }] }),
      withContainer({ resources: { requests: { cpu: '100m', memory: '1Gi' }, limits: { cpu: '1' } } }),
      withContainer({ resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }),
      withContainer({ resources: { requests: { cpu: 'many' } } }),
      withContainer({ resources: { limits: { 'bad name': '1' } } }),
      withContainer({ volumeMounts: [{ name: 'v', mountPath: '/v' }] }),
      withContainer({ livenessProbe: { httpGet: { path: '/', port: 80 } } }),
      withContainer({ livenessProbe: {} }),
      withContainer({ readinessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: -1 } }),
      withContainer({ readinessProbe: { exec: { command: ['a'] }, tcpSocket: { port: 1 } } }),
      withContainer({ securityContext: { privileged: true, allowPrivilegeEscalation: false } }),
      withContainer({ terminationMessagePolicy: 'Nonsense' }),
      podSpec({ volumes: [{ name: 'v', secret: { secretName: 's' } }, { name: 'w', configMap: { name: 'c' } }, { name: 'e' }] }),
      podSpec({ volumes: [{ name: 'v' }, { name: 'v' }] }),
      podSpec({ volumes: [{ name: 'v', secret: {} }] }),
      podSpec({ volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'sts' } }] } }] }),
      podSpec({
        volumes: [{ name: 'v', projected: { sources: [{ serviceAccountToken: { path: 't', expirationSeconds: 10 } }] } }],
      }),
      podSpec({ restartPolicy: 'Sometimes' }),
      podSpec({ dnsPolicy: 'Nonsense' }),
      podSpec({ terminationGracePeriodSeconds: -5 }),
      podSpec({ activeDeadlineSeconds: 0 }),
      podSpec({ nodeSelector: { 'bad key!': 'v' } }),
      podSpec({ tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 5 }] }),
      podSpec({ tolerations: [{ operator: 'Nonsense' }] }),
      podSpec({ serviceAccountName: 'missing-account' }),
      podSpec({ automountServiceAccountToken: true }),
      podSpec({ hostNetwork: true }),
      podSpec({ initContainers: [container({ name: 'main' })] }),
      podSpec({ initContainers: [container({ restartPolicy: 'Always' })] }),
      podSpec({ nonsense: 1 }),
      podSpec({ securityContext: { runAsUser: -1 } }),
      podSpec({ priority: 5 }),
      podSpec({ hostAliases: [{ ip: 'x', hostnames: ['a'] }] }),
      podSpec({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [] } } } }),
    ],
    updates: [
      podSpec({ containers: [{ name: 'main', image: 'example.com/app:2' }] }),
      podSpec({ containers: [{ name: 'other', image: 'example.com/app:2' }] }),
      podSpec({ nodeName: 'elsewhere' }),
      podSpec({ activeDeadlineSeconds: 10 }),
      podSpec({ restartPolicy: 'Never' }),
      { metadata: { labels: { a: 'b' } } },
    ],
  },
  service: {
    resource: 'services',
    object: name => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name },
      spec: { selector: { app: 'a' }, ports: [{ port: 80 }] },
    }),
    variants: [
      { metadata: { name: '1svc' } },
      podSpec({ ports: [] }),
      podSpec({ ports: [{ port: 80 }, { port: 81 }] }),
      podSpec({
        ports: [
          { name: 'a', port: 80 },
          { name: 'b', port: 80 },
        ],
      }),
      podSpec({
        ports: [
          { name: 'a', port: 80, targetPort: 'http' },
          { name: 'b', port: 53, protocol: 'UDP', appProtocol: 'dns' },
        ],
      }),
      podSpec({ ports: [{ port: 0 }] }),
      podSpec({ type: 'Nonsense' }),
      podSpec({ type: 'ExternalName', externalName: 'a.example' }),
      podSpec({ type: 'ExternalName' }),
      podSpec({ type: 'NodePort' }),
      podSpec({ clusterIP: 'None' }),
      podSpec({ clusterIP: '192.168.1.1' }),
      podSpec({ clusterIP: 'x' }),
      podSpec({ sessionAffinity: 'ClientIP' }),
      podSpec({ selector: null }),
      podSpec({ selector: { 'bad key!': 'v' } }),
    ],
    updates: [
      podSpec({ ports: [{ port: 81 }] }),
      podSpec({ clusterIP: '10.96.200.200' }),
      podSpec({ type: 'NodePort' }),
      podSpec({ clusterIP: null }),
    ],
  },
  deployment: {
    resource: 'deployments.apps/v1',
    object: name => deployment(name),
    variants: [
      podSpec({ replicas: null }),
      podSpec({ replicas: -1 }),
      podSpec({ replicas: 'x' }),
      podSpec({ selector: null }),
      podSpec({ selector: { matchLabels: { app: 'other' } } }),
      podSpec({ selector: { matchExpressions: [{ key: 'app', operator: 'Nonsense' }] } }),
      podSpec({ template: null }),
      podSpec({ template: { spec: { restartPolicy: 'Never' } } }),
      podSpec({ strategy: { type: 'Recreate' } }),
      podSpec({ strategy: { type: 'Recreate', rollingUpdate: { maxSurge: 1 } } }),
      podSpec({ strategy: { rollingUpdate: { maxSurge: 0, maxUnavailable: 0 } } }),
      podSpec({ strategy: { rollingUpdate: { maxSurge: '50%', maxUnavailable: 1 } } }),
      podSpec({ strategy: { rollingUpdate: { maxSurge: 'x%' } } }),
      podSpec({ strategy: { type: 'Nonsense' } }),
      podSpec({ minReadySeconds: -1 }),
      podSpec({ progressDeadlineSeconds: 5, minReadySeconds: 10 }),
      podSpec({ revisionHistoryLimit: 0, paused: true }),
      podSpec({ template: { spec: { containers: [] } } }),
    ],
    updates: [
      podSpec({ replicas: 3 }),
      podSpec({ paused: true }),
      { metadata: { annotations: { a: 'b' } } },
      { status: { replicas: 5 } },
    ],
  },
  replicaset: {
    resource: 'replicasets.apps/v1',
    object: name => {
      const { spec, metadata } = deployment(name) as { spec: object; metadata: Json }
      return { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: spec as Json }
    },
    variants: [podSpec({ replicas: null }), podSpec({ selector: null })],
    updates: [podSpec({ replicas: 2 })],
  },
  statefulset: {
    resource: 'statefulsets.apps/v1',
    object: name => {
      const { spec, metadata } = deployment(name) as { spec: object; metadata: Json }
      return { apiVersion: 'apps/v1', kind: 'StatefulSet', metadata, spec: { ...spec, serviceName: 's' } as Json }
    },
    variants: [podSpec({ replicas: -1 })],
    updates: [podSpec({ replicas: 2 }), podSpec({ serviceName: 'other' })],
  },
  daemonset: {
    resource: 'daemonsets.apps/v1',
    object: name => {
      const { spec, metadata } = deployment(name) as { spec: { selector: Json; template: Json }; metadata: Json }
      return { apiVersion: 'apps/v1', kind: 'DaemonSet', metadata, spec: { selector: spec.selector, template: spec.template } }
    },
    variants: [podSpec({ selector: null })],
  },
  lease: {
    resource: 'leases.coordination.k8s.io/v1',
    object: name => lease(name, { leaseDurationSeconds: 15, renewTime: '2024-01-01T00:00:00.000000Z', leaseTransitions: 0 }),
    variants: [
      podSpec({ leaseDurationSeconds: 0 }),
      podSpec({ leaseTransitions: -1 }),
      podSpec({ renewTime: 'yesterday' }),
      podSpec({ renewTime: '2024-01-01T00:00:00Z' }),
      podSpec({ holderIdentity: 5 }),
    ],
    updates: [podSpec({ holderIdentity: 'b', leaseTransitions: 1 }), podSpec({ renewTime: '2024-01-02T00:00:00.123456Z' })],
  },
  event: {
    resource: 'events',
    object: name => ({
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name },
      involvedObject: { kind: 'Pod', name: 'p', apiVersion: 'v1', namespace: 'kind-event' },
      reason: 'Started',
      message: 'm',
      type: 'Normal',
      count: 1,
      source: { component: 'c' },
    }),
    variants: [
      { involvedObject: { namespace: 'other' } },
      { type: 'Odd' },
      { eventTime: '2024-01-01T00:00:00.000000Z' },
      { firstTimestamp: 'x' },
    ],
    updates: [{ count: 2 }, { message: 'other' }],
  },
  'events.k8s.io': {
    resource: 'events.events.k8s.io/v1',
    object: name => ({
      apiVersion: 'events.k8s.io/v1',
      kind: 'Event',
      metadata: { name },
      eventTime: '2024-01-01T00:00:00.000000Z',
      reportingController: 'example.com/c',
      reportingInstance: 'c-1',
      action: 'Acting',
      reason: 'Reason',
      type: 'Normal',
      note: 'n',
      regarding: { kind: 'Pod', name: 'p', apiVersion: 'v1', namespace: 'kind-events-k8s-io' },
    }),
    variants: [
      { eventTime: null },
      { reportingController: null },
      { action: null },
      { reason: null },
      { type: 'Odd' },
      { note: 'n'.repeat(1025) },
      { reportingController: 'no qualified name' },
    ],
    updates: [{ note: 'other' }, { series: { count: 2, lastObservedTime: '2024-01-01T00:01:00.000000Z' } }],
  },
  role: {
    resource: `roles.${rbac}/v1`,
    object: name => role(name, [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }]),
    variants: [
      { rules: [{ verbs: ['get'] }] },
      { rules: [{ apiGroups: [''], resources: ['pods'], verbs: [] }] },
      { rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }] },
      { rules: [{ apiGroups: [''], verbs: ['get'] }] },
      { rules: null },
      { metadata: { name: 'with:colon' } },
      { metadata: { name: 'with/slash' } },
    ],
    updates: [{ rules: [] }],
  },
  rolebinding: {
    resource: `rolebindings.${rbac}/v1`,
    object: name => roleBinding(name, 'r', 'u'),
    variants: [
      { subjects: [{ kind: 'ServiceAccount', name: 'sa' }] },
      { subjects: [{ kind: 'ServiceAccount', name: 'sa', namespace: 'n' }] },
      { subjects: [{ kind: 'Robot', name: 'r' }] },
      { subjects: [{ kind: 'User', name: '' }] },
      { subjects: [{ kind: 'Group', name: 'g' }] },
      { subjects: null },
      { roleRef: { kind: 'Robot' } },
      { roleRef: { name: '' } },
      { roleRef: { apiGroup: 'other' } },
      { roleRef: { kind: 'ClusterRole', name: 'view' } },
    ],
    updates: [{ subjects: [{ kind: 'User', name: 'v' }] }],
  },
  clusterrole: {
    resource: `clusterroles.${rbac}/v1`,
    cluster: true,
    object: name => ({
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRole',
      metadata: { name },
      rules: [{ nonResourceURLs: ['/x'], verbs: ['get'] }],
    }),
    variants: [
      { aggregationRule: { clusterRoleSelectors: [] } },
      { aggregationRule: { clusterRoleSelectors: [{ matchLabels: { 'bad!': 'x' } }] } },
      { rules: [{ nonResourceURLs: ['/x'], resources: ['pods'], apiGroups: [''], verbs: ['get'] }] },
    ],
  },
  clusterrolebinding: {
    resource: `clusterrolebindings.${rbac}/v1`,
    cluster: true,
    object: name => ({
      apiVersion: `${rbac}/v1`,
      kind: 'ClusterRoleBinding',
      metadata: { name },
      subjects: [{ kind: 'ServiceAccount', name: 'sa', namespace: 'n' }],
      roleRef: { apiGroup: rbac, kind: 'ClusterRole', name: 'view' },
    }),
    variants: [{ roleRef: { kind: 'Role' } }, { roleRef: null }],
    updates: [{ roleRef: { name: 'edit' } }],
  },
  endpointslice: {
    resource: 'endpointslices.discovery.k8s.io/v1',
    object: name => ({
      apiVersion: 'discovery.k8s.io/v1',
      kind: 'EndpointSlice',
      metadata: { name },
      addressType: 'IPv4',
      endpoints: [{ addresses: ['10.1.2.3'] }],
      ports: [{ port: 80 }],
    }),
    variants: [
      { addressType: 'IPX' },
      { addressType: null },
      { endpoints: [{ addresses: [] }] },
      { endpoints: [{ addresses: ['x'] }] },
      { ports: [{ port: 80, protocol: 'X' }] },
    ],
    updates: [{ endpoints: [{ addresses: ['10.1.2.4'], conditions: { ready: true } }] }, { addressType: 'IPv6' }],
  },
  poddisruptionbudget: {
    resource: 'poddisruptionbudgets.policy/v1',
    object: name => ({
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name },
      spec: { minAvailable: 1, selector: { matchLabels: { a: 'b' } } },
    }),
    variants: [
      podSpec({ maxUnavailable: 1 }),
      podSpec({ minAvailable: '150%' }),
      podSpec({ minAvailable: -1 }),
      podSpec({ minAvailable: '50%' }),
      podSpec({ selector: {} }),
    ],
    updates: [podSpec({ minAvailable: 2 })],
  },
  validatingwebhook: {
    resource: 'validatingwebhookconfigurations.admissionregistration.k8s.io/v1',
    cluster: true,
    object: name => webhooks('ValidatingWebhookConfiguration', name, {}),
    variants: [{}, ...webhookVariants('ValidatingWebhookConfiguration')],
    updates: [{ webhooks: null }],
  },
  mutatingwebhook: {
    resource: 'mutatingwebhookconfigurations.admissionregistration.k8s.io/v1',
    cluster: true,
    object: name => webhooks('MutatingWebhookConfiguration', name, {}),
    variants: [...webhookVariants('MutatingWebhookConfiguration'), { webhooks: [{ reinvocationPolicy: 'IfNeeded', ...hook }] }],
  },
  node: {
    resource: 'nodes',
    cluster: true,
    object: name => ({ apiVersion: 'v1', kind: 'Node', metadata: { name }, spec: { providerID: 'x://1' } }),
    variants: [
      podSpec({ taints: [{ key: 'k', effect: 'Nonsense' }] }),
      podSpec({ unschedulable: true }),
      podSpec({ podCIDR: 'x' }),
    ],
    updates: [podSpec({ unschedulable: true }), podSpec({ providerID: 'y://2' })],
  },
  job: {
    resource: 'jobs.batch/v1',
    object: name => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name },
      spec: { template: { spec: { restartPolicy: 'Never', containers: [container()] } } },
    }),
    variants: [podSpec({ template: { spec: { restartPolicy: 'Always' } } })],
  },
  cronjob: {
    resource: 'cronjobs.batch/v1',
    object: name => ({
      apiVersion: 'batch/v1',
      kind: 'CronJob',
      metadata: { name },
      spec: {
        schedule: '*/5 * * * *',
        jobTemplate: { spec: { template: { spec: { restartPolicy: 'Never', containers: [container()] } } } },
      },
    }),
    variants: [],
  },
  networkpolicy: {
    resource: 'networkpolicies.networking.k8s.io/v1',
    object: name => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'NetworkPolicy',
      metadata: { name },
      spec: { podSelector: {} },
    }),
    variants: [],
  },
  ingress: {
    resource: 'ingresses.networking.k8s.io/v1',
    object: name => ({
      apiVersion: 'networking.k8s.io/v1',
      kind: 'Ingress',
      metadata: { name },
      spec: { defaultBackend: { service: { name: 's', port: { number: 80 } } } },
    }),
    variants: [],
  },
}

const table = 'application/json;as=Table;v=v1;g=meta.k8s.io'

export const kindScripts: readonly Script[] = Object.entries(kinds).map(([name, row]) => ({
  id: `kind-${name.replaceAll('.', '-')}`,
  title: `built-in: ${name}`,
  run: s => tryKind(s, row),
}))

export async function tryKind(s: Session, row: KindRow): Promise<void> {
  const name = row.cluster === true ? `${s.ns}-one` : 'one'
  const at = row.cluster === true ? s.clusterPath(row.resource) : s.path(row.resource)
  const base = row.object(name)
  ok(await s.post(at, base), 201)
  await s.get(`${at}/${name}`)
  await s.get(`${at}/${name}`, { headers: { accept: table } })
  for (const variant of row.variants)
    await s.post(`${at}?dryRun=All`, merged(merged(base, { metadata: { name: `${name}-v` } }), variant))
  for (const update of row.updates ?? []) await s.patch(`${at}/${name}`, 'merge', update)
  await s.patch(`${at}/${name}?fieldManager=applier&force=true`, 'apply', base)
  const current = ok(await s.get(`${at}/${name}`))
  await s.put(
    `${at}/${name}?fieldManager=putter`,
    merged(base, { metadata: { labels: { put: 'yes' }, resourceVersion: current.body.metadata.resourceVersion } }),
  )
  await s.delete(`${at}/${name}`)
}

/** RFC 7386, as the request's author means it. */
function merged(base: Json, patch: Json): Json {
  if (typeof patch !== 'object' || patch === null || Array.isArray(patch)) return patch
  const result: Record<string, Json> =
    typeof base === 'object' && base !== null && !Array.isArray(base) ? { ...(base as Record<string, Json>) } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else if (value !== undefined) result[key] = merged(result[key] ?? null, value)
  }
  return result
}
