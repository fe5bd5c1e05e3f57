// How long a pod waits for its ServiceAccount, and what is then known of it. Promises of a client id, promise.test.ts says.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, seededRandom, silentLog } from '#base'
import { Metrics } from '#runtime'
import { Accounts } from '../accounts/accounts.ts'
import { webhookMetrics } from '../serve/metrics.ts'
import { fakeCluster } from '../testing/fake-cluster.ts'
import { type AccountRead, AccountReads } from './account-reads.ts'
import { keptForAzure } from './provider.ts'

const key = { namespace: 'ns1', name: 'app' }
const clientId = 'azure.workload.identity/client-id'

async function open(annotations?: Readonly<Record<string, string>>) {
  const cluster = fakeCluster()
  if (annotations !== undefined) cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations } })
  const clock = new ManualClock()
  const { client } = cluster
  const accounts = new Accounts({ client, clock, random: seededRandom(1), log: silentLog, ...keptForAzure })
  const metrics = new Metrics()
  const reads = new AccountReads({
    client,
    accounts,
    clock,
    metrics: webhookMetrics(metrics),
    isPromised: () => false,
    lookup: { timeoutMs: 1_000, confirmMissingClientId: true, requiredClientIdWaitMs: 3_000 },
  })
  const stop = new AbortController()
  const running = accounts.run(stop.signal)
  await drain()
  const take = (patienceMs = 10_000): AccountRead | Promise<AccountRead> =>
    reads.take(key, false, { signal: stop.signal, untilMs: clock.monotonicMs() + patienceMs })
  const end = async (): Promise<void> => {
    stop.abort()
    await running
  }
  return { cluster, clock, metrics, take, end }
}

/** What it comes to, so far. */
function told(read: AccountRead | Promise<AccountRead>): AccountRead[] {
  const list: AccountRead[] = []
  void Promise.resolve(read).then(one => list.push(one))
  return list
}

for (const [what, annotations, waitMs, account] of [
  ['that is known without a client id', {}, 100, {}],
  ['that nobody knows', undefined, 1_000, undefined],
] as const)
  test(`a pod whose ServiceAccount ${what} waits ${waitMs} ms for an API server that says nothing [S20]`, async () => {
    const { cluster, clock, metrics, take, end } = await open(annotations)
    cluster.read = 'hang'
    const said = told(take())
    await clock.advance(waitMs - 1)
    assert.deepEqual(said, [])
    await clock.advance(1)
    assert.deepEqual(said, [{ account, outcome: 'timeout', lacksPromised: false }])
    assert.match(metrics.expose(), /^identity_webhook_sa_lookup_total\{provider="azure",outcome="timeout"\} 1$/m)
    await end()
  })

for (const patienceMs of [0, -5])
  test(`whoever has no time left (${patienceMs} ms) does not wait`, async () => {
    const { cluster, clock, take, end } = await open()
    cluster.read = 'hang'
    const said = told(take(patienceMs))
    await clock.advance(0)
    assert.deepEqual(said, [{ account: undefined, outcome: 'timeout', lacksPromised: false }])
    await end()
  })

test('a client id that the watch brings meanwhile ends the waiting', async () => {
  const { cluster, take, end } = await open({})
  cluster.read = 'hang'
  const said = told(take())
  await drain()
  cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations: { [clientId]: 'c' } } })
  await drain()
  assert.deepEqual(
    said.map(({ account, lacksPromised }) => [account?.[clientId], lacksPromised]),
    [['c', false]],
  )
  await end()
})

test('a client id that is known is a value at once, and counted as a hit', async () => {
  const { metrics, take, end } = await open({ [clientId]: 'c' })
  const read = take() as AccountRead
  assert.deepEqual([read.account?.[clientId], read.outcome, read.lacksPromised], ['c', 'hit', false])
  assert.match(metrics.expose(), /^identity_webhook_sa_lookup_total\{provider="azure",outcome="hit"\} 1$/m)
  await end()
})
