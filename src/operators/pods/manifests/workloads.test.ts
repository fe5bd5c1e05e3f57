// What runs, how it is reached and how it is called, as whole values: what a field says is what an API server does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { type AzureManifestOptions, renderAzureWebhookManifests } from './azure.ts'
import { type BothManifestOptions, renderBothWebhookManifests } from './both.ts'
import type { ManifestOptions } from './options.ts'
import { renderPodWebhookManifests } from './render.ts'

interface Template {
  readonly metadata: object
  readonly spec: Readonly<Record<string, unknown>> & { readonly containers: readonly Readonly<Record<string, unknown>>[] }
}

const aws = (options: Partial<ManifestOptions> = {}): readonly KubeObject[] => renderPodWebhookManifests(options)
const azure = (options: Partial<AzureManifestOptions> = {}): readonly KubeObject[] =>
  renderAzureWebhookManifests({ tenantId: 'tenant', ...options })
const both = (options: Partial<BothManifestOptions> = {}): readonly KubeObject[] =>
  renderBothWebhookManifests({ tenantId: 'tenant', ...options })
const namesOf = (objects: readonly KubeObject[]): readonly string[] =>
  objects.map(({ kind, metadata }) => `${kind} ${metadata.name}`)
const all = (objects: readonly KubeObject[], kind: string): readonly Readonly<Record<string, unknown>>[] =>
  objects.filter(object => object.kind === kind) as unknown as readonly Readonly<Record<string, unknown>>[]
const specOf = (objects: readonly KubeObject[], kind: string): unknown => all(objects, kind)[0]?.['spec']

/** The Deployment, its pod without containers, and the first of them. */
function workload(objects: readonly KubeObject[]) {
  const { template, ...deployment } = specOf(objects, 'Deployment') as { readonly template: Template }
  const { containers, ...pod } = template.spec
  const [container, ...others] = containers
  assert.deepEqual(others, [])
  return { deployment, labels: template.metadata, pod, container: container ?? {} }
}

const own = { kind: 'own' } as const
const kept = { kind: 'secret', secretName: 'pair', caBundle: 'PEM' } as const
const cluster = { kind: 'cluster', caBundle: 'PEM' } as const
const rolling = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } }
const name = { 'app.kubernetes.io/name': 'pod-identity-webhook' }

test('two replicas of the webhook for AWS stand on two nodes where there are two, and one is there before another goes', () => {
  const { deployment, labels, pod } = workload(aws({ labels: { team: 'a' } }))
  assert.deepEqual(deployment, { replicas: 2, strategy: rolling, selector: { matchLabels: name } })
  const skip = { 'eks.amazonaws.com/skip-pod-identity-webhook': 'true' }
  assert.deepEqual(labels, { labels: { team: 'a', ...name, ...skip } })
  assert.deepEqual(pod, {
    serviceAccountName: 'pod-identity-webhook',
    priorityClassName: 'system-cluster-critical',
    securityContext: { runAsNonRoot: true, runAsUser: 65_532, runAsGroup: 65_532, seccompProfile: { type: 'RuntimeDefault' } },
    topologySpreadConstraints: [
      {
        maxSkew: 1,
        topologyKey: 'kubernetes.io/hostname',
        whenUnsatisfiable: 'ScheduleAnyway',
        labelSelector: { matchLabels: name },
      },
    ],
    volumes: [{ name: 'cert', secret: { secretName: 'pod-identity-webhook' } }],
  })
})

const common = [
  '--namespace=eks',
  '--service-name=pod-identity-webhook',
  '--port=8443',
  '--metrics-port=9999',
  '--health-addr=:8080',
  '--shutdown-delay=5s',
]
const authority = '--tls-secret=pod-identity-webhook-authority'
const mountOf = (mounted: string, mountPath: string): object => ({ name: mounted, mountPath, readOnly: true })
const certificates = mountOf('cert', '/etc/webhook/certs')

for (const [what, options, args, mounts, volumes] of [
  ['cert-manager', {}, ['--in-cluster=false', ...common], [certificates], ['pod-identity-webhook']],
  ['a Secret', { certificate: kept }, ['--in-cluster=false', ...common], [certificates], ['pair']],
  [
    'an authority of its own',
    { certificate: own },
    ['--in-cluster=false', authority, '--webhook-configuration=pod-identity-webhook', ...common],
    undefined,
    undefined,
  ],
  [
    'the cluster',
    { certificate: cluster },
    ['--in-cluster=true', '--tls-secret=pod-identity-webhook', ...common],
    undefined,
    undefined,
  ],
  [
    'the cluster, with roles from the ConfigMap and a flag',
    { certificate: cluster, watchConfigMap: true, args: ['--v=3'] },
    ['--in-cluster=true', '--tls-secret=pod-identity-webhook', ...common, '--watch-config-map', '--v=3'],
    undefined,
    undefined,
  ],
] as const)
  test(`with a certificate from ${what} the webhook for AWS is started with the flags for that, and mounts what they name`, () => {
    const { container, pod } = workload(aws(options))
    assert.deepEqual([container['args'], container['volumeMounts']], [args, mounts])
    assert.deepEqual(
      pod['volumes'],
      volumes?.map(secretName => ({ name: 'cert', secret: { secretName } })),
    )
  })

test('the authority of callers is mounted beside the pair', () => {
  const { container, pod } = workload(aws({ clientCa: 'PEM' }))
  assert.deepEqual(container['volumeMounts'], [certificates, mountOf('client-ca', '/etc/webhook/client-ca')])
  assert.deepEqual((pod['volumes'] as readonly unknown[])[1], {
    name: 'client-ca',
    configMap: { name: 'pod-identity-webhook-client-ca' },
  })
})

const access = (kinds: readonly string[]): readonly string[] => kinds.map(kind => `${kind} pod-identity-webhook`)
const runs = access(['NetworkPolicy', 'Service', 'Deployment', 'PodDisruptionBudget', 'MutatingWebhookConfiguration'])
const roles = access(['ServiceAccount', 'ClusterRole', 'ClusterRoleBinding'])
const narrow = access(['Role', 'RoleBinding'])
const issuers = ['Issuer -self-signed', 'Certificate -ca', 'Issuer -ca', 'Certificate '].map(text =>
  text.replace(' ', ' pod-identity-webhook'),
)

for (const [what, options, names] of [
  ['cert-manager', {}, [...roles, ...issuers, ...runs]],
  ['a Secret', { certificate: kept }, [...roles, ...runs]],
  ['an authority of its own', { certificate: own }, [...roles, ...narrow, 'Secret pod-identity-webhook-authority', ...runs]],
  ['the cluster', { certificate: cluster }, [...roles, ...narrow, ...runs]],
] as const)
  test(`with a certificate from ${what} these objects are applied, and the configuration last`, () => {
    assert.deepEqual(namesOf(aws(options)), ['Namespace eks', ...names])
  })

test('an authority of its own begins as an empty Secret, and its rights are to that and to its configuration', () => {
  const objects = aws({ certificate: own })
  assert.deepEqual(
    objects.find(({ kind }) => kind === 'Secret'),
    {
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name: 'pod-identity-webhook-authority', namespace: 'eks', labels: name },
      type: 'Opaque',
    },
  )
  assert.deepEqual(all(objects, 'Role')[0]?.['rules'], [
    {
      apiGroups: [''],
      resources: ['secrets'],
      verbs: ['get', 'list', 'watch', 'update'],
      resourceNames: ['pod-identity-webhook-authority'],
    },
  ])
})

test('cert-manager makes an authority of ten years and a pair of one, with keys of P-256', () => {
  const privateKey = { algorithm: 'ECDSA', size: 256 }
  assert.deepEqual(
    all(aws(), 'Certificate').map(({ spec }) => spec),
    [
      {
        isCA: true,
        commonName: 'pod-identity-webhook-ca',
        secretName: 'pod-identity-webhook-ca',
        duration: '87600h',
        renewBefore: '8760h',
        privateKey,
        issuerRef: { kind: 'Issuer', name: 'pod-identity-webhook-self-signed' },
      },
      {
        secretName: 'pod-identity-webhook',
        dnsNames: ['', '.eks', '.eks.svc', '.eks.svc.cluster.local'].map(end => `pod-identity-webhook${end}`),
        duration: '8760h',
        renewBefore: '720h',
        usages: ['digital signature', 'key encipherment', 'server auth'],
        privateKey: { ...privateKey, rotationPolicy: 'Always' },
        issuerRef: { kind: 'Issuer', name: 'pod-identity-webhook-ca' },
      },
    ],
  )
})

for (const [what, render] of [
  ['for AWS', aws],
  ['for both', both],
] as const)
  test(`of one replica of the webhook ${what} none is kept when nodes are emptied, of two one`, () => {
    assert.equal(specOf(render({ replicas: 1 }), 'PodDisruptionBudget'), undefined)
    assert.deepEqual(specOf(render({ replicas: 2 }), 'PodDisruptionBudget'), { minAvailable: 1, selector: { matchLabels: name } })
  })

/** What a configuration says besides the Service and the namespaces that are its own. */
const rules = [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' }]
const called = {
  admissionReviewVersions: ['v1', 'v1beta1'],
  matchPolicy: 'Equivalent',
  reinvocationPolicy: 'IfNeeded',
  rules,
  sideEffects: 'None',
  timeoutSeconds: 10,
}
const clientOf = (namespace: string, service: string, path: string, more: object = {}): object => ({
  service: { namespace, name: service, path, port: 443 },
  ...more,
})
const trusted = { caBundle: Buffer.from('PEM').toString('base64') }

for (const [what, certificate, more, annotations] of [
  ['cert-manager', { kind: 'cert-manager' }, {}, { 'cert-manager.io/inject-ca-from': 'eks/pod-identity-webhook' }],
  ['a Secret', kept, trusted, undefined],
  ['the cluster', cluster, trusted, undefined],
  ['an authority of its own', own, {}, undefined],
] as const)
  test(`with a certificate from ${what} the API server calls the webhook for AWS like this`, () => {
    const [configuration] = aws({ certificate }).filter(({ kind }) => kind === 'MutatingWebhookConfiguration')
    assert.deepEqual(configuration?.metadata.annotations, annotations)
    assert.deepEqual((configuration as unknown as { webhooks: unknown }).webhooks, [
      {
        ...called,
        name: 'pod-identity-webhook.amazonaws.com',
        clientConfig: clientOf('eks', 'pod-identity-webhook', '/mutate', more),
        failurePolicy: 'Ignore',
        namespaceSelector: {},
        objectSelector: {
          matchExpressions: [{ key: 'eks.amazonaws.com/skip-pod-identity-webhook', operator: 'DoesNotExist' }],
        },
      },
    ])
  })

test('the Service for AWS takes calls where API servers call', () => {
  assert.deepEqual(specOf(aws(), 'Service'), {
    selector: name,
    ports: [{ name: 'https', port: 443, targetPort: 'https', protocol: 'TCP' }],
  })
})

const system = { 'azure-workload-identity.io/system': 'true' }
const selector = { ...system, app: 'workload-identity-webhook' }
const probe = (path: string) => ({ httpGet: { path, port: 'healthz', scheme: 'HTTP' }, timeoutSeconds: 2 })
const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  readOnlyRootFilesystem: true,
  runAsNonRoot: true,
  runAsUser: 65_532,
  runAsGroup: 65_532,
  seccompProfile: { type: 'RuntimeDefault' },
}
const ownNamespace = {
  name: 'POD_NAMESPACE',
  valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } },
}
const nodeOptions = { name: 'NODE_OPTIONS', value: '--max-semi-space-size=4' }
const settings = [{ configMapRef: { name: 'azure-wi-webhook-config' } }]

test('the webhook for Azure runs as upstream’s does: two replicas on Linux, asked often whether they answer', () => {
  const { deployment, labels, pod, container } = workload(azure({ labels: { team: 'a' } }))
  assert.deepEqual(deployment, { replicas: 2, strategy: rolling, selector: { matchLabels: selector } })
  assert.deepEqual(labels, { labels: { team: 'a', ...selector } })
  assert.deepEqual(pod, {
    serviceAccountName: 'azure-wi-webhook-admin',
    priorityClassName: 'system-cluster-critical',
    nodeSelector: { 'kubernetes.io/os': 'linux' },
  })
  assert.deepEqual(container, {
    name: 'manager',
    image: 'vouch:latest',
    imagePullPolicy: 'IfNotPresent',
    command: ['/usr/bin/azure-workload-identity-webhook'],
    args: ['--log-level=info', '--shutdown-delay=5s'],
    env: [ownNamespace, nodeOptions],
    envFrom: settings,
    ports: [
      { name: 'webhook-server', containerPort: 9_443, protocol: 'TCP' },
      { name: 'metrics', containerPort: 8_095, protocol: 'TCP' },
      { name: 'healthz', containerPort: 9_440, protocol: 'TCP' },
    ],
    livenessProbe: { ...probe('/healthz'), initialDelaySeconds: 15, periodSeconds: 20, failureThreshold: 6 },
    readinessProbe: { ...probe('/readyz'), initialDelaySeconds: 5, periodSeconds: 5 },
    resources: { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '256Mi' } },
    securityContext: restricted,
  })
})

test('with a pair that somebody keeps, the webhook for Azure mounts it and makes none', () => {
  const { pod, container } = workload(azure({ certificate: kept, args: ['--v'] }))
  assert.deepEqual(container['args'], ['--log-level=info', '--shutdown-delay=5s', '--disable-cert-rotation', '--v'])
  assert.deepEqual(container['volumeMounts'], [mountOf('cert', '/certs')])
  assert.deepEqual(pod['volumes'], [{ name: 'cert', secret: { secretName: 'pair' } }])
})

const azureRuns = [
  'NetworkPolicy azure-wi-webhook',
  'Service azure-wi-webhook-webhook-service',
  'Deployment azure-wi-webhook-controller-manager',
  'PodDisruptionBudget azure-wi-webhook-controller-manager',
  'MutatingWebhookConfiguration azure-wi-webhook-mutating-webhook-configuration',
]
const azureRoles = [
  'ServiceAccount azure-wi-webhook-admin',
  'ClusterRole azure-wi-webhook-manager-role',
  'ClusterRoleBinding azure-wi-webhook-manager-rolebinding',
]
const azureNarrow = ['Role azure-wi-webhook-manager-role', 'RoleBinding azure-wi-webhook-manager-rolebinding']

for (const [what, options, names] of [
  [
    'a pair of its own',
    {},
    [...azureRoles, ...azureNarrow, 'ConfigMap azure-wi-webhook-config', 'Secret azure-wi-webhook-server-cert', ...azureRuns],
  ],
  ['a pair in a Secret', { certificate: kept }, [...azureRoles, 'ConfigMap azure-wi-webhook-config', ...azureRuns]],
] as const)
  test(`with ${what} these objects of the webhook for Azure are applied, and the configuration last [§3.16]`, () => {
    assert.deepEqual(namesOf(azure(options)), ['Namespace azure-workload-identity-system', ...names])
  })

test('the API server calls the webhook for Azure like this, and with a pair in a Secret trusts whom it is told [§3.16]', () => {
  const webhooksOf = (options: Partial<AzureManifestOptions>): unknown =>
    all(azure({ namespace: 'home', ...options }), 'MutatingWebhookConfiguration')[0]?.['webhooks']
  const webhook = (more: object): object => ({
    ...called,
    name: 'mutation.azure-workload-identity.io',
    clientConfig: clientOf('home', 'azure-wi-webhook-webhook-service', '/mutate-v1-pod', more),
    failurePolicy: 'Fail',
    namespaceSelector: {
      matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'home'] }],
    },
    objectSelector: { matchLabels: { 'azure.workload.identity/use': 'true' } },
  })
  assert.deepEqual(webhooksOf({}), [webhook({})])
  assert.deepEqual(webhooksOf({ certificate: kept }), [webhook(trusted)])
})

test('the Service and the NetworkPolicy for Azure lead to its ports', () => {
  assert.deepEqual(specOf(azure(), 'Service'), {
    selector,
    ports: [{ port: 443, targetPort: 9_443, protocol: 'TCP' }],
  })
  const ports = (...numbers: readonly number[]): object => ({ ports: numbers.map(port => ({ port, protocol: 'TCP' })) })
  assert.deepEqual(specOf(azure(), 'NetworkPolicy'), {
    podSelector: { matchLabels: selector },
    policyTypes: ['Ingress'],
    ingress: [ports(9_443), ports(8_095, 9_440)],
  })
})

const ofAzure = ['--azure.port=9443', '--azure.health-addr=', '--azure.metrics-addr=', '--azure.shutdown-delay=5s']

for (const [what, options, pair, mounts] of [
  ['authorities of their own', {}, [], undefined],
  [
    'one pair in a Secret',
    { certificate: kept },
    ['--azure.disable-cert-rotation', '--azure.webhook-cert-dir=/etc/webhook/certs'],
    [certificates],
  ],
] as const)
  test(`both webhooks with ${what} run in one container, with the flags of each behind its name`, () => {
    const { deployment, container } = workload(both({ ...options, args: ['--aws.v=3'] }))
    assert.deepEqual(deployment, { replicas: 2, strategy: rolling, selector: { matchLabels: name } })
    assert.deepEqual(container['command'], ['/usr/bin/vouch', 'webhook', 'both'])
    const args = container['args'] as readonly string[]
    assert.deepEqual(args.slice(-ofAzure.length - pair.length - 1), [...ofAzure, ...pair, '--aws.v=3'])
    assert.deepEqual(
      args.slice(0, -ofAzure.length - pair.length - 1).filter(flag => !flag.startsWith('--aws.')),
      [],
    )
    assert.ok(!args.includes('--aws.watch-config-map'))
    assert.deepEqual(
      [container['env'], container['envFrom'], container['volumeMounts']],
      [[nodeOptions, ownNamespace], settings, mounts],
    )
  })

test('both webhooks have a Service and a configuration each, and one Deployment', () => {
  assert.deepEqual(namesOf(both()), [
    'Namespace vouch-webhooks',
    ...roles,
    ...narrow,
    'Secret pod-identity-webhook-authority',
    'ConfigMap azure-wi-webhook-config',
    'Secret azure-wi-webhook-server-cert',
    'NetworkPolicy pod-identity-webhook',
    'Service pod-identity-webhook',
    'Service azure-wi-webhook-webhook-service',
    'Deployment pod-identity-webhook',
    'PodDisruptionBudget pod-identity-webhook',
    'MutatingWebhookConfiguration pod-identity-webhook',
    'MutatingWebhookConfiguration azure-wi-webhook-mutating-webhook-configuration',
  ])
  assert.deepEqual(
    namesOf(both({ certificate: kept })).filter(object => object.startsWith('Secret')),
    [],
  )
})

test('each of both webhooks has the failure policy that is chosen for it', () => {
  const policies = all(both({ failurePolicy: { aws: 'Fail', azure: 'Ignore' } }), 'MutatingWebhookConfiguration').map(
    ({ webhooks }) => (webhooks as readonly { failurePolicy: string }[]).map(({ failurePolicy }) => failurePolicy),
  )
  assert.deepEqual(policies, [['Fail', 'Ignore'], ['Ignore']])
})
