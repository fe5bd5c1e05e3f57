import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { RE2JS } from 're2js'
import { compilePattern, patternsBytes } from './pattern.ts'
import { patternSize } from './size.ts'

test('a pattern of few characters that would become a large program is refused and not compiled', () => {
  assert.equal(compilePattern('x{1000}'.repeat(1_000)).problem, 'error parsing regexp: expression too large')
  assert.equal(compilePattern('(a{30}){30}'.repeat(30)).problem, 'error parsing regexp: expression too large')
  assert.equal(compilePattern('x{1000}'.repeat(3)).problem, undefined)
})

test('what compiled patterns hold is bounded, however many there are', () => {
  for (let i = 0; i < 200; i++) assert.equal(compilePattern(`^[a-z]{1,900}$|^${i}$`).match(String(i)), 'yes')
  assert.ok(patternsBytes() <= 16_000_000, `${patternsBytes()} bytes`)
  assert.equal(compilePattern('^[a-z]{1,900}$|^0$').match('0'), 'yes')
})

test('a text that a pattern would take long for is not looked at', () => {
  assert.equal(compilePattern('\\p{L}{1,1000}\\d').match('é'.repeat(100_000)), 'too-dear')
  assert.equal(compilePattern('^[A-Za-z0-9+/=]*$').match('a'.repeat(1_000_000)), 'yes')
})

test('an engine that has met many states is made anew and answers the same', () => {
  const pattern = compilePattern('^(?:ab|cd)*x[ab]{18}$')
  for (let i = 0; i < 2_000; i++) assert.equal(pattern.match(`${'ab'.repeat(i % 50)}x${'ab'.repeat(9)}`), 'yes')
})

const atoms = [
  'a',
  '[a-z]',
  '[^\\]x]',
  '\\d',
  '.',
  '\\p{Greek}',
  '\\x{1F600}',
  '^',
  '\\b',
  '\\Q{9}(\\E',
  '[[:alpha:]]',
  '(?i)b',
  '[]a]',
]
const atom = fc.constantFrom(...atoms)
const repeat = fc.constantFrom('', '*', '+?', '{3}', '{0,7}', '{2,}', '{12}', '?')
const { pattern } = fc.letrec<{ pattern: string }>(tie => ({
  pattern: fc.oneof(
    { maxDepth: 4 },
    atom,
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => a + b),
    fc.tuple(tie('pattern'), tie('pattern')).map(([a, b]) => `${a}|${b}`),
    fc.tuple(tie('pattern'), repeat).map(([a, times]) => `(${a})${times}`),
    fc.tuple(tie('pattern'), repeat).map(([a, times]) => `(?:${a})${times}`),
    fc.tuple(atom, repeat).map(([a, times]) => a + times),
  ),
}))

test('the size of a pattern is told before it is compiled, and hardly ever too small', () => {
  fc.assert(
    fc.property(pattern, text => {
      const program = compiledSize(text)
      assert.ok(program === undefined || patternSize(text) >= program / 2, `${patternSize(text)} for ${program}`)
    }),
  )
})

function compiledSize(text: string): number | undefined {
  try {
    return RE2JS.compile(text).programSize()
  } catch {
    return undefined
  }
}
