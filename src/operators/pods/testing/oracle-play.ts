// The whole webhook, from its flags to its answer, against the oracle.
import assert from 'node:assert/strict'
import * as fc from 'fast-check'
import { drain, ManualClock, memoryFiles, seededRandom, silentLog } from '#base'
import { applyJsonPatch } from '#kube'
import { readAwsProgram } from '../flags/settings.ts'
import { createPodWebhook } from '../serve/webhook.ts'
import { askReview, patchOf } from '../serve/webhook-world.fixture.ts'
import { fakeCluster } from './fake-cluster.ts'
import { expectedPod } from './oracle.ts'
import { type AskedWorld, asked } from './worlds.ts'

/** Throws with the least world in which the two differ; gives how many reviews were asked, and how many pods were changed. */
export async function fuzzAgainstOracle({ runs, seed }: { readonly runs: number; readonly seed: number }): Promise<OracleCounts> {
  const counts = { reviews: 0, mutated: 0 }
  await fc.assert(
    fc.asyncProperty(asked, one => compare(one, counts)),
    { numRuns: runs, seed },
  )
  return counts
}

export interface OracleCounts {
  reviews: number
  mutated: number
}

async function compare({ world, configMap, asks }: AskedWorld, counts: OracleCounts): Promise<void> {
  const cluster = fakeCluster()
  for (const [key, annotations] of Object.entries(world.accounts))
    cluster.put('ServiceAccount', key, { metadata: { annotations } })
  if (configMap !== undefined) cluster.put('ConfigMap', 'eks/pod-identity-webhook', { data: { config: configMap } })
  const identities = [...world.listed].map(key => ({ namespace: key.split('/')[0], serviceAccount: key.split('/')[1] }))
  const { webhook: settings, compose } = readAwsProgram(Object.entries(world.flags).map(([name, value]) => `--${name}=${value}`))
  const clock = new ManualClock()
  const webhook = createPodWebhook({
    client: cluster.client,
    seams: {
      clock,
      random: seededRandom(1),
      log: silentLog,
      files: memoryFiles({ '/cc': JSON.stringify({ identities }) }, () => clock.now()),
    },
    settings: { ...settings, admission: { ...settings.admission, ...(typeof compose === 'object' ? { compose } : {}) } },
  })
  const stop = new AbortController()
  const running = webhook.run(stop.signal)
  try {
    await clock.advance(1_000)
    await webhook.whenReady()
    for (const [index, { namespace, more, pod }] of asks.entries()) {
      const version = index % 2 === 0 ? 'v1' : 'v1beta1'
      const pending = askReview(webhook, { object: pod, ...more, namespace } as { object: object }, { version })
      await clock.advance(200)
      const { response } = await pending
      assert.equal(response.allowed, true, JSON.stringify(response))
      counts.reviews++
      if (response.patch !== undefined) counts.mutated++
      const got = applyJsonPatch(structuredClone(pod), patchOf(response) ?? [])
      const { pod: expected, isJittered } = expectedPod(world, namespace ?? '', pod)
      assert.deepEqual(isJittered ? unjittered(got) : got, expected)
    }
  } finally {
    stop.abort(new Error('this world ends'))
    await drain()
    await running
  }
}

/** §0.3: any life from 79200 to 86400 is as good as another, of a token that is given. */
function unjittered(pod: unknown): unknown {
  const [volume] = (
    pod as { spec: { volumes: { projected?: { sources?: { serviceAccountToken?: { expirationSeconds: number } }[] } }[] } }
  ).spec.volumes
  const token = volume?.projected?.sources?.[0]?.serviceAccountToken
  if (token !== undefined && token.expirationSeconds >= 79_200 && token.expirationSeconds < 86_400)
    token.expirationSeconds = 86_400
  return pod
}
