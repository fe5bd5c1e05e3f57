import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InferError } from '../infer-error.ts'
import { lineOf, parseYamlWithPlaces, type YamlDocument } from './yaml.ts'

const parse = (source: string): YamlDocument => parseYamlWithPlaces(source, 'c.yaml')

function refusal(source: string): string {
  try {
    parse(source)
  } catch (error) {
    assert.ok(error instanceof InferError && error.code === 'not-yaml', String(error))
    return error.message
  }
  return 'taken'
}

for (const [written, value] of [
  ['~', null],
  ['', null],
  ['NULL', null],
  ['True', true],
  ['FALSE', false],
  ['"true"', 'true'],
  ["'~'", '~'],
  ['yes', 'yes'],
  ['-1.5e3', -1500],
  ['.5', 0.5],
  ['5.', 5],
  ['0x1f', '0x1f'],
  ['"7"', '7'],
  ['>-\n  one\n  two', 'one two'],
] as const)
  test(`the scalar ${JSON.stringify(written)} is ${JSON.stringify(value)}`, () => {
    const { root } = parse(`a: ${written}\n`)
    const node = root?.kind === 'map' ? root.entries.get('a')?.value : undefined
    assert.deepEqual(node?.kind === 'scalar' && node.value, value)
  })

for (const [what, source] of [
  ['no character', ''],
  ['comments alone', '# nothing\n'],
  ['a beginning alone', '---\n'],
  ['nothing written out', '--- ~\n'],
] as const)
  test(`a text of ${what} has no root`, () => assert.equal(parse(source).root, undefined))

test('a key and its value know where they stand, and a value that is not there stands at the end', () => {
  const document = parse('first: one\n\nsecond: [\n  two ]\nthird:\n')
  const { root } = document
  assert.ok(root?.kind === 'map')
  const told = [...root.entries].map(([key, { keyAt, value }]) => [key, lineOf(document, keyAt), lineOf(document, value.at)])
  assert.deepEqual(told, [
    ['first', 'c.yaml:1', 'c.yaml:1'],
    ['second', 'c.yaml:3', 'c.yaml:3'],
    ['third', 'c.yaml:5', 'c.yaml:6'],
  ])
  const list = root.entries.get('second')?.value
  assert.deepEqual(list?.kind === 'list' && list.items.map(({ at }) => lineOf(document, at)), ['c.yaml:4'])
})

for (const [what, source, words] of [
  ['no end of a list', 'a: [1\n', 'c.yaml:2:1: not YAML: '],
  ['a column in its line', 'a: 1\nb: 2 }: 3\n', 'c.yaml:2:'],
  ['a second document', 'a: 1\n---\nb: 2\n', 'c.yaml: holds more than one document; keep one'],
  ['a key that is a list', 'a: 1\nb:\n  [1]: 2\n', 'c.yaml:3: a key must be text'],
  ['a key twice', 'a: 1\nb: 2\na: 3\n', 'c.yaml:3: key "a" comes twice'],
  ['an alias before its anchor', 'a: 1\nb: *late\nc: &late 2\n', 'c.yaml:2: alias "late" has no anchor before it'],
] as const)
  test(`a text with ${what} is refused at its place`, () => {
    const found = refusal(source)
    assert.equal(found.slice(0, words.length), words)
  })

test('lists and maps are nested ninety-nine deep and no deeper', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
  assert.equal(refusal(nested(99)), 'taken')
  assert.match(refusal(nested(100)), /^c\.yaml:1:100: not YAML: /)
})

test('aliases stand for half a million values and no more, lists and maps counted with what is in them', () => {
  const values = (count: number): string => Array.from({ length: count }, () => 'x').join(', ')
  // A map of one list of 997 values is 999 values; 500 of them in a list, with a list of 497, in a map.
  const text = (more: number): string => `b:\n- &a {c: [${values(997)}]}\n${'- *a\n'.repeat(499)}- [${values(497 + more)}]\n`
  assert.equal(refusal(text(0)), 'taken')
  assert.match(refusal(text(1)), /^c\.yaml:\d: its aliases stand for more than 500000 values; write them out$/)
})

test('a text of 16 MiB is read, and a longer one is refused', () => {
  const text = `a: 1 #${' '.repeat(16 * 1024 * 1024 - 6)}`
  assert.equal(refusal(text), 'taken')
  assert.equal(refusal(`${text} `), 'c.yaml: larger than 16777216 bytes')
})
