import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { manifestDefaults, renderHubManifests, renderTargetManifests } from '#operators/identity'
import { readOperatorFlags } from './flags.ts'

type Json = Readonly<Record<string, unknown>>
interface Rule {
  readonly apiGroups?: readonly string[]
  readonly resources?: readonly string[]
  readonly verbs: readonly string[]
}

const hub = renderHubManifests({ ...manifestDefaults, args: ['--log-level=debug'] })
const target = renderTargetManifests({
  name: 'vouch',
  webhookNamespace: 'hooks',
  account: { namespace: 'vouch', name: 'vouch' },
})

const only = (objects: readonly KubeObject[], kind: string): KubeObject => {
  const [found, ...more] = objects.filter(object => object.kind === kind)
  assert.ok(found !== undefined && more.length === 0, kind)
  return found
}

test('the Deployment of the manifests starts: its flags are taken, and its probes and ports are where it listens', () => {
  type Container = { args: string[]; ports: { name: string; containerPort: number }[]; volumeMounts: { mountPath: string }[] }
  const { spec } = only(hub, 'Deployment') as KubeObject & { spec: { template: { spec: { containers: Container[] } } } }
  const container = spec.template.spec.containers[0]
  assert.ok(container !== undefined)
  const [command, ...args] = container.args
  assert.equal(command, 'operator')
  const settings = readOperatorFlags(args, {})
  const ports = Object.fromEntries(container.ports.map(({ name, containerPort }) => [name, containerPort]))
  assert.deepEqual(ports, {
    webhook: settings.webhookAddress?.port,
    metrics: settings.metricsAddress?.port,
    health: settings.healthAddress?.port,
  })
  assert.equal(settings.elects, true)
  assert.equal(settings.log.level, 'debug')
  const mounts = container.volumeMounts.map(({ mountPath }) => mountPath)
  assert.ok(mounts.includes(settings.webhookCertificateFolder))
  assert.ok(mounts.some(path => settings.providerFile.startsWith(`${path}/`)))
})

test('X10: no wildcard in any right', () => {
  const rules = [...hub, ...target].flatMap(object => (object as KubeObject & { rules?: readonly Rule[] }).rules ?? [])
  assert.ok(rules.length > 30)
  for (const { apiGroups = [], resources = [], verbs } of rules) {
    assert.ok(![...apiGroups, ...resources, ...verbs].includes('*'), JSON.stringify({ apiGroups, resources, verbs }))
  }
})

test('12.3, 7.9: nothing is granted that the reference was not, but for what is ours and said so', () => {
  const granted = (objects: readonly KubeObject[]): readonly string[] =>
    objects
      .flatMap(object => (object as KubeObject & { rules?: readonly Rule[] }).rules ?? [])
      .flatMap(({ apiGroups = [], resources = [], verbs }) =>
        resources.flatMap(resource => verbs.map(verb => `${verb} ${apiGroups[0] ?? ''}/${resource}`)),
      )
  // To read the role of a claim before the first thing that cannot be undone, and the count of an event before it is raised.
  assert.ok(granted(hub).includes('get aws.identity.appthrust.io/awsserviceaccountroles'))
  const ofReference = (verb: string, resource: string): boolean => !granted(hub).includes(`${verb} ${resource}`)
  assert.ok(ofReference('update', 'aws.identity.appthrust.io/awsserviceaccountroles'))
  assert.ok(ofReference('patch', '/secrets'))
  assert.ok(ofReference('get', 'multicluster.x-k8s.io/clusterprofiles'))
  // On targets: the token that tells with which key a cluster signs, while its key is replaced.
  assert.ok(granted(target).includes('create /serviceaccounts/token'))
  for (const never of ['create /namespaces', 'delete /namespaces', 'patch /secrets', 'create /pods', 'get /pods']) {
    assert.ok(!granted(target).includes(never), never)
  }
})

test('9: three webhooks, fail closed, within ten seconds, and the certificate comes from cert-manager or from who brings it', () => {
  const found = only(hub, 'ValidatingWebhookConfiguration') as KubeObject & { readonly webhooks: readonly Json[] }
  const { webhooks, metadata } = found
  assert.deepEqual(
    webhooks.map(({ name, failurePolicy, timeoutSeconds, sideEffects, matchPolicy }) => [
      name,
      failurePolicy,
      timeoutSeconds,
      sideEffects,
      matchPolicy,
    ]),
    ['vawsworkloadidentityconfig', 'vawsserviceaccountrole', 'vawsserviceaccountrolereplicaset'].map(name => [
      `${name}.aws.identity.appthrust.io`,
      'Fail',
      10,
      'None',
      'Equivalent',
    ]),
  )
  assert.equal(metadata.annotations?.['cert-manager.io/inject-ca-from'], 'vouch-system/vouch-webhook-ca')
  const brought = renderHubManifests({ ...manifestDefaults, certificate: { secretName: 'mine', caBundle: 'PEM' } })
  assert.ok(!brought.some(({ apiVersion }) => apiVersion.startsWith('cert-manager.io/')))
  assert.equal(brought.filter(({ kind }) => kind === 'CustomResourceDefinition').length, 4)
})
