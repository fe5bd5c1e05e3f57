import assert from 'node:assert/strict'
import { createHash, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import {
  clusterRoleBindings,
  clusterRoles,
  deployments,
  type KubeObject,
  mutatingWebhookConfigurations,
  namespaces,
  type StoredObject,
  secrets,
  serviceAccounts,
  services,
} from '#kube'
import { type RuntimeWorld, runtimeWorld, webhookNamespace } from '../testing/runtime-world.ts'
import { type PlainFields } from './kinds.ts'

const hours = 3_600_000
const name = 'pod-identity-webhook'
const in_ = { namespace: webhookNamespace, name }
const wide = { namespace: '', name }
const labels = {
  'app.kubernetes.io/name': name,
  'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
  'aws.identity.appthrust.io/delivery': 'SelfHostedIRSA',
  'aws.identity.appthrust.io/runtime': 'self-hosted-webhook',
}

const path = (kind: string, at?: string): string => `/namespaces/${webhookNamespace}/${kind}${at === undefined ? '' : `/${at}`}`

/** Everything up, nothing left to write. */
async function converged(options: Parameters<typeof runtimeWorld>[0] = {}): Promise<RuntimeWorld> {
  const world = await runtimeWorld(options)
  await world.bringUp()
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  world.writes()
  return world
}

test('an empty namespace gets everything but the configuration, in eight writes; then the configuration, and rest [13.9 #190, #199, B7, M5]', async () => {
  await using world = await runtimeWorld()
  assert.equal(world.said(), 'False/WebhookDeploymentObservedGenerationLag')
  assert.deepEqual([...world.writes()].sort(), [
    `POST /api/v1${path('secrets')}`,
    `POST /api/v1${path('secrets')}`,
    `POST /api/v1${path('serviceaccounts')}`,
    `POST /api/v1${path('services')}`,
    `POST /apis/apps/v1${path('deployments')}`,
    'POST /apis/rbac.authorization.k8s.io/v1/clusterrolebindings',
    'POST /apis/rbac.authorization.k8s.io/v1/clusterroles',
  ])
  await world.bringUp()
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  assert.deepEqual(world.writes(), ['POST /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'])
  // Hours pass without a write (two years of decisions: target/rotation.test.ts).
  await world.advance(2 * hours)
  assert.deepEqual(world.writes(), [])
})

test('the objects are those that the reference leaves behind [7.1, 7.5-7.7]', async () => {
  await using world = await converged()
  for (const [type, key] of [
    [secrets, in_],
    [secrets, { ...in_, name: 'pod-identity-webhook-ca' }],
    [serviceAccounts, in_],
    [clusterRoles, wide],
    [clusterRoleBindings, wide],
    [services, in_],
    [deployments, in_],
    [mutatingWebhookConfigurations, wide],
  ] as const) {
    assert.deepEqual((await world.target.client.get(type, key)).metadata.labels, labels, `${type.kind} ${key.name}`)
  }
  const role = await world.get<KubeObject & { rules: unknown }>(clusterRoles, name)
  assert.deepEqual(role.rules, [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'list', 'watch'] }])
  const deployment = await world.get<
    KubeObject & { spec: { template: { metadata: PlainFields; spec: { containers: PlainFields[] } } } }
  >(deployments, name)
  const container = deployment.spec.template.spec.containers[0]
  assert.deepEqual(container?.args, [
    '--in-cluster=false',
    '--namespace=aws-pod-identity-webhook',
    '--service-name=pod-identity-webhook',
    '--annotation-prefix=eks.amazonaws.com',
    '--token-audience=sts.amazonaws.com',
  ])
  assert.deepEqual([container?.image, container?.command], ['vouch:latest', ['/usr/bin/aws-pod-identity-webhook']])
  const serving = await world.get<StoredObject & { data: Record<string, string> }>(secrets, name)
  const certificate = Buffer.from(serving.data['tls.crt'] ?? '', 'base64').toString()
  assert.deepEqual(deployment.spec.template.metadata.annotations, {
    'aws.identity.appthrust.io/serving-cert-sha256': createHash('sha256').update(certificate).digest('hex'),
  })
  const configuration = await world.get<KubeObject & { webhooks: unknown }>(mutatingWebhookConfigurations, name)
  const ca = await world.get<StoredObject & { data: Record<string, string> }>(secrets, 'pod-identity-webhook-ca')
  assert.deepEqual(configuration.webhooks, [
    {
      name: 'pod-identity-webhook.amazonaws.com',
      clientConfig: { service: { namespace: webhookNamespace, name, path: '/mutate', port: 443 }, caBundle: ca.data['ca.crt'] },
      rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], scope: '*' }],
      failurePolicy: 'Fail',
      matchPolicy: 'Equivalent',
      namespaceSelector: {},
      objectSelector: { matchExpressions: [{ key: 'eks.amazonaws.com/skip-pod-identity-webhook', operator: 'DoesNotExist' }] },
      sideEffects: 'None',
      timeoutSeconds: 10,
      admissionReviewVersions: ['v1beta1'],
      reinvocationPolicy: 'Never',
    },
  ])
  const parsed = new X509Certificate(certificate)
  assert.equal(world.decision().certificateNotAfter, `${new Date(parsed.validTo).toISOString().slice(0, 19)}Z`)
})

test('an absent namespace: nothing is made, and its creation is the event that goes on [13.9 #191]', async () => {
  await using world = await runtimeWorld({ withNamespace: false })
  assert.equal(world.said(), 'False/RemoteNamespaceBootstrapPending')
  assert.deepEqual(world.writes(), [])
  await world.target.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: webhookNamespace } })
  await world.advance(1_000)
  assert.equal(world.said(), 'False/WebhookDeploymentObservedGenerationLag')
})

test('a namespace without labels stays without; one that is marked as ours gets all of them [13.9 #192]', async () => {
  await using plain = await converged()
  assert.deepEqual(Object.keys((await plain.get(namespaces, webhookNamespace)).metadata.labels ?? {}), [
    'kubernetes.io/metadata.name',
  ])
  const mark = {
    'app.kubernetes.io/managed-by': labels['app.kubernetes.io/managed-by'],
    'aws.identity.appthrust.io/runtime': 'self-hosted-webhook',
  }
  await using marked = await converged({ withNamespace: { ...mark, mine: 'too' } })
  const held = (await marked.get(namespaces, webhookNamespace)).metadata.labels
  assert.deepEqual(held, { ...labels, mine: 'too', 'kubernetes.io/metadata.name': webhookNamespace })
})

test('a conflict while the namespace is labelled is looked at again [13.9 #193]', async () => {
  await using world = await runtimeWorld({ withNamespace: false })
  let conflicts = 1
  world.target.faulty.judge = call =>
    call.method === 'PUT' && call.target.includes('/namespaces/') && conflicts-- > 0
      ? { status: 409, reason: 'Conflict', message: 'changed' }
      : 'pass'
  const mark = {
    'app.kubernetes.io/managed-by': labels['app.kubernetes.io/managed-by'],
    'aws.identity.appthrust.io/runtime': 'self-hosted-webhook',
  }
  await world.target.client.create(namespaces, {
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: webhookNamespace, labels: mark },
  })
  await world.advance(2_000)
  await world.bringUp()
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  assert.equal((await world.get(namespaces, webhookNamespace)).metadata.labels?.['app.kubernetes.io/name'], name)
})

const foreign: readonly (readonly [string, Parameters<RuntimeWorld['get']>[0], KubeObject])[] = [
  ['Secret', secrets, { apiVersion: 'v1', kind: 'Secret', metadata: in_ }],
  ['CA Secret', secrets, { apiVersion: 'v1', kind: 'Secret', metadata: { ...in_, name: 'pod-identity-webhook-ca' } }],
  ['ServiceAccount', serviceAccounts, { apiVersion: 'v1', kind: 'ServiceAccount', metadata: in_ }],
  [
    'ClusterRole',
    clusterRoles,
    { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata: { name }, rules: [] } as KubeObject,
  ],
  [
    'ClusterRoleBinding',
    clusterRoleBindings,
    {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRoleBinding',
      metadata: { name },
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'theirs' },
    } as KubeObject,
  ],
  ['Service', services, { apiVersion: 'v1', kind: 'Service', metadata: in_, spec: { ports: [{ port: 443 }] } } as KubeObject],
  [
    'MutatingWebhookConfiguration',
    mutatingWebhookConfigurations,
    { apiVersion: 'admissionregistration.k8s.io/v1', kind: 'MutatingWebhookConfiguration', metadata: { name } },
  ],
]

for (const [what, type, object] of foreign) {
  test(`an unlabelled ${what} of our name is found though the caches are filtered, told with the next step, and nothing is written [13.9 #194-196]`, async () => {
    await using world = await runtimeWorld({ withNamespace: false })
    await world.target.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: webhookNamespace } })
    const made = await world.target.client.create(type, object)
    await world.advance(2_000)
    // The namespace came first, so some of it may have been written already; from here on nothing is.
    world.writes()
    await world.advance(120_000)
    assert.equal(world.said(), 'False/RemoteRuntimeUnmanaged')
    assert.match(world.message(), /exists and is not ours; delete it, or give it the labels app\.kubernetes\.io\/managed-by=/)
    assert.deepEqual(world.writes(), [])
    const key = { namespace: type.namespaced ? webhookNamespace : '', name: made.metadata.name }
    assert.equal((await world.target.client.get(type, key)).metadata.resourceVersion, made.metadata.resourceVersion)
    await world.target.client.delete(type, key)
    await world.advance(31_000)
    await world.bringUp()
    assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  })
}

test('an image of upstream’s name is run as upstream’s is, and the Deployment goes from one to the other in one write', async () => {
  const upstream = 'mirror.example/eks/amazon-eks-pod-identity-webhook:v0.6.15'
  let image = upstream
  await using world = await runtimeWorld({ image: () => image })
  await world.bringUp()
  const container = async (): Promise<PlainFields | undefined> =>
    (await world.get<KubeObject & { spec: { template: { spec: { containers: PlainFields[] } } } }>(deployments, name)).spec
      .template.spec.containers[0]
  const { command, env, resources } = (await container()) ?? {}
  assert.deepEqual(
    { command, env, resources },
    {
      command: ['/webhook'],
      env: undefined,
      resources: { requests: { cpu: '50m', memory: '64Mi' }, limits: { memory: '128Mi' } },
    },
  )
  image = 'vouch:1.2.3'
  world.writes()
  await world.advance(2 * hours)
  assert.deepEqual(world.writes(), [`PUT /apis/apps/v1${path('deployments', name)}`])
  assert.deepEqual((await container())?.command, ['/usr/bin/aws-pod-identity-webhook'])
})

test('labels, sidecars, volumes and tolerations of others stay; our container and volume come back [13.9 #197, #198]', async () => {
  await using world = await converged()
  const { client } = world.target
  await client.patch(deployments, in_, 'strategic', {
    metadata: { labels: { team: 'a' } },
    spec: {
      template: {
        metadata: { labels: { pod: 'b' }, annotations: { note: 'c' } },
        spec: {
          tolerations: [{ operator: 'Exists' }],
          containers: [
            { name: 'webhook', image: 'evil:1', env: [{ name: 'X', value: 'y' }] },
            { name: 'sidecar', image: 'side:1' },
          ],
          volumes: [{ name: 'extra', emptyDir: {} }],
        },
      },
    },
  })
  await client.patch(services, in_, 'merge', { metadata: { labels: { team: 'a' } } })
  await world.advance(1_000)
  await world.bringUp()
  const wrote = world.writes()
  assert.deepEqual(wrote, [`PUT /apis/apps/v1${path('deployments', name)}`])
  const { spec, metadata } = await world.get<
    KubeObject & {
      spec: { template: { metadata: PlainFields; spec: PlainFields & { containers: PlainFields[]; volumes: PlainFields[] } } }
    }
  >(deployments, name)
  const pod = spec.template.spec
  assert.deepEqual(
    [pod.containers.map(one => one.name), pod.containers.map(one => one.image)],
    [
      ['webhook', 'sidecar'],
      ['vouch:latest', 'side:1'],
    ],
  )
  assert.deepEqual(pod.containers.find(one => one.name === 'webhook')?.env, [
    { name: 'NODE_OPTIONS', value: '--max-semi-space-size=4' },
  ])
  assert.deepEqual(pod.volumes.map(one => String(one.name)).toSorted(), ['cert', 'extra'])
  assert.deepEqual(pod.tolerations, [{ operator: 'Exists' }])
  assert.equal((spec.template.metadata.labels as PlainFields).pod, 'b')
  assert.equal(metadata.labels?.team, 'a')
  await world.advance(2 * hours)
  assert.deepEqual(world.writes(), [])
})

test('a Deployment with another selector is told with the next step, and comes back when it was deleted [13.9 #200]', async () => {
  const other: KubeObject & { spec: PlainFields } = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { ...in_, labels },
    spec: {
      selector: { matchLabels: { app: 'other' } },
      template: { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'webhook', image: 'x' }] } },
    },
  }
  await using world = await runtimeWorld({ withNamespace: true, objects: [other] })
  assert.equal(world.said(), 'False/WebhookRuntimeApplyFailed')
  assert.match(world.message(), /selects other Pods, which cannot be changed; delete it and it is made anew$/)
  await world.target.client.delete(deployments, in_)
  await world.advance(2_000)
  await world.bringUp()
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

test('once it was up, the configuration stays while the Deployment is down, and what is said is true [13.9 #201]', async () => {
  await using world = await converged()
  await world.bringUp(0)
  assert.equal(world.said(), 'False/WebhookDeploymentRolloutInProgress')
  assert.notEqual(await world.target.client.find(mutatingWebhookConfigurations, wide), undefined)
  assert.deepEqual(world.writes(), [])
  await world.bringUp(1)
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

test('at the first installation a Deployment that is not taken up yet holds everything back [13.9 #205]', async () => {
  await using world = await runtimeWorld()
  const { client } = world.target
  await client.patch(
    deployments,
    in_,
    'merge',
    {
      status: {
        observedGeneration: 0,
        replicas: 1,
        updatedReplicas: 1,
        readyReplicas: 1,
        availableReplicas: 1,
        conditions: [{ type: 'Available', status: 'True' }],
      },
    },
    { subresource: 'status' },
  )
  await world.advance(1_000)
  assert.equal(world.said(), 'False/WebhookDeploymentObservedGenerationLag')
  assert.equal(await client.find(mutatingWebhookConfigurations, wide), undefined)
})

test('deleting the serving Secret takes nothing out of Ready while the old Pods serve; a new certificate rolls them [13.9 #204, M13]', async () => {
  await using world = await converged()
  const before = await world.get<KubeObject & { spec: { template: { metadata: { annotations: Record<string, string> } } } }>(
    deployments,
    name,
  )
  await world.target.client.delete(secrets, in_)
  const said: string[] = []
  for (let step = 0; step < 5; step++) {
    await world.advance(1_000)
    said.push(world.said())
  }
  assert.deepEqual([...new Set(said)], ['True/WebhookRuntimeSynced'])
  assert.match(world.message(), /has not been taken up yet$/)
  const after = await world.get<KubeObject & { spec: { template: { metadata: { annotations: Record<string, string> } } } }>(
    deployments,
    name,
  )
  assert.notDeepEqual(after.spec.template.metadata.annotations, before.spec.template.metadata.annotations)
  await world.bringUp()
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

test('a label taken from an object of the runtime is an event, and it is not touched any more [13.9 #207]', async () => {
  await using world = await converged()
  await world.target.client.patch(services, in_, 'merge', { metadata: { labels: { 'aws.identity.appthrust.io/runtime': null } } })
  await world.advance(1_000)
  assert.equal(world.said(), 'False/RemoteRuntimeUnmanaged')
  assert.match(world.message(), /^Service aws-pod-identity-webhook\/pod-identity-webhook exists and is not ours/)
  assert.deepEqual(world.writes(), [])
  await world.target.client.patch(services, in_, 'merge', { metadata: { labels } })
  await world.advance(1_000)
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

test('a status of the Deployment that changes nothing of importance leads to no write [13.9 #208]', async () => {
  await using world = await converged()
  await world.target.client.patch(deployments, in_, 'merge', { metadata: { annotations: { note: 'x' } } })
  await world.target.client.patch(deployments, in_, 'merge', { status: { collisionCount: 1 } }, { subresource: 'status' })
  await world.advance(5_000)
  assert.deepEqual(world.writes(), [])
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

test('every object of the runtime that is deleted or changed by hand comes back', async () => {
  await using world = await converged()
  for (const [type, key] of [
    [secrets, in_],
    [serviceAccounts, in_],
    [clusterRoles, wide],
    [clusterRoleBindings, wide],
    [services, in_],
    [deployments, in_],
    [mutatingWebhookConfigurations, wide],
  ] as const) {
    await world.target.client.delete(type, key)
    await world.advance(1_000)
    await world.bringUp()
    assert.notEqual(await world.target.client.find(type, key), undefined, type.kind)
  }
  await world.target.client.patch(clusterRoles, wide, 'merge', { rules: [] })
  await world.target.client.patch(services, in_, 'merge', { spec: { selector: { app: 'other' } } })
  await world.target.client.patch(mutatingWebhookConfigurations, wide, 'json', [
    { op: 'replace', path: '/webhooks/0/failurePolicy', value: 'Ignore' },
  ])
  await world.advance(1_000)
  world.writes()
  assert.deepEqual((await world.get<KubeObject & { rules: unknown[] }>(clusterRoles, name)).rules.length, 1)
  assert.deepEqual((await world.get<KubeObject & { spec: PlainFields }>(services, name)).spec.selector, {
    'app.kubernetes.io/name': name,
  })
  const { webhooks } = await world.get<KubeObject & { webhooks: PlainFields[] }>(mutatingWebhookConfigurations, name)
  assert.equal(webhooks[0]?.failurePolicy, 'Fail')
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

const clusterRolePath = '/apis/rbac.authorization.k8s.io/v1/clusterroles/'

test('a restart writes nothing on the target and no condition turns, also when the target answers late [M6, D4]', async () => {
  await using world = await converged()
  await world.restart()
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  await world.advance(5_000)
  assert.deepEqual(world.writes(), [])
  world.target.faulty.judge = () => 'hang'
  await world.restart()
  const said = new Set<string>()
  for (let second = 0; second < 50; second++) {
    await world.advance(1_000)
    said.add(world.said())
  }
  assert.deepEqual([...said], ['True/WebhookRuntimeSynced'])
  world.target.faulty.judge = () => 'pass'
  await world.advance(61_000)
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  assert.deepEqual(world.writes(), [])
})

test('a target that is away for longer is told, and back at once when it is', async () => {
  await using world = await converged()
  world.target.faulty.judge = () => 'unreachable'
  await world.restart()
  await world.advance(200_000)
  assert.equal(world.said(), 'False/RemoteClusterUnavailable')
  assert.match(world.message(), /nothing answers at its address; see the address in the ClusterProfile and the network$/)
  world.target.faulty.judge = () => 'pass'
  await world.advance(61_000)
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  assert.deepEqual(world.writes(), [])
})

test('a call that the target refuses is one condition that names it; nothing else is kept from being tried', async () => {
  await using world = await runtimeWorld({ withNamespace: false })
  world.target.faulty.judge = call =>
    call.method === 'POST' && call.target.includes('/services') ? { status: 403, reason: 'Forbidden', message: 'no' } : 'pass'
  await world.target.client.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: webhookNamespace } })
  await world.advance(5_000)
  assert.equal(world.said(), 'False/WebhookRuntimeApplyFailed')
  assert.notEqual(await world.target.client.find(clusterRoles, wide), undefined)
  world.target.faulty.judge = () => 'pass'
  await world.advance(300_000)
  await world.bringUp()
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

const authority = (world: RuntimeWorld) =>
  world.get<StoredObject & { data: Record<string, string> }>(secrets, 'pod-identity-webhook-ca')
const bundle = async (world: RuntimeWorld): Promise<string[]> => {
  const { webhooks } = await world.get<KubeObject & { webhooks: { clientConfig: { caBundle: string } }[] }>(
    mutatingWebhookConfigurations,
    name,
  )
  const pem = Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString()
  return [...pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)].map(
    ([text]) => new X509Certificate(text).serialNumber,
  )
}

test('a new authority is trusted before anything shows its signature, and the old one until nothing does [B16]', async () => {
  await using world = await converged()
  const old = await bundle(world)
  assert.equal(old.length, 1)
  const before = await world.get<StoredObject & { data: Record<string, string> }>(secrets, name)
  // Every write of the rotation fails in turn: at each point what serves must be trusted.
  let failing = 0
  let seen = 0
  world.target.faulty.judge = call =>
    call.isWrite && ++seen === failing ? { status: 500, reason: 'InternalError', message: 'x' } : 'pass'
  failing = 2
  await world.target.client.delete(secrets, { ...in_, name: 'pod-identity-webhook-ca' })
  await world.advance(500)
  const trusted = async (): Promise<void> => {
    const { data } = await world.get<StoredObject & { data: Record<string, string> }>(secrets, name)
    const serving = new X509Certificate(Buffer.from(data['tls.crt'] ?? '', 'base64'))
    const { webhooks } = await world.get<KubeObject & { webhooks: { clientConfig: { caBundle: string } }[] }>(
      mutatingWebhookConfigurations,
      name,
    )
    const pem = Buffer.from(webhooks[0]?.clientConfig.caBundle ?? '', 'base64').toString()
    const authorities = [...pem.matchAll(/-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g)].map(
      ([text]) => new X509Certificate(text),
    )
    for (const one of [serving, new X509Certificate(Buffer.from(before.data['tls.crt'] ?? '', 'base64'))]) {
      assert.ok(
        authorities.some(ca => one.checkIssued(ca) && one.verify(ca.publicKey)),
        'a certificate that is served is not trusted',
      )
    }
  }
  await trusted()
  world.target.faulty.judge = () => 'pass'
  for (let step = 0; step < 10; step++) {
    await world.advance(1_000)
    await trusted()
  }
  assert.equal((await bundle(world)).length, 2)
  await world.bringUp()
  await trusted()
  await world.advance(1_200_000)
  const rest = await bundle(world)
  assert.equal(rest.length, 1)
  assert.notDeepEqual(rest, old)
  assert.ok((await authority(world)).data['ca.crt'])
  world.writes()
  await world.advance(2 * hours)
  assert.deepEqual(world.writes(), [])
})

test('removal takes the configuration first and the namespace never; what is not ours stays [13.9 #206, 7.8]', async () => {
  await using world = await converged()
  await world.target.client.patch(services, in_, 'merge', { metadata: { labels: { 'aws.identity.appthrust.io/runtime': null } } })
  await world.advance(1_000)
  await world.remove()
  await world.advance(2_000)
  const deleted = world.writes()
  assert.equal(deleted[0], `DELETE /apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations/${name}`)
  // M14: each once.
  assert.equal(deleted.length, new Set(deleted).size)
  assert.deepEqual(world.removal(), { actions: [], gone: true })
  assert.notEqual(await world.target.client.find(namespaces, { namespace: '', name: webhookNamespace }), undefined)
  assert.notEqual(await world.target.client.find(services, in_), undefined)
  for (const type of [secrets, serviceAccounts, deployments])
    assert.equal(await world.target.client.find(type, in_), undefined, type.kind)
})

test('an unlabelled object of the whole cluster blocks; an unlabelled configuration stops everything before anything is deleted [7.8]', async () => {
  await using world = await converged()
  await world.target.client.patch(mutatingWebhookConfigurations, wide, 'merge', {
    metadata: { labels: { 'aws.identity.appthrust.io/runtime': null } },
  })
  await world.advance(1_000)
  await world.remove()
  assert.deepEqual(world.writes(), [])
  assert.equal(world.removal()?.blocked?.reason, 'RemoteRuntimeUnmanaged')
  assert.equal(world.removal()?.gone, false)
  await world.target.client.patch(clusterRoles, wide, 'merge', {
    metadata: { labels: { 'aws.identity.appthrust.io/runtime': null } },
  })
  await world.target.client.patch(mutatingWebhookConfigurations, wide, 'merge', { metadata: { labels } })
  await world.advance(31_000)
  assert.equal(await world.target.client.find(mutatingWebhookConfigurations, wide), undefined)
  assert.match(world.removal()?.blocked?.message ?? '', /^ClusterRole pod-identity-webhook exists/)
  assert.equal(world.removal()?.gone, false)
  await world.target.client.delete(clusterRoles, wide)
  await world.advance(31_000)
  assert.equal(world.removal()?.gone, true)
})

test('a read of the target that is not answered is tried again soon, and turns nothing off [L7, M6]', async () => {
  await using world = await converged()
  // No informer notices: only this one read fails, and nothing but another try can tell that it would be answered now.
  let failed = 0
  world.target.faulty.judge = ({ method, target }) => {
    if (method !== 'GET' || !target.startsWith(clusterRolePath) || target.includes('?') || failed > 0) return 'pass'
    failed++
    return { status: 503, reason: 'ServiceUnavailable' }
  }
  await world.target.client.delete(clusterRoles, wide)
  await world.advance(1_000)
  assert.deepEqual([failed, world.said()], [1, 'True/WebhookRuntimeSynced'])
  await world.advance(4_000)
  assert.ok(await world.get(clusterRoles, name), 'it is back before any fallback')
})

test('a read of the target that is refused is told with the next step', async () => {
  await using world = await converged()
  world.target.faulty.judge = ({ method, target }) =>
    method === 'GET' && target.startsWith(clusterRolePath) && !target.includes('?')
      ? { status: 403, reason: 'Forbidden', message: `clusterroles "${name}" is forbidden: User "vouch" cannot get it` }
      : 'pass'
  await world.target.client.delete(clusterRoles, wide)
  await world.advance(1_000)
  assert.equal(world.said(), 'False/RemoteClusterUnavailable')
  assert.equal(
    world.message(),
    `cluster wlc-a refuses a read that the webhook needs: clusterroles "${name}" is forbidden: User "vouch" cannot get it; grant the permissions of the manifests`,
  )
  world.target.faulty.judge = () => 'pass'
  await world.advance(31_000)
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

test('more events than the reference has room for are one look, and none is lost [13.9 #209]', async () => {
  await using world = await converged()
  const { client } = world.target
  const marked = Array.from({ length: 1_100 }, (_, event) => ({ namespace: webhookNamespace, name: `marked-${event}`, labels }))
  await Promise.all(marked.map(metadata => client.create(secrets, { apiVersion: 'v1', kind: 'Secret', metadata })))
  await client.patch(services, in_, 'merge', { spec: { selector: { app: 'other' } } })
  await world.advance(1_000)
  assert.deepEqual((await world.get<KubeObject & { spec: PlainFields }>(services, name)).spec.selector, {
    'app.kubernetes.io/name': name,
  })
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
})

test('a cluster that falls silent while all is in order is told within three minutes of when its streams end', async () => {
  for (const how of ['hang', 'unreachable'] as const) {
    await using world = await converged()
    world.target.faulty.judge = () => how
    // Streams that stand end by themselves, within ten minutes.
    const { calls } = world.target.faulty
    const before = calls.length
    for (let ms = 0; ms < 700_000 && calls.length === before; ms += 5_000) await world.advance(5_000)
    assert.equal(world.said(), 'True/WebhookRuntimeSynced', how)
    await world.advance(180_000)
    assert.equal(world.said(), 'False/RemoteClusterUnavailable', how)
    await world.advance(600_000)
    assert.equal(world.said(), 'False/RemoteClusterUnavailable', how)
    world.target.faulty.judge = () => 'pass'
    await world.advance(61_000)
    assert.equal(world.said(), 'True/WebhookRuntimeSynced', how)
  }
})

test('a cluster that says who it is and cannot be listed is told after its patience, and back when it can [13.10 #227]', async () => {
  await using world = await converged()
  world.target.faulty.judge = call => (call.target.includes('/namespaces/kube-system') ? 'pass' : 'hang')
  await world.restart()
  await world.advance(30_000)
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  await world.advance(60_000)
  assert.equal(world.said(), 'False/RemoteClusterUnavailable')
  assert.match(world.message(), /^cluster wlc-a does not answer/)
  world.target.faulty.judge = () => 'pass'
  await world.advance(61_000)
  assert.equal(world.said(), 'True/WebhookRuntimeSynced')
  assert.deepEqual(world.writes(), [])
})
