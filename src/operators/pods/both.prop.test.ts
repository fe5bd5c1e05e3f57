// Both webhooks on one pod: each leaves the other's work alone, whichever is asked first, and asked again neither adds anything (§5.1).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { applyJsonPatch } from '#kube'
import { admitPod } from './aws/admit.ts'
import { pods as awsPods, flagSets, snapshots } from './aws/reviews.fixture.ts'
import { admitAzurePod } from './azure/admit.ts'
import { type AzureWebhookOptions, injectProxyAnnotation } from './azure/api.ts'
import { isObject, type PatchObject, type PodOperation, readList } from './patch.ts'
import { textOf } from './review.ts'
import { azurePods, azureSettings, clientAccounts } from './testing/azure-reviews.ts'

const runs = { numRuns: 1_000 }

type Webhook = (pod: PatchObject) => readonly PodOperation[]

const pods = fc.oneof(azurePods, awsPods.filter(isObject))

interface Asked {
  readonly pod: PatchObject
  readonly aws: Webhook
  readonly azure: Webhook
}

const asked: fc.Arbitrary<Asked> = fc
  .record({
    pod: pods,
    snapshot: snapshots,
    flags: flagSets,
    account: clientAccounts,
    options: azureSettings,
    hasNativeSidecars: fc.boolean(),
  })
  .map(({ pod, snapshot, flags, account, options, hasNativeSidecars }) => ({
    pod,
    aws: object => admitPod({ object, snapshot, flags, randomBelow: below => below >> 1, warn: () => {} }),
    azure: object => azureOf(object, account, options, hasNativeSidecars),
  }))

/** None where the pod is refused. */
function azureOf(
  pod: PatchObject,
  account: Readonly<Record<string, string>>,
  options: AzureWebhookOptions,
  hasNativeSidecars: boolean,
): readonly PodOperation[] {
  const admitted = admitAzurePod({ pod, namespace: 'ns1', account, options, hasNativeSidecars, warn: () => {} })
  return 'refused' in admitted ? [] : admitted
}

const after = (pod: PatchObject, webhook: Webhook): PatchObject =>
  applyJsonPatch(structuredClone(pod), webhook(pod)) as PatchObject

/** What a container of the pod has of one cloud. */
function given(pod: PatchObject, prefix: string): object {
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  const containers = ['initContainers', 'containers'].flatMap(list => readList(spec, '/spec', list).items)
  return Object.fromEntries(
    containers.map(container => [
      textOf(container['name']),
      readList(container, '', 'env').items.filter(({ name }) => textOf(name).startsWith(prefix)),
    ]),
  )
}

test('whichever webhook is asked first, each adds what it adds alone, and nothing when it is asked again', () => {
  let both = 0
  fc.assert(
    fc.property(asked, ({ pod, aws, azure }) => {
      if (
        isObject(pod['metadata']) &&
        isObject(pod['metadata']['annotations']) &&
        injectProxyAnnotation in pod['metadata']['annotations']
      )
        return
      const [alone, other] = [after(pod, aws), after(pod, azure)]
      const [first, second] = [after(alone, azure), after(other, aws)]
      for (const last of [first, second]) {
        assert.deepEqual(azure(last), [])
        assert.deepEqual(aws(last), [])
        assert.deepEqual(given(last, 'AWS_'), given(alone, 'AWS_'))
        assert.deepEqual(given(last, 'AZURE_'), given(other, 'AZURE_'))
      }
      if (aws(pod).length > 0 && azure(pod).length > 0) both++
    }),
    runs,
  )
  assert.ok(both > 100, `${both} pods were given both`)
})
