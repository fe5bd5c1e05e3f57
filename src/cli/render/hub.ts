// One process as manifests: CRDs, rights, Deployment, and what the API server needs to call it. Which of them there are follows from the
// flags that the process gets, read here as it will read them.
import { type KubeObject, type Right, renderRbac } from '#kube'
import type { AdmissionPlace, InstallPlace, Mount, OperatorNeeds } from '#runtime'
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
  /** What stands in files that flags name, by flag, where the manifests bring the file. */
  readonly files: Readonly<Record<string, string>>
  /** Where the certificate of the admission webhooks comes from. */
  readonly certificate: 'cert-manager' | { readonly secretName: string; readonly caBundle: string }
  /** Whether there is a Service for the metrics. */
  readonly metricsService: boolean
}

export const hubDefaults: HubOptions = {
  name: 'vouch',
  namespace: 'vouch-system',
  image: 'vouch',
  version: '',
  replicas: 2,
  args: [],
  profileNamespaces: ['*'],
  files: {},
  certificate: 'cert-manager',
  metricsService: true,
}

const ports = { webhook: 9443, metrics: 8080, health: 8081 } as const

/** In the order in which they can be applied. Rejects where the process would not start with these flags. */
export async function renderHub(options: HubOptions): Promise<readonly KubeObject[]> {
  const settings = settingsOfHub(options)
  const needs = await needsOf(options, settings)
  const { name, namespace } = options
  const labels = labelsOf(options)
  const account = { namespace, name }
  const webhooks = needs.flatMap(each => each.webhooks)
  const mounts = needs.flatMap(each => each.mounts)
  const admits = webhooks.length > 0
  return [
    ...needs.flatMap(({ crds }) => crds),
    { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace, labels } },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { ...account, labels } },
    ...renderRbac({ name, account, labels, rights: rightsOf(options, settings, needs) }),
    metricsReader(options),
    ...needs.flatMap(({ objects }) => objects),
    ...(admits && options.certificate === 'cert-manager' ? certManagerObjects(options) : []),
    ...(admits ? [service(options, `${name}-webhook`, ports.webhook, 443, 'webhook')] : []),
    ...(options.metricsService ? [service(options, `${name}-metrics`, ports.metrics, ports.metrics, 'metrics')] : []),
    deployment(options, { args: flagsOf(options, settings), mounts, admits }),
    ...webhooks.map(({ suffix, configuration }) => configuration(placeOf(options, suffix))),
    ...(options.replicas > 1 ? [disruptionBudget(options)] : []),
  ]
}

/** What the account of the process may do. */
export async function rightsOfHub(options: HubOptions): Promise<readonly Right[]> {
  const settings = settingsOfHub(options)
  return rightsOf(options, settings, await needsOf(options, settings))
}

function rightsOf(
  { namespace }: HubOptions,
  settings: OperatorSettings,
  needs: readonly OperatorNeeds[],
): ReturnType<typeof rightsOfProcess> {
  return rightsOfProcess({ settings, namespace, ofOperators: needs.map(({ rights }) => rights.cluster) })
}

function needsOf(options: HubOptions, settings: OperatorSettings): Promise<readonly OperatorNeeds[]> {
  const { name, namespace, files } = options
  const place: InstallPlace = { name, namespace, labels: labelsOf(options), files }
  return Promise.all(settings.chosen.map(each => each.operator.describe(each.settings, place)))
}

/** Read once to know which operators there are, and again as the process will read them. */
function settingsOfHub(options: HubOptions): OperatorSettings {
  return readOperatorFlags(flagsOf(options, readOperatorFlags(flagsOf(options), {})), {})
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

interface Running {
  readonly args: readonly string[]
  readonly mounts: readonly Mount[]
  /** Whether the API server asks it about requests. */
  readonly admits: boolean
}

function deployment(options: HubOptions, { args, mounts, admits }: Running): KubeObject {
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
    args: ['operator', ...args],
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
    ...(mounts.length > 0 || admits ? { volumeMounts: mountsOf(mounts, admits) } : {}),
  }
  const pod = {
    serviceAccountName: name,
    securityContext: { runAsNonRoot: true, fsGroup: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    terminationGracePeriodSeconds: 60,
    containers: [container],
    ...(mounts.length > 0 || admits
      ? {
          volumes: [
            ...mounts.map(mount => ({ name: mount.name, configMap: { name: mount.configMap } })),
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

function mountsOf(mounts: readonly Mount[], admits: boolean): readonly object[] {
  return [
    ...mounts.map(({ name, mountPath }) => ({ name, mountPath, readOnly: true })),
    ...(admits ? [{ name: 'serving', mountPath: '/tmp/k8s-webhook-server/serving-certs', readOnly: true }] : []),
  ]
}

/** Those of the process, those of the files that are mounted, and what a person chose. */
function flagsOf({ profileNamespaces, args }: HubOptions, settings?: OperatorSettings): readonly string[] {
  const chosen = settings?.chosen.map(({ operator }) => operator)
  const flag = 'cluster-profile-namespaces'
  const isKnown = chosen?.some(({ flags }) => flags.some(group => group.flags.some(({ name }) => name === flag))) ?? true
  return [
    `--metrics-bind-address=:${ports.metrics}`,
    `--health-probe-bind-address=:${ports.health}`,
    '--leader-elect',
    ...(chosen?.flatMap(({ deployedArgs = [] }) => deployedArgs) ?? []),
    ...(isKnown ? [`--${flag}=${profileNamespaces.join(',')}`] : []),
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
