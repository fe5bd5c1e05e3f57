// The behaviour matrix of the Azure webhook (§8.2), row by row, and both review versions.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { drain } from '#base'
import { KubeError } from '#kube/client'
import { endpointRows, endpointSetting, proxyRows } from '../testing/azure-proxy-rows.ts'
import {
  type AzureRow,
  clientId,
  cloudRows,
  container,
  envOf,
  expirationRows,
  identityRows,
  layoutRows,
  podOf,
  reserved,
} from '../testing/azure-rows.ts'
import {
  type AzureReply,
  type AzureSetting,
  ask,
  openAzure,
  patched,
  post,
  reviewOf,
  settingsOf,
  tenant,
} from '../testing/azure-world.ts'

const hasClient = { 'azure.workload.identity/client-id': clientId }
const known = { 'ns1/app': hasClient }
const rows = [...identityRows, ...expirationRows, ...layoutRows, ...cloudRows, ...proxyRows, ...endpointRows]

for (const row of rows) test(nameOf(row), t => holds(t, row))

/** Codes in brackets at the end; the row's own comes first. */
function nameOf({ what, id }: AzureRow): string {
  const [, words = what, more] = /^(.*?)(?: \[([^\]]+)\])?$/.exec(what) ?? []
  return `${words} [${[id, ...(more === undefined ? [] : [more])].join(', ')}]`
}

/** As it stands, a second time (which changes nothing), and in the older version of reviews. */
async function holds(t: TestContext, row: AzureRow): Promise<void> {
  const accounts = row.account === null ? {} : { 'ns1/app': row.account ?? hasClient }
  const world = await openAzure(t, { ...row.setting, accounts })
  const sent = JSON.parse(JSON.stringify(row.pod)) as AzureRow['pod']
  const reply = await ask(world, sent)
  assert.equal(reply.http, 200)
  const pod = patched(sent, reply)
  const refused = reply.response?.allowed === true ? {} : { refused: reply.response?.status?.message ?? '' }
  assert.equal(reply.response?.status?.code, reply.response?.allowed === true ? 200 : 400)
  row.expect({ pod, sent, reply, ...refused })
  const again = await ask(world, pod)
  assert.equal(again.response?.patch, undefined, 'a second pass changes something')
  const beta = { ...reviewOf(sent), apiVersion: 'admission.k8s.io/v1beta1' }
  const inBeta = await post(world, { body: JSON.stringify(beta) })
  assert.equal(inBeta.apiVersion, 'admission.k8s.io/v1beta1')
  assert.deepEqual(inBeta.response?.patch, reply.response?.patch)
}

const messageOf = ({ response }: AzureReply): readonly [boolean | undefined, number | undefined, string | undefined] => [
  response?.allowed,
  response?.status?.code,
  response?.status?.message,
]

test('a pod that names no ServiceAccount has the one called default [Z-08]', async t => {
  const world = await openAzure(t, { accounts: { 'ns1/default': hasClient } })
  const pod = podOf({ spec: { serviceAccountName: '' } })
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], clientId)
})

test('without a ServiceAccount called default such a pod is refused [Z-09]', async t => {
  const world = await openAzure(t)
  const pod = podOf({ spec: { serviceAccountName: undefined } })
  assert.deepEqual(messageOf(await ask(world, pod)), [false, 400, 'serviceaccounts "default" not found'])
})

test('a ServiceAccount that the watch has not brought yet is read [Z-11]', async t => {
  const world = await openAzure(t)
  world.cluster.hold()
  world.cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations: hasClient } })
  const pod = podOf()
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], clientId)
})

for (const read of ['fail', 'hang', 'refuse'] as const)
  test(`a ServiceAccount that cannot be read (${read}) is an error of the call, for the failure policy to decide [Z-12, F-21]`, async t => {
    const world = await openAzure(t)
    world.cluster.read = read
    assert.equal((await ask(world, podOf())).http, 500)
  })

test('the server does not start with a cloud that nobody knows, and names it [Z-39]', () => {
  assert.throws(() => settingsOf({ env: { AZURE_TENANT_ID: tenant, AZURE_ENVIRONMENT: 'Nope' } }), /matching the name "NOPE"/)
})

test('the server does not start without a tenant, and says whether it is missing or empty [Z-40]', () => {
  assert.throws(() => settingsOf({ env: {} }), { message: 'required key AZURE_TENANT_ID missing value' })
  assert.throws(() => settingsOf({ env: { AZURE_TENANT_ID: '' } }), { message: 'AZURE_TENANT_ID is required' })
  assert.throws(() => settingsOf({ env: { AZURE_TENANT_ID: 'a', CONFIG_AZURE_TENANT_ID: '' } }), {
    message: 'AZURE_TENANT_ID is required',
  })
})

const flagsOfEndpoint = endpointSetting.flags ?? {}

for (const name of ['custom-token-endpoint-annotation-suffix', 'custom-token-endpoint-audience'])
  test(`the server does not start with one of the two flags of the token endpoint, here without ${name} [Z-61]`, () => {
    const { [name]: _, ...flags } = flagsOfEndpoint
    assert.throws(() => settingsOf({ flags }), /cannot be empty when/)
  })

test('the server does not start with two sources of the authority [Z-62]', () => {
  const env = { ...endpointSetting.env, AZURE_KUBERNETES_CA_DATA: 'x' }
  assert.throws(() => settingsOf({ ...endpointSetting, env }), /^FlagError: only one of AZURE_KUBERNETES_CA_DATA/)
})

test('the custom token endpoint and layouts that are not built are refused at the start [3.6.1, §3.11]', () => {
  assert.throws(() => settingsOf({ flags: { ...flagsOfEndpoint, 'volume-layout': 'classic' } }), /--volume-layout=reserved/)
  assert.throws(() => settingsOf({ flags: { 'volume-layout': 'hashed' } }), /not built here/)
  assert.throws(() => settingsOf({ flags: { 'arc-cluster': 'true' } }), /--arc-cluster: the mode for Arc clusters is gone/)
})

test('of two faults of the custom token endpoint the first is told that upstream looks for, and all of one key [Z-61]', () => {
  const flags = (suffix: string, audience: string) => ({
    'volume-layout': 'reserved',
    'custom-token-endpoint-annotation-suffix': suffix,
    'custom-token-endpoint-audience': audience,
  })
  assert.throws(
    () => settingsOf({ flags: flags('a-', 'API://azureadtokenexchange') }),
    /^FlagError: custom token endpoint audience cannot be equal to default audience "api:\/\/AzureADTokenExchange"$/,
  )
  const long = `${'é'.repeat(32)}-`
  assert.throws(
    () => settingsOf({ flags: flags(long, 'x') }),
    /is not valid: name part must be no more than 63 bytes, name part must consist of alphanumeric characters/,
  )
})

test('an object that is no pod is refused by its kind [Z-63]', async t => {
  const world = await openAzure(t, { accounts: known })
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'd' }, spec: {} }
  const said = 'unable to decode apps/v1, Kind=Deployment into *v1.Pod'
  assert.deepEqual(messageOf(await ask(world, deployment)), [false, 400, said])
})

test('an object that does not say what it is counts as a pod [Z-64]', async t => {
  const world = await openAzure(t, { accounts: known })
  const { apiVersion: _, kind: __, ...pod } = podOf() as ReturnType<typeof podOf> & { apiVersion: string; kind: string }
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], clientId)
})

test('a review without an object is refused [Z-65]', async t => {
  const world = await openAzure(t)
  for (const object of [undefined, null])
    assert.deepEqual(messageOf(await ask(world, object)), [false, 400, 'there is no content to decode'])
})

test('an empty body is refused, in a reply that says what it is [Z-66]', async t => {
  const reply = await post(await openAzure(t), { body: '' })
  assert.deepEqual(messageOf(reply), [false, 400, 'request body is empty'])
  assert.deepEqual([reply.http, reply.apiVersion, reply.response?.uid], [200, 'admission.k8s.io/v1', ''])
})

test('another media type is refused, parameters of the right one are not [F-13]', async t => {
  const world = await openAzure(t, { accounts: known })
  const body = JSON.stringify(reviewOf(podOf()))
  const yaml = await post(world, { body, contentType: 'application/yaml' })
  assert.deepEqual(messageOf(yaml), [false, 400, 'contentType=application/yaml, expected application/json'])
  assert.equal((await post(world, { body, contentType: 'application/json; charset=utf-8' })).response?.allowed, true)
})

test('the older version of reviews is answered in its own [Z-67]', async t => {
  const world = await openAzure(t, { accounts: known })
  const reply = await post(world, { body: JSON.stringify({ ...reviewOf(podOf()), apiVersion: 'admission.k8s.io/v1beta1' }) })
  assert.deepEqual([reply.apiVersion, reply.response?.patchType], ['admission.k8s.io/v1beta1', 'JSONPatch'])
})

test('the namespace of the request counts, whatever the pod says [Z-68]', async t => {
  const world = await openAzure(t, { accounts: { ...known, 'elsewhere/app': { 'azure.workload.identity/client-id': 'other' } } })
  const pod = podOf({ metadata: { namespace: 'elsewhere' } })
  const after = patched(pod, await ask(world, pod))
  assert.deepEqual([envOf(after)['AZURE_CLIENT_ID'], after.metadata?.namespace], [clientId, 'ns1'])
})

test('both paths answer the same, byte for byte [Z-69, T-07]', async t => {
  const [one, other] = [await openAzure(t, { accounts: known }), await openAzure(t, { accounts: known })]
  const body = JSON.stringify(reviewOf(podOf()))
  assert.deepEqual(await post(one, { body, path: '/mutate' }), await post(other, { body, path: '/mutate-v1-pod' }))
})

test('a pod that comes before the first list is whole is answered from a read, or with an error of the call [Z-70, F-03]', async t => {
  const prepare = (cluster: { holdLists: boolean }): void => {
    cluster.holdLists = true
  }
  const world = await openAzure(t, { accounts: known, prepare })
  const pod = podOf()
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], clientId)
  assert.equal(world.webhook.isReady, false)
  world.cluster.read = 'fail'
  assert.equal((await ask(world, podOf({ spec: { serviceAccountName: 'later' } }))).http, 500)
})

const modes: Readonly<Record<string, AzureSetting>> = {
  classic: {},
  reserved,
  'the custom token endpoint': endpointSetting,
  'an older API server': { serverVersion: 'v1.31.0' },
}
for (const [mode, setting] of Object.entries(modes))
  test(`what comes back is not changed a second time, with all that there is, under ${mode} [Z-71]`, async t => {
    const world = await openAzure(t, { ...setting, accounts: known })
    const pod = podOf({
      annotations: { 'inject-proxy-sidecar': 'true', 'use-aks': 'true' },
      spec: { initContainers: [container('i0')], containers: [container('c0'), container('c1')] },
    })
    const once = patched(pod, await ask(world, pod))
    assert.equal(envOf(once, 'azwi-proxy')['AZURE_CLIENT_ID'], clientId)
    assert.equal((await ask(world, once)).response?.patch, undefined)
  })

test('the reserved volume is found again when another webhook has named the pod since [F-24]', async t => {
  const world = await openAzure(t, { ...reserved, accounts: known })
  const pod = podOf({ metadata: { name: undefined, generateName: 'web-' } })
  const once = patched(pod, await ask(world, pod))
  const named = { ...once, metadata: { ...once.metadata, name: 'web-abcde' } }
  assert.equal((await ask(world, named)).response?.patch, undefined)
  const joined = { ...named, spec: { ...named.spec, containers: [...named.spec.containers, container('late')] } }
  const twice = patched(joined, await ask(world, joined))
  assert.deepEqual(twice.spec.containers[1]?.volumeMounts?.[0]?.name, once.spec.volumes?.[0]?.name)
  assert.equal(twice.spec.volumes?.length, 1)
})

test('a change of the ServiceAccount is in the next pod after the watch has brought it [Z-72]', async t => {
  const world = await openAzure(t, { accounts: known })
  const pod = podOf()
  const first = patched(pod, await ask(world, pod))
  world.cluster.put('ServiceAccount', 'ns1/app', { metadata: { annotations: { 'azure.workload.identity/client-id': 'next' } } })
  await drain()
  assert.equal(envOf(patched(pod, await ask(world, pod)))['AZURE_CLIENT_ID'], 'next')
  assert.equal(envOf(first)['AZURE_CLIENT_ID'], clientId)
})

test('a mirror pod is let in as it is, whatever is wrong with it [F-26]', async t => {
  const world = await openAzure(t)
  const pod = podOf({
    metadata: { annotations: { 'kubernetes.io/config.mirror': 'x', 'azure.workload.identity/inject-proxy-sidecar': '' } },
  })
  assert.deepEqual(patched(pod, await ask(world, pod)), pod)
})

test('until the version of the API server is known, a pod with the proxy waits a second and is given the older form [3.9.1]', async t => {
  const world = await openAzure(t, {
    accounts: known,
    prepare: cluster => {
      Object.assign(cluster.client, { serverVersion: () => Promise.reject(new KubeError('unreachable', 'nobody there')) })
    },
  })
  const pod = podOf({ annotations: { 'inject-proxy-sidecar': 'true' } })
  const pending = ask(world, pod)
  assert.deepEqual(
    patched(pod, await pending).spec.containers.map(({ name }) => name),
    ['azwi-proxy', 'c0'],
  )
  const plain = podOf()
  assert.equal(envOf(patched(plain, await ask(world, plain)))['AZURE_CLIENT_ID'], clientId)
})
