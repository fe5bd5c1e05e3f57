import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { citedIn, citedOnPage, codesOf, isTold, pagesFor } from './rules.ts'

const top = join(import.meta.dirname, '../..')
const read = (path: string): string => readFileSync(join(top, path), 'utf8')
const pages = new Map(
  globSync('docs/rules/*.md', { cwd: top }).map(path => [/([a-z]+)\.md$/.exec(path)?.[1] ?? 'README', codesOf(read(path))]),
)

const toldIn = (file: string): ReadonlySet<string> => new Set(pagesFor(file).flatMap(page => [...(pages.get(page) ?? [])]))

test('every code that a comment or the name of a test cites has its sentence in docs/rules', () => {
  const files = globSync('{src,test,examples,bench,scripts}/**/*.ts', {
    cwd: top,
    exclude: path => path.endsWith('node_modules'),
  })
  let cited = 0
  const untold = files
    .filter(file => !/^test\/house\/(?:codes|rules)|\.gen\.ts$/.test(file))
    .flatMap(file => {
      const told = toldIn(file)
      return [...citedIn(read(file))]
        .filter(({ code }) => ++cited && !isTold(code, told))
        .map(({ code, line }) => `${file}:${line} ${code}`)
    })
  assert.ok(cited > 1500, `only ${cited} codes were found`)
  assert.deepEqual(untold, [])
})

test('so has every code that a page cites', () => {
  const files = globSync(['*.md', '{docs,src,examples,bench}/**/*.md'], { cwd: top }).filter(
    file => !file.startsWith('docs/rules/'),
  )
  const untold = files.flatMap(file =>
    [...citedOnPage(read(file))]
      .filter(({ code }) => !isTold(code, toldIn(file)))
      .map(({ code, line }) => `${file}:${line} ${code}`),
  )
  assert.deepEqual(untold, [])
})

test('what is cited is seen in names and comments, alone, in rows and in ranges', () => {
  const told = new Set(['S18', 'B1', '7.8', '#134', '14.1 L3', 'A-34', '2.13', '10.3.14', '10.3'])
  const seen = (text: string): readonly string[] => [...citedIn(text)].map(({ code }) => code)
  assert.deepEqual(seen("test('a pod [S18, 13.6 #134]', () => {})"), ['S18', '13.6 #134'])
  assert.deepEqual(seen('// as it must (S18, §2.13), by P-256\nconst S3 = 1 // A-34'), ['S18', '§2.13', 'A-34'])
  assert.deepEqual(seen("say('a list [Optional]', of[S1])"), [])
  for (const code of ['S18', '13.6 #134', '§7.8', '14.1 L3', '10.3.14', '10.3.99', 'A-34', '7.8-7.8'])
    assert.ok(isTold(code, told), code)
  for (const code of ['S19', '#135', '§7.9', '7.8-7.9', '14.1 L4', 'A-35', '9.1.2']) assert.ok(!isTold(code, told), code)
})
