import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { troubleReasons } from '#runtime'
import { reasons } from '../errors.ts'

const room = join(import.meta.dirname, '..')
const house = join(room, '..', '..', '..')
const sources = globSync('**/*.ts', { cwd: room })
  .filter(file => !/\.(gen|test)\.ts$|^testing\//.test(file) && file !== 'errors.ts')
  .map(file => [file, readFileSync(join(room, file), 'utf8')] as const)
const own = new Set(Object.keys(reasons))

test('a claim is told no reason that is not in the closed list', () => {
  const known = new Set([...own, ...Object.keys(troubleReasons)])
  const given = sources.flatMap(([file, text]) =>
    [...text.matchAll(/kind: '(?:again|backoff|stop|wait)', reason: '(\w+)'/g)].map(match => `${file}: ${match[1]}`),
  )
  assert.ok(given.length > 5, 'the sources say their reasons in this form')
  assert.deepEqual(
    given.filter(reason => !known.has(reason.split(': ')[1] ?? '')),
    [],
  )
})

test('no reason of the list is there for nobody', () => {
  const withoutList = (file: string): string => readFileSync(join(room, file), 'utf8').split('} as const')[1] ?? ''
  const said = [withoutList('errors.ts'), withoutList('../../cloud/trouble.ts'), ...sources.map(([, text]) => text)].join('\n')
  assert.deepEqual(
    [...own].filter(reason => !said.includes(`'${reason}'`)),
    [],
  )
})

const page = readFileSync(join(house, 'docs/reference/resources.md'), 'utf8')

test('every reason has its row in the reference, with its meaning and what to do, and no row is of another [9.12]', () => {
  const section = page.split('\n## ').find(each => each.startsWith('Reasons\n')) ?? ''
  const rows = [...section.matchAll(/^\| `(\w+)` \| (.+?) \| (.+) \|$/gm)]
  const meanings: Readonly<Record<string, string>> = { ...troubleReasons, ...reasons }
  assert.ok(rows.every(([, , , next = '']) => next.length > 10))
  for (const [, name = '', meaning] of rows) assert.equal(meaning, meanings[name], name)
  const told = new Set(rows.map(([, name = '']) => name))
  assert.deepEqual(
    [...own].filter(name => !told.has(name)),
    [],
  )
})

test('every query of the reference names metrics that are made [9.15]', () => {
  const top = join(house, 'src')
  const made = new Set(
    ['operators/resources', 'runtime/metrics'].flatMap(folder =>
      globSync(`${folder}/**/*.ts`, { cwd: top, exclude: path => path.endsWith('.test.ts') }).flatMap(file =>
        [...readFileSync(join(top, file), 'utf8').matchAll(/'((?:ack|workqueue|controller_runtime)_[a-z_]+)'/g)].map(
          ([, name]) => name,
        ),
      ),
    ),
  )
  const section = page.split('\n## ').find(each => each.startsWith('Queries\n')) ?? ''
  const named = [...section.matchAll(/\b(?:ack|workqueue|controller_runtime)_[a-z_]+/g)].map(([name]) =>
    name.replace(/_bucket$/, ''),
  )
  assert.ok(new Set(named).size >= 7)
  assert.deepEqual(
    named.filter(name => !made.has(name)),
    [],
  )
})
