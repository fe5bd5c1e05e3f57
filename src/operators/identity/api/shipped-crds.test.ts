// What a definition allows is a contract with whoever has objects of it: each bound, default and rule of it stands in the file that the chart
// ships, and a change is read there.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { load } from 'js-yaml'
import { renderIdentityCrds } from './kinds.ts'

const shipped = join(import.meta.dirname, '../../../../deploy/charts/vouch/files/crds')

for (const { metadata, spec } of renderIdentityCrds())
  test(`${metadata.name} is the one that the chart ships (npm run charts)`, () => {
    const file = load(readFileSync(join(shipped, `${metadata.name}.yaml`), 'utf8')) as { readonly spec: unknown }
    assert.deepEqual(JSON.parse(JSON.stringify(spec)), file.spec)
  })
