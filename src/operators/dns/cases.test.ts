// That every case of the page of rules stands in the name of a test of this room.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../../..')

test('each numbered case of the page has a test that names it', () => {
  const page = readFileSync(join(top, 'docs/rules/dns.md'), 'utf8')
  const cases = [...page.matchAll(/^\| #(\d+) \|/gm)].map(([, number]) => Number(number))
  const tested = new Set(
    globSync('**/*.test.ts', { cwd: import.meta.dirname }).flatMap(file => {
      const source = readFileSync(join(import.meta.dirname, file), 'utf8')
      const names = source.matchAll(/^test\((['`]).*?\[([^\]]*)\]\1/gm)
      return [...names].flatMap(([, , codes = '']) => [...codes.matchAll(/#(\d+)/g)].map(([, number]) => Number(number)))
    }),
  )
  assert.ok(cases.length >= 96)
  assert.deepEqual(
    cases.filter(number => !tested.has(number)),
    [],
  )
})
