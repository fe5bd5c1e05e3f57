// What the pages say of the house itself: every folder has its line, decisions are numbered without holes, and one name is one thing.
import assert from 'node:assert/strict'
import { globSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { namedTwice } from './one-name.ts'

const top = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(top, path), 'utf8')
const foldersIn = (path: string): readonly string[] =>
  readdirSync(join(top, path)).filter(
    name => !/^[.]|^(?:node_modules|dist|coverage)$/.test(name) && statSync(join(top, path, name)).isDirectory(),
  )

test('ARCHITECTURE.md names every folder of the house, of its rooms, its tests and its pages', () => {
  const page = read('ARCHITECTURE.md')
  const folders = [
    ...foldersIn('.'),
    ...foldersIn('src').filter(name => name !== 'operators'),
    ...foldersIn('src/operators').map(name => `operators/${name}`),
    ...foldersIn('test').map(name => `test/${name}`),
    ...foldersIn('docs').map(name => `docs/${name}`),
  ]
  assert.deepEqual(
    folders.filter(name => !page.includes(`\`${name}\``)),
    [],
  )
})

test('decisions are numbered from one on, without holes and each in its own words', () => {
  const pages = readdirSync(join(top, 'docs/adr')).toSorted()
  assert.deepEqual(
    pages.map(name => Number(name.slice(0, 4))),
    pages.map((_, index) => index + 1),
  )
  for (const name of pages) assert.match(read(`docs/adr/${name}`), new RegExp(`^# ${Number(name.slice(0, 4))}\\. \\S`), name)
})

test('the glossary has the words that the house is built of', () => {
  const glossary = read('ARCHITECTURE.md').split('## Glossary')[1] ?? ''
  const words = [...glossary.matchAll(/^\| ([^|]+) \| ([^|]+) \|$/gm)].filter(
    ([, word]) => word !== 'word' && !/^-+$/.test(word ?? ''),
  )
  assert.ok(words.length >= 30, `${words.length} words`)
})

test('no more exported types share their name with another one than the table says', () => {
  const sources = globSync('src/**/*.ts', { cwd: top }).filter(
    path => !/\.(?:test|fixture|gen)\.ts$|\/index\.ts$|\/testing\//.test(path),
  )
  const found = namedTwice(sources.map(path => ({ path, text: read(path) })))
  // Goes down only: a name that is given up here stays given up.
  assert.ok(
    found.size <= namesTwiceMax,
    `${found.size} names: ${[...found].map(([name, paths]) => `${name} in ${paths.join(', ')}`).join('; ')}`,
  )
})

test('a name that stands for two types is found', () => {
  const text = 'export interface World {}\nexport type Scope = 1\ninterface Own {}\n'
  assert.deepEqual(
    [
      ...namedTwice([
        { path: 'a', text },
        { path: 'b', text: `${text}export class Own {}` },
      ]).keys(),
    ],
    ['World', 'Scope'],
  )
})

const namesTwiceMax = 0
