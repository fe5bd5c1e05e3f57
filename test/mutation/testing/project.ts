// A folder of a few sources and tests, as a whole project is one.
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { TestContext } from 'node:test'

/** The folder, which goes with the test. */
export function projectOf(t: TestContext, files: Readonly<Record<string, string>>): string {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'vouch-project-')))
  t.after(() => rmSync(root, { recursive: true, force: true }))
  writeInto(root, { 'package.json': '{ "type": "module" }', ...files })
  return root
}

export function writeInto(root: string, files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
}
