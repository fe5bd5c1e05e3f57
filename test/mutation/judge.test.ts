import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { changesOf } from './candidates.ts'
import { ImportGraph } from './import-graph.ts'
import { Judge, type JudgeOptions } from './judge.ts'
import { KeptCoverage } from './kept-coverage.ts'
import { projectOf, writeInto } from './testing/project.ts'

const source = `export function least(a: number, b: number): number {
  if (a < 0) return a === b ? 1 : 2
  return a + b
}
`
/** A test that leaves a line whenever it runs, and fails where a file lies that no program reads. */
const testThat = (asserts: string, source = './least.ts'): string => `import assert from 'node:assert/strict'
import { appendFileSync, existsSync } from 'node:fs'
import { test } from 'node:test'
import { least } from '${source}'
const [root, name] = import.meta.filename.split('/src/')
appendFileSync(root + '/ran', name + ' ')
test('it', () => {
  assert.ok(name !== 'least.test.ts' || !existsSync(root + '/broken'))
  ${asserts}
})
`
const files = {
  'src/least.ts': source,
  'src/least.test.ts': testThat('assert.equal(least(1, 1), 2)'),
  'src/also.test.ts': testThat('assert.ok(least(1, 2) > 0)'),
  'src/far/far.test.ts': testThat('assert.equal(least(2, 3), 5)', '../least.ts'),
}

/** Each draw is a new judge over the same cache; `ran` tells what ran since it was asked last. */
function court(
  t: TestContext,
  given: Readonly<Record<string, string>> = files,
): {
  readonly root: string
  readonly cache: string
  readonly draw: (options?: Partial<JudgeOptions>) => (was: string) => Promise<string>
  readonly ran: () => readonly string[]
} {
  const [root, cache] = [projectOf(t, { ...given, ran: '' }), projectOf(t, {})]
  const ran = (): readonly string[] => {
    const text = readFileSync(join(root, 'ran'), 'utf8').trim()
    writeInto(root, { ran: '' })
    return text === '' ? [] : text.split(' ')
  }
  const draw = (options: Partial<JudgeOptions> = {}): ((was: string) => Promise<string>) => {
    const all = Object.keys(given).filter(path => path.endsWith('.test.ts'))
    const tests = all.filter(path => path.startsWith('src/'))
    const judge = new Judge({ root, tests, elsewhere: all, cache, ...options })
    return was => {
      const change = changesOf('least.ts', source).find(each => each.was === was)
      assert.ok(change)
      return judge.judge({ ...change, file: 'src/least.ts' })
    }
  }
  return { root, cache, draw, ran }
}

test('the nearest test that notices a change is the last that is asked', async t => {
  const { draw, ran } = court(t)
  assert.equal(await draw()('+'), 'killed by src/least.test.ts')
  assert.deepEqual(ran(), ['least.test.ts', 'least.test.ts'])
})

test('what the near ones do not notice goes on to the farther ones', async t => {
  const { draw, ran } = court(t, { ...files, 'src/least.test.ts': testThat('assert.ok(least(1, 2))') })
  assert.equal(await draw()('+'), 'killed by src/also.test.ts')
  ran()
  const far = { ...files, 'src/least.test.ts': testThat('least(1, 2)'), 'src/also.test.ts': testThat('least(1, 2)') }
  assert.equal(await court(t, far).draw()('+'), 'killed by src/far/far.test.ts')
})

test('tests outside of the room are asked about a file that none within imports', async t => {
  const outside = "import assert from 'node:assert/strict'\nimport { least } from '../src/least.ts'\nassert.equal(least(1, 2), 3)"
  assert.equal(await court(t, { 'src/least.ts': source, 'test/all.test.ts': outside }).draw()('+'), 'killed by test/all.test.ts')
  const within = { 'src/least.test.ts': testThat('least(1, 2)') }
  assert.equal(
    await court(t, { 'src/least.ts': source, 'test/all.test.ts': outside, ...within }).draw()('+'),
    'survived: 1 test files notice nothing',
  )
})

test('a place that no test runs is told as such, and no test runs for it', async t => {
  const { draw, ran } = court(t)
  const judge = draw()
  assert.equal(await judge('==='), 'survived: no test comes here')
  ran()
  assert.equal(await judge('==='), 'survived: no test comes here')
  assert.deepEqual(ran(), [])
})

test('a change that none of those who run it notice has survived', async t => {
  assert.equal(await court(t).draw()('<'), 'survived: 3 test files notice nothing')
})

test('the next draw measures no test again; one that kills has to pass there first', async t => {
  const { root, draw, ran } = court(t)
  await draw()('+')
  ran()
  assert.equal(await draw()('+'), 'killed by src/least.test.ts')
  assert.deepEqual(ran(), ['least.test.ts', 'least.test.ts'])
  writeInto(root, { 'src/least.ts': source.replace('a + b', 'a + b + 0') })
  ran()
  await draw()('<')
  assert.equal(ran().filter(name => name === 'least.test.ts').length, 2)
})

for (const [what, asserts, verdict] of [
  ['a machine that has become slow kills nothing', 'least(1, 2)', 'survived: 1 test files notice nothing'],
  [
    'a test that ends no more has noticed',
    'while (least(1, 2) < 0) continue',
    'killed by src/least.test.ts, which did not end in time',
  ],
] as const)
  test(what, async t => {
    const { root, cache, draw } = court(t, { 'src/least.ts': source, 'src/least.test.ts': testThat(asserts) })
    await draw()('===')
    const kept = new KeptCoverage(cache, new ImportGraph(root))
    const coverage = kept.find('src/least.test.ts') ?? assert.fail()
    // Once it took no time.
    kept.keep('src/least.test.ts', { ...coverage, ms: 0 })
    assert.equal(await draw({ slackMs: 1 })('+'), verdict)
  })

test('a test that fails without the change judges nothing, and is named', async t => {
  const { draw } = court(t, { ...files, 'src/least.test.ts': testThat('assert.equal(least(1, 1), 3)') })
  assert.equal(await draw()('+'), 'killed by src/also.test.ts')
  assert.equal(
    await draw()('<'),
    'survived: 2 test files notice nothing; failing without it, and so judging nothing: src/least.test.ts',
  )
})

test('a test that passed when it was measured and fails since judges nothing', async t => {
  const { root, draw } = court(t, { 'src/least.ts': source, 'src/least.test.ts': testThat('least(1, 1)') })
  assert.equal(await draw()('+'), 'survived: 1 test files notice nothing')
  writeInto(root, { broken: '' })
  assert.equal(await draw()('+'), 'survived: no test judges it; failing without it, and so judging nothing: src/least.test.ts')
})
