import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commaList, commaPairs } from './comma-list.ts'

test('a list in one line is trimmed, and blanks do not count', () => {
  assert.deepEqual(commaList(' a, b ,,c,'), ['a', 'b', 'c'])
  assert.deepEqual(commaList(' '), [])
})

test('pairs are percent-encoded, and what is none is told in the words of the caller', () => {
  const wrong = (pair: string, why: string) => new Error(`${pair} ${why}`)
  assert.deepEqual(commaPairs('a=1, b = x%3Dy=z,', wrong), [
    ['a', '1'],
    ['b', 'x=y=z'],
  ])
  assert.throws(() => commaPairs('a', wrong), /^Error: a is no key=value$/)
  assert.throws(() => commaPairs('=1', wrong), /is no key=value/)
  assert.throws(() => commaPairs('a=%', wrong), /^Error: a=% is not percent-encoded as it should be$/)
})
