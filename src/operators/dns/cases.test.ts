// That every code of the page of rules stands in the name of a test.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../../..')

/** Those of this room, and those of whole programs that are about it. */
const files = ['src/operators/dns/**/*.test.ts', 'src/cli/operator/dns-*.test.ts', 'test/real/dns-*.test.ts', 'bench/dns*.ts']

test('each code of the page has a test that names it', () => {
  const page = readFileSync(join(top, 'docs/rules/dns.md'), 'utf8')
  const codes = [...page.matchAll(/^\| (#\d+|\d+\.\d+) \|/gm)].map(([, code]) => code)
  const tested = new Set(
    globSync(files, { cwd: top }).flatMap(file => {
      const names = readFileSync(join(top, file), 'utf8').matchAll(/^\s*(?:test|it)\((['`]).*?\[([^\]]*)\]\1/gm)
      return [...names].flatMap(([, , cited = '']) => cited.split(', '))
    }),
  )
  assert.ok(codes.length >= 96 + 14 + 10 + 10)
  assert.deepEqual(
    codes.filter(code => code !== undefined && !tested.has(code)),
    [],
  )
})
