import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { readBothPrograms } from '../flags/both-flags.ts'
import { type BothManifestOptions, renderBothWebhookManifests } from './both.ts'

/** As much of each kind as is looked at here. */
interface Loose extends KubeObject {
  readonly rules: readonly { readonly resources: readonly string[]; readonly resourceNames?: readonly string[] }[]
  readonly data: Readonly<Record<string, string>>
  readonly spec: {
    readonly selector: Readonly<Record<string, string>>
    readonly ports: readonly { readonly targetPort: number | string }[]
    readonly ingress: readonly { readonly ports: readonly { readonly port: number }[] }[]
    readonly template: {
      readonly metadata: { readonly labels: Readonly<Record<string, string>> }
      readonly spec: { readonly containers: readonly [Container] }
    }
  }
  readonly webhooks: readonly {
    readonly failurePolicy: string
    readonly clientConfig: { readonly service: { readonly name: string } }
  }[]
}

interface Container {
  readonly args: readonly string[]
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[]
  readonly volumeMounts?: readonly { readonly mountPath: string }[]
}

const render = (options: Partial<BothManifestOptions> = {}): readonly Loose[] =>
  renderBothWebhookManifests({ tenantId: 'tenant', ...options }) as unknown as readonly Loose[]
const all = (objects: readonly Loose[], kind: string): readonly Loose[] => objects.filter(object => object.kind === kind)
const find = (objects: readonly Loose[], kind: string): Loose => {
  const [found] = all(objects, kind)
  assert.ok(found, `no ${kind}`)
  return found
}
const kept = { kind: 'secret', secretName: 'pair', caBundle: 'PEM' } as const

for (const [what, options] of Object.entries({ 'authorities of their own': {}, 'one pair in a Secret': { certificate: kept } }))
  test(`both webhooks with ${what} are one process, whose flags are known and whose ports are those of two Services`, () => {
    const objects = render({ ...options, args: ['--azure.volume-layout=reserved', '--aws.aws-default-region=eu-west-1'] })
    const { template } = find(objects, 'Deployment').spec
    const [container] = template.spec.containers
    const { aws, azure } = readBothPrograms(container.args, find(objects, 'ConfigMap').data)
    assert.deepEqual([azure.webhook.admission.tenantId, azure.webhook.admission.layout], ['tenant', 'reserved'])
    const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))
    assert.deepEqual(ports, {
      https: aws.serving.port,
      metrics: aws.serving.metricsPort,
      health: aws.serving.health?.port,
      azure: azure.serving.port,
    })
    assert.deepEqual([azure.serving.health, azure.serving.metrics], [undefined, undefined])
    const reached = all(objects, 'Service').map(({ spec }) => spec.ports.map(({ targetPort }) => ports[targetPort] ?? targetPort))
    assert.deepEqual(reached, [[aws.serving.port], [azure.serving.port]])
    for (const { spec } of all(objects, 'Service'))
      for (const [name, value] of Object.entries(spec.selector)) assert.equal(template.metadata.labels[name], value)
    assert.deepEqual(
      find(objects, 'NetworkPolicy').spec.ingress[0]?.ports.map(({ port }) => port),
      [aws.serving.port, azure.serving.port],
    )
    assert.equal(azure.serving.rotates, !('certificate' in options))
    assert.equal(container.volumeMounts?.[0]?.mountPath, azure.serving.rotates ? undefined : azure.serving.certificateFolder)
  })

test('both webhooks may do what each may do alone, and no more', () => {
  const rules = (options: Partial<BothManifestOptions>): readonly string[] =>
    render(options)
      .filter(({ kind }) => kind === 'ClusterRole' || kind === 'Role')
      .flatMap(object => object.rules)
      .map(({ resources, resourceNames = [] }) => [...resources, ...resourceNames].join(' '))
  assert.deepEqual(rules({ certificate: kept }), ['serviceaccounts'])
  assert.deepEqual(rules({}), [
    'serviceaccounts',
    'mutatingwebhookconfigurations pod-identity-webhook',
    'mutatingwebhookconfigurations azure-wi-webhook-mutating-webhook-configuration',
    'secrets pod-identity-webhook-authority',
    'secrets azure-wi-webhook-server-cert',
  ])
})

test('each of both webhooks keeps the failure policy and the Service that it has alone', () => {
  const said = all(render(), 'MutatingWebhookConfiguration').map(({ webhooks: [webhook] }) => [
    webhook?.failurePolicy,
    webhook?.clientConfig.service.name,
  ])
  assert.deepEqual(said, [
    ['Ignore', 'pod-identity-webhook'],
    ['Fail', 'azure-wi-webhook-webhook-service'],
  ])
})
