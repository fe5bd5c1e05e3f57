import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { inOneByte, writeInOneByte } from './one-byte.ts'

test('a program says the same with escapes: in texts, templates and expressions, within and beyond sixteen bits', async () => {
  const program = "/* … */ export default ['…é', `${1}–😀`, /^[–…]$/.test('–'), /^😀$/u.test('😀'), /^.$/u.exec('😀')[0].length]"
  const escaped = inOneByte(program)
  assert.match(escaped, /^[\0-\x7f]*$/)
  const run = async (text: string): Promise<unknown> =>
    ((await import(`data:text/javascript,${encodeURIComponent(text)}`)) as { readonly default: unknown }).default
  assert.deepEqual(await run(escaped), ['…é', '1–😀', true, true, 2])
  assert.deepEqual(await run(escaped), await run(program))
})

test('a program with such a character in a raw template stays as it is', () => {
  const program = 'return [String.raw`a\\–`, "…"]'
  assert.equal(inOneByte(program), program)
  assert.equal(inOneByte('return [String.raw`a\\`, "–"]'), 'return [String.raw`a\\`, "\\u2013"]')
})

test('of a folder the programs are rewritten, and nothing else', t => {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-one-byte-'))
  t.after(() => rmSync(folder, { recursive: true }))
  for (const name of ['a.js', 'b.mjs', 'c.json']) writeFileSync(join(folder, name), '"…"')
  writeInOneByte(folder)
  const textOf = (name: string): string => readFileSync(join(folder, name), 'utf8')
  assert.deepEqual([textOf('a.js'), textOf('b.mjs'), textOf('c.json')], ['"\\u2026"', '"\\u2026"', '"…"'])
})
