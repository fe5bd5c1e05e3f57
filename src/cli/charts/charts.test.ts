import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decidedFlags, processArgs } from '#manifests'
import { operatorFlags } from '../operator/flags.ts'
import { operators } from '../operators.ts'
import { chartIds, defaultsOf, renderChart } from './charts.ts'
import { chartRefusals, refusedByHelmAlone } from './refusals.fixture.ts'
import { chartSettings } from './settings.fixture.ts'
import { installUmbrella, umbrellaValues } from './umbrella.ts'
import { mergeValues } from './values.ts'

const release = { name: 'vouch', namespace: 'vouch-system', service: 'Helm' }

for (const chart of chartIds) {
  test(`every setting of ${chart} that is held against Helm is rendered`, async () => {
    for (const [what, values] of Object.entries({ ...chartSettings[chart], ...only(refusedByHelmAlone[chart]) }))
      assert.ok((await renderChart(chart, values, release)).length > 5, what)
  })

  for (const [what, [values, why]] of Object.entries(chartRefusals[chart]))
    test(`the values of ${chart} are refused where they cannot hold: ${what} [13.11 #255]`, async () => {
      await assert.rejects(renderChart(chart, values, release), why)
    })
}

test('the chart of all operators is held against Helm in more than thirty settings', () => {
  assert.ok(Object.keys(chartSettings.vouch).length >= 30)
  assert.equal(
    new Set(Object.values(chartSettings.vouch).map(values => JSON.stringify(values))).size,
    Object.keys(chartSettings.vouch).length,
  )
})

test('every flag that the manifests of a process write is one that nobody else may write', async () => {
  const values = mergeValues(umbrellaValues(), {
    flags: { 'aws-region': 'eu-west-1' },
    operators: { resources: { enabled: true } },
    containerPorts: { webhook: 1 },
    operator: { leaderElection: { namespace: 'leases' } },
  })
  const written = processArgs(await installUmbrella(values, release)).map(each => each.slice(2).split('=')[0] ?? '')
  assert.ok(written.length >= 6)
  assert.deepEqual(
    written.filter(flag => !Object.hasOwn(decidedFlags, flag)),
    [],
  )
  const known = operatorFlags.map(({ name }) => name)
  assert.deepEqual(
    Object.keys(decidedFlags).filter(flag => !known.includes(flag)),
    [],
  )
  assert.ok(operators.length >= 2)
})

test('the chart of identity alone makes no account at OCM unless it is asked to, and looks into its own namespace [13.11 #254]', async () => {
  const objects = await renderChart('aws-workload-identity-operator', {}, release)
  const kinds = objects.map(({ kind }) => kind)
  assert.deepEqual([kinds.includes('ManagedServiceAccount'), kinds.includes('Deployment')], [false, true])
  assert.match(JSON.stringify(objects), /"--cluster-profile-namespaces=vouch-system"/)
})

test('the label that brings the credentials to the ClusterProfile is not a person’s to take away [13.11 #256]', async () => {
  const label = 'authentication.open-cluster-management.io/sync-to-clusterprofile'
  const managedServiceAccount = { create: true, namespaces: ['a', 'b'], labels: { [label]: 'false', team: 'x' } }
  const objects = await renderChart('aws-workload-identity-operator', { ocm: { managedServiceAccount } }, release)
  const accounts = objects.filter(({ kind }) => kind === 'ManagedServiceAccount')
  assert.deepEqual(
    accounts.map(({ metadata }) => [metadata.namespace, metadata.labels?.[label], metadata.labels?.team]),
    [
      ['a', 'true', 'x'],
      ['b', 'true', 'x'],
    ],
  )
})

for (const chart of chartIds)
  test(`whatever value of ${chart} is taken away or of another type is refused in words, and never ends as a mistake of ours`, async () => {
    for (const [path, value] of valuePaths(defaultsOf(chart)))
      for (const other of [null, 7, 'word', true, [null], [{}], { unknown: 1 }]) {
        if (typeof other === typeof value && !Array.isArray(other) && other !== null) continue
        const given = path.reduceRight<unknown>((below, name) => ({ [name]: below }), other) as object
        const what = `${path.join('.')}=${JSON.stringify(other)}`
        await renderChart(chart, given, release).catch((error: Error) => {
          assert.ok(!['TypeError', 'ReferenceError', 'RangeError'].includes(error.name), `${what}: ${error.stack}`)
        })
      }
  })

function valuePaths(
  value: unknown,
  path: readonly string[] = [],
): readonly (readonly [path: readonly string[], value: unknown])[] {
  const own = path.length === 0 ? [] : [[path, value] as const]
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return own
  return [...own, ...Object.entries(value).flatMap(([name, one]) => valuePaths(one, [...path, name]))]
}

function only(refusals: (typeof refusedByHelmAlone)['vouch']): Readonly<Record<string, object>> {
  return Object.fromEntries(Object.entries(refusals).map(([what, [values]]) => [what, values]))
}
