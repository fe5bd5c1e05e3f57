// What the proposal says of the whole: what there is not, what people need not do, and that each of its statements has a test that names it.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseFlags } from '#base'
import { ourChoices, upstreamChoices } from './build/choices.ts'
import { buildGuestObjects } from './build/guest-objects.ts'
import { platformOf } from './build/platform.ts'
import { buildSidecar } from './build/sidecar.ts'
import { hostedOperator } from './operator.ts'
import { azurePlane } from './testing/hosted-world.ts'

const top = join(import.meta.dirname, '../../..')

test('the operator brings no kind, no webhook and no object of its own, and calls no cloud [S-09, S-11, S-12, S-15, S-29]', async () => {
  const known = hostedOperator.flags.flatMap(({ flags }) => flags)
  const settings = hostedOperator.readSettings(parseFlags(known, [], new Map()), { workers: 1, env: {} })
  const needs = await hostedOperator.describe(settings, { name: 'vouch', namespace: 'vouch', labels: {}, files: {} })
  assert.deepEqual([needs.crds, needs.webhooks, needs.objects, needs.mounts, needs.rights.cloud], [[], [], [], [], []])
  const unnamed = needs.rights.cluster.filter(({ resource, names }) => resource === 'secrets' && names === undefined)
  assert.deepEqual(
    unnamed.map(({ verbs }) => verbs),
    [['create']],
  )
  const sidecars = needs.rights.cluster.filter(({ resource, verbs }) => resource === 'deployments' && verbs.includes('create'))
  assert.deepEqual(sidecars, [], 'no Deployment of its own')
})

test('whatever is chosen, a webhook that is away or slow keeps no pod from being made [S-05, S-28]', () => {
  for (const cloud of ['AWS', 'Azure'] as const)
    for (const choices of [ourChoices, upstreamChoices, { ...ourChoices, webhookTimeoutSeconds: 1 }])
      for (const webhook of buildGuestObjects(cloud, 'PEM', choices).configuration.webhooks)
        assert.equal(webhook['failurePolicy'], 'Ignore')
})

test('how the Azure sidecar is shows in the state of its container [S-33, S-36, 12.4]', () => {
  const answer = platformOf(azurePlane, ['Azure'])
  assert.ok(answer.kind === 'sidecar')
  const { startupProbe, livenessProbe, readinessProbe } = buildSidecar(answer.input, 'image', ourChoices).container
  const paths = [startupProbe, livenessProbe, readinessProbe].map(probe => probe?.httpGet.path)
  assert.deepEqual(paths, ['/healthz', '/healthz', '/readyz'])
})

test('a developer writes an annotation and a label, and no credentials [S-10, S-41]', () => {
  const yaml = readFileSync(join(top, 'examples/hosted/clusters/1-application.yaml'), 'utf8')
  assert.match(yaml, /azure\.workload\.identity\/client-id: /)
  assert.match(yaml, /azure\.workload\.identity\/use: "true"/)
  assert.doesNotMatch(yaml, /kind: Secret|AZURE_|password|tenant/i)
})

const citedIn = (pattern: string): ReadonlySet<string> =>
  new Set(globSync(pattern, { cwd: top }).flatMap(name => readFileSync(join(top, name), 'utf8').match(/\b[SHE]-\d\d\b/g) ?? []))
const here = new Set([...citedIn('src/operators/hosted/**/*.test.ts'), ...citedIn('test/e2e/hosted.test.ts')])
const onRealServers = citedIn('test/real/hosted*.real.test.ts')

/** What a real API server has nothing to say about. */
const ofForms: Readonly<Record<string, readonly string[]>> = {
  'what there is not, and who does it instead': ['S-09', 'S-11', 'S-12', 'S-15', 'S-29'],
  'a port that several servers of one machine cannot share': ['S-18'],
  'what must not be there at all, whatever is chosen': ['S-28'],
  'states that a kubelet reports, from probes': ['S-36'],
  'tests and their numbers': ['S-39', 'S-40'],
}

test('each statement and each row has a test in the embedded world that names it, and all that a real API server can show is shown by one [S-39, G-03]', () => {
  const page = readFileSync(join(top, 'docs/rules/hosted.md'), 'utf8')
  const rows = [...page.matchAll(/^\| ([SH]-\d\d) \|/gm)].map(([, code = '']) => code)
  assert.equal(rows.length, 42 + 22)
  assert.deepEqual(
    rows.filter(code => !here.has(code)),
    [],
  )
  const shown = rows.filter(code => onRealServers.has(code))
  assert.deepEqual(rows.filter(code => !shown.includes(code)).toSorted(), Object.values(ofForms).flat().toSorted())
})

test('graduation asks for five checks from end to end: there are more [S-40]', () => {
  assert.ok([...onRealServers].filter(code => code.startsWith('E-')).length > 5)
})
