// The charts under deploy/charts are what would be made of the program and of deploy/templates; a Helm that prints something else than
// `vouch render` is looked for in test/real/charts.real.test.ts.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chartFiles, chartsFolder } from '../../scripts/charts.ts'

test('the charts are what the operators say of themselves (npm run charts)', async () => {
  const made = await chartFiles()
  const there = globSync('**/*', { cwd: chartsFolder, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(chartsFolder.length + 1))
  assert.deepEqual(there.toSorted(), [...made.keys()].toSorted())
  const stale = [...made].filter(([name, text]) => readFileSync(join(chartsFolder, name), 'utf8') !== text).map(([name]) => name)
  assert.deepEqual(stale, [])
})
