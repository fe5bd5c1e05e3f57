// The bundle by which OLM installs the dns operator on OpenShift: the same objects as everywhere, in the forms that OLM takes. OLM brings
// the serving pair of the webhooks and tells the API server whom to trust; the service CA of the platform brings that of the metrics.
import { dump } from 'js-yaml'
import type { KubeObject } from '#kube'
import { version } from '../frame/version.ts'
import { hubDefaults, renderHub } from '../render/hub.ts'

const name = 'external-dns-operator'
const operandImage = 'registry.k8s.io/external-dns/external-dns:v0.14.2'
const operatorImage = `vouch:${version}`
const crdName = 'externaldnses.externaldns.olm.openshift.io'
const servingCert = `${name}-metrics-serving-cert`
const channels = { all: 'stable-v1.3,stable-v1', standard: 'stable-v1' }

/** Every file of the bundle, by its path in it. */
export async function olmBundle(): Promise<ReadonlyMap<string, string>> {
  const objects = await renderHub({
    ...hubDefaults,
    name,
    namespace: name,
    image: operatorImage,
    replicas: 1,
    args: [
      '--controllers=dns',
      `--operator-namespace=${name}`,
      `--operand-namespace=${name}`,
      '--trusted-ca-configmap=in-the-environment',
      '--dns-monitoring=prometheus',
      '--per-instance-rbac=false',
    ],
    certificate: { secretName: 'brought-by-olm', caBundle: 'brought-by-olm' },
  })
  const besides = objects.filter(({ kind, metadata }) => isBeside(kind, metadata.name ?? ''))
  const files: readonly (readonly [string, object])[] = [
    [`manifests/${name}.clusterserviceversion.yaml`, clusterServiceVersion(objects)],
    [`manifests/${crdName}.yaml`, ownedCrd(objects)],
    ...[...besides.map(anywhere), metricsService, serviceMonitor].map(
      object => [`manifests/${object.metadata.name}_${object.kind.toLowerCase()}.yaml`, object] as const,
    ),
    ['metadata/annotations.yaml', { annotations: bundleAnnotations }],
  ]
  const texts = files.map(([path, object]) => [path, dump(object, { lineWidth: -1, noRefs: true })] as const)
  return new Map([...texts, ['bundle.Dockerfile', dockerfile()]])
}

/** What OLM applies as it is; the rest it makes of the ClusterServiceVersion. */
function isBeside(kind: string, of: string): boolean {
  if (kind === 'PrometheusRule') return true
  if (kind === 'ClusterRoleBinding') return of === 'external-dns'
  return kind === 'ClusterRole' && of !== name
}

function rolesOf(objects: readonly KubeObject[], kind: string): readonly unknown[] {
  return objects.filter(object => object.kind === kind && isOwnRole(object)).flatMap(object => fieldOf(object, 'rules'))
}

function isOwnRole({ metadata: { name: of = '' } }: KubeObject): boolean {
  return of.startsWith(name) && !of.endsWith('-metrics-reader')
}

/** A field of an object that was rendered here, with the value that it was rendered with. */
function fieldOf(object: object | undefined, field: string): ReturnType<typeof Reflect.get> {
  return Reflect.get(object ?? {}, field)
}

function clusterServiceVersion(objects: readonly KubeObject[]): object {
  return {
    apiVersion: 'operators.coreos.com/v1alpha1',
    kind: 'ClusterServiceVersion',
    metadata: { name: `${name}.v${version}`, namespace: 'placeholder', annotations: csvAnnotations },
    spec: {
      displayName: 'ExternalDNS Operator',
      description: 'Runs one ExternalDNS for each ExternalDNS object, also with roles of other accounts.',
      version,
      minKubeVersion: '1.22.0',
      maturity: 'stable',
      provider: { name: 'Vouch' },
      customresourcedefinitions: { owned: ['v1alpha1', 'v1beta1', 'v1beta2'].map(ownedVersion) },
      installModes: ['OwnNamespace', 'SingleNamespace', 'MultiNamespace', 'AllNamespaces'].map((type, index) => ({
        type,
        supported: index < 2,
      })),
      install: {
        strategy: 'deployment',
        spec: {
          clusterPermissions: [{ serviceAccountName: name, rules: rolesOf(objects, 'ClusterRole') }],
          permissions: [{ serviceAccountName: name, rules: rolesOf(objects, 'Role') }],
          deployments: [{ name, spec: deploymentSpec(objects) }],
        },
      },
      webhookdefinitions: [validatingWebhook, conversionWebhook],
      relatedImages: [
        { name: 'operator', image: operatorImage },
        { name: 'external-dns', image: operandImage },
      ],
    },
  }
}

const feature = (what: string): string => `features.operators.openshift.io/${what}`
const csvAnnotations = {
  capabilities: 'Seamless Upgrades',
  'operatorframework.io/suggested-namespace': name,
  [feature('disconnected')]: 'true',
  [feature('fips-compliant')]: 'true',
  [feature('proxy-aware')]: 'true',
  [feature('token-auth-aws')]: 'true',
}

const ownedVersion = (of: string): object => ({
  kind: 'ExternalDNS',
  name: crdName,
  version: of,
  displayName: 'ExternalDNS',
  description: 'Keeps DNS records in step with Services, Routes and their like.',
})

const webhook = {
  admissionReviewVersions: ['v1'],
  containerPort: 443,
  targetPort: 9443,
  deploymentName: name,
  sideEffects: 'None',
}
const validatingWebhook = {
  ...webhook,
  type: 'ValidatingAdmissionWebhook',
  generateName: 'vexternaldns.kb.io',
  admissionReviewVersions: ['v1', 'v1beta1'],
  failurePolicy: 'Fail',
  matchPolicy: 'Equivalent',
  webhookPath: '/validate-externaldns-olm-openshift-io-v1beta1-externaldns',
  rules: ['v1beta1', 'v1beta2'].map(apiVersion => ({
    apiGroups: ['externaldns.olm.openshift.io'],
    apiVersions: [apiVersion],
    operations: ['CREATE', 'UPDATE'],
    resources: ['externaldnses'],
  })),
}
const conversionWebhook = {
  ...webhook,
  type: 'ConversionWebhook',
  generateName: 'cexternaldns.kb.io',
  conversionCRDs: [crdName],
  webhookPath: '/convert',
}

const argsInCluster = [
  'operator',
  '--controllers=dns',
  '--operator-namespace=$(OPERATOR_NAMESPACE)',
  '--operand-namespace=$(OPERATOR_NAMESPACE)',
  '--externaldns-image=$(RELATED_IMAGE_EXTERNAL_DNS)',
  '--trusted-ca-configmap=$(TRUSTED_CA_CONFIGMAP_NAME)',
  '--leader-elect',
  '--webhook-disable-http2',
  '--health-probe-bind-address=:9440',
  '--metrics-bind-address=:8443',
  '--metrics-secure',
]

interface WorkloadSpec {
  readonly template: {
    readonly metadata: object
    readonly spec: { readonly containers: readonly object[]; readonly [field: string]: unknown }
  }
  readonly [field: string]: unknown
}

/** OLM mounts the pair of the webhooks itself, where the process looks for it. */
function deploymentSpec(objects: readonly KubeObject[]): object {
  const spec: WorkloadSpec = fieldOf(
    objects.find(({ kind }) => kind === 'Deployment'),
    'spec',
  )
  const [container] = spec.template.spec.containers
  const probe = (path: string): object => ({ httpGet: { path, port: 'health' }, initialDelaySeconds: 5, periodSeconds: 5 })
  const port = (of: string, containerPort: number): object => ({ name: of, containerPort, protocol: 'TCP' })
  const manager = {
    ...container,
    args: argsInCluster,
    env: [
      { name: 'OPERATOR_NAMESPACE', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } },
      { name: 'RELATED_IMAGE_EXTERNAL_DNS', value: operandImage },
      { name: 'TRUSTED_CA_CONFIGMAP_NAME', value: '' },
    ],
    ports: [port('webhook', 9443), port('metrics', 8443), port('health', 9440)],
    livenessProbe: probe('/healthz'),
    readinessProbe: probe('/readyz'),
    resources: { requests: { cpu: '100m', memory: '128Mi' } },
    volumeMounts: [{ name: 'metrics-cert', mountPath: '/var/run/secrets/serving-cert', readOnly: true }],
  }
  const volumes = [{ name: 'metrics-cert', secret: { secretName: servingCert } }]
  // OpenShift gives each namespace users of its own.
  const { securityContext: _user, ...pod } = spec.template.spec
  const template = { ...spec.template, spec: { ...pod, serviceAccountName: name, containers: [withoutUser(manager)], volumes } }
  return { ...spec, template }
}

function withoutUser(container: object): object {
  const context: Readonly<Record<string, unknown>> | undefined = fieldOf(container, 'securityContext')
  const { runAsUser: _user, runAsGroup: _group, ...rest } = context ?? {}
  return { ...container, securityContext: { ...rest, seccompProfile: { type: 'RuntimeDefault' } } }
}

function ownedCrd(objects: readonly KubeObject[]): object {
  const crd = objects.find(({ kind }) => kind === 'CustomResourceDefinition')
  const spec = Object.fromEntries(Object.entries<unknown>(fieldOf(crd, 'spec')).filter(([field]) => field !== 'conversion'))
  return { ...crd, spec }
}

/** OLM decides where a bundle is installed. */
function anywhere(object: KubeObject): KubeObject {
  const { namespace: _where, ...metadata } = object.metadata
  return { ...object, metadata }
}

const selector = { 'app.kubernetes.io/name': 'vouch', 'app.kubernetes.io/instance': name }
const metricsService: KubeObject = Object.freeze({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: {
    name: `${name}-metrics-service`,
    labels: { ...selector, 'app.kubernetes.io/component': 'metrics' },
    annotations: { 'service.beta.openshift.io/serving-cert-secret-name': servingCert },
  },
  spec: { ports: [{ name: 'https', port: 8443, targetPort: 'metrics', protocol: 'TCP' }], selector },
})

const serviceMonitor: KubeObject = Object.freeze({
  apiVersion: 'monitoring.coreos.com/v1',
  kind: 'ServiceMonitor',
  metadata: { name: `${name}-metrics-monitor` },
  spec: {
    endpoints: [
      {
        port: 'https',
        scheme: 'https',
        path: '/metrics',
        interval: '30s',
        bearerTokenFile: '/var/run/secrets/kubernetes.io/serviceaccount/token',
        tlsConfig: {
          caFile: '/etc/prometheus/configmaps/serving-certs-ca-bundle/service-ca.crt',
          serverName: `${name}-metrics-service.${name}.svc`,
        },
      },
    ],
    selector: { matchLabels: { ...selector, 'app.kubernetes.io/component': 'metrics' } },
  },
})

const bundleAnnotations = {
  'operators.operatorframework.io.bundle.mediatype.v1': 'registry+v1',
  'operators.operatorframework.io.bundle.manifests.v1': 'manifests/',
  'operators.operatorframework.io.bundle.metadata.v1': 'metadata/',
  'operators.operatorframework.io.bundle.package.v1': name,
  'operators.operatorframework.io.bundle.channels.v1': channels.all,
  'operators.operatorframework.io.bundle.channel.default.v1': channels.standard,
}

function dockerfile(): string {
  const labels = Object.entries(bundleAnnotations).map(([key, value]) => `LABEL ${key}=${value}`)
  return `${['FROM scratch', ...labels, 'COPY manifests /manifests/', 'COPY metadata /metadata/'].join('\n')}\n`
}
