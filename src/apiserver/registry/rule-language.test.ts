import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languageErrors } from './rule-language.ts'

function specWith(...rules: readonly string[]): Parameters<typeof languageErrors>[0] {
  const spec = {
    type: 'object',
    properties: { v: { type: 'string' } },
    'x-kubernetes-validations': rules.map(rule => ({ rule })),
  }
  return { versions: [{ name: 'v1', schema: { openAPIV3Schema: { type: 'object', properties: { spec } } } }] }
}

const told = (rule: string, emulate: '1.32' | '1.33' | '1.34', old?: string): string[] =>
  languageErrors(specWith(rule), old === undefined ? undefined : specWith(old), emulate).map(
    error => `${error.field}: ${error.detail}`,
  )

test('a new rule may use what the server before the emulated one knows', () => {
  const semver = "semver('1.0.0') == semver(self.v)"
  assert.deepEqual(told(semver, '1.34'), [])
  assert.deepEqual(told(semver, '1.33'), [
    "spec.versions[0].schema.openAPIV3Schema.properties[spec].x-kubernetes-validations[0].rule: compilation failed: ERROR: <input>:1:7: undeclared reference to 'semver' (in container '')\n | semver('1.0.0') == semver(self.v)\n | ......^",
  ])
  const pairs = '[1].all(i, v, i < v)'
  assert.deepEqual([told(pairs, '1.32').length, told(pairs, '1.33').length], [1, 0])
  assert.deepEqual(told('[1].all(i, i < 2)', '1.32'), [])
})

test('a rule that is there already stays', () => {
  const semver = 'isSemver(self.v)'
  assert.deepEqual(told(semver, '1.32', semver), [])
  assert.equal(told(semver, '1.32', 'true').length, 1)
})
