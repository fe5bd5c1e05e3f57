import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JsonError } from './json.ts'
import { parseYaml } from './yaml.ts'

const refusal = (message: string): ((error: unknown) => boolean) => {
  return error => error instanceof JsonError && error.message === message
}

const documents: readonly (readonly [text: string, value: unknown])[] = [
  ['a: 1\n---\nb: [', { a: 1 }],
  ['a: 1\n...\nx: y: z', { a: 1 }],
  ['--- {a: 1}\n---\nb: 2', { a: 1 }],
  ['# c\n\n%YAML 1.1\n---\na: 1', { a: 1 }],
  ['---\n---\na: 1', null],
  ['a: |\n  x\n---\nb: 1', { a: 'x\n' }],
  ['a: "--- x"\nb: 2', { a: '--- x', b: 2 }],
  ['{"a":1}x', { a: 1 }],
  ['{"a":1} {"b":2}', { a: 1 }],
  ['{a: b}\nc: d', { a: 'b' }],
  ['[1] x', [1]],
]

for (const [text, value] of documents)
  test(`of ${JSON.stringify(text)} the first document is read`, () => {
    assert.deepEqual(parseYaml(text).value, value)
  })

test('a stream of nothing but marks is read once', () => {
  assert.equal(parseYaml('---\n'.repeat(200_000)).value, null)
  assert.deepEqual(parseYaml(`${'# as long as lines of text are\n'.repeat(1_000)}---\na: 1`).value, { a: 1 })
})

test('what follows a map in brackets and cannot begin anything is refused', () => {
  for (const text of ['{a: b} "', '{a: b} @', '{a: b} %'])
    assert.throws(() => parseYaml(text), refusal('yaml: end of the stream or a document separator is expected'))
})

test('a directive is of the version that is read', () => {
  assert.deepEqual(parseYaml('%YAML 1.1\n---\na: 1').value, { a: 1 })
  assert.throws(() => parseYaml('%YAML 1.2\n---\na: 1'), refusal('yaml: found incompatible YAML document'))
  assert.throws(() => parseYaml('%FOO\n---\na: 1'), refusal('yaml: found unknown directive name'))
})

test('a number that JSON has no word for is refused', () => {
  for (const [text, shown] of [
    ['.inf', '+Inf'],
    ['-.Inf', '-Inf'],
    ['.NAN', 'NaN'],
  ] as const)
    assert.throws(() => parseYaml(`a: [{b: ${text}}]`), refusal(`json: unsupported value: ${shown}`))
  assert.throws(() => parseYaml('a: .inf\nb: 1\nb: 2\n'), refusal('json: unsupported value: +Inf'))
  assert.deepEqual(parseYaml('a: ".inf"').value, { a: '.inf' })
})

test('each key that stands again is told with its line, the innermost first, and the last counts', () => {
  const told = (text: string): readonly string[] => parseYaml(text).duplicates
  assert.deepEqual(told('data:\n  a: b\n  a: c\n  d: e\n  "d": f\nfoo: 1\n'), [
    'line 3: key "a" already set in map',
    'line 5: key "d" already set in map',
  ])
  assert.deepEqual(told('a: 1\na:\n- b: 1\n  b: 2\n- {c: 1, c: 2, c: 3}\n'), [
    'line 4: key "b" already set in map',
    'line 5: key "c" already set in map',
    'line 5: key "c" already set in map',
    'line 2: key "a" already set in map',
  ])
  assert.deepEqual(told('{yes: 1, true: 2}'), ['line 1: key "true" already set in map'])
  assert.deepEqual(parseYaml('a: 1\na: 2\n').value, { a: 2 })
})
