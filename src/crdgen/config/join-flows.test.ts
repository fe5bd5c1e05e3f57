import assert from 'node:assert/strict'
import { test } from 'node:test'
import { joinFlows } from './join-flows.ts'
import { lineOf, parseYamlWithPlaces, type YamlNode } from './yaml.ts'

function valueOf(node: YamlNode | undefined): unknown {
  if (node === undefined) return undefined
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(valueOf)
  return Object.fromEntries([...node.entries].map(([key, { value }]) => [key, valueOf(value)]))
}

for (const [what, text, value] of [
  ['a brace that ends where its key began', 'a:\n  b: {\n    c: {}\n  }\n', { a: { b: { c: {} } } }],
  ['a bracket in the first column', 'a:\n  - [\n1,\n2\n]\nb: 3\n', { a: [[1, 2]], b: 3 }],
  ['a comment within', 'a: {\n  b: 1, # one }\n  c: 2\n}\nd: 4\n', { a: { b: 1, c: 2 }, d: 4 }],
  ['an empty line before everything', '\na: {\n  b: 1\n}\n', { a: { b: 1 } }],
  ['an empty line within', 'a: {\n\n  b: 1\n}\n', { a: { b: 1 } }],
  ['no end of its last line', 'a: {\n  b: 1\n}', { a: { b: 1 } }],
  ['quoted braces', 'a: {\n  b: "}",\n  c: \'{\'\n}\n', { a: { b: '}', c: '{' } }],
  [
    'a block of text with braces beside it',
    'a:\n  t: |\n    x {\n    y\n  b: {\n    c: 1\n  }\n',
    { a: { t: 'x {\ny\n', b: { c: 1 } } },
  ],
] as const)
  test(`a config is read with ${what}`, () => {
    assert.deepEqual(valueOf(parseYamlWithPlaces(text, 'c.yaml').root), value)
  })

test('what stands after a collection over lines keeps its line', () => {
  const document = parseYamlWithPlaces('a:\n  b: {\n    c: {}\n  }\nd: 1\n', 'c.yaml')
  const root = document.root
  assert.ok(root?.kind === 'map')
  assert.equal(lineOf(document, root.entries.get('d')?.keyAt ?? 0), 'c.yaml:5')
})

test('no character moves, and what has no collection over lines stays as it is', () => {
  const text = 'a: {b: 1}\nc: "{"\nd: it {is} text\n'
  assert.equal(joinFlows(text), text)
  assert.equal(joinFlows('a: {\n 1: 2\n}\n').length, 'a: {\n 1: 2\n}\n'.length)
})

for (const [what, text, joined] of [
  ['a brace in the first column of the first line', '{\n a: 1\n}\n', '{  a: 1 }\n'],
  ['a collection that does not end', 'a: {', 'a: {'],
  ['a collection in a list in a collection', 'a: [x, {\n b: 1\n}, y\n]\n', 'a: [x, {  b: 1 }, y ]\n'],
  ['a comment in the first column', 'a: {\n# }\n b: 1\n}\n', 'a: {      b: 1 }\n'],
  ['a comment without a blank', 'a: {\n b: 1, #}\n c: 2\n}\n', 'a: {  b: 1,     c: 2 }\n'],
  ['a sharp in a word', 'a: {\n b: x# }\nd: 1\n', 'a: {  b: x# }\nd: 1\n'],
  ['a comment outside', 'a: 1 # one\nb: {\n c: 2\n}\n', 'a: 1 # one\nb: {  c: 2 }\n'],
  ['a brace in a text', 'a: it { is\nb: 1\n', 'a: it { is\nb: 1\n'],
  ['a brace in a word of two letters', 'a{ b\nc: 1\n', 'a{ b\nc: 1\n'],
  ['a brace that ends nothing', 'a: x }\nb: {\n c: 1\n}\n', 'a: x }\nb: {  c: 1 }\n'],
  [
    'a block of text that looks like a collection',
    'a:\n  t: |\n\n    x: {\n    y\n  b: 1\n',
    'a:\n  t: |\n\n    x: {\n    y\n  b: 1\n',
  ],
  ['a block of text in a list', '- |\n  x: {\n- {\n  a: 1\n}\n', '- |\n  x: {\n- {   a: 1 }\n'],
  ['a collection behind a block of text', 't: |\n  x\nb: {\n  c: 1\n}\n', 't: |\n  x\nb: {   c: 1 }\n'],
  ['an apostrophe in a word', "a: {\n b: it's }\nd: {\n e: 1\n}\n", "a: {  b: it's }\nd: {  e: 1 }\n"],
  ['an apostrophe at the end of a word', "a: [\ns' ]\nd: [\n1\n]\n", "a: [ s' ]\nd: [ 1 ]\n"],
] as const)
  test(`a text with ${what} has each collection on one line, and nothing else of it changes`, () =>
    assert.equal(joinFlows(text), joined))

test('what is no YAML either way is refused with its own place', () => {
  assert.throws(() => parseYamlWithPlaces('a: {\n  b: 1\nc: 2\n', 'c.yaml'), /c\.yaml:\d+:\d+: not YAML/)
})
