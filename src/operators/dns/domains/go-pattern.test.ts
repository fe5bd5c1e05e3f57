// Where Go and the engine that runs here differ: names of groups and of classes, and repeats of repeats.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { goPatternProblem } from './go-pattern.ts'
import { nestedRepeat } from './nested-repeat.ts'

for (const [pattern, refused] of [
  ['a{1000}', undefined],
  ['(a{10}){100}', undefined],
  ['((a{7}){11}){13}', '{13}'],
  ['((a){600}){2}', '{2}'],
  ['a{600}b{600}', undefined],
  ['(a{600})b{2}', undefined],
  ['(a{500}b){2}', undefined],
  ['(a{500}b){3}', '{3}'],
  ['(a{500}(b)){3}', '{3}'],
  ['((b)a{500}){3}', '{3}'],
  ['(a{1,500}){3}', '{3}'],
  ['(a{500,}){3}', '{3}'],
  ['(a{0}){1000}', undefined],
  ['[a{9}]{1000}', undefined],
  ['(\\({2}){500}', undefined],
] as const)
  test(`of repeats in ${pattern} Go ${refused === undefined ? 'takes all' : `refuses ${refused}`}: an element comes a thousand times at most`, () =>
    assert.equal(nestedRepeat(pattern), refused))

test('a name that groups share is no fault, however many they are, and what is wrong beside it is told without a trace of that', () => {
  const groups = (...names: readonly string[]): string => names.map(name => `(?P<${name}>x)`).join('')
  for (const names of [
    ['a', 'a'],
    ['a', 'a', 'a'],
    ['a', 'b', 'a', 'b'],
  ])
    assert.equal(goPatternProblem(groups(...names)), undefined)
  assert.equal(
    goPatternProblem(`${groups('a', 'a')}\\p{Klingon}`),
    'error parsing regexp: invalid character class range: `\\p{Klingon}`',
  )
})
