// Documents within fields: what is read of one, when two say the same, and which is refused.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list, madeUpKind, structure } from '../testing/made-up-kind.ts'
import { documentProblem, parseDocument, sameDocuments } from './documents.ts'

const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth)
const outcomeOf = (text: string): string => {
  const parsed = parseDocument(text)
  return parsed.kind === 'refused' ? parsed.problem : parsed.kind
}

for (const [what, text, outcome] of [
  ['JSON of a megabyte', JSON.stringify('x'.repeat(1_048_574)), 'parsed'],
  ['longer JSON', JSON.stringify('x'.repeat(1_048_575)), 'is longer than 1048576 characters'],
  ['YAML of 32 KiB', 'x'.repeat(32_768), 'parsed'],
  ['longer YAML', 'x'.repeat(32_769), 'is no JSON, and longer than the 32768 characters that are read as YAML'],
  ['20000 values, the list that holds them among them', JSON.stringify(Array(19_999).fill(0)), 'parsed'],
  ['more values', JSON.stringify(Array(20_000).fill(0)), 'stands for more than 20000 values'],
  ['lists within lists, 100 levels below the first', nested(101), 'parsed'],
  ['lists that are nested deeper', nested(102), 'is nested deeper than 100 levels'],
  ['what is neither JSON nor YAML', '{a: [', 'text'],
] as const)
  test(`a document: ${what}`, () => assert.equal(outcomeOf(text), outcome))

for (const [a, b, isSame] of [
  ['{"a":1,"b":[]}', 'a: 1', true],
  ['{"a":[1]}', '{"a":[]}', false],
  ['[1]', '[2]', false],
  ['[1,2]', '[2,1]', false],
  ['{"a":null}', '{}', true],
  ['{"a":{"b":{}}}', '{}', true],
  ['{a: [', '{a: [', true],
  ['{a: [', '{a:  [', false],
  ['{a: [', '{}', false],
] as const)
  test(`the documents ${a} and ${b} ${isSame ? 'say the same' : 'differ'}`, () => assert.equal(sameDocuments(a, b), isSame))

test('a document that costs too much is named by its path, wherever it stands', () => {
  const model = madeUpKind({
    spec: {
      First: { document: true },
      Policy: { iamPolicy: true },
      Json: { compare: { normalise: 'json' } },
      Text: { compare: { normalise: 'arn' } },
      Config: structure('Config'),
      Many: list(structure('Config')),
      Plain: structure('Plain'),
      Last: { document: true },
    },
    structures: { Config: { Document: { document: true }, Inner: structure('Plain') }, Plain: { Text: 'string' } },
  })
  const deep = nested(102)
  const why = 'the document is nested deeper than 100 levels'
  for (const [spec, problem] of [
    [{ first: deep }, `Spec.First: ${why}`],
    [{ policy: deep }, `Spec.Policy: ${why}`],
    [{ json: deep }, `Spec.Json: ${why}`],
    [{ text: deep, plain: { text: deep } }, undefined],
    [{ config: { document: deep } }, `Spec.Config.Document: ${why}`],
    [{ config: { document: '{}', inner: { text: deep } } }, undefined],
    [{ first: '{}', config: { document: '{}' }, last: deep }, `Spec.Last: ${why}`],
    [{ first: '{}', config: 'no structure', last: 1 }, undefined],
  ] as const)
    assert.equal(documentProblem(model, spec), problem)
})
