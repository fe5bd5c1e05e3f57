// The Azure webhook as manifests (§3.16): pure, from a few choices, under the names that upstream's installation has, so that one takes the
// place of the other.
import type { KubeObject, ObjectMeta } from '#kube'
import { nodeOptions } from '../api.ts'
import {
  type AzurePlace,
  azureConfigName,
  azureConfiguration,
  azureReviewsPort,
  azureRotationRules,
  azureService,
  azureSettingsObjects,
  azureSystemLabels as common,
  azureNamespaced as namespaced,
  kubeObject as object,
} from './azure-parts.ts'
import { accountsRule } from './rights.ts'

export interface AzureManifestOptions extends AzurePlace {
  readonly image: string
  readonly replicas: number
  /** Where API servers call from (CIDR); empty: not known, and anybody in the cluster may connect. */
  readonly apiServers: readonly string[]
  /** More flags, such as `--volume-layout=reserved`. */
  readonly args: readonly string[]
}

export const azureManifestDefaults: Omit<AzureManifestOptions, 'tenantId'> = {
  namespace: 'azure-workload-identity-system',
  image: 'vouch:latest',
  replicas: 2,
  cloud: 'AzurePublicCloud',
  failurePolicy: 'Fail',
  certificate: { kind: 'rotated' },
  apiServers: [],
  args: [],
  labels: {},
}

const selector = { ...common, app: 'workload-identity-webhook' }
const account = 'azure-wi-webhook-admin'
const roleName = 'azure-wi-webhook-manager-role'
const ports = { 'webhook-server': azureReviewsPort, metrics: 8_095, healthz: 9_440 }

/** In the order in which they are to be applied: the configuration comes last, when there is something to call. */
export function renderAzureWebhookManifests(
  choices: Partial<AzureManifestOptions> & Pick<AzureManifestOptions, 'tenantId'>,
): readonly KubeObject[] {
  const options = { ...azureManifestDefaults, ...choices }
  const { namespace } = options
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels: { ...common, ...restricted } } },
    object('v1', 'ServiceAccount', namespaced(options, account), {}),
    ...accessObjects(options),
    ...azureSettingsObjects(options),
    networkPolicy(options),
    azureService(options, selector),
    deployment(options),
    ...(options.replicas > 1
      ? [
          object('policy/v1', 'PodDisruptionBudget', namespaced(options, 'azure-wi-webhook-controller-manager'), {
            spec: { minAvailable: 1, selector: { matchLabels: selector } },
          }),
        ]
      : []),
    azureConfiguration(options),
  ]
}

const restricted = {
  'pod-security.kubernetes.io/enforce': 'restricted',
  'pod-security.kubernetes.io/audit': 'restricted',
  'pod-security.kubernetes.io/warn': 'restricted',
}

function accessObjects(options: AzureManifestOptions): readonly KubeObject[] {
  const rotation = azureRotationRules(options.certificate)
  const subjects = [{ kind: 'ServiceAccount', name: account, namespace: options.namespace }]
  const labels = { ...options.labels, ...common }
  const rbac = 'rbac.authorization.k8s.io'
  const bound = (kind: string, metadata: ObjectMeta, of: string): KubeObject =>
    object(`${rbac}/v1`, kind, metadata, { roleRef: { apiGroup: rbac, kind: of, name: roleName }, subjects })
  const rules = [accountsRule, ...rotation.cluster]
  return [
    object(`${rbac}/v1`, 'ClusterRole', { name: roleName, labels }, { rules }),
    bound('ClusterRoleBinding', { name: 'azure-wi-webhook-manager-rolebinding', labels }, 'ClusterRole'),
    ...(rotation.namespaced.length > 0
      ? [
          object(`${rbac}/v1`, 'Role', namespaced(options, roleName), { rules: rotation.namespaced }),
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
    envFrom: [{ configMapRef: { name: azureConfigName } }],
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
        metadata: { labels: { ...options.labels, ...selector } },
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
