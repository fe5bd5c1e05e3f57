import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OwnCalls } from './own-calls.ts'

test('our own requests are known again, the latest 20,000 of them', () => {
  const calls = new OwnCalls(true)
  calls.note(undefined)
  for (let request = 0; request <= 20_000; request++) calls.note(`r-${request}`)
  assert.equal(calls.has('r-0'), false)
  assert.equal(calls.has('r-1'), true)
  assert.equal(calls.has('r-20000'), true)
})

test('where nobody follows events no request is kept', () => {
  const calls = new OwnCalls(false)
  calls.note('r')
  assert.equal(calls.has('r'), false)
})
