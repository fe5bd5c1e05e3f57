import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { type Answer, answerTo, ask, type Fields } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

interface Budget {
  readonly expectedPods: number
  readonly currentHealthy: number
  readonly desiredHealthy: number
  readonly disruptionsAllowed: number
  readonly conditions: readonly { readonly status: string; readonly reason: string }[]
}

const labels = { app: 'web' }
const deployments = '/apis/apps/v1/namespaces/default/deployments'
const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const pods = '/api/v1/namespaces/default/pods'

async function world(spec: object): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock() })
  await server.settle()
  const template = { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'a:1' }] } }
  await answerTo(server, 'POST', deployments, {
    metadata: { name: 'web' },
    spec: { replicas: 3, selector: { matchLabels: labels }, template },
  })
  await answerTo(server, 'POST', budgets, { metadata: { name: 'b' }, spec: { selector: { matchLabels: labels }, ...spec } })
  await server.settle()
  return server
}

async function statusIn(server: ApiServer): Promise<Budget> {
  return (await answerTo<Answer<Fields, Budget>>(server, 'GET', `${budgets}/b`)).status
}

async function evict(server: ApiServer, name: string): Promise<number> {
  return (
    await ask(server, 'POST', `${pods}/${name}/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })
  ).status
}

for (const [spec, desiredHealthy, disruptionsAllowed] of [
  [{ minAvailable: 2 }, 2, 1],
  [{ minAvailable: 3 }, 3, 0],
  [{ minAvailable: '50%' }, 2, 1],
  [{ maxUnavailable: 1 }, 2, 1],
  [{ maxUnavailable: '100%' }, 0, 3],
  [{ minAvailable: 0 }, 0, 3],
] as const)
  test(`a budget of ${JSON.stringify(spec)} over three pods lets ${disruptionsAllowed} of them go`, async () => {
    const server = await world(spec)
    const { conditions, ...counts } = await statusIn(server)
    assert.deepEqual(
      { ...counts, observedGeneration: undefined },
      { currentHealthy: 3, expectedPods: 3, desiredHealthy, disruptionsAllowed, observedGeneration: undefined },
    )
    const reason = disruptionsAllowed > 0 ? 'SufficientPods' : 'InsufficientPods'
    assert.deepEqual(
      conditions.map(({ status, reason: why }) => [status, why]),
      [[disruptionsAllowed > 0 ? 'True' : 'False', reason]],
    )
    await server.close()
  })

test('evictions at once spend what is allowed, and a drain goes on when the pods are back', async () => {
  const server = await world({ minAvailable: 2 })
  const { items } = await answerTo(server, 'GET', pods)
  const names = items.map(({ metadata }) => metadata.name)
  const answers = await Promise.all(names.map(name => evict(server, name)))
  assert.deepEqual(
    answers.toSorted((a, b) => a - b),
    [201, 429, 429],
  )
  await server.settle()
  assert.equal((await statusIn(server)).disruptionsAllowed, 1)
  let left = names
  for (let round = 0; round < 5 && left.length > 0; round++) {
    for (const name of left) await evict(server, name)
    await server.settle()
    const now = (await answerTo(server, 'GET', pods)).items.map(({ metadata }) => metadata.name)
    left = names.filter(name => now.includes(name))
  }
  assert.deepEqual(left, [])
  await server.close()
})
