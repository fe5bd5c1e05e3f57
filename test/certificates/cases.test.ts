// Every case of the catalogue is a test: its number stands in brackets behind the words of one, or in a row of a table of them.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const top = join(import.meta.dirname, '../..')

const catalogue = [...readFileSync(join(top, 'docs/rules/certificates.md'), 'utf8').matchAll(/^\| #(\d+) \|/gm)].map(
  ([, number]) => Number(number),
)

/** Rows of the transition table, which has 43: behind `7.4` a number that is none of them is a case again. */
const tableRows = /7\.4 #\d+(?:, #(?:\d|[1-3]\d|4[0-3])(?!\d))*/g

function casesOf(pattern: string): ReadonlySet<number> {
  const text = globSync(pattern, { cwd: top }).map(file => readFileSync(join(top, file), 'utf8').replaceAll(tableRows, ''))
  // In brackets at the end of a name, or alone in a row.
  const cited = text.flatMap(each => [...each.matchAll(/(?: \[[^\][\n]*\](?=['"`])|'(?:[\w.]*, )*#\d+(?:, #\d+)*')/g)])
  return new Set(cited.flatMap(([found]) => [...found.matchAll(/#(\d+)/g)].map(([, number]) => Number(number))))
}

test('every case of the catalogue of certificates stands in the name of a test', () => {
  assert.equal(catalogue.length, 124)
  assert.deepEqual(
    catalogue,
    Array.from({ length: 124 }, (_, index) => index + 1),
  )
  const told = casesOf('{src/operators,test}/certificates/**/*.test.ts')
  assert.deepEqual(
    catalogue.filter(number => !told.has(number)),
    [],
  )
})

test('every row of the transition table stands in the name of a test', () => {
  const rows = [...readFileSync(join(top, 'docs/rules/certificates.md'), 'utf8').matchAll(/^\| (7\.4 #\d+) \|/gm)]
  assert.equal(rows.length, 43)
  const text = globSync('{src/operators,test}/certificates/**/*.test.ts', { cwd: top }).map(file =>
    readFileSync(join(top, file), 'utf8'),
  )
  const cited = text.flatMap(each => [...each.matchAll(/\[[^\][\n]*\](?=['"`])|code: '[^']*'/g)].map(([found]) => found))
  const told = new Set(
    cited.filter(found => found.includes('7.4')).flatMap(found => [...found.matchAll(/#(\d+)/g)].map(([, row]) => `7.4 #${row}`)),
  )
  assert.deepEqual(
    rows.map(([, row = '']) => row).filter(row => !told.has(row)),
    [],
  )
})

test('a case that no test names is noticed', () => {
  assert.equal(casesOf('test/house/house.test.ts').size, 0)
})
