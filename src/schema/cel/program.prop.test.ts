import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { compile, compileUnchecked } from './program.ts'
import { dynType, stringType } from './types.ts'
import { BudgetExceeded, EvalError } from './values.ts'

const pieces =
  'self . ? [ ] { } ( ) , : && || ! == != < > + - * / % in 1 2u 3.5 "a" b"x" true null has( .all(x, .map(x, .size() .matches( "(" x size( int( string('.split(
    ' ',
  )

test('any text gives a program or a refusal, and any program a value or an error of its own, within its budget', () => {
  const text = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(fc.constantFrom(...pieces), { maxLength: 14 }).map(parts => parts.join(' ')),
  )
  fc.assert(
    fc.property(text, source => {
      const variables = new Map([
        ['self', stringType],
        ['x', dynType],
      ])
      const checked = compile(source, variables)
      if (checked.kind === 'refused') assert.match(checked.message, /^ERROR: <input>:\d+:\d+: /)
      const unchecked = compileUnchecked(source, ['self', 'x'])
      if (unchecked.kind === 'refused') return
      try {
        unchecked.program.run(['abc', 1n], { cost: 0, costMax: 10_000 })
      } catch (error) {
        assert.ok(error instanceof EvalError || error instanceof BudgetExceeded, String(error))
      }
    }),
    { numRuns: 1_500 },
  )
})

test('brackets without end are refused and do not exhaust the stack', () => {
  for (const bracket of ['(', '[', '-(', '!(', 'has(', '{1:', '1?', 'a.b(']) {
    assert.equal(compile(bracket.repeat(20_000 / bracket.length), new Map()).kind, 'refused')
  }
  assert.equal(compile(`${'1+'.repeat(30_000)}1`, new Map()).kind, 'refused')
})
