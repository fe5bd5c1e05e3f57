// What is counted of reviews under upstream's name.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock, seededRandom, silentLog } from '#base'
import { type MetricLabels, Metrics } from '#runtime'
import { webhookMetrics } from '../serve/metrics.ts'
import { podOf } from '../testing/azure-rows.ts'
import { ask, openAzure, settingsOf } from '../testing/azure-world.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { azureProvider } from './provider.ts'

test('how long reviews took is counted in steps of each power of ten below a second, and wider ones above [§3.17]', async t => {
  const metrics = new Metrics()
  await ask(await openAzure(t, { metrics }), podOf())
  const bounds = [...metrics.expose().matchAll(/^azwi_mutation_request_bucket\{namespace="ns1",le="([^"]*)"\}/gm)]
  const steps = Array.from({ length: 9 }, (_, index) => index + 1)
  assert.deepEqual(
    bounds.map(([, bound]) => Number(bound)),
    [...[1_000, 100, 10].flatMap(part => steps.map(step => step / part)), 1, 1.5, 2, 2.5, 3, Number.NaN],
  )
})

test('where there are too many namespaces, reviews of all are counted under none [3.17.1]', async t => {
  const metrics = new Metrics()
  await ask(await openAzure(t, { metrics, flags: { 'metrics-namespace-label': 'false' } }), podOf())
  assert.match(metrics.expose(), /^azwi_mutation_request_count\{namespace=""\} 1$/m)
  assert.doesNotMatch(metrics.expose(), /^http_request_count\{/m, 'these are the names of the webhook for AWS')
})

test('labels are made once for each of the last 5,000 namespaces, and forgotten of those before', async () => {
  const labels: MetricLabels[] = []
  const metrics = new Metrics()
  const registry = Object.assign(Object.create(metrics) as Metrics, {
    histogram: () => ({ observe: (_seconds: number, of: MetricLabels) => void labels.push(of) }),
  })
  const provider = azureProvider({
    client: fakeCluster().client,
    seams: { clock: new ManualClock(), random: seededRandom(1), log: silentLog },
    settings: settingsOf({}),
    registry,
    metrics: webhookMetrics(metrics),
    isPromised: () => false,
    onFatal: () => {},
  })
  const labelsOf = async (namespace: string): Promise<MetricLabels | undefined> => {
    const body = Buffer.from(JSON.stringify({ request: { namespace } }))
    await provider.answer('application/json', body, () => assert.fail('there is no pod'))
    return labels.at(-1)
  }
  const first = await labelsOf('first')
  assert.deepEqual([first, Object.isFrozen(first)], [{ namespace: 'first' }, true])
  for (let index = 0; index < 4_999; index++) await labelsOf(`n${index}`)
  assert.equal(await labelsOf('first'), first)
  for (let index = 0; index < 5_000; index++) await labelsOf(`m${index}`)
  assert.notEqual(await labelsOf('first'), first)
})
