import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { readAzureProgram } from '../flags/azure-settings.ts'
import { type AzureManifestOptions, renderAzureWebhookManifests } from './azure.ts'

/** As much of each kind as is looked at here. */
interface Loose extends KubeObject {
  readonly rules: readonly { readonly resources: readonly string[]; readonly verbs: readonly string[] }[]
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>
    readonly ports: readonly { readonly targetPort: number }[]
    readonly ingress: readonly { readonly from?: readonly unknown[] }[]
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> }
      readonly spec: {
        readonly containers: readonly [
          {
            readonly args: readonly string[]
            readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
            readonly volumeMounts?: readonly { readonly mountPath: string }[]
          },
        ]
      }
    }
  }
  readonly webhooks: readonly {
    readonly name: string
    readonly failurePolicy: string
    readonly admissionReviewVersions: readonly string[]
    readonly reinvocationPolicy: string
    readonly clientConfig: { readonly service: { readonly name: string; readonly path: string }; readonly caBundle?: string }
    readonly namespaceSelector: { readonly matchExpressions: readonly { readonly values: readonly string[] }[] }
    readonly objectSelector: { readonly matchLabels: Readonly<Record<string, string>> }
  }[]
}

const render = (options: Partial<AzureManifestOptions> = {}): readonly Loose[] =>
  renderAzureWebhookManifests({ tenantId: 'tenant', ...options }) as unknown as readonly Loose[]
const find = (objects: readonly Loose[], kind: string): Loose => {
  const found = objects.find(object => object.kind === kind)
  assert.ok(found, `no ${kind}`)
  return found
}
const kept = { kind: 'secret', secretName: 'pair', caBundle: 'PEM' } as const

for (const [what, options] of Object.entries({ 'a pair of its own': {}, 'a pair in a Secret': { certificate: kept } }))
  test(`with ${what} the flags are known, and the Service leads to the port of reviews [§3.16]`, () => {
    const objects = render({ ...options, args: ['--volume-layout=reserved'] })
    const [container] = find(objects, 'Deployment').spec.template.spec.containers
    const { serving, webhook } = readAzureProgram(container.args, find(objects, 'ConfigMap').data)
    assert.equal(webhook.admission.layout, 'reserved')
    assert.equal(webhook.admission.tenantId, 'tenant')
    assert.equal(find(objects, 'Service').spec.ports[0]?.targetPort, serving.port)
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    assert.deepEqual(ports, { 'webhook-server': serving.port, metrics: serving.metrics?.port, healthz: serving.health?.port })
    assert.equal(serving.rotates, !('certificate' in options))
    assert.equal(container.volumeMounts?.[0]?.mountPath, serving.rotates ? undefined : serving.certificateFolder)
    const { labels } = find(objects, 'Deployment').spec.template.metadata
    for (const [name, value] of Object.entries(find(objects, 'Service').spec.selector)) assert.equal(labels[name], value)
  })

test('rights are no more than is done: with a pair that somebody else keeps, ServiceAccounts alone [§3.14]', () => {
  const rules = (options: Partial<AzureManifestOptions>): readonly string[] =>
    render(options)
      .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
      .flatMap(object => object.rules)
      .flatMap(({ resources, verbs }) => resources.map(resource => `${resource}: ${verbs.join(' ')}`))
  assert.deepEqual(rules({ certificate: kept }), ['serviceaccounts: get list watch'])
  assert.deepEqual(rules({}), [
    'serviceaccounts: get list watch',
    'mutatingwebhookconfigurations: get list watch update',
    'secrets: get list watch update',
  ])
})

test('the configuration asks about labelled pods, by the path of upstream, and never holds up the cluster itself or the webhook', () => {
  const { metadata, webhooks } = find(render({ namespace: 'home' }), 'MutatingWebhookConfiguration')
  assert.equal(metadata.name, 'azure-wi-webhook-mutating-webhook-configuration')
  const [webhook] = webhooks
  assert.deepEqual(
    [webhook?.name, webhook?.failurePolicy, webhook?.reinvocationPolicy, webhook?.clientConfig.service.path],
    ['mutation.azure-workload-identity.io', 'Fail', 'IfNeeded', '/mutate-v1-pod'],
  )
  assert.deepEqual(webhook?.admissionReviewVersions, ['v1', 'v1beta1'])
  assert.deepEqual(webhook?.objectSelector.matchLabels, { 'azure.workload.identity/use': 'true' })
  assert.deepEqual(webhook?.namespaceSelector.matchExpressions[0]?.values, ['kube-system', 'home'])
  assert.equal(webhook?.clientConfig.caBundle, undefined)
})

test('only API servers may connect, as soon as it is known where they are', () => {
  const from = (options: Partial<AzureManifestOptions>): unknown => find(render(options), 'NetworkPolicy').spec.ingress[0]?.from
  assert.equal(from({}), undefined)
  assert.deepEqual(from({ apiServers: ['10.0.0.0/24'] }), [{ ipBlock: { cidr: '10.0.0.0/24' } }])
})

for (const [replicas, kept] of [
  [1, false],
  [2, true],
] as const)
  test(`of ${replicas === 1 ? 'one replica none' : 'two replicas one'} is kept when nodes are emptied`, () => {
    const budgets = render({ replicas }).filter(({ kind }) => kind === 'PodDisruptionBudget')
    const selector = { matchLabels: find(render({ replicas }), 'Deployment').spec.selector['matchLabels'] }
    assert.deepEqual(
      budgets.map(({ spec }) => spec),
      kept ? [{ minAvailable: 1, selector }] : [],
    )
  })
