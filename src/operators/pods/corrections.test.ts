// §13: where upstream is at fault, by the numbers of its faults; what other files test under the number of a row is not said again here.
// F-15 to F-18, F-20 to F-24 are of the Azure provider; F-19 is P-10 here.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain } from '#base'
import { type AwsWebhookSettings, readAwsProgram } from './flags/settings.ts'
import { renderPodWebhookManifests } from './manifests/render.ts'
import { askReview, openWebhook, patchOf, type WebhookWorld } from './serve/webhook-world.fixture.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const withRole = { metadata: { annotations: { 'eks.amazonaws.com/role-arn': role } } }
const mountPath = '/var/run/secrets/eks.amazonaws.com/serviceaccount'

interface Operation {
  readonly path: string
  readonly value: unknown
}

function podOf(spec: object = {}, metadata: object = { name: 'p' }): object {
  return { metadata, spec: { serviceAccountName: 'app', containers: [{ name: 'a' }], ...spec } }
}

async function open(t: TestContext, settings: Partial<AwsWebhookSettings> = {}): Promise<WebhookWorld> {
  return openWebhook(t, settings, { prepare: cluster => void cluster.put('ServiceAccount', 'ns1/app', withRole) })
}

async function operationsOf({ webhook }: WebhookWorld, object: object): Promise<readonly Operation[]> {
  return (patchOf((await askReview(webhook, { object })).response) ?? []) as readonly Operation[]
}

async function getDebug({ webhook }: WebhookWorld, target: string, address: string): Promise<number> {
  const peer = { address, tls: false }
  return (await webhook.debug({ method: 'GET', target, headers: {}, body: null, peer })).status
}

test('a container is added to and never sent back, so that no field is lost and none appears [F-01, 6.1]', async t => {
  const world = await open(t)
  const container = { name: 'a', futureField: { deep: [1] }, livenessProbe: { grpc: { port: 1 } }, env: [{ name: 'A' }] }
  const paths = (await operationsOf(world, podOf({ containers: [container] }))).map(({ path }) => path)
  assert.deepEqual(paths, [
    '/spec/volumes',
    '/spec/containers/0/env/-',
    '/spec/containers/0/env/-',
    '/spec/containers/0/volumeMounts',
  ])
})

test('told nothing, a pod waits 100 ms for its ServiceAccount [F-02]', () => {
  assert.equal(readAwsProgram([]).webhook.lookup.graceMs, 100)
})

test('with a foreign mount at the path of the token, the variables come and no second mount, and a warning [F-04, A-34]', async t => {
  const world = await open(t, { admissionWarnings: true })
  const containers = [{ name: 'a', volumeMounts: [{ name: 'x', mountPath }] }]
  const object = podOf({ volumes: [{ name: 'x', emptyDir: {} }], containers })
  const { response } = await askReview(world.webhook, { object })
  const paths = (patchOf(response) as readonly Operation[]).map(({ path }) => path)
  assert.deepEqual(paths, ['/spec/volumes/0', '/spec/containers/0/env'])
  assert.deepEqual(response.warnings, [
    `something else is mounted where the token belongs: the container is given the role and no token for it (a, ${mountPath})`,
  ])
})

test('who waits while the cache is cleared is told all the same [F-06]', async t => {
  const world = await open(t, { debugging: 'loopback' })
  world.cluster.read = 'hang'
  const pending = askReview(world.webhook, { object: podOf({ serviceAccountName: 'late' }) })
  await world.clock.advance(10)
  assert.equal(await getDebug(world, '/debug/alpha/cache/clear', '127.0.0.1'), 200)
  world.cluster.put('ServiceAccount', 'ns1/late', withRole)
  await drain()
  assert.notEqual(patchOf((await pending).response), undefined)
})

test('of paths that nobody knows there is one label [F-11]', async t => {
  const { webhook } = await open(t)
  for (const target of ['/a', '/b?c', '/mutate/x', '/MUTATE'])
    assert.equal((await webhook.exchange({ method: 'GET', target, headers: {}, body: null })).status, 404)
  const lines = webhook.metrics.expose().match(/^http_request_count\{.*/gm)
  assert.deepEqual(lines, ['http_request_count{verb="GET",path="other",code="404"} 4'])
})

for (const [flags, audience] of [
  [[], undefined],
  [['--configmap-default-audience'], 'other'],
] as const)
  test(`with ${flags.join(' ') || 'no more flags'} an entry without an audience has ${audience ?? 'none'} [F-12]`, async t => {
    const program = readAwsProgram(['--watch-config-map', '--token-audience=other', ...flags])
    const config = JSON.stringify({ 'ns1/mapped': { RoleARN: role } })
    const world = await openWebhook(t, program.webhook, {
      prepare: cluster => void cluster.put('ConfigMap', 'eks/pod-identity-webhook', { data: { config } }),
    })
    const [volume] = await operationsOf(world, podOf({ serviceAccountName: 'mapped' }))
    assert.ok(volume)
    const [{ projected }] = volume.value as [{ projected: { sources: [{ serviceAccountToken: { audience?: string } }] } }]
    assert.equal(projected.sources[0].serviceAccountToken.audience, audience)
  })

test('a pod that has it all gets an answer without a patch, and without its type [F-25, A-100]', async t => {
  const world = await open(t)
  const first = podOf({ volumes: [], containers: [{ name: 'a', env: [], volumeMounts: [] }] }) as { spec: object }
  const [volume, one, two, mount] = (await operationsOf(world, first)).map(({ value }) => value)
  const complete = podOf({ volumes: [volume], containers: [{ name: 'a', env: [one, two], volumeMounts: [mount] }] })
  const { response } = await askReview(world.webhook, { object: complete })
  assert.deepEqual(response, { uid: 'u', allowed: true })
})

test('a mirror pod is passed through [F-26, A-101]', async t => {
  const world = await open(t)
  assert.deepEqual(await operationsOf(world, podOf({}, { name: 'p', annotations: { 'kubernetes.io/config.mirror': '' } })), [])
})

test('the debugging paths are there with their flag alone, and for callers on loopback alone unless that is lifted [F-27]', async t => {
  const path = '/debug/alpha/cache'
  assert.equal(await getDebug(await open(t), path, '127.0.0.1'), 404)
  const guarded = await open(t, { debugging: 'loopback' })
  for (const [address, status] of [
    ['127.0.0.1', 200],
    ['::1', 200],
    ['127.0.0.2', 200],
    ['10.0.0.1', 403],
    ['fe80::1', 403],
  ] as const)
    assert.equal(await getDebug(guarded, path, address), status, address)
  assert.equal(await getDebug(await open(t, { debugging: 'anybody' }), path, '10.0.0.1'), 200)
})

test('the manifests switch no debugging on [F-27]', () => {
  assert.doesNotMatch(JSON.stringify(renderPodWebhookManifests({})), /debug/)
})

test('whatever the uid and the kind of the review are, they are echoed [P-01, P-03]', async t => {
  const { webhook } = await open(t)
  for (const [uid, kind] of [
    ['u', 'AdmissionReview'],
    ['', 'PodReview'],
    ['"\u0000\u2028é', 'x'],
    ['x'.repeat(10_000), 'AdmissionReview'],
  ] as const) {
    const body = Buffer.from(JSON.stringify({ apiVersion: 'a/b', kind, request: { uid, namespace: 'ns1', object: podOf() } }))
    const headers = { 'content-type': 'application/json' }
    const answer = await webhook.exchange({ method: 'POST', target: '/mutate', headers, body })
    const said = JSON.parse(Buffer.from(answer.body as Uint8Array).toString()) as { response: { uid: string; allowed: boolean } }
    assert.deepEqual(
      { ...said, response: [said.response.uid, said.response.allowed] },
      { apiVersion: 'a/b', kind, response: [uid, true] },
    )
  }
})

test('a label called __proto__ is a label [P-15]', async t => {
  const program = readAwsProgram(['--watch-container-credentials-config=/cc'])
  const world = await openWebhook(t, program.webhook)
  await world.files.write('/cc', JSON.stringify({ identities: [{ namespace: 'ns1', serviceAccount: 'app' }] }))
  await world.clock.advance(1_000)
  const labels = JSON.parse('{"__proto__": "x", "constructor": "y"}') as object
  const [label] = await operationsOf(world, podOf({}, { name: 'p', labels }))
  assert.deepEqual(label, { op: 'add', path: '/metadata/labels/eks.amazonaws.com~1pod-identity', value: 'enabled' })
})

test('an update is mutated as a creation is [A-95]', async t => {
  const { webhook } = await open(t)
  const patches = await Promise.all(
    ['CREATE', 'UPDATE'].map(async operation => {
      const request = { object: podOf(), operation }
      return patchOf((await askReview(webhook, request)).response)
    }),
  )
  assert.deepEqual(patches[1], patches[0])
  assert.equal(patches[0]?.length, 3)
})
