// A folder is a shelf, not a store: whoever opens one sees at a glance what lies in it.
import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../..')
/** Files beside tests and their worlds; a test stands next to what it tests and needs no room of its own. */
const filesMax = 24

test(`no folder holds more than ${filesMax} files of code`, () => {
  const files = globSync(['src/**/*.ts', 'test/**/*.ts', 'bench/**/*.ts', 'scripts/*.ts', 'scripts/!(node)/**/*.ts'], {
    cwd: top,
  })
  assert.ok(files.length > 1_000, 'nothing was looked at')
  const counts = new Map<string, number>()
  for (const file of files.filter(name => !/\.(test|fixture)\.ts$/.test(name)))
    counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1)
  assert.deepEqual(
    [...counts].filter(([, count]) => count > filesMax),
    [],
  )
})
