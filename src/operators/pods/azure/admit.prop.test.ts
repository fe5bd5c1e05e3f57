// What holds of the Azure side for every pod and every ServiceAccount, not only for those in the tables (§11.2).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { applyJsonPatch } from '#kube'
import type { PatchObject, PatchValue, PodOperation } from '../patch.ts'
import { textOf } from '../review.ts'
import { azurePods, azureSettings, clientAccounts } from '../testing/azure-reviews.ts'
import { admitAzurePod } from './admit.ts'
import { azureAnswer } from './answer.ts'
import { type AzureWebhookOptions, reservedPrefix } from './api.ts'
import { podTypeTrouble } from './pod-types.ts'

const runs = { numRuns: 1_000 }
const skipContainers = 'azure.workload.identity/skip-containers'

interface Case {
  readonly pod: PatchObject
  readonly account: Readonly<Record<string, string>>
  readonly options: AzureWebhookOptions
  readonly hasNativeSidecars: boolean
}

const cases: fc.Arbitrary<Case> = fc.record({
  pod: azurePods,
  account: clientAccounts,
  options: azureSettings,
  hasNativeSidecars: fc.boolean(),
})

/** None where the pod is refused. */
function admit(pod: PatchObject, { account, options, hasNativeSidecars }: Case): readonly PodOperation[] {
  const admitted = admitAzurePod({ pod, namespace: 'ns1', account, options, hasNativeSidecars, warn: () => {} })
  return 'refused' in admitted ? [] : admitted
}

const after = (pod: PatchObject, one: Case): PatchObject => applyJsonPatch(structuredClone(pod), admit(pod, one)) as PatchObject

const listsOf = (pod: PatchObject, list: string): readonly PatchObject[] => {
  const items = (pod['spec'] as PatchObject)[list]
  return Array.isArray(items) ? (items as PatchObject[]) : []
}
const namesIn = (pod: PatchObject, list: string): readonly PatchValue[] => listsOf(pod, list).map(({ name }) => name ?? null)

test('most of these pods are given something, and some are refused', () => {
  const drawn = fc.sample(cases, { numRuns: 500, seed: 1 })
  const given = drawn.filter(one => admit(one.pod, one).length > 0).length
  assert.ok(given > 250 && given < 500, `${given} of 500`)
})

test('applied to its own output it changes nothing [T-02]', () => {
  fc.assert(
    fc.property(cases, one => {
      assert.deepEqual(admit(after(one.pod, one), one), [])
    }),
    runs,
  )
})

test('no variable that a container sets is changed, and what is added stands behind it [T-01]', () => {
  fc.assert(
    fc.property(cases, one => {
      const changed = after(one.pod, one)
      for (const list of ['containers', 'initContainers'])
        for (const container of listsOf(one.pod, list)) {
          const same = listsOf(changed, list).find(({ name }) => name === container['name'])
          const before = Array.isArray(container['env']) ? container['env'] : []
          const env = Array.isArray(same?.['env']) ? same['env'] : []
          assert.deepEqual(env.slice(0, before.length), before)
        }
    }),
    runs,
  )
})

test('volumes and mount paths stay unique, each mount has its volume, and others keep what they had [T-03]', () => {
  fc.assert(
    fc.property(cases, one => {
      const changed = after(one.pod, one)
      const volumes = namesIn(changed, 'volumes')
      assert.equal(new Set(volumes).size, volumes.length)
      for (const volume of listsOf(one.pod, 'volumes'))
        if (!textOf(volume['name']).startsWith(reservedPrefix))
          assert.deepEqual(
            listsOf(changed, 'volumes').find(({ name }) => name === volume['name']),
            volume,
          )
      for (const container of [...listsOf(changed, 'containers'), ...listsOf(changed, 'initContainers')]) {
        const mounts = Array.isArray(container['volumeMounts']) ? (container['volumeMounts'] as PatchObject[]) : []
        const paths = mounts.map(({ mountPath }) => mountPath)
        assert.equal(new Set(paths).size, paths.length)
        for (const { name } of mounts) assert.ok(volumes.includes(name ?? null), `${textOf(name)} is no volume`)
      }
    }),
    runs,
  )
})

test('nothing is removed, and nothing but what the reserved layout owns is replaced [T-01, T-04]', () => {
  const owned = /^\/spec\/(volumes\/\d+|(initContainers|containers)\/\d+\/volumeMounts\/\d+)$/
  fc.assert(
    fc.property(cases, one => {
      for (const { op, path, value } of admit(one.pod, one)) {
        assert.ok(op === 'add' || (op === 'replace' && one.options.layout === 'reserved' && owned.test(path)), `${op} ${path}`)
        if (op === 'replace') assert.ok(textOf((value as PatchObject)['name']).startsWith(reservedPrefix), path)
      }
    }),
    runs,
  )
})

test('containers that the pod skips, and ephemeral ones, stay as they are [T-05]', () => {
  fc.assert(
    fc.property(cases, fc.nat(), (one, which) => {
      const all = [...namesIn(one.pod, 'containers'), ...namesIn(one.pod, 'initContainers')].map(name => textOf(name))
      const skipped = all[which % Math.max(1, all.length)] ?? 'none'
      const metadata = (one.pod['metadata'] ?? {}) as PatchObject
      const annotations = { ...(metadata['annotations'] as PatchObject), [skipContainers]: ` ${skipped} ;nobody` }
      const ephemeralContainers = [{ name: 'debugger', image: 'i', env: [] }]
      const spec = { ...(one.pod['spec'] as PatchObject), ephemeralContainers }
      const pod: PatchObject = { ...one.pod, metadata: { ...metadata, annotations }, spec }
      const changed = after(pod, one)
      assert.deepEqual(listsOf(changed, 'ephemeralContainers'), ephemeralContainers)
      for (const list of ['containers', 'initContainers'])
        assert.deepEqual(
          listsOf(changed, list).filter(({ name }) => name === skipped && !skipped.startsWith('azwi-')),
          listsOf(pod, list).filter(({ name }) => name === skipped && !skipped.startsWith('azwi-')),
        )
    }),
    runs,
  )
})

test('no container is lost or comes twice', () => {
  fc.assert(
    fc.property(cases, one => {
      const changed = after(one.pod, one)
      const names = [...namesIn(changed, 'containers'), ...namesIn(changed, 'initContainers')]
      assert.equal(new Set(names).size, names.length)
      for (const list of ['containers', 'initContainers'])
        for (const name of namesIn(one.pod, list)) assert.ok(namesIn(changed, list).includes(name))
    }),
    runs,
  )
})

test('what is decided does not depend on the order of fields [T-07]', () => {
  const reversed = (value: PatchValue): PatchValue =>
    Array.isArray(value)
      ? value.map(item => reversed(item as PatchValue))
      : typeof value === 'object' && value !== null
        ? Object.fromEntries(
            Object.entries(value)
              .reverse()
              .map(([key, item]) => [key, reversed(item as PatchValue)]),
          )
        : value
  fc.assert(
    fc.property(cases, one => {
      assert.deepEqual(admit(reversed(one.pod) as PatchObject, one), admit(one.pod, one))
    }),
    runs,
  )
})

test('any bytes, and any cut or altered review, get an answer that can be applied [T-06, X1]', async () => {
  const pod = { metadata: { labels: {} }, spec: { serviceAccountName: 'app', containers: [{ name: 'a', env: [] }] } }
  const good = JSON.stringify({ request: { uid: 'u', namespace: 'ns1', object: pod } })
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 200 }),
    fc.nat(good.length).map(length => Buffer.from(good.slice(0, length))),
    fc
      .tuple(fc.nat(good.length), fc.string({ maxLength: 3 }))
      .map(([at, text]) => Buffer.from(good.slice(0, at) + text + good.slice(at + text.length))),
    fc.jsonValue().map(value => Buffer.from(JSON.stringify({ request: { uid: 'u', object: { metadata: value, spec: value } } }))),
    fc.jsonValue().map(value =>
      Buffer.from(
        JSON.stringify({
          request: { uid: 'u', object: { spec: { containers: [value], initContainers: value, volumes: [value] } } },
        }),
      ),
    ),
  )
  const answer = azureAnswer({ clock: { monotonicMs: () => 0 }, observe: () => {} })
  await fc.assert(
    fc.asyncProperty(bytes, cases, async (body, one) => {
      const { httpStatus, body: text } = await answer('application/json', body, ({ object }) => {
        assert.equal(podTypeTrouble(object), undefined, 'a pod of other types is decided on')
        return { kind: 'allow', operations: admit(object, one) }
      })
      assert.equal(httpStatus, 200)
      const { response } = JSON.parse(text) as { response: { allowed: boolean; patch?: string; status?: { message?: string } } }
      if (!response.allowed) assert.ok((response.status?.message?.length ?? 0) <= 512, text)
      if (response.patch === undefined) return
      const { request } = JSON.parse(Buffer.from(body).toString()) as { request: { object: PatchValue } }
      applyJsonPatch(request.object, JSON.parse(Buffer.from(response.patch, 'base64').toString()) as unknown[])
    }),
    { numRuns: 2_000 },
  )
})
