// What follows from the values of the chart, and which of them cannot hold together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChartPlace, type IdentityChart, type IdentityChartValues, identityChart, identityChartValues } from './chart.ts'

const place: ChartPlace = {
  fullname: 'awi',
  namespace: 'home',
  appVersion: '1.2.3',
  metadata: (name, { namespace = 'home', labels, annotations }) =>
    ({ name, namespace, ...(labels && { labels }), ...(annotations && { annotations }) }) as never,
}

/** The defaults with some values in their places. */
function merged(held: unknown, given: object): unknown {
  const out: Record<string, unknown> = { ...(held as object) }
  for (const [name, value] of Object.entries(given))
    out[name] = typeof value === 'object' && !Array.isArray(value) && name in out ? merged(out[name], value as object) : value
  return out
}
const chart = (given: object): IdentityChart => identityChart(merged(identityChartValues, given) as IdentityChartValues, place)

const inventory = (clusterInventory: object): object => ({ clusterInventory })
const provider = (name: string, command?: string): object =>
  inventory({ accessProviders: [{ name, ...(command !== undefined && { execConfig: { command } }) }] })
const plugin = (name: string, mountPath = '/plugins'): object => inventory({ plugins: [{ name, image: 'i', mountPath }] })
const account = (managedServiceAccount: object): object => ({ ocm: { managedServiceAccount } })

for (const [given, why] of [
  [inventory({ plugins: [] }), /plugins: at least one is needed/],
  [provider(''), /a provider has no name/],
  [provider('open-cluster-management', '/plugins/x'), /duplicate Cluster Inventory access-provider name/],
  [provider('mine'), /mine has no execConfig.command/],
  [provider('mine', '/plugins-of-others/x'), /does not live under the mountPath of a plugin/],
  [plugin('Big'), /Big is no name of a plugin/],
  [plugin('a'.repeat(64)), /is no name of a plugin/],
  [inventory({ clusterProfileNamespaces: ['a', ''] }), /has an empty entry/],
  [inventory({ clusterProfileNamespaces: ['*', 'a'] }), /has \* beside names/],
  [{ operatorConfig: { create: true, name: 'other', spec: { a: 1 } } }, /the only one that is read is default/],
  [{ operatorConfig: { create: true } }, /needs operatorConfig.spec/],
  [account({ create: true }), /needs ocm.managedServiceAccount.namespaces/],
] as const)
  test(`values are refused where ${why.source}`, () => assert.throws(() => chart(given), why))

test('a program under the path of a plugin, or at it, may be a provider', () => {
  for (const command of ['/plugins/mine', '/plugins']) assert.doesNotThrow(() => chart(provider('mine', command)))
  assert.equal(chart(plugin('mine', '/plugins/')).volumes[0]?.volume.name, 'plugin-mine')
  assert.deepEqual(chart(plugin('a'.repeat(63))).volumes[0]?.volume.image, { reference: 'i' })
})

for (const [given, arg] of [
  [{}, '--cluster-profile-namespaces=home'],
  [inventory({ clusterProfileNamespaces: ['a', 'b'] }), '--cluster-profile-namespaces=a,b'],
  [inventory({ clusterProfileNamespaces: ['*'] }), '--cluster-profile-namespaces=*'],
  [{ aws: { allowUnsafeEndpointURLs: true } }, '--allow-unsafe-aws-endpoint-urls'],
  [
    { logging: { resource: { serviceName: 'a b(c)', attributes: { z: '1' } } } },
    '--log-resource-attributes=service.name=a%20b%28c%29,service.namespace=appthrust,service.version=1.2.3,z=1',
  ],
] as const)
  test(`from ${JSON.stringify(given)} follows ${arg}`, () => assert.ok(chart(given).args.includes(arg)))

test('without a wish there is no unsafe endpoint, no object, and only the environment that always is', () => {
  const { args, env, objects } = chart({})
  assert.ok(!args.includes('--allow-unsafe-aws-endpoint-urls'))
  assert.deepEqual(objects, [])
  assert.deepEqual(
    env.map(({ name }) => name),
    ['AWS_ENDPOINT_URL', 'OTEL_SERVICE_NAME', 'OTEL_RESOURCE_ATTRIBUTES', 'OTEL_LOGS_EXPORTER', 'OTEL_EXPORTER_OTLP_PROTOCOL'],
  )
})

test('what is said of the exporter of logs comes into the environment', () => {
  const otlp = {
    endpoint: 'e',
    logsEndpoint: 'l',
    logsProtocol: 'grpc',
    insecure: true,
    logsInsecure: true,
    headers: { b: '2', a: '1' },
  }
  const { env } = chart({ logging: { otlp, resource: { attributes: { 'service.name': 'mine' } } } })
  const of = Object.fromEntries(env.map(({ name, value }) => [name.replace('OTEL_EXPORTER_OTLP_', ''), value]))
  assert.deepEqual(
    ['OTEL_SERVICE_NAME', 'ENDPOINT', 'LOGS_ENDPOINT', 'LOGS_PROTOCOL', 'INSECURE', 'LOGS_INSECURE', 'HEADERS'].map(
      name => of[name],
    ),
    ['mine', 'e', 'l', 'grpc', 'true', 'true', 'a=1,b=2'],
  )
})

test('of Open Cluster Management each namespace gets an account and what it may do, with the label that nobody takes away', () => {
  const labels = { 'authentication.open-cluster-management.io/sync-to-clusterprofile': 'false', own: 'x' }
  const { objects } = chart(account({ create: true, namespaces: ['wlc-a', 'wlc-b'], labels }))
  assert.deepEqual(
    objects.map(({ kind, metadata }) => [kind, metadata.namespace, metadata.name]),
    ['wlc-a', 'wlc-b'].flatMap(namespace => [
      ['ManagedServiceAccount', namespace, 'aws-workload-identity-operator'],
      ['ManifestWork', namespace, 'awi-ocm-remote-permissions'],
    ]),
  )
  assert.deepEqual(objects[0]?.metadata.labels, {
    ...labels,
    'authentication.open-cluster-management.io/sync-to-clusterprofile': 'true',
  })
})

for (const [what, given, namespace] of [
  ['by default', {}, 'aws-pod-identity-webhook'],
  ['as the OperatorConfig says', { operatorConfig: { create: true, spec: { selfHostedIRSA: { webhookNamespace: 'x' } } } }, 'x'],
  [
    'not as an OperatorConfig says that is not made',
    { operatorConfig: { spec: { selfHostedIRSA: { webhookNamespace: 'x' } } } },
    'aws-pod-identity-webhook',
  ],
  ['as its own value says', account({ remotePermissions: { webhookNamespace: 'y' } }), 'y'],
] as const)
  test(`the account may work in the namespace of the webhook, ${what}`, () => {
    const { objects } = chart(merged(account({ create: true, namespaces: ['wlc-a'] }), given) as object)
    const work = objects.find(({ kind }) => kind === 'ManifestWork')
    assert.match(JSON.stringify(work), new RegExp(`"namespace":"${namespace}"`))
    for (const other of ['x', 'y', 'aws-pod-identity-webhook'].filter(each => each !== namespace))
      assert.doesNotMatch(JSON.stringify(work), new RegExp(`"namespace":"${other}"`))
  })
