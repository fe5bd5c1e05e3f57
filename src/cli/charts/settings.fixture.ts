// What people write into the values of the charts, by what it is for. Each of these is rendered by this program and by the real Helm, which
// have to print the same (test/real/charts.real.test.ts).
import type { ChartId } from './charts.ts'

type Settings = Readonly<Record<string, object>>

const region = { flags: { 'aws-region': 'eu-west-1' } }
/** The operator of resources alone, with these flags. */
export const only = (flags: object = {}): object => ({
  ...region,
  operators: { identity: { enabled: false }, resources: { enabled: true, flags } },
})
/** Both operators in one process, with these flags for resources. */
export const both = (flags: object = {}): object => ({ ...region, operators: { resources: { enabled: true, flags } } })

/** The operator of certificates alone, with these flags and zones of a file. */
export const certificates = (flags: object, zones: readonly object[] = []): object => ({
  ...region,
  operators: {
    identity: { enabled: false },
    certificates: { enabled: true, flags, files: zones.length === 0 ? {} : { 'zone-config-file': JSON.stringify(zones) } },
  },
})
function externalDns(flags: object): object {
  return {
    operators: { identity: { enabled: false }, dns: { enabled: true, flags: { 'operand-namespace': 'external-dns', ...flags } } },
  }
}

const oneZone = { 'dns-zones': 'k8s.example.com:Z1' }
const elsewhere = { name: 'other.example.com', id: 'Z3', assumeRoleArn: 'arn:aws:iam::111122223333:role/zones', externalId: 'x' }

const umbrella: Settings = {
  'nothing at all': {},
  'resources alone': only(),
  'AdoptedResources, and objects moved to another stored version': only({
    'enable-adopted-resource-reconciler': true,
    'migrate-stored-versions': true,
  }),
  'the same of one service in one namespace, without exports': only({
    services: 'acm',
    'watch-namespace': 'team',
    'enable-field-export-reconciler': false,
    'enable-adopted-resource-reconciler': true,
    'migrate-stored-versions': true,
  }),
  'AdoptedResources in two namespaces, beside another operator': both({
    'watch-namespace': 'a,b',
    'enable-adopted-resource-reconciler': true,
  }),
  'both operators in one process': both(),
  'three replicas with a budget': { replicaCount: 3, podDisruptionBudget: { enabled: true, maxUnavailable: 2 } },
  'one replica without an election': { operator: { leaderElection: { enabled: false } } },
  'two operators without an election': { ...both(), operator: { leaderElection: { enabled: false } } },
  'a registry for all': { global: { imageRegistry: 'registry.example', imagePullSecrets: ['a'] }, image: { pullSecrets: ['b'] } },
  'an image by its digest': { image: { registry: 'ghcr.io', digest: 'sha256:abc', tag: 'x' } },
  'another name': { nameOverride: 'sso' },
  'another full name and namespace': { fullnameOverride: 'one', namespaceOverride: 'two' },
  'a full name that is cut': { ...only(), fullnameOverride: 'x'.repeat(62) + '-y' },
  'replicas that share': { replicaCount: 3, operator: { leaderElection: { shards: 8 } } },
  'two operators, one of which shares': { ...both(), operator: { leaderElection: { shards: 8, namespace: 'leases' } } },
  'leases elsewhere': { operator: { leaderElection: { namespace: 'leases' } } },
  'labels and annotations on all': { commonLabels: { team: 'a' }, commonAnnotations: { note: 'b' } },
  'labels and annotations on all of two': { ...both(), commonLabels: { team: 'a' }, commonAnnotations: { note: 'b' } },
  'an account that is there': { serviceAccount: { create: false, name: 'given' } },
  'no account at all': { serviceAccount: { create: false } },
  'an account with annotations': { serviceAccount: { annotations: { 'eks.amazonaws.com/role-arn': 'arn' }, labels: { a: 'b' } } },
  'rules of a person': {
    rbac: { annotations: { a: 'b' }, extraRules: [{ apiGroups: ['x'], resources: ['y'], verbs: ['get'] }] },
  },
  'metrics as a Service': { metrics: { service: { enabled: true, annotations: { scrape: 'yes' }, port: 9090 } } },
  'a ServiceMonitor': { metrics: { service: { enabled: true } }, serviceMonitor: { enabled: true, labels: { release: 'p' } } },
  'a ServiceMonitor elsewhere': {
    metrics: { service: { enabled: true } },
    serviceMonitor: {
      enabled: true,
      namespace: 'monitoring',
      authorization: { type: 'Bearer' },
      relabelings: [{ action: 'keep' }],
    },
  },
  'a Secret with the pair': { webhookCertificate: { source: 'secret', secretName: 'pair', caBundle: 'PEM' } },
  'an authority of its own': { webhookCertificate: { source: 'own' }, replicaCount: 2 },
  'an authority of its own for two operators': { ...both({ 'manifest-checks': 'warn' }), webhookCertificate: { source: 'own' } },
  'an authority that nobody asks for': { ...only(), webhookCertificate: { source: 'own' } },
  'a NetworkPolicy': { networkPolicy: { enabled: true } },
  'a NetworkPolicy where nobody asks': { ...only(), networkPolicy: { enabled: true } },
  'other ports': { containerPorts: { webhook: 10_250, health: 9000 }, metrics: { containerPort: 9001 } },
  'other probes and resources': { livenessProbe: { periodSeconds: 3 }, resources: { limits: { cpu: '1' } } },
  'no security contexts': { podSecurityContext: { enabled: false }, containerSecurityContext: { enabled: false } },
  'where pods go': {
    nodeSelector: { a: 'b' },
    tolerations: [{ operator: 'Exists' }],
    affinity: { nodeAffinity: {} },
    topologySpreadConstraints: [{ maxSkew: 1 }],
    priorityClassName: 'high',
    schedulerName: 'other',
  },
  'more in the pod': {
    extraEnvVars: [{ name: 'A', value: 'b' }],
    extraEnvVarsCM: 'cm',
    extraEnvVarsSecret: 'secret',
    extraVolumes: [{ name: 'v', emptyDir: {} }],
    extraVolumeMounts: [{ name: 'v', mountPath: '/v' }],
    initContainers: [{ name: 'i', image: 'i' }],
    sidecars: [{ name: 's', image: 's' }],
    podLabels: { a: 'b' },
    podAnnotations: { c: 'd' },
    deploymentAnnotations: { e: 'f' },
  },
  'arguments of a person': { operator: { extraArgs: ['--log-level=debug', '--signing-key-grace=30h'] } },
  'no CRDs': { crds: { install: false } },
  'another domain of the cluster': { clusterDomain: 'example.org' },
  'roles by calls of our own': { ...region, operators: { identity: { flags: { 'aws-writer': 'direct' } } } },
  'ClusterProfiles in one namespace': { operators: { identity: { flags: { 'cluster-profile-namespaces': 'fleet' } } } },
  'ClusterProfiles in three namespaces': { operators: { identity: { flags: { 'cluster-profile-namespaces': 'c,a,b' } } } },
  'a provider file': {
    operators: { identity: { files: { 'clusterprofile-provider-file': '{"providers":[{"name":"x"}]}' } } },
  },
  'every service': only({ services: 'acm,eks,iam,route53,s3' }),
  'certificates alone': only({ services: 'acm' }),
  'certificates and their records': only({ services: 'acm,route53', 'manifest-checks': 'warn' }),
  'buckets in one namespace': only({ services: 's3', 'watch-namespace': 'a' }),
  'buckets in two namespaces': only({ services: 's3', 'watch-namespace': 'a,b' }),
  'without exports': only({ 'enable-field-export-reconciler': false }),
  'without exports in one namespace': only({ 'enable-field-export-reconciler': false, 'watch-namespace': 'a' }),
  'exports with several keys': only({ 'extended-field-exports': true }),
  'flags of an operator that does not run': {
    operators: { resources: { flags: { 'no-such-flag': 1, 'leader-elect': false } } },
  },
  'a fraction that is none': only({ 'reconcile-default-resync-seconds': 3.0 }),
  'arguments in two words': {
    operator: { extraArgs: ['-log-level', 'debug', '--log-add-source', '--issuer-bucket-salt', '--leader-elect'] },
  },
  'a region among the last arguments': {
    operators: { identity: { enabled: false }, resources: { enabled: true } },
    operator: { extraArgs: ['--aws-region=eu-west-1'] },
  },
  'named Secrets': only({ 'allow-secrets': 'a/one,a/two,b/*' }),
  'named Secrets of certificates, followed': only({
    services: 'acm',
    'allow-secrets': 'a/one,b/*',
    'extended-field-exports': true,
  }),
  'all Secrets': only({ services: 'acm', 'allow-secrets': '*' }),
  'all Secrets of two namespaces': only({ services: 'acm', 'allow-secrets': '*', 'watch-namespace': 'a,b' }),
  'Secrets that are not followed': only({ services: 'acm', 'allow-secrets': 'a/one', 'watch-secrets': false }),
  'manifests that are denied': only({ services: 's3,iam', 'manifest-checks': 'deny' }),
  'both, with checks and a namespace': both({ 'manifest-checks': 'warn', 'watch-namespace': 'a' }),
  'ExternalDNS for objects': externalDns({}),
  'ExternalDNS kept apart, with alerts and without webhooks': externalDns({
    'per-instance-rbac': true,
    'dns-monitoring': 'prometheus',
    'enable-webhook': false,
  }),
  'certificates of one zone': certificates(oneZone),
  'certificates of several zones': certificates({ 'dns-zones': 'k8s.example.com:Z1,example.org:Z2' }),
  'certificates of zones of another account': certificates({}, [elsewhere]),
  'certificates with all features': {
    ...certificates(
      {
        ...oneZone,
        monitoring: 'prometheus',
        namespaces: 'a,b',
        'webhook-fail-closed': false,
        'enable-publishing': true,
        'enable-cert-policy': true,
      },
      [elsewhere],
    ),
    replicaCount: 2,
    podDisruptionBudget: { enabled: true, maxUnavailable: 1 },
  },
  'certificates without a webhook': certificates({ ...oneZone, 'webhook-enabled': false }),
  'the webhook of Azure for the hub’s own pods': { azureWebhooks: { enabled: true, tenantId: 'tenant' } },
  'both webhooks, each in its process': { webhooks: { enabled: true }, azureWebhooks: { enabled: true, tenantId: 'tenant' } },
  'both webhooks in one process': { bothWebhooks: { enabled: true, tenantId: 'tenant' } },
  'the webhook for the hub’s own pods': { webhooks: { enabled: true, failurePolicy: 'Fail' } },
  'numbers as flags': { flags: { 'max-concurrent-reconciles': 12 }, ...only({ 'reconcile-default-resync-seconds': 1_000_000 }) },
}

export const providers: readonly object[] = [
  { name: 'own', execConfig: { command: '/plugins/own', args: ['<&>'], apiVersion: 'client.authentication.k8s.io/v1' } },
]
const fleet = (account: object): object => ({
  ocm: { managedServiceAccount: { create: true, namespaces: ['edge', 'prod'], ...account } },
})

const identity: Settings = {
  'nothing at all': {},
  'ClusterProfiles everywhere': { clusterInventory: { clusterProfileNamespaces: ['*'] } },
  'ClusterProfiles in two namespaces': { clusterInventory: { clusterProfileNamespaces: ['b', 'a'] } },
  'a provider of a person': { clusterInventory: { accessProviders: providers } },
  'another plugin': {
    clusterInventory: {
      accessProviders: [{ name: 'x', execConfig: { command: '/more/x', apiVersion: 'client.authentication.k8s.io/v1' } }],
      plugins: [
        { name: 'open-cluster-management', image: 'a', mountPath: '/plugins', pullPolicy: 'Always' },
        { name: 'more', image: 'b', mountPath: '/more/', pullPolicy: 'Never' },
      ],
    },
  },
  'a plugin whose image is pulled as Kubernetes would': {
    clusterInventory: { plugins: [{ name: 'p', image: 'a', mountPath: '/plugins' }] },
  },
  'accounts of a fleet': fleet({}),
  'accounts with labels, of which one cannot be taken away': fleet({
    labels: { a: 'b', 'authentication.open-cluster-management.io/sync-to-clusterprofile': 'false' },
    annotations: { c: 'd' },
    rotation: { enabled: false },
  }),
  'accounts with another name and place': fleet({
    name: 'msa',
    addonInstallNamespace: 'agent',
    remotePermissions: { name: 'permissions', webhookNamespace: 'hooks' },
  }),
  'settings of the platform': {
    operatorConfig: { create: true, spec: { selfHostedIRSA: { webhookNamespace: 'hooks' } }, labels: { a: 'b' } },
    ...fleet({}),
  },
  'settings of the platform without a namespace': {
    operatorConfig: { create: true, spec: { permissionsBoundaryARN: 'arn' } },
    ...fleet({}),
  },
  'an endpoint': { aws: { endpointURL: 'https://s3.example' } },
  'an endpoint that is not safe': { aws: { endpointURL: 'http://s3.example', allowUnsafeEndpointURLs: true } },
  'logs of a person': {
    logging: {
      level: 'debug',
      exporter: 'console',
      addSource: true,
      resource: { deploymentEnvironmentName: 'a b', attributes: { team: "x,y=ü!'()*+~", 'service.name': 'mine' } },
      otlp: {
        endpoint: 'http://c:4318',
        logsEndpoint: 'http://l',
        insecure: true,
        headers: { b: '2', a: '1' },
        logsProtocol: 'grpc',
      },
    },
  },
  'another image of the webhook': { operator: { podIdentityWebhookImage: 'mine:1' } },
  'roles by calls of our own': { operator: { extraArgs: ['--aws-writer=direct', '--aws-region=eu-west-1'] } },
  'an authority of its own': { webhookCertificate: { source: 'own' } },
  'all that every process has': {
    replicaCount: 2,
    metrics: { service: { enabled: true } },
    serviceMonitor: { enabled: true },
    commonLabels: { a: 'b' },
    commonAnnotations: { c: 'd' },
    podAnnotations: { e: 'f' },
    networkPolicy: { enabled: true },
    webhookCertificate: { source: 'secret', secretName: 'pair', caBundle: 'PEM' },
  },
}

const pods: Settings = {
  'nothing at all': {},
  'a Secret with the pair': { certificate: { source: 'secret', secretName: 'pair', caBundle: 'PEM' } },
  'an authority of its own': { certificate: { source: 'own' } },
  'a certificate from the cluster': { certificate: { source: 'cluster', caBundle: 'PEM' } },
  'pods that wait': { failurePolicy: 'Fail', replicaCount: 3 },
  'one replica': { replicaCount: 1 },
  'roles from a ConfigMap': { watchConfigMap: true, certificate: { source: 'cluster', caBundle: 'PEM' } },
  'API servers that are known and prove themselves': { apiServers: ['10.0.0.1/32', '10.0.0.2/32'], clientCa: 'PEM\nPEM\n' },
  'an image by its digest': { image: { repository: 'ghcr.io/x/y', digest: 'sha256:abc' } },
  'flags of a person': { extraArgs: ['--aws-default-region=eu-west-1', '--token-expiration=600'], commonLabels: { a: '1' } },
  'another name': { fullnameOverride: 'other', watchConfigMap: true, failurePolicy: 'Fail' },
}

const azure: Settings = {
  'a tenant': { tenantId: 'tenant' },
  'a Secret with the pair': { tenantId: 'tenant', certificate: { source: 'secret', secretName: 'pair', caBundle: 'PEM' } },
  'another cloud, one replica, pods that go on': {
    tenantId: 'tenant',
    cloud: 'AzureUSGovernmentCloud',
    replicaCount: 1,
    failurePolicy: 'Ignore',
  },
  'API servers that are known': { tenantId: '00000001', apiServers: ['10.0.0.1/32', '10.0.0.2/32'], replicaCount: 3 },
  'flags and labels of a person': {
    tenantId: 'tenant',
    extraArgs: ['--volume-layout=reserved', '--require-pod-label'],
    commonLabels: { a: '1' },
    image: { repository: 'ghcr.io/x/y', digest: 'sha256:abc' },
  },
}

const bothClouds: Settings = {
  'a tenant': { tenantId: 'tenant' },
  'a Secret with the pair of both': {
    tenantId: 'tenant',
    certificate: { source: 'secret', secretName: 'pair', caBundle: 'PEM' },
    replicaCount: 1,
  },
  'policies the other way round, and roles from a ConfigMap': {
    tenantId: 'tenant',
    failurePolicy: { aws: 'Fail', azure: 'Ignore' },
    watchConfigMap: true,
    apiServers: ['10.0.0.1/32'],
  },
  'another name, flags of a person': {
    tenantId: 'tenant',
    fullnameOverride: 'other',
    extraArgs: ['--aws.aws-default-region=eu-west-1', '--azure.volume-layout=reserved', '--log-format=text'],
    commonLabels: { a: '1' },
  },
}

export const chartSettings: Readonly<Record<ChartId, Settings>> = {
  vouch: umbrella,
  'aws-workload-identity-operator': identity,
  'pod-identity-webhooks': pods,
  'azure-workload-identity-webhook': azure,
  'cloud-identity-webhooks': bothClouds,
}
