// Tests outside of `src` come under the walls too: they use a room through its front door, its `testing` folder or its fixtures. What still
// goes past a door is counted by folder, and the counts only go down.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../..')

/** How many imports of a folder may go past a front door. Lower one when it is lower. */
const most: Readonly<Record<string, number>> = {
  'bench/identity': 1,
  'test/conformance': 7,
  'test/e2e': 2,
  'test/house': 10,
  'test/identity': 11,
  'test/real': 29,
  'test/resources': 6,
  'test/sim': 30,
}

const importPattern = /(?:from|import\()\s*['"](\.{1,2}\/[^'"]+)['"]/g

/** The imports of a file that lead behind the front door of a room. */
function pastDoors(file: string, text: string): readonly string[] {
  return [...text.matchAll(importPattern)]
    .map(([, specifier = '']) => normalize(join(dirname(file), specifier)))
    .filter(
      target => target.startsWith('src/') && !/\/index\.ts$|\/testing\/|\/test-world\/|\.fixture\.ts$|\/api\.ts$/.test(target),
    )
}

test('no more imports of tests go past front doors than the table says', () => {
  const counts = new Map<string, number>()
  for (const file of globSync('{test,bench,examples}/**/*.ts', { cwd: top, exclude: path => path.endsWith('node_modules') })) {
    const folder = file
      .split('/')
      .slice(0, 2)
      .join('/')
      .replace(/\/[^/]*\.ts$/, '')
    counts.set(folder, (counts.get(folder) ?? 0) + pastDoors(file, readFileSync(join(top, file), 'utf8')).length)
  }
  const over = [...counts]
    .filter(([folder, count]) => count > (most[folder] ?? 0))
    .map(([folder, count]) => `'${folder}': ${count}`)
  assert.deepEqual(over, [])
})

test('an import past a door is seen, one through a door or of what is there for tests is none', () => {
  const file = 'test/sim/x.ts'
  assert.deepEqual(
    pastDoors(file, "import { a } from '../../src/kube/patch.ts'\nconst b = import('../../src/base/limits/deadline.ts')"),
    ['src/kube/patch.ts', 'src/base/limits/deadline.ts'],
  )
  for (const fine of [
    "'#kube'",
    "'./y.ts'",
    "'../../src/runtime/testing/world.ts'",
    "'../../src/base/x.fixture.ts'",
    "'../../src/operators/pods/api.ts'",
  ])
    assert.deepEqual(pastDoors(file, `import { a } from ${fine}`), [])
})
