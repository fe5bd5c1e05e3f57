// The Azure matrix as a whole: each of its rows has a test, and pods that an API server makes show each row that one can ask for.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { groupsByServer } from '../testing/azure-by-server.ts'

const top = join(import.meta.dirname, '../../../..')
const codesIn = (name: string): readonly string[] => readFileSync(join(top, name), 'utf8').match(/\bZ-\d\d\b/g) ?? []

/** Rows about which no API server asks, by the reason. */
const askedByNobody: Readonly<Record<string, readonly string[]>> = {
  'the selector of the configuration passes the pod over': ['Z-06'],
  'an API server refuses such a pod itself, or drops what is unknown in it': ['Z-09', 'Z-10', 'Z-33', 'Z-54', 'Z-57', 'Z-58'],
  'an API server sends no such review': ['Z-63', 'Z-64', 'Z-65', 'Z-66', 'Z-67', 'Z-68', 'Z-71'],
  'an API server of another version': ['Z-42'],
  'the program does not start': ['Z-39', 'Z-40', 'Z-61', 'Z-62'],
  'a moment of the cache, which an API server cannot be made to meet': ['Z-11', 'Z-12', 'Z-70'],
}
/** By `accountsAreFollowed`, and by the two paths of the real suite. */
const besidesRows = ['Z-08', 'Z-69', 'Z-72']

test('each row of the Azure matrix has a test that names it, and pods of an API server show all that one can ask for [G-01, §8.2]', () => {
  const page = codesIn('docs/rules/webhook.md')
  const named = new Set([
    ...globSync('src/operators/pods/**/*.test.ts', { cwd: top })
      .filter(name => !name.endsWith('matrix.test.ts'))
      .flatMap(codesIn),
    ...codesInTables(),
  ])
  assert.equal(page.length, 72)
  assert.deepEqual(
    page.filter(code => !named.has(code)),
    [],
  )
  const shown = new Set([...groupsByServer.flatMap(({ rows }) => rows.map(({ id }) => id)), ...besidesRows])
  assert.deepEqual(page.filter(code => !shown.has(code)).toSorted(), Object.values(askedByNobody).flat().toSorted())
})

/** Tables that azure/rows.test.ts walks. */
function codesInTables(): readonly string[] {
  return ['azure-rows.ts', 'azure-proxy-rows.ts'].flatMap(name => codesIn(`src/operators/pods/testing/${name}`))
}
