// All manifests of the identity operator, from the same data that the program and its tests use.
import type { KubeObject } from '#kube'
import { validatingConfiguration } from '../admission/configuration.ts'
import { operatorConfigKind, renderIdentityCrds } from '../api/kinds.ts'
import { singletonName, webhookNamespaceDefault } from '../api/labels.ts'
import { managedLabels, runtimeLabels } from '../target/kinds.ts'
import { renderRbac } from './rbac.ts'
import { hubRights, targetRights } from './rights.ts'

export interface ManifestOptions {
  readonly name: string
  readonly namespace: string
  readonly image: string
  readonly version: string
  readonly replicas: number
  /** More flags of `vouch operator`; those that the manifests depend on are theirs. */
  readonly args: readonly string[]
  readonly profileNamespaces: readonly string[]
  /** The provider file as JSON. */
  readonly providerFile: string
  /** Where the certificate of the admission webhooks comes from. */
  readonly certificate: 'cert-manager' | { readonly secretName: string; readonly caBundle: string }
  /** Whether there is a Service for the metrics. */
  readonly metricsService: boolean
}

export const manifestDefaults: ManifestOptions = {
  name: 'vouch',
  namespace: 'vouch-system',
  image: 'vouch',
  version: '',
  replicas: 2,
  args: [],
  profileNamespaces: ['*'],
  providerFile: '{"providers":[]}',
  certificate: 'cert-manager',
  metricsService: true,
}

const ports = { webhook: 9443, metrics: 8080, health: 8081 } as const

/** For the hub, in the order in which they can be applied. */
export function renderHubManifests(options: ManifestOptions): readonly KubeObject[] {
  const { name, namespace } = options
  const labels = labelsOf(options)
  const webhook = `${name}-webhook`
  const account = { namespace, name }
  const issued = options.certificate === 'cert-manager'
  const validating = validatingConfiguration({
    name: `${name}-validating`,
    service: { namespace, name: webhook, port: 443 },
    labels,
    operatorUser: `system:serviceaccount:${namespace}:${name}`,
    ...(options.certificate === 'cert-manager'
      ? { annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${webhook}-ca` } }
      : { caBundle: options.certificate.caBundle }),
  })
  return [
    ...renderIdentityCrds(),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...account, labels } },
    ...renderRbac({
      name,
      account,
      labels,
      rights: hubRights(),
      namespaces: { own: namespace, runtime: webhookNamespaceDefault },
    }),
    metricsReader(options),
    body(
      'ConfigMap',
      'v1',
      { namespace, name: `${name}-clusterprofile-provider-file`, labels },
      { data: { 'config.json': options.providerFile } },
    ),
    ...(issued ? certManagerObjects(options) : []),
    service(options, webhook, ports.webhook, 443, 'webhook'),
    ...(options.metricsService ? [service(options, `${name}-metrics`, ports.metrics, ports.metrics, 'metrics')] : []),
    deployment(options),
    validating,
    ...(options.replicas > 1 ? [disruptionBudget(options)] : []),
  ]
}

/** The one object that a platform writes by itself, as it is when nothing is written in it. */
export function renderOperatorConfig(): KubeObject {
  return operatorConfigKind.make({ name: singletonName }, { selfHostedIRSA: { webhookNamespace: webhookNamespaceDefault } })
}

export interface TargetManifestOptions {
  readonly name: string
  /** Where the webhook will run there. */
  readonly webhookNamespace: string
  /** The account on the target as which the provider's credentials act. */
  readonly account: { readonly namespace: string; readonly name: string }
}

/** For each workload cluster: the namespace of the webhook, and what the operator's account may do. */
export function renderTargetManifests({ name, webhookNamespace, account }: TargetManifestOptions): readonly KubeObject[] {
  const { 'aws.identity.appthrust.io/delivery': _delivery, ...labels } = runtimeLabels
  return [
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: webhookNamespace, labels } },
    ...renderRbac({
      name,
      account,
      // Not those of the runtime: what it is made of is selected by them.
      labels: { 'app.kubernetes.io/managed-by': managedLabels['app.kubernetes.io/managed-by'] ?? '' },
      rights: targetRights(),
      namespaces: { own: webhookNamespace, runtime: webhookNamespace },
    }),
  ]
}

function labelsOf({ name, version }: ManifestOptions): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'vouch',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/component': 'operator',
    ...(version === '' ? {} : { 'app.kubernetes.io/version': version }),
  }
}

/** What its Pods are found by; never changes, unlike the version. */
function selectorOf({ name }: ManifestOptions): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'vouch', 'app.kubernetes.io/instance': name, 'app.kubernetes.io/component': 'operator' }
}

function body(kind: string, apiVersion: string, metadata: KubeObject['metadata'], rest: object): KubeObject {
  return { apiVersion, kind, metadata, ...rest }
}

/** To be bound to whoever scrapes. */
function metricsReader(options: ManifestOptions): KubeObject {
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]
  const metadata = { name: `${options.name}-metrics-reader`, labels: labelsOf(options) }
  return body('ClusterRole', 'rbac.authorization.k8s.io/v1', metadata, { rules })
}

function service(options: ManifestOptions, name: string, targetPort: number, port: number, portName: string): KubeObject {
  const spec = { selector: selectorOf(options), ports: [{ name: portName, protocol: 'TCP', port, targetPort }] }
  return body('Service', 'v1', { namespace: options.namespace, name, labels: labelsOf(options) }, { spec })
}

function disruptionBudget(options: ManifestOptions): KubeObject {
  const metadata = { namespace: options.namespace, name: options.name, labels: labelsOf(options) }
  return body('PodDisruptionBudget', 'policy/v1', metadata, {
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(options) } },
  })
}

function deployment(options: ManifestOptions): KubeObject {
  const { name, namespace, replicas } = options
  const secretName = options.certificate === 'cert-manager' ? `${name}-webhook-tls` : options.certificate.secretName
  const probe = (path: string, initialDelaySeconds: number, periodSeconds: number): object => ({
    httpGet: { path, port: 'health' },
    initialDelaySeconds,
    periodSeconds,
    timeoutSeconds: 5,
  })
  const container = {
    name: 'manager',
    image: options.image,
    imagePullPolicy: 'IfNotPresent',
    args: ['operator', ...flagsOf(options)],
    ports: Object.entries(ports).map(([portName, containerPort]) => ({ name: portName, containerPort, protocol: 'TCP' })),
    livenessProbe: probe('/healthz', 15, 20),
    readinessProbe: probe('/readyz', 2, 5),
    resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
    securityContext: {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
      runAsUser: 65_532,
      runAsGroup: 65_532,
      capabilities: { drop: ['ALL'] },
    },
    volumeMounts: [
      { name: 'providers', mountPath: '/etc/cluster-inventory', readOnly: true },
      { name: 'serving', mountPath: '/tmp/k8s-webhook-server/serving-certs', readOnly: true },
    ],
  }
  const pod = {
    serviceAccountName: name,
    securityContext: { runAsNonRoot: true, fsGroup: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    terminationGracePeriodSeconds: 60,
    containers: [container],
    volumes: [
      { name: 'providers', configMap: { name: `${name}-clusterprofile-provider-file` } },
      { name: 'serving', secret: { secretName } },
    ],
  }
  const spec = {
    replicas,
    selector: { matchLabels: selectorOf(options) },
    template: { metadata: { labels: labelsOf(options) }, spec: pod },
  }
  return body('Deployment', 'apps/v1', { namespace, name, labels: labelsOf(options) }, { spec })
}

function flagsOf({ profileNamespaces, args }: ManifestOptions): readonly string[] {
  return [
    `--metrics-bind-address=:${ports.metrics}`,
    `--health-probe-bind-address=:${ports.health}`,
    '--leader-elect',
    '--clusterprofile-provider-file=/etc/cluster-inventory/config.json',
    `--cluster-profile-namespaces=${profileNamespaces.join(',')}`,
    ...args,
  ]
}

/** An authority of its own, and what it signs for the webhooks. */
function certManagerObjects(options: ManifestOptions): readonly KubeObject[] {
  const { name, namespace } = options
  const labels = labelsOf(options)
  const webhook = `${name}-webhook`
  const object = (kind: string, objectName: string, spec: object): KubeObject =>
    body(kind, 'cert-manager.io/v1', { namespace, name: objectName, labels }, { spec })
  const host = `${webhook}.${namespace}`
  return [
    object('Issuer', `${name}-selfsigned`, { selfSigned: {} }),
    object('Certificate', `${webhook}-ca`, {
      secretName: `${webhook}-ca-tls`,
      commonName: `${webhook}-ca`,
      isCA: true,
      duration: '87600h',
      renewBefore: '8760h',
      privateKey: { rotationPolicy: 'Never' },
      issuerRef: { kind: 'Issuer', name: `${name}-selfsigned` },
    }),
    object('Issuer', `${webhook}-ca-issuer`, { ca: { secretName: `${webhook}-ca-tls` } }),
    object('Certificate', webhook, {
      secretName: `${webhook}-tls`,
      duration: '8760h',
      renewBefore: '720h',
      usages: ['server auth'],
      dnsNames: [webhook, host, `${host}.svc`, `${host}.svc.cluster.local`],
      privateKey: { rotationPolicy: 'Always' },
      issuerRef: { kind: 'Issuer', name: `${webhook}-ca-issuer` },
    }),
  ]
}
