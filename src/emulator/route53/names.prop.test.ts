import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isWithin, labelsOf, parseDnsName, reversedLabels } from './names.ts'

test('the stored form of a name is its own stored form, and upper case and the last dot do not matter', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 80 }), text => {
      const parsed = parseDnsName(text)
      if (!parsed.ok) return
      assert.match(parsed.name, /^(?:(?:[a-z0-9_-]|\\[0-3][0-7][0-7])+\.)+$/)
      assert.deepEqual(parseDnsName(parsed.name), parsed)
      assert.deepEqual(labelsOf(parsed.name), parsed.labels)
      if (/^[\x21-\x7e]*$/.test(text) && !text.includes('\\')) {
        assert.deepEqual(parseDnsName(text.toUpperCase()), parsed)
        assert.deepEqual(parseDnsName(text.endsWith('.') ? text : `${text}.`), parsed)
      }
    }),
  )
})

test('names sort under their parents, and a name lies within each of its parents', () => {
  const label = fc.stringMatching(/^[a-z]{1,3}$/)
  fc.assert(
    fc.property(fc.array(label, { minLength: 1, maxLength: 4 }), label, (labels, child) => {
      const parent = `${labels.join('.')}.`
      const below = `${child}.${parent}`
      assert.ok(isWithin(below, parent) && !isWithin(parent, below))
      assert.ok(reversedLabels(below) > reversedLabels(parent))
      assert.ok(!isWithin(`x${parent}`, parent) || labels.length > 1)
    }),
  )
})

test('labels over 63 bytes, names over 255, empty labels and broken escapes are told apart', () => {
  const problem = (text: string): string | undefined => {
    const parsed = parseDnsName(text)
    return parsed.ok ? undefined : parsed.problem
  }
  assert.equal(problem('a'.repeat(63)), undefined)
  assert.equal(problem('a'.repeat(64)), 'DomainLabelTooLong')
  assert.equal(problem(`${'\\303\\251'.repeat(31)}.com`), undefined)
  assert.equal(problem(`${'\\303\\251'.repeat(32)}.com`), 'DomainLabelTooLong')
  assert.equal(problem('é.com'), 'UnsupportedCharacter')
  assert.equal(problem('a.'.repeat(127)), undefined)
  assert.equal(problem('a.'.repeat(128)), 'DomainNameTooLong')
  assert.equal(problem('a..b'), 'DomainLabelEmpty')
  assert.equal(problem('.'), 'DomainLabelEmpty')
  assert.equal(problem('a\\9.com'), 'DomainNameInvalidEscape')
})
