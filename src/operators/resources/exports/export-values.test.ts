// What would carry a Secret to where whoever writes FieldExports may read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FieldExportSpec } from './api.ts'
import { manifestProblem } from './export-values.ts'

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
