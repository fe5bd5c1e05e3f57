import assert from 'node:assert/strict'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import './traps.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = join(root, 'src', '.trapped')
mkdirSync(folder, { recursive: true })
after(() => rmSync(folder, { recursive: true, force: true }))

const offenders: Readonly<Record<string, string>> = {
  'Date.now': 'export const run = () => Date.now()',
  'new Date()': 'export const run = () => new Date()',
  'Math.random': 'export const run = () => Math.random()',
  'performance.now': 'export const run = () => performance.now()',
  setTimeout: 'export const run = () => setTimeout(() => {}, 0)',
  fetch: "export const run = () => fetch('http://127.0.0.1:1')",
  'process.env': 'export const run = () => process.env.HOME',
  'an import of node:fs': "export const run = () => import('node:fs')",
}

for (const [what, source] of Object.entries(offenders)) {
  test(`code under src that uses ${what} is stopped at run time`, async () => {
    const { run } = await load(what, source)
    await assert.rejects(async () => run(), /must come through a seam/)
  })
}

test('a date made from a given instant is arithmetic, not time', async () => {
  const { run } = await load('given-date', 'export const run = () => new Date(0).toISOString()')
  assert.equal(run(), '1970-01-01T00:00:00.000Z')
})

test('test code itself may look at the clock', () => {
  assert.ok(Date.now() > 0)
})

function load(name: string, source: string): Promise<{ run: () => unknown }> {
  const file = join(folder, `${name.replaceAll(/\W+/g, '-')}.js`)
  writeFileSync(file, source)
  return import(pathToFileURL(file).href) as Promise<{ run: () => unknown }>
}
