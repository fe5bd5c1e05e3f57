// No pod is let in silently without a client id that was promised, as far as anybody let the webhook know of the promise (S20).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type Log, silentLog } from '#base'
import { Metrics } from '#runtime'
import { clientId, envOf, podOf } from '../testing/azure-rows.ts'
import { type AzureWorld, ask, openAzure, patched, reviewOf } from '../testing/azure-world.ts'

const withClient = { 'azure.workload.identity/client-id': clientId }
const requires = { 'azure.workload.identity/require-client-id': 'true' }

/** Sends the review and gives the answer later, so that the test can do something meanwhile. */
function send({ webhook }: AzureWorld, pod: unknown, timeout = '10s'): Promise<unknown> {
  return webhook
    .exchange({
      method: 'POST',
      target: `/mutate-v1-pod?timeout=${timeout}`,
      headers: { 'content-type': 'application/json' },
      body: Buffer.from(JSON.stringify(reviewOf(pod))),
    })
    .then(({ body }) => JSON.parse(Buffer.from(body as Uint8Array).toString()) as unknown)
}

test('a client id that was readable when the pod was made is in the pod, however the watch lags [S20]', async t => {
  const world = await openAzure(t, { accounts: { 'ns1/app': {} } })
  world.cluster.hold()
  world.cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations: withClient } })
  const pod = podOf()
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], clientId)
})

test('that there is no client id is asked of the API server each time, and not when the flag says so [S20]', async t => {
  const asking = await openAzure(t, { accounts: { 'ns1/app': {} } })
  await ask(asking, podOf())
  assert.deepEqual(asking.cluster.reads, ['ns1/app'])
  const believing = await openAzure(t, { accounts: { 'ns1/app': {} }, flags: { 'confirm-missing-client-id': 'false' } })
  await ask(believing, podOf())
  assert.deepEqual(believing.cluster.reads, [])
})

for (const [who, account, metadata] of [
  ['the ServiceAccount', requires, {}],
  ['the pod', {}, { annotations: requires }],
] as const) {
  test(`a client id that ${who} requires is waited for, and is in the pod when it comes [S20]`, async t => {
    const world = await openAzure(t, { accounts: { 'ns1/app': account } })
    const pod = podOf({ metadata })
    const pending = send(world, pod)
    await drain()
    await world.clock.advance(1_000)
    world.cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations: { ...account, ...withClient } } })
    for (let step = 0; step < 5; step++) {
      await drain()
      await world.clock.advance(200)
    }
    const { response } = (await pending) as { response: { patch: string; allowed: boolean; uid: string } }
    assert.equal(envOf(patched(pod, { http: 200, response }))['AZURE_CLIENT_ID'], clientId)
  })

  test(`a client id that ${who} requires and that does not come is a refusal with a time to try again [S20]`, async t => {
    const metrics = new Metrics()
    const world = await openAzure(t, { accounts: { 'ns1/app': account }, metrics })
    world.cluster.read = 'hang'
    const { response } = await ask(world, podOf({ metadata }))
    assert.doesNotMatch(metrics.expose(), /identity_webhook_unconfirmed_total\{/, 'nobody was let in')
    assert.equal(response?.allowed, false)
    assert.deepEqual([response?.status?.code, response?.status?.details], [429, { retryAfterSeconds: 1 }])
    assert.match(
      response?.status?.message ?? '',
      /the client id of ServiceAccount ns1\/app is promised or required but not there yet/,
    )
  })
}

test('a client id that somebody in the process promises is waited for as well [S20]', async t => {
  const world = await openAzure(t, { accounts: { 'ns1/app': {} }, isPromised: () => true })
  assert.equal((await ask(world, podOf())).response?.status?.code, 429)
})

test('what could not be found out is let in as the cache has it, and told: counted, in the audit log and in ours [S20]', async t => {
  const lines: string[] = []
  const log: Log = { ...silentLog, warn: message => void lines.push(message) }
  const metrics = new Metrics()
  const world = await openAzure(t, { accounts: { 'ns1/app': {} }, log, metrics })
  world.cluster.read = 'hang'
  const { response } = await ask(world, podOf())
  assert.equal(response?.allowed, true)
  assert.deepEqual(Object.keys(response.auditAnnotations ?? {}), ['client-id-unconfirmed'])
  assert.match(metrics.expose(), /identity_webhook_unconfirmed_total\{provider="azure"\} 1/)
  assert.deepEqual(lines, [
    'a pod was let in without a client id, and the API server did not say in time whether it should have one',
  ])
})

test('a client id that is known is believed at once, with the API server away [P-11]', async t => {
  const world = await openAzure(t, { accounts: { 'ns1/app': withClient } })
  world.cluster.read = 'hang'
  const pod = podOf()
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], clientId)
  assert.deepEqual(world.cluster.reads, [])
})

test('a read that hangs is waited for as long as the caller waits, whenever the webhook began', async t => {
  const world = await openAzure(t)
  await world.clock.advance(3_600_000)
  world.cluster.read = 'hang'
  const body = Buffer.from(JSON.stringify(reviewOf(podOf())))
  const headers = { 'content-type': 'application/json' }
  let status = 0
  void world.webhook.exchange({ method: 'POST', target: '/mutate-v1-pod?timeout=1s', headers, body }).then(answer => {
    status = answer.status
  })
  await drain()
  assert.equal(status, 0)
  await world.clock.advance(1_000)
  assert.equal(status, 500)
})
