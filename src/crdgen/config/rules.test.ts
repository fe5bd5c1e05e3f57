import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InferError } from '../infer-error.ts'
import { object, type Rule, text } from './rules.ts'
import { parseYamlWithPlaces } from './yaml.ts'

function refusal(rule: Rule<unknown>, source: string): string {
  const document = parseYamlWithPlaces(source, 'c.yaml')
  assert.ok(document.root !== undefined)
  try {
    rule(document.root, { document, path: '', warn: () => {} })
  } catch (error) {
    assert.ok(error instanceof InferError, String(error))
    return error.message
  }
  return 'taken'
}

for (const [count, list] of [
  [1, '; known are word1'],
  [12, `; known are ${Array.from({ length: 12 }, (_, at) => `word${at + 1}`).join(', ')}`],
  [13, ''],
] as const)
  test(`of ${count} words that could stand there ${list === '' ? 'none is' : 'all are'} told to who writes another`, () => {
    const names = Array.from({ length: count }, (_, at) => `word${at + 1}`)
    const rule = object<Record<string, string>>(Object.fromEntries(names.map(name => [name, text])))
    assert.equal(refusal(rule, 'a: b\n'), `c.yaml:1: unknown key "a" at the top${list}`)
  })
