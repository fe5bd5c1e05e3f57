// One process as manifests: CRDs, rights, Deployment, and what the API server needs to call it. Which of them there are follows from the
// flags that the process gets, read here as it will read them.
import { type CustomResourceDefinition, type KubeObject, renderRbac } from '#kube'
import { renderIdentityCrds, validatingConfiguration } from '#operators/identity'
import { resourceCrds, resourceValidatingConfiguration, type ServiceWithKinds } from '#operators/resources'
import type { AdmissionPlace } from '#runtime'
import { type OperatorSettings, readOperatorFlags } from '../operator/flags.ts'
import { rightsOfProcess } from './rights.ts'

export interface HubOptions {
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
  /** Of the resources operator: what `--models` of the flags leads to. */
  readonly inferred?: readonly ServiceWithKinds[]
}

export const hubDefaults: HubOptions = {
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

/** In the order in which they can be applied. Throws where the process would not start with these flags. */
export function renderHub(options: HubOptions): readonly KubeObject[] {
  const settings = settingsOfHub(options)
  const { name, namespace } = options
  const labels = labelsOf(options)
  const account = { namespace, name }
  const identity = settings.controllers.has('identity')
  const checks = settings.controllers.has('resources') && settings.resources.checks !== 'off'
  const admits = identity || checks
  return [
    ...(identity ? renderIdentityCrds() : []),
    ...(settings.controllers.has('resources') && !settings.resources.installsCrds ? crdsOfResources(settings, options) : []),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...account, labels } },
    ...renderRbac({ name, account, labels, rights: rightsOfHub(options) }),
    metricsReader(options),
    ...(identity ? [providerFileOf(options)] : []),
    ...(admits && options.certificate === 'cert-manager' ? certManagerObjects(options) : []),
    ...(admits ? [service(options, `${name}-webhook`, ports.webhook, 443, 'webhook')] : []),
    ...(options.metricsService ? [service(options, `${name}-metrics`, ports.metrics, ports.metrics, 'metrics')] : []),
    deployment(options, { identity, admits }),
    ...(identity ? [validatingConfiguration(placeOf(options, 'validating'))] : []),
    ...(checks
      ? [
          resourceValidatingConfiguration(
            { ...settings.resources.options, services: servicesOf(settings, options) },
            placeOf(options, 'resources'),
          ),
        ]
      : []),
    ...(options.replicas > 1 ? [disruptionBudget(options)] : []),
  ]
}

/** What the account of the process may do. */
export function rightsOfHub(options: HubOptions): ReturnType<typeof rightsOfProcess> {
  const settings = settingsOfHub(options)
  const { resources } = settings
  const services = servicesOf(settings, options)
  return rightsOfProcess({
    settings,
    namespace: options.namespace,
    ...(settings.controllers.has('resources')
      ? { resources: { ...resources.options, installsCrds: resources.installsCrds, services } }
      : {}),
  })
}

function settingsOfHub(options: HubOptions): OperatorSettings {
  const settings = readOperatorFlags(flagsOf(options), {})
  if (settings.controllers.has('resources') && settings.aws.region === '')
    throw new Error('--controllers resources needs --aws-region after --: where it makes what is asked for')
  return settings
}

/** As the process chooses them: those of models only by name, unless services are named. */
function servicesOf(
  { aws, resources: { models, services } }: OperatorSettings,
  { inferred = [] }: HubOptions,
): readonly (string | ServiceWithKinds['service'])[] {
  const named = services ?? (models === undefined ? aws.services : [])
  return [
    ...named.filter(alias => !inferred.some(({ service }) => service.alias === alias)),
    ...inferred.map(({ service }) => service),
  ]
}

function crdsOfResources(settings: OperatorSettings, options: HubOptions): readonly CustomResourceDefinition[] {
  const services = servicesOf(settings, options)
  return [
    ...resourceCrds({ services, extendedFieldExports: settings.resources.options.extendedFieldExports }),
    ...(options.inferred ?? []).flatMap(({ crds }) => crds),
  ]
}

function placeOf(options: HubOptions, configuration: string): AdmissionPlace {
  const { name, namespace, certificate } = options
  const webhook = `${name}-webhook`
  return {
    name: `${name}-${configuration}`,
    service: { namespace, name: webhook, port: 443 },
    labels: labelsOf(options),
    operatorUser: `system:serviceaccount:${namespace}:${name}`,
    ...(certificate === 'cert-manager'
      ? { annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${webhook}-ca` } }
      : { caBundle: certificate.caBundle }),
  }
}

function providerFileOf(options: HubOptions): KubeObject {
  const metadata = {
    namespace: options.namespace,
    name: `${options.name}-clusterprofile-provider-file`,
    labels: labelsOf(options),
  }
  return body('ConfigMap', 'v1', metadata, { data: { 'config.json': options.providerFile } })
}

function labelsOf({ name, version }: HubOptions): Readonly<Record<string, string>> {
  return {
    'app.kubernetes.io/name': 'vouch',
    'app.kubernetes.io/instance': name,
    'app.kubernetes.io/component': 'operator',
    ...(version === '' ? {} : { 'app.kubernetes.io/version': version }),
  }
}

/** What its Pods are found by; never changes, unlike the version. */
function selectorOf({ name }: HubOptions): Readonly<Record<string, string>> {
  return { 'app.kubernetes.io/name': 'vouch', 'app.kubernetes.io/instance': name, 'app.kubernetes.io/component': 'operator' }
}

function body(kind: string, apiVersion: string, metadata: KubeObject['metadata'], rest: object): KubeObject {
  return { apiVersion, kind, metadata, ...rest }
}

/** To be bound to whoever scrapes. */
function metricsReader(options: HubOptions): KubeObject {
  const rules = [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }]
  const metadata = { name: `${options.name}-metrics-reader`, labels: labelsOf(options) }
  return body('ClusterRole', 'rbac.authorization.k8s.io/v1', metadata, { rules })
}

function service(options: HubOptions, name: string, targetPort: number, port: number, portName: string): KubeObject {
  const spec = { selector: selectorOf(options), ports: [{ name: portName, protocol: 'TCP', port, targetPort }] }
  return body('Service', 'v1', { namespace: options.namespace, name, labels: labelsOf(options) }, { spec })
}

function disruptionBudget(options: HubOptions): KubeObject {
  const metadata = { namespace: options.namespace, name: options.name, labels: labelsOf(options) }
  return body('PodDisruptionBudget', 'policy/v1', metadata, {
    spec: { maxUnavailable: 1, selector: { matchLabels: selectorOf(options) } },
  })
}

interface Needs {
  readonly identity: boolean
  /** Whether the API server asks it about requests. */
  readonly admits: boolean
}

function deployment(options: HubOptions, { identity, admits }: Needs): KubeObject {
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
    ports: Object.entries(ports)
      .filter(([portName]) => admits || portName !== 'webhook')
      .map(([portName, containerPort]) => ({ name: portName, containerPort, protocol: 'TCP' })),
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
    ...(identity || admits ? { volumeMounts: mountsOf({ identity, admits }) } : {}),
  }
  const pod = {
    serviceAccountName: name,
    securityContext: { runAsNonRoot: true, fsGroup: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    terminationGracePeriodSeconds: 60,
    containers: [container],
    ...(identity || admits
      ? {
          volumes: [
            ...(identity ? [{ name: 'providers', configMap: { name: `${name}-clusterprofile-provider-file` } }] : []),
            ...(admits ? [{ name: 'serving', secret: { secretName } }] : []),
          ],
        }
      : {}),
  }
  const spec = {
    replicas,
    selector: { matchLabels: selectorOf(options) },
    template: { metadata: { labels: labelsOf(options) }, spec: pod },
  }
  return body('Deployment', 'apps/v1', { namespace, name, labels: labelsOf(options) }, { spec })
}

function mountsOf({ identity, admits }: Needs): readonly object[] {
  return [
    ...(identity ? [{ name: 'providers', mountPath: '/etc/cluster-inventory', readOnly: true }] : []),
    ...(admits ? [{ name: 'serving', mountPath: '/tmp/k8s-webhook-server/serving-certs', readOnly: true }] : []),
  ]
}

/** Those of identity are taken by any process, and mean nothing in one without it. */
function flagsOf({ profileNamespaces, args }: HubOptions): readonly string[] {
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
function certManagerObjects(options: HubOptions): readonly KubeObject[] {
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
