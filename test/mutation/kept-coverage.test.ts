import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ImportGraph } from './import-graph.ts'
import { KeptCoverage } from './kept-coverage.ts'
import { projectOf, writeInto } from './testing/project.ts'

const sources = {
  'src/sum.ts': 'export const sum = 1',
  'src/middle.ts': "export { sum } from './sum.ts'",
  'src/sum.test.ts': "import './middle.ts'",
  'src/cases.json': '[]',
  'src/other.ts': '',
}
const measured = { ms: 7, ranges: { 'src/sum.ts': [0, 20, 1], 'src/middle.ts': [], 'src/sum.test.ts': [] } }
const about = 'src/sum.test.ts'

function keptIn(t: TestContext): { readonly root: string; readonly folder: string; readonly again: () => KeptCoverage } {
  const [root, folder] = [join(projectOf(t, {}), 'checkout'), projectOf(t, {})]
  writeInto(root, sources)
  // Each draw reads the sources anew.
  const again = (): KeptCoverage => new KeptCoverage(folder, new ImportGraph(root))
  return { root, folder, again }
}

test('what was measured is found again by the next draw', t => {
  const { again } = keptIn(t)
  assert.equal(again().find(about), undefined)
  again().keep(about, measured)
  assert.deepEqual(again().find(about), measured)
})

for (const [what, path, found] of [
  ['the test', about, undefined],
  ['what it imports', 'src/middle.ts', undefined],
  ['what that imports', 'src/sum.ts', undefined],
  ['data beside the sources', 'src/cases.json', undefined],
  ['a list of packages', 'package-lock.json', undefined],
  ['a recording beside the checkout', '../shared/vectors/some.json', undefined],
  ['what it does not import', 'src/other.ts', measured],
] as const)
  test(`once ${what} has changed, what was measured is ${found === undefined ? 'forgotten' : 'still good'}`, t => {
    const { root, again } = keptIn(t)
    again().keep(about, measured)
    writeInto(root, { [path]: "import './sum.ts'\n" })
    assert.deepEqual(again().find(about), found)
  })

test('a file that was not written to its end is taken for none', t => {
  const { folder, again } = keptIn(t)
  again().keep(about, measured)
  const path = join(folder, 'src~sum.test.ts.json.gz')
  const whole = readFileSync(path)
  writeFileSync(path, whole.subarray(0, whole.length - 9))
  assert.equal(again().find(about), undefined)
})

test('a test that loads what no import of it names is not kept', t => {
  const { again } = keptIn(t)
  again().keep(about, { ...measured, ranges: { ...measured.ranges, 'src/other.ts': [] } })
  assert.equal(again().find(about), undefined)
})
