import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { namesIn } from './codes.ts'

const top = join(import.meta.dirname, '../..')
const page = readFileSync(join(top, 'docs/security/threat-model.md'), 'utf8')
const names = globSync(['src/**/*.ts', 'test/**/*.ts', 'examples/**/*.ts'], {
  cwd: top,
  exclude: path => path.endsWith('node_modules'),
})
  .filter(file => /\.test\.ts$|suite\.ts$/.test(file))
  .flatMap(file => [...namesIn(readFileSync(join(top, file), 'utf8'))].map(({ name }) => name.replaceAll("\\'", "'")))

/** A name as it is cited stands for itself, or for itself with the codes behind it. */
const isTest = (cited: string): boolean =>
  names.some(name => name === cited || (name.startsWith(cited) && /^ (?:\[|\()/.test(name.slice(cited.length))))

/** The rows of tables with a test in the last column. */
const rows = page
  .split('\n')
  .filter(line => line.startsWith('| ') && line.split(' | ').length === 3)
  .map(line => line.slice(2, -2).split(' | ') as [threat: string, mitigation: string, test: string])
  .filter(([threat]) => threat !== 'threat')

test('every threat has what stops it, and a test that exists and tries it', () => {
  assert.ok(rows.length >= 40, `${rows.length} rows`)
  const wrong = rows.flatMap(([threat, mitigation, tests]) => {
    const cited = [...tests.matchAll(/(`{1,2})(.+?)\1(?=,|$)/g)].map(([, , name = '']) => name)
    const missing = cited.filter(name => !isTest(name)).map(name => `${threat}: there is no test "${name}"`)
    return cited.length === 0 || mitigation.trim() === '' ? [`${threat}: no test, or nothing that stops it`] : missing
  })
  assert.deepEqual(wrong, [])
})
