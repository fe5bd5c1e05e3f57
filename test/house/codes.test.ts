import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { leadingCodes, namesIn } from './codes.ts'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

test('no name of a test begins with a code of a rule', () => {
  const files = globSync('{src,test,examples,scripts}/**/*.ts', { cwd: root, exclude: path => path.endsWith('node_modules') })
  const named = files
    .filter(file => file !== 'test/house/codes.test.ts')
    .flatMap(file =>
      [...namesIn(readFileSync(join(root, file), 'utf8'))].map(({ name, line }) => ({ name, at: `${file}:${line}` })),
    )
  assert.ok(named.length > 1500, `only ${named.length} names were found`)
  assert.deepEqual(
    named.filter(({ name }) => leadingCodes(name) !== undefined).map(({ name, at }) => `${at}: ${name}`),
    [],
  )
})

test('a code at the front of a name is seen in each of its forms, and a word is none', () => {
  for (const name of [
    'S18: a cache never goes back',
    'B1, F4: a death',
    '10.4 Role: a policy',
    '13.4 #65: a state',
    '§2.13: a path',
    'A-52 A-53: containers',
    '#65: a state',
    '7.8, 9.20 RecordSet: few calls',
    '57, 58: fields',
    'T-01 to T-05: hostile reviews',
  ])
    assert.notEqual(leadingCodes(name), undefined, name)
  for (const name of ['a cache never goes back [S18]', '1,000 pods are made', 'EC2 query: lists', '429 is waited for'])
    assert.equal(leadingCodes(name), undefined, name)
  assert.deepEqual(
    [...namesIn("it(\n  'x', () => {})\ntest.skip(`y`, f)")],
    [
      { name: 'x', line: 1 },
      { name: 'y', line: 3 },
    ],
  )
})
