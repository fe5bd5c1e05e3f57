import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { runTests } from './run-tests.ts'

for (const [what, second, code, ran] of [
  ['goes on to the end while all is well', 'true', 0, ['first', 'second', 'third']],
  ['ends at the first test that fails, with its name', 'false', 1, ['first', 'second']],
] as const)
  test(`a run ${what}`, async t => {
    const folder = mkdtempSync(join(tmpdir(), 'vouch-run-tests-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    const noted = join(folder, 'ran')
    const file = join(folder, 'some.test.mjs')
    writeFileSync(
      file,
      `import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
const note = name => appendFileSync(${JSON.stringify(noted)}, name + '\\n')
test('one', () => note('first'))
test('two', () => { note('second'); assert.ok(${second}) })
test('three', async () => { for (let round = 0; round < 100; round++) await turn(); note('third') })
`,
    )
    const result = await runTests([file], { env: {}, limitMs: 60_000 })
    assert.equal(result.code, code)
    assert.deepEqual(readFileSync(noted, 'utf8').trimEnd().split('\n'), ran)
    if (code === 1) assert.match(result.output, /FAILED two\n/)
  })
