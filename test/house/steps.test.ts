import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { type TestContext, test } from 'node:test'
import { carryOut, stepsOf, walkPage } from './steps.ts'

const page = `# I want to add a greeting

Write \`words/hello.ts\`:

\`\`\`ts
export const hello = 'hello'
console.log(hello)
\`\`\`

Say it louder there:

\`\`\`diff
-export const hello = 'hello'
+export const hello = 'HELLO'
 console.log(hello)
\`\`\`

\`\`\`sh
node words/hello.ts
\`\`\`

\`\`\`text
HELLO
\`\`\`

\`\`\`js
neverWritten()
\`\`\`
`

test('a page is carried out: files, changes, commands, and what they print', async t => {
  const folder = temporaryFolder(t)
  assert.deepEqual(await carryOut(stepsOf(page), folder, 'page.md'), { file: 1, change: 1, command: 1, printed: 1 })
  assert.equal(readFileSync(join(folder, 'words/hello.ts'), 'utf8'), "export const hello = 'HELLO'\nconsole.log(hello)\n")
})

const changesTheHouse = `In \`./ARCHITECTURE.md\`:

\`\`\`diff
-# Architecture
+# Changed in a copy
\`\`\`

\`\`\`sh
head -1 ARCHITECTURE.md
npm run vouch --silent -- --version
\`\`\`

\`\`\`text
# Changed in a copy
\`\`\`
`

test('a page is walked in a copy of the house, which works there and is not touched here', async t => {
  const top = join(import.meta.dirname, '../..')
  const file = join(temporaryFolder(t), 'page.md')
  writeFileSync(file, changesTheHouse)
  assert.deepEqual(await walkPage(relative(top, file)), { file: 0, change: 1, command: 1, printed: 1 })
  assert.match(readFileSync(join(top, 'ARCHITECTURE.md'), 'utf8'), /^# Architecture\n/)
})

const broken = {
  'a change of lines that are not there': [
    page.replace("-export const hello = 'hello'", '-export const bye = 1'),
    /page\.md:12: .*0 times/,
  ],
  'a command that fails': [page.replace('node words/hello.ts', 'node words/bye.ts'), /page\.md:18: .*ended with 1/],
  'a line that nobody prints': [page.replace('```text\nHELLO', '```text\nGOOD BYE'), /page\.md:22: never printed: GOOD BYE/],
  'a file without a path': [page.replace('`words/hello.ts`', 'a file'), /page\.md:5: no path/],
} satisfies Record<string, readonly [string, RegExp]>

for (const [what, [text, expected]] of Object.entries(broken))
  test(`${what} stops the walk at its line`, async t => {
    await assert.rejects(carryOut(stepsOf(text), temporaryFolder(t), 'page.md'), expected)
  })

function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-steps-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
