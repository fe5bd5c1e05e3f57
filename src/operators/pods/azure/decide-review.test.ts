// How long a pod waits for the version of the API server, and the line in the log that tells of it.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain, type Log, type LogFields, silentLog } from '#base'
import { KubeError } from '#kube/client'
import { Metrics } from '#runtime'
import { clientId, container, podOf } from '../testing/azure-rows.ts'
import { type AzureWorld, ask, openAzure, patched, reviewOf } from '../testing/azure-world.ts'
import { lacksClientId } from './decide-review.ts'

const accounts = { 'ns1/app': { 'azure.workload.identity/client-id': clientId } }

/** An API server whose version cannot be read, and a review whose answer the test waits for. */
async function send(t: TestContext, pod: unknown): Promise<AzureWorld & { readonly answers: number[] }> {
  const world = await openAzure(t, {
    accounts,
    prepare: ({ client }) => {
      Object.assign(client, { serverVersion: () => Promise.reject(new KubeError('unreachable', 'nobody there')) })
    },
  })
  const answers: number[] = []
  const body = Buffer.from(JSON.stringify(reviewOf(pod)))
  const headers = { 'content-type': 'application/json' }
  void world.webhook
    .exchange({ method: 'POST', target: '/mutate-v1-pod?timeout=10s', headers, body })
    .then(({ status }) => answers.push(status))
  await drain()
  return { ...world, answers }
}

test('a pod with the proxy waits a second for the version of the API server, and no longer [3.9.1]', async t => {
  const { clock, webhook, answers } = await send(t, podOf({ annotations: { 'inject-proxy-sidecar': 'true' } }))
  assert.equal(webhook.isReady, true, 'pods without the proxy need no version')
  await clock.advance(999)
  assert.deepEqual(answers, [])
  await clock.advance(1)
  assert.deepEqual(answers, [200])
})

test('a pod without the proxy does not wait for the version [3.9.1]', async t => {
  assert.deepEqual((await send(t, podOf())).answers, [200])
})

/** What the log says of one pod, and the answer counted. */
async function told(t: TestContext, pod: unknown, flags: Readonly<Record<string, string>> = { 'log-level': 'info' }) {
  const lines: (readonly [string, LogFields])[] = []
  const log: Log = { ...silentLog, info: (message, fields = {}) => void lines.push([message, fields]) }
  const metrics = new Metrics()
  const world = await openAzure(t, { accounts, log, flags, metrics })
  lines.length = 0
  const reply = await ask(world, pod)
  const counted = /^identity_webhook_admission_total\{(.*)\} 1$/m.exec(metrics.expose())?.[1]
  return { world, reply, counted, lines: lines.filter(([message]) => message.startsWith('pod ')) }
}

test('a line tells of each pod what became of it and why, where the flag asks for that', async t => {
  const pod = podOf({ metadata: { name: undefined, generateName: 'web-' } })
  const of = { pod: 'web-', namespace: 'ns1', 'service-account': 'app' }
  const mutated = await told(t, pod)
  assert.deepEqual(mutated.lines, [['pod mutated', { ...of, reason: 'azure' }]])
  assert.equal(mutated.counted, 'provider="azure",result="mutated",reason="azure"')
  const complete = await told(t, patched(pod, mutated.reply))
  assert.deepEqual(complete.lines, [['pod not mutated', { ...of, reason: 'already_complete' }]])
  assert.equal(complete.counted, 'provider="azure",result="unchanged",reason="already_complete"')
  const skipping = await told(t, podOf({ annotations: { 'skip-containers': 'c0' } }))
  assert.deepEqual(
    skipping.lines.map(([message, { pod: name, reason }]) => [message, name, reason]),
    [['pod mutated', 'p', 'azure']],
    'by the volume alone',
  )
  const refused = await told(t, podOf({ annotations: { 'service-account-token-expiration': '1' } }))
  assert.deepEqual(
    refused.lines.map(([message, { reason }]) => [message, reason]),
    [['pod refused', 'bad_expiration']],
  )
  assert.deepEqual((await told(t, pod, {})).lines, [])
})

test('what is odd about a pod is told to its maker only where the flag says so', async t => {
  const odd = podOf({ spec: { containers: [container('c0', { env: [{ name: 'AZURE_CLIENT_ID', value: 'own' }] })] } })
  const warningsOf = async (flags: Readonly<Record<string, string>>): Promise<unknown> =>
    (await told(t, odd, flags)).reply.response?.warnings
  assert.deepEqual(await warningsOf({ 'admission-warnings': 'true' }), [
    'the container sets variables of its own, which are kept (c0, AZURE_CLIENT_ID)',
  ])
  assert.equal(await warningsOf({}), undefined)
})

const requires = { 'azure.workload.identity/require-client-id': 'true' }
const client = { 'azure.workload.identity/client-id': 'c' }

for (const [what, ofPod, ofAccount, lacks] of [
  ['neither requires one', {}, {}, false],
  ['the pod requires one', requires, {}, true],
  ['the ServiceAccount requires one', {}, requires, true],
  ['the value is another', { 'azure.workload.identity/require-client-id': 'yes' }, {}, false],
  ['there is one', requires, client, false],
] as const)
  test(`where ${what}, a client id is ${lacks ? '' : 'not '}lacking [S20]`, () => {
    assert.equal(lacksClientId({ metadata: { annotations: ofPod } }, ofAccount), lacks)
  })
