// What would carry a Secret to where whoever writes FieldExports may read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldExportSpec } from './api.ts'
import { exportValues, isProblem, manifestProblem } from './export-values.ts'

const spec = (source: 'Secret' | 'Role', kind: 'secret' | 'configmap', namespace?: string): FieldExportSpec => ({
  from: {
    path: source === 'Secret' ? '.data.password' : '.status.roleID',
    resource: { group: source === 'Secret' ? '' : 'iam.services.k8s.aws', kind: source, name: 'source' },
  },
  to: { kind, name: 'target', ...(namespace === undefined ? {} : { namespace }) },
})

for (const [what, given, problem] of [
  ['a Secret into a Secret beside it', spec('Secret', 'secret'), undefined],
  [
    'a Secret into a Secret of another namespace',
    spec('Secret', 'secret', 'other'),
    'what stands in a Secret is exported within its namespace only: leave out to.namespace',
  ],
  ['a Secret into a ConfigMap', spec('Secret', 'configmap'), 'what stands in a Secret is exported into Secrets only'],
  ['a field of a resource into a ConfigMap of another namespace', spec('Role', 'configmap', 'other'), undefined],
] as const)
  test(`an export of ${what} is ${problem === undefined ? 'allowed' : 'refused'}`, () => {
    assert.deepEqual(manifestProblem(given, 'ns.name'), problem === undefined ? undefined : { how: 'stop', message: problem })
  })

const source = { data: { password: 'c2VjcmV0' }, status: { roleID: 'AROA', count: 3, share: 0.5, isOn: false, list: [] } }
const path = (text: string, from: 'Secret' | 'Role' = 'Role'): FieldExportSpec => {
  const { from: held, ...rest } = spec(from, 'secret')
  return { ...rest, from: { ...held, path: text } }
}

for (const [what, given, exported] of [
  ['a text', path('.status.roleID'), 'AROA'],
  ['a whole number', path('.status.count'), '3'],
  ['a truth', path('.status.isOn'), 'false'],
  ['a fraction', path('.status.share'), 'stop'],
  ['a list', path('.status.list'), 'stop'],
  ['a way into a text', path('.status.roleID.more'), 'stop'],
  ['nothing', path('.status.none'), 'wait'],
  ['nothing of a Secret, which nobody tells of', path('.data.none', 'Secret'), 'look'],
  ['what a Secret holds', path('.data.password', 'Secret'), 'secret'],
] as const)
  test(`a path to ${what} exports ${exported}`, () => {
    const found = exportValues(given, 'ns.name', { source: source as never, secrets: new Map() })
    assert.equal(isProblem(found) ? found.how : found.get('ns.name'), exported)
  })
