// What is watched of the runtime on each target: no more than what is read, and where it is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Reads } from '#runtime'
import { managedLabels } from './kinds.ts'
import { runtimeWatches } from './watches.ts'

const claim = [{ namespace: 'wlc-a', name: 'default' }]
const watches = runtimeWatches(cluster => (cluster === 'wlc-a' ? claim : []))
const labelSelector =
  'app.kubernetes.io/managed-by=aws-workload-identity-operator,aws.identity.appthrust.io/runtime=self-hosted-webhook'

for (const [kind, limit] of [
  ['Namespace', { metadataOnly: true }],
  ['Secret', { names: ['pod-identity-webhook', 'pod-identity-webhook-ca'] }],
  ['ServiceAccount', {}],
  ['ClusterRole', { labelSelector }],
  ['ClusterRoleBinding', { labelSelector }],
  ['Service', { labelSelector }],
  ['Deployment', { labelSelector }],
  ['MutatingWebhookConfiguration', { labelSelector }],
] as const)
  test(`each ${kind} that is watched concerns the Config of its cluster [13.9 #209]`, () => {
    const [watch, ...more] = watches.filter(({ type }) => type.kind === kind)
    assert.ok(watch !== undefined && more.length === 0)
    const { metadataOnly, names, labelSelector: selector, on, whenRead } = watch
    assert.deepEqual([on, whenRead], ['targets', true])
    assert.deepEqual(
      {
        metadataOnly,
        names,
        labelSelector: selector,
      },
      {
        metadataOnly: undefined,
        names: undefined,
        labelSelector: undefined,
        ...limit,
      },
    )
    const object = (labels: object): StoredObject => ({ apiVersion: 'v1', kind, metadata: { name: 'x', labels } }) as StoredObject
    const concerned = (labels: object, cluster: string): unknown => watch.toClaims(object(labels), {} as Reads, cluster)
    assert.deepEqual(concerned(managedLabels, 'wlc-a'), claim)
    assert.deepEqual(concerned(managedLabels, 'wlc-b'), [])
    // ServiceAccounts are watched for other reasons, too: those of the runtime are known by their labels.
    assert.deepEqual(concerned({}, 'wlc-a'), kind === 'ServiceAccount' ? [] : claim)
  })
