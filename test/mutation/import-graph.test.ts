import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ImportGraph } from './import-graph.ts'
import { projectOf } from './testing/project.ts'

test('a test is asked about a file that it imports, by whatever way, and about no other', t => {
  const graph = new ImportGraph(
    projectOf(t, {
      'src/room/sum.ts': '',
      'src/room/index.ts': "export { sum } from './sum.ts'",
      'src/room/near.test.ts': "import { sum } from './sum.ts'",
      'src/room/door.test.ts': "import { sum } from './index.ts'",
      'src/room/later.test.ts': "const { sum } = await import('./sum.ts')",
      'src/room/types.test.ts': "import type { Sum } from './sum.ts'",
      'src/room/other.test.ts': "import './near.ts'",
    }),
  )
  const tests = ['near', 'door', 'later', 'types', 'other'].map(name => `src/room/${name}.test.ts`)
  assert.deepEqual(graph.testsOf('src/room/sum.ts', tests), [
    'src/room/near.test.ts',
    'src/room/later.test.ts',
    'src/room/door.test.ts',
  ])
})

test('the nearest test is the one of its name, then those of its folder, then by imports between, small ones first', t => {
  const graph = new ImportGraph(
    projectOf(t, {
      'src/room/part/sum.ts': '',
      'src/room/part/all.test.ts': "import './sum.ts'",
      'src/room/part/world.test.ts': "import './sum.ts'\nimport './a.ts'\nimport './b.ts'",
      'src/room/part/sum.test.ts': "import './other.ts'",
      'src/room/part/other.ts': "import './sum.ts'",
      'src/room/whole.test.ts': "import './part/sum.ts'",
      'src/room/side/small.test.ts': "import '../part/other.ts'",
      'src/room/side/world.test.ts': ['part/other', 'a', 'b', 'c'].map(name => `import '../${name}.ts'`).join('\n'),
    }),
  )
  const nearest = ['part/sum', 'part/all', 'part/world', 'whole', 'side/small', 'side/world'].map(
    name => `src/room/${name}.test.ts`,
  )
  assert.deepEqual(graph.testsOf('src/room/part/sum.ts', nearest.toReversed()), nearest)
})

test('what is loaded is loaded once, also where imports go in a circle', t => {
  const graph = new ImportGraph(projectOf(t, { 'src/a.ts': "import './b.ts'", 'src/b.ts': "import './a.ts'" }))
  assert.deepEqual(
    [...graph.loadedBy('src/a.ts')],
    [
      ['src/a.ts', 0],
      ['src/b.ts', 1],
    ],
  )
})
