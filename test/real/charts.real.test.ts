// The charts under the real Helm: for the same settings they print the objects that `vouch render` prints.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { dump } from 'js-yaml'
import type { KubeObject } from '#kube'
import { type ChartId, chartIds, defaultsOf, renderChart } from '../../src/cli/charts/charts.ts'
import { chartRefusals, refusedByHelmAlone } from '../../src/cli/charts/refusals.fixture.ts'
import { chartSettings } from '../../src/cli/charts/settings.fixture.ts'
import { vouchIn } from '../e2e/vouch-process.ts'
import type { BuiltProgram } from './programs/built-program.ts'
import { helmProgram, helmTemplate, objectsOf, runHelm } from './programs/helm.ts'
import { comparable } from './same-objects.ts'

const charts = join(import.meta.dirname, '../../deploy/charts')
const release = { name: 'vouch', namespace: 'vouch-system' }
/** Of every chart. */
const someValues = { replicaCount: 2, image: { tag: '1' } }
/** What a chart cannot do without. */
const needed = (chart: ChartId): object => ('tenantId' in defaultsOf(chart) ? { tenantId: 'tenant' } : {})
const asHelm = { ...release, service: 'Helm' }

for (const major of [3, 4] as const) {
  const program = helmProgram(major)
  const helm = 'path' in program ? program.path : ''

  for (const name of chartIds)
    describe(`the chart ${name} under Helm ${major}`, skipped(name, program), () => {
      const chart = join(charts, name)
      const render = (values: object): Promise<readonly KubeObject[]> => renderChart(name, values, asHelm)

      for (const [what, values] of Object.entries(chartSettings[name])) {
        it(`prints what vouch render prints: ${what}`, async () => {
          const wanted = await render(values)
          const printed = helmTemplate({ helm, chart, release, values })
          assert.ok(wanted.length > 5)
          assert.deepEqual(comparable(printed), comparable(wanted))
        })
      }

      for (const [what, [values, why]] of Object.entries(chartRefusals[name])) {
        it(`refuses what cannot hold, as vouch render does, and says so: ${what}`, async () => {
          assert.throws(() => helmTemplate({ helm, chart, release, values }), why)
          await assert.rejects(render(values), why)
        })
      }

      for (const [what, [values, why]] of Object.entries(refusedByHelmAlone[name])) {
        it(`refuses what only vouch render can follow, and says so: ${what}`, async () => {
          assert.throws(() => helmTemplate({ helm, chart, release, values }), why)
          assert.ok((await render(values)).length > 5)
        })
      }

      it('is printed by vouch render with the same files and single values', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'values-'))
        try {
          writeFileSync(
            join(folder, 'first.yaml'),
            dump({ ...someValues, ...needed(name), commonLabels: { team: 'a', room: '1' } }),
          )
          writeFileSync(join(folder, 'second.yaml'), dump({ commonLabels: { team: 'b' } }))
          const renamed = 'fullnameOverride' in defaultsOf(name) ? ['--set', 'fullnameOverride=other'] : []
          const pairs = ['--set', 'commonLabels.room=null,commonLabels.example\\.org/x=y\\,z', ...renamed]
          const template = [
            'template',
            'one',
            chart,
            '-n',
            'two',
            '-f',
            join(folder, 'first.yaml'),
            '-f',
            join(folder, 'second.yaml'),
          ]
          const printed = runHelm(helm, [...template, ...pairs, '--kube-version', '1.35.0'])
          assert.equal(printed.code, 0, printed.stderr)
          const args = ['render', '--chart', name, '--name', 'one', '--namespace', 'two', '--values', 'first.yaml', 'second.yaml']
          const told = await vouchIn(folder, [...args, ...pairs])
          assert.equal(told.code, 0, told.stderr)
          const objects = objectsOf(told.stdout)
          assert.ok(objects.length > 5 && told.stdout.includes('y,z') && told.stdout.includes('team: b'))
          assert.deepEqual(comparable(objects), comparable(objectsOf(printed.stdout)))
        } finally {
          rmSync(folder, { recursive: true, force: true })
        }
      })

      it('finds nothing to complain of', () => {
        const sets = Object.entries(needed(name)).flatMap(([key, value]) => ['--set', `${key}=${value}`])
        const { code, stdout } = runHelm(helm, ['lint', '--strict', chart, '--kube-version', '1.35.0', ...sets])
        assert.equal(code, 0, stdout)
      })
    })
}

/** Without Helm it is said what nobody looked at. */
function skipped(chart: ChartId, program: BuiltProgram): { readonly skip?: string } {
  const settings = Object.keys(chartSettings[chart]).length
  return 'skipped' in program ? { skip: `${settings} settings are not held against Helm: ${program.skipped}` } : {}
}
