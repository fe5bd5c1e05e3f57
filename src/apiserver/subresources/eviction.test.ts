// What an eviction and a binding say of the pod must be true of it; a real server's answers are the vectors `forms`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { answerTo, ask, nextEvents, openWatch, type Reply } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'

const pods = '/api/v1/namespaces/default/pods'

async function worldWithPod(phase?: string): Promise<ApiServer> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
  await ask(server, 'POST', '/api/v1/namespaces/default/serviceaccounts', { metadata: { name: 'default' } })
  const spec = { containers: [{ name: 'c', image: 'i' }], nodeName: 'n' }
  const made = await ask(server, 'POST', pods, { metadata: { name: 'p', labels: { app: 'web' } }, spec })
  assert.equal(made.status, 201, made.text)
  if (phase !== undefined)
    await ask(server, 'PATCH', `${pods}/p/status`, { status: { phase } }, { type: 'application/merge-patch+json' })
  return server
}

function evict(server: ApiServer, metadata: object, deleteOptions?: object): Promise<Reply> {
  return ask(server, 'POST', `${pods}/p/eviction`, { apiVersion: 'policy/v1', kind: 'Eviction', metadata, deleteOptions })
}

const isThere = async (server: ApiServer): Promise<boolean> =>
  (await answerTo(server, 'GET', `${pods}/p`)).metadata.deletionTimestamp === undefined

test('an eviction of another name, of another namespace, of another uid or in vain lets the pod live', async () => {
  const server = await worldWithPod()
  assert.equal((await evict(server, { name: 'other' })).body.message, 'name in URL does not match name in Eviction object')
  assert.equal((await evict(server, { name: 'p', namespace: 'elsewhere' })).status, 400)
  assert.equal((await evict(server, { name: 'p' }, { preconditions: { uid: 'x' } })).status, 409)
  assert.equal((await evict(server, { name: 'p' }, { dryRun: ['Some'] })).status, 422)
  assert.equal((await evict(server, { name: 'p' }, { dryRun: ['All'] })).status, 201)
  assert.equal(await isThere(server), true)
  await server.close()
})

test('a pod that is evicted says so before it goes', async () => {
  const server = await worldWithPod()
  const watch = await openWatch(server, `${pods}?resourceVersion=${server.revision}`)
  assert.equal((await evict(server, { name: 'p' })).status, 201)
  const [told] = await nextEvents(watch)
  assert.deepEqual(
    [told?.type, told?.object.status.conditions.map(({ type, status, reason }) => [type, status, reason])],
    ['MODIFIED', [['DisruptionTarget', 'True', 'EvictionByEvictionAPI']]],
  )
  assert.equal(await isThere(server), false)
  await watch.return?.()
  await server.close()
})

const budgets = '/apis/policy/v1/namespaces/default/poddisruptionbudgets'
const budget = (name: string): object => ({
  metadata: { name },
  spec: { minAvailable: 1, selector: { matchLabels: { app: 'web' } } },
})

test('a budget guards a pod that runs, two guard none that anybody may evict, and one that is pending is free to go', async () => {
  const server = await worldWithPod('Running')
  await ask(server, 'POST', budgets, budget('one'))
  const guarded = async (): Promise<unknown> => {
    const { status, body } = await evict(server, { name: 'p' })
    return [status, body.details.retryAfterSeconds, body.details.causes.map(({ message }) => message)]
  }
  assert.deepEqual(await guarded(), [429, 10, ['The disruption budget one is still being processed by the server.']])
  const counted = { observedGeneration: 1, disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 1, expectedPods: 1 }
  await ask(server, 'PATCH', `${budgets}/one/status`, { status: counted }, { type: 'application/merge-patch+json' })
  assert.deepEqual(await guarded(), [429, undefined, ['The disruption budget one needs 1 healthy pods and has 0 currently']])
  await ask(server, 'POST', budgets, budget('two'))
  const { status, body } = await evict(server, { name: 'p' })
  assert.match(body.message, /^This pod has more than one PodDisruptionBudget/)
  assert.equal(status, 500)
  await ask(server, 'PATCH', `${pods}/p/status`, { status: { phase: 'Pending' } }, { type: 'application/merge-patch+json' })
  assert.equal((await evict(server, { name: 'p' })).status, 201)
  await server.close()
})

test('a binding to no node, to a pod or by another name binds nothing', async () => {
  const server = await worldWithPod()
  const bind = (target: object, name = 'p'): Promise<Reply> =>
    ask(server, 'POST', `${pods}/p/binding`, { apiVersion: 'v1', kind: 'Binding', metadata: { name }, target })
  assert.equal((await bind({})).body.message, 'target.name: Required value')
  assert.match((await bind({ kind: 'Pod', name: 'm' })).body.message, /^target\.kind: Unsupported value: "Pod"/)
  assert.match((await bind({ name: 'm' }, 'other')).body.message, /^name in URL does not match/)
  assert.match((await bind({ name: 'm' })).body.message, /pod p is already assigned to node "n"$/)
  await server.close()
})
