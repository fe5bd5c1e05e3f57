// Each rule of the linter that is off has its reason here: the configuration itself can hold none.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const reasons: Readonly<Record<string, string>> = {
  'typescript/no-unsafe-type-assertion': 'casts are counted per room instead, and only become fewer (casts.ts)',
  'typescript/no-unnecessary-type-assertion': 'with isolatedDeclarations an annotation by assertion is at times the shortest',
  'typescript/unbound-method': 'our classes use private fields and arrow functions; what it names are functions of plain objects',
  'typescript/no-unnecessary-type-arguments': 'a type that is said twice is documentation at the call',
  'unicorn/no-array-sort': 'sorting in place is meant where the list was just made; lists of others are readonly',
  'unicorn/no-array-reverse': 'as with sort',
  'unicorn/consistent-function-scoping': 'a helper stands beside its only use',
  'unicorn/prefer-add-event-listener': 'there is no browser here',
  'unicorn/require-post-message-target-origin': 'there is no browser here',
  'import/no-unassigned-import': 'the traps of the tests are imported for what they do',
  'no-underscore-dangle': 'a leading underscore marks what destructuring leaves out',
  'no-shadow': 'a short name may mean the nearer thing in a smaller scope',
  'no-await-in-loop': 'one after the other is usually meant; where it is not, a pool with a bound is used',
  'promise/always-return': 'it sees callbacks of our own as chains of promises',
  'promise/no-multiple-resolved': 'it does not follow a race that is settled once',
  'no-unmodified-loop-condition': 'conditions change in callbacks that it does not see',
}

test('a rule of the linter that is off has a reason', () => {
  const file = join(import.meta.dirname, '../../.oxlintrc.json')
  const { rules } = JSON.parse(readFileSync(file, 'utf8')) as { rules: Readonly<Record<string, unknown>> }
  const off = Object.keys(rules).filter(rule => rules[rule] === 'off')
  assert.deepEqual(off.toSorted(), Object.keys(reasons).toSorted())
})
