// The Azure webhook as manifests (§3.16): pure, from a few choices, under the names that upstream's installation has, so that one takes the
// place of the other.
import type { KubeObject, ObjectMeta } from '#kube'
import { nodeOptions } from '../api.ts'
import { useLabel } from '../azure/api.ts'
import { azureConfigurationName, azureSecretName, azureServiceName as serviceName } from '../azure/own-certificate.ts'

export interface AzureManifestOptions {
  readonly namespace: string
  readonly image: string
  readonly replicas: number
  /** Of ServiceAccounts that name none. */
  readonly tenantId: string
  readonly cloud: string
  /** Fail, as upstream: a labelled pod never runs without what its label asks for. */
  readonly failurePolicy: 'Ignore' | 'Fail'
  /** Who keeps the serving pair: the webhook itself, or somebody in a Secret; PEM of whom API servers then trust. */
  readonly certificate:
    | { readonly kind: 'rotated' }
    | { readonly kind: 'secret'; readonly secretName: string; readonly caBundle: string }
  /** Where API servers call from (CIDR); empty: not known, and anybody in the cluster may connect. */
  readonly apiServers: readonly string[]
  /** More flags, such as `--volume-layout=reserved`. */
  readonly args: readonly string[]
}

const azureManifestDefaults: Omit<AzureManifestOptions, 'tenantId'> = {
  namespace: 'azure-workload-identity-system',
  image: 'vouch:latest',
  replicas: 2,
  cloud: 'AzurePublicCloud',
  failurePolicy: 'Fail',
  certificate: { kind: 'rotated' },
  apiServers: [],
  args: [],
}

const common = { 'azure-workload-identity.io/system': 'true' }
const selector = { ...common, app: 'workload-identity-webhook' }
const account = 'azure-wi-webhook-admin'
const roleName = 'azure-wi-webhook-manager-role'
const configName = 'azure-wi-webhook-config'
const ports = { 'webhook-server': 9_443, metrics: 8_095, healthz: 9_440 }
const systemNamespace = 'kube-system'

/** In the order in which they are to be applied: the configuration comes last, when there is something to call. */
export function renderAzureWebhookManifests(
  choices: Partial<AzureManifestOptions> & Pick<AzureManifestOptions, 'tenantId'>,
): readonly KubeObject[] {
  const options = { ...azureManifestDefaults, ...choices }
  const { namespace, tenantId, cloud } = options
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { ...common, ...restricted } } },
    object('v1', 'ServiceAccount', namespaced(options, account), {}),
    ...accessObjects(options),
    object('v1', 'ConfigMap', namespaced(options, configName), { data: { AZURE_ENVIRONMENT: cloud, AZURE_TENANT_ID: tenantId } }),
    // Empty at first: a right to make a Secret could not be confined to its name.
    ...(options.certificate.kind === 'rotated'
      ? [object('v1', 'Secret', namespaced(options, azureSecretName), { type: 'Opaque' })]
      : []),
    networkPolicy(options),
    object('v1', 'Service', namespaced(options, serviceName), {
      spec: { selector, ports: [{ port: 443, targetPort: ports['webhook-server'], protocol: 'TCP' }] },
    }),
    deployment(options),
    ...(options.replicas > 1
      ? [
          object('policy/v1', 'PodDisruptionBudget', namespaced(options, 'azure-wi-webhook-controller-manager'), {
            spec: { minAvailable: 1, selector: { matchLabels: selector } },
          }),
        ]
      : []),
    webhookConfiguration(options),
  ]
}

const restricted = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/audit': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
}

function object(apiVersion: string, kind: string, metadata: ObjectMeta, fields: object): KubeObject {
  return { apiVersion, kind, metadata, ...fields }
}

function namespaced({ namespace }: Pick<AzureManifestOptions, 'namespace'>, name: string): ObjectMeta {
  return { name, namespace, labels: common }
}

/** No more than is done: with a pair that somebody else keeps, neither Secrets nor configurations. */
function accessObjects(options: AzureManifestOptions): readonly KubeObject[] {
  const rotates = options.certificate.kind === 'rotated'
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: options.namespace }]
  const rbac = 'rbac.authorization.k8s.io'
  const bound = (kind: string, metadata: ObjectMeta, of: string): KubeObject =>
    object(`${rbac}/v1`, kind, metadata, { roleRef: { apiGroup: rbac, kind: of, name: roleName }, subjects })
  const clusterRules = [
    { apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'list', 'watch'] },
    ...(rotates
      ? [
          {
            apiGroups: ['admissionregistration.k8s.io'],
            resources: ['mutatingwebhookconfigurations'],
            verbs: ['get', 'list', 'watch', 'update'],
            resourceNames: [azureConfigurationName],
          },
        ]
      : []),
  ]
  const secretRules = [
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'list', 'watch', 'update'], resourceNames: [azureSecretName] },
  ]
  return [
    object(`${rbac}/v1`, 'ClusterRole', { name: roleName, labels: common }, { rules: clusterRules }),
    bound('ClusterRoleBinding', { name: 'azure-wi-webhook-manager-rolebinding', labels: common }, 'ClusterRole'),
    ...(rotates
      ? [
          object(`${rbac}/v1`, 'Role', namespaced(options, roleName), { rules: secretRules }),
          bound('RoleBinding', namespaced(options, 'azure-wi-webhook-manager-rolebinding'), 'Role'),
        ]
      : []),
  ]
}

/** Reviews from where API servers are; health and metrics from anywhere, since nobody knows where kubelets and scrapers are. */
function networkPolicy(options: AzureManifestOptions): KubeObject {
  const from = options.apiServers.map(cidr => ({ ipBlock: { cidr } }))
  const port = (number: number): object => ({ port: number, protocol: 'TCP' })
  return object('networking.k8s.io/v1', 'NetworkPolicy', namespaced(options, 'azure-wi-webhook'), {
    spec: {
      podSelector: { matchLabels: selector },
      policyTypes: ['Ingress'],
      ingress: [
        { ports: [port(ports['webhook-server'])], ...(from.length === 0 ? {} : { from }) },
        { ports: [port(ports.metrics), port(ports.healthz)] },
      ],
    },
  })
}

function deployment(options: AzureManifestOptions): KubeObject {
  const { certificate, replicas, image, args } = options
  const mounts = certificate.kind === 'secret' ? [{ name: 'cert', mountPath: '/certs', readOnly: true }] : []
  const flags = ['--log-level=info', '--shutdown-delay=5s', ...(certificate.kind === 'secret' ? ['--disable-cert-rotation'] : [])]
  const probe = (path: string): object => ({ httpGet: { path, port: 'healthz', scheme: 'HTTP' }, timeoutSeconds: 2 })
  const container = {
    name: 'manager',
    image,
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/bin/azure-workload-identity-webhook'],
    args: [...flags, ...args],
    env: [
      { name: 'POD_NAMESPACE', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } } },
      { name: 'NODE_OPTIONS', value: nodeOptions },
    ],
    envFrom: [{ configMapRef: { name: configName } }],
    ports: Object.entries(ports).map(([name, containerPort]) => ({ name, containerPort, protocol: 'TCP' })),
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 20, failureThreshold: 6 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 5, periodSeconds: 5 },
    // What it needs with a few thousand ServiceAccounts is less; no limit below 160Mi would hold for fifty thousand [§10.3].
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      seccompProfile: { type: 'RuntimeDefault' },
    },
    ...(mounts.length === 0 ? {} : { volumeMounts: mounts }),
  }
  return object('apps/v1', 'Deployment', namespaced(options, 'azure-wi-webhook-controller-manager'), {
    spec: {
      replicas,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } },
      selector: { matchLabels: selector },
      template: {
        metadata: { labels: selector },
        spec: {
          serviceAccountName: account,
          priorityClassName: 'system-cluster-critical',
          nodeSelector: { 'kubernetes.io/os': 'linux' },
          containers: [container],
          ...(certificate.kind === 'secret'
            ? { volumes: [{ name: 'cert', secret: { secretName: certificate.secretName } }] }
            : {}),
        },
      },
    },
  })
}

function webhookConfiguration({ namespace, failurePolicy, certificate }: AzureManifestOptions): KubeObject {
  const caBundle = certificate.kind === 'secret' ? { caBundle: Buffer.from(certificate.caBundle).toString('base64') } : {}
  const kept = [...new Set([systemNamespace, namespace])]
  const webhook = {
    name: 'mutation.azure-workload-identity.io',
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: { service: { namespace, name: serviceName, path: '/mutate-v1-pod', port: 443 }, ...caBundle },
    failurePolicy,
    matchPolicy: 'Equivalent',
    // Pods that the cluster itself needs, and our own, are never held up.
    namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: kept }] },
    objectSelector: { matchLabels: { [useLabel]: 'true' } },
    // A later webhook may add containers; asked again, we add nothing twice.
    reinvocationPolicy: 'IfNeeded',
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' }],
    sideEffects: 'None',
    timeoutSeconds: 10,
  }
  return object(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    { name: azureConfigurationName, labels: common },
    {
      webhooks: [webhook],
    },
  )
}
