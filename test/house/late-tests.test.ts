import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { lateTests } from './late-tests.ts'

const top = join(import.meta.dirname, '../..')

test('no test is registered after a top-level await in the middle of its file', () => {
  const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts', 'examples/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: top })
  assert.ok(files.length > 100)
  const found = files.flatMap(file => lateTests(readFileSync(join(top, file), 'utf8')).map(text => `${file}: ${text}`))
  assert.deepEqual(found, [])
})

const good: Readonly<Record<string, string>> = {
  'what is waited for before the first test': 'const a = await get()\ntest("x", () => {})\ntest("y", () => {})\n',
  'what is waited for after the last test': 'test("x", () => {})\nconst a = await get()\n',
  'what a test waits for': 'test("x", async () => {\n  await get()\n})\ntest("y", async () => {\n  const a = await get()\n})\n',
  'what a function waits for':
    'test("x", () => {})\nasync function a(): Promise<void> {\n  await get()\n}\ntest("y", () => {})\n',
  'what an arrow waits for': 'test("x", () => {})\nconst a = async () => await get()\ntest("y", () => {})\n',
  'words in a text': 'test("x", () => {})\nconst a = `\nawait get()\n`\n// await get()\ntest("y", () => {})\n',
}

const bad: Readonly<Record<string, string>> = {
  'a test after an await': 'test("x", () => {})\nawait get()\ntest("y", () => {})\n',
  'a test after a value that is waited for': 'test("x", () => {})\nconst a = await get()\ndescribe("y", () => {})\n',
  'tests in a loop after an await': 'test("x", () => {})\nconst a = await get()\nfor (const b of a) {\n  test(b, () => {})\n}\n',
  'an await in a loop of the module':
    'test("x", () => {})\nfor (const a of all) {\n  const b = await get(a)\n  use(b)\n}\ntest("y", () => {})\n',
  'an await of several lines': 'test("x", () => {})\nconst a = use(\n  await get(),\n)\ntest("y", () => {})\n',
  'a test that is waited for': 'await test("x", () => {})\n',
}

for (const [what, text] of Object.entries(good)) {
  test(`${what} is fine`, () => assert.deepEqual(lateTests(text), []))
}
for (const [what, text] of Object.entries(bad)) {
  test(`${what} is found`, () => assert.equal(lateTests(text).length, 1))
}
