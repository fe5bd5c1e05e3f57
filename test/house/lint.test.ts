import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const folder = join(root, 'src', '.linted')
mkdirSync(folder, { recursive: true })
after(() => rmSync(folder, { recursive: true, force: true }))

test('the linter names each ambient thing that code under src reaches for', () => {
  writeFileSync(
    join(folder, 'offender.ts'),
    `import { readFileSync } from 'node:fs'
import { randomUUID } from 'node:crypto'
export const all: unknown[] = [readFileSync, randomUUID, Date.now(), new Date(), Math.random(), process.env['X'], performance.now()]
setTimeout(() => all.push(fetch('http://x')), 1)
`,
  )
  const { stdout } = spawnSync(
    process.execPath,
    [join(root, 'node_modules/oxlint/bin/oxlint'), '--no-ignore', '--format=json', folder],
    { cwd: root, encoding: 'utf8' },
  )
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { code: string; message: string }[] }
  const named = diagnostics
    .filter(({ code }) => code.includes('no-ambient'))
    .map(({ message }) => /^'([^']+)'/.exec(message)?.[1])
  assert.deepEqual(
    named.toSorted((a, b) => (String(a) < String(b) ? -1 : 1)),
    ['Date.now', 'Math.random', 'fetch', 'new Date()', 'node:fs', 'performance.now', 'process.env', 'randomUUID', 'setTimeout'],
  )
})
