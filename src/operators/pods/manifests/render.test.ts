import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { readAwsProgram } from '../flags/settings.ts'
import type { ManifestOptions } from './options.ts'
import { renderPodWebhookManifests } from './render.ts'

/** As much of each kind as is looked at here. */
interface Loose extends KubeObject {
  readonly rules: readonly object[]
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly podSelector: { readonly matchLabels: Readonly<Record<string, string>> }
    readonly ingress: readonly Rule[]
    readonly selector: Readonly<Record<string, string>>
    readonly ports: readonly { targetPort: string }[]
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> }
      readonly spec: { readonly containers: readonly [Container]; readonly volumes: readonly object[] }
    }
  }
  readonly webhooks: readonly [Webhook, ...Webhook[]]
}

interface Rule {
  readonly ports: readonly { readonly port: number }[]
  readonly from?: readonly unknown[]
}

interface Container {
  readonly args: string[]
  readonly volumeMounts: readonly { readonly name: string; readonly mountPath: string }[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly env: readonly { readonly name: string; readonly value: string }[]
}

interface Webhook {
  readonly admissionReviewVersions: readonly string[]
  readonly clientConfig: { readonly service: { readonly name: string; readonly namespace: string } }
  readonly failurePolicy: string
  readonly sideEffects: string
  readonly reinvocationPolicy: string
  readonly namespaceSelector: { readonly matchExpressions: readonly unknown[] }
  readonly objectSelector: { readonly matchExpressions: readonly unknown[] }
}

const render = (options: Partial<ManifestOptions> = {}): readonly Loose[] =>
  renderPodWebhookManifests(options) as unknown as readonly Loose[]
const find = (objects: readonly Loose[], kind: string): Loose => {
  const found = objects.find(object => object.kind === kind)
  assert.ok(found, `no ${kind}`)
  return found
}

const choices: Readonly<Record<string, Partial<ManifestOptions>>> = {
  'cert-manager': {},
  'a Secret': { certificate: { kind: 'secret', secretName: 'pair', caBundle: 'PEM' } },
  'an authority of its own': { certificate: { kind: 'own' } },
  'the cluster': { certificate: { kind: 'cluster', caBundle: 'PEM' }, watchConfigMap: true },
}

for (const [what, options] of Object.entries(choices)) {
  test(`with a certificate from ${what}: the flags are known, and the Service leads to the container`, () => {
    const objects = render({ ...options, args: ['--aws-default-region=eu-west-1'] })
    const template = find(objects, 'Deployment').spec.template
    const [container] = template.spec.containers
    const { serving, webhook } = readAwsProgram(container.args)
    assert.equal(webhook.admission.defaultRegion, 'eu-west-1')
    const [port] = find(objects, 'Service').spec.ports
    const target = container.ports.find(({ name }) => name === port?.targetPort)
    assert.equal(target?.containerPort, serving.port)
    assert.deepEqual(
      template.metadata.labels['app.kubernetes.io/name'],
      find(objects, 'Service').spec.selector['app.kubernetes.io/name'],
    )
    const call = find(objects, 'MutatingWebhookConfiguration').webhooks[0].clientConfig.service
    assert.deepEqual([call.name, call.namespace], [find(objects, 'Service').metadata.name, webhook.namespace])
  })
}

test('rights are no more than is done: ServiceAccounts always, the rest with its flag [§2.15]', () => {
  const rules = (options: Partial<ManifestOptions>) =>
    render(options)
      .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
      .flatMap(({ rules: all }) => all)
  assert.deepEqual(rules({}), [{ apiGroups: [''], resources: ['serviceaccounts'], verbs: ['get', 'list', 'watch'] }])
  assert.deepEqual(rules({ watchConfigMap: true }).slice(1), [
    { apiGroups: [''], resources: ['configmaps'], verbs: ['get', 'list', 'watch'], resourceNames: ['pod-identity-webhook'] },
  ])
  assert.deepEqual(rules({ certificate: { kind: 'cluster', caBundle: '' } }).slice(1), [
    { apiGroups: ['certificates.k8s.io'], resources: ['certificatesigningrequests'], verbs: ['create', 'get'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['create'] },
    { apiGroups: [''], resources: ['secrets'], verbs: ['get', 'update'], resourceNames: ['pod-identity-webhook'] },
  ])
})

test('our own pods are never sent to us, whatever the failure policy, and the cluster’s own are never held up [X6]', () => {
  const objects = render({ failurePolicy: 'Fail', namespace: 'identity' })
  const skip = 'eks.amazonaws.com/skip-pod-identity-webhook'
  assert.equal(find(objects, 'Deployment').spec.template.metadata.labels[skip], 'true')
  const { webhooks } = find(objects, 'MutatingWebhookConfiguration')
  for (const webhook of webhooks)
    assert.deepEqual(webhook.objectSelector.matchExpressions, [{ key: skip, operator: 'DoesNotExist' }])
  assert.deepEqual(
    webhooks.map(webhook => [webhook.failurePolicy, webhook.namespaceSelector.matchExpressions[0]]),
    [
      ['Fail', { key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: ['kube-system', 'identity'] }],
      ['Ignore', { key: 'kubernetes.io/metadata.name', operator: 'In', values: ['kube-system', 'identity'] }],
    ],
  )
})

test('who may connect is said with the manifests: to the port of reviews API servers alone, as soon as it is known where they are [X6]', () => {
  const ingress = (options: Partial<ManifestOptions>): readonly Rule[] => find(render(options), 'NetworkPolicy').spec.ingress
  const rest = { ports: [8080, 9999].map(port => ({ port, protocol: 'TCP' })) }
  const reviews = { ports: [{ port: 8443, protocol: 'TCP' }] }
  assert.deepEqual(ingress({}), [reviews, rest])
  const from = ['10.0.0.0/24', 'fd00::/64'].map(cidr => ({ ipBlock: { cidr } }))
  assert.deepEqual(ingress({ apiServers: ['10.0.0.0/24', 'fd00::/64'] }), [{ ...reviews, from }, rest])
  const { podSelector } = find(render(), 'NetworkPolicy').spec
  assert.deepEqual(podSelector.matchLabels, find(render(), 'Service').spec.selector)
})

test('with an authority of callers, the flag names the file that its ConfigMap is mounted at [X6]', () => {
  const objects = render({ clientCa: 'PEM' })
  const { containers, volumes } = find(objects, 'Deployment').spec.template.spec
  const [{ args, volumeMounts }] = containers
  const { clientCaPath } = readAwsProgram(args).serving
  const mount = volumeMounts.find(({ mountPath }) => clientCaPath === `${mountPath}/ca.crt`)
  const { metadata, data } = find(objects, 'ConfigMap')
  assert.deepEqual(
    volumes.find(volume => (volume as { name: string }).name === mount?.name),
    { name: mount?.name, configMap: { name: metadata.name } },
  )
  assert.deepEqual(data, { 'ca.crt': 'PEM' })
  assert.ok(!render().some(({ kind }) => kind === 'ConfigMap'))
})

test('both review versions are offered; by default a webhook that is away does not hold pods up [F-14]', () => {
  const [webhook, ...others] = find(render(), 'MutatingWebhookConfiguration').webhooks
  assert.deepEqual(others, [])
  assert.deepEqual(webhook.admissionReviewVersions, ['v1', 'v1beta1'])
  assert.deepEqual([webhook.failurePolicy, webhook.sideEffects, webhook.reinvocationPolicy], ['Ignore', 'None', 'IfNeeded'])
})

test('the memory that V8 may take for young garbage is bounded, by an option that Node takes from the environment [B-14]', () => {
  const { env } = find(render(), 'Deployment').spec.template.spec.containers[0]
  const [option = '', value] = env.find(({ name }) => name === 'NODE_OPTIONS')?.value.split('=') ?? []
  assert.ok(process.allowedNodeEnvironmentFlags.has(option), option)
  assert.ok(Number(value) <= 8)
})
