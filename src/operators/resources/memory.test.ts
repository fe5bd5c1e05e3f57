import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Memory } from './memory.ts'

test('a note leaves the other notes of a claim alone; what is noted as undefined is forgotten, and a claim without notes takes no room', () => {
  const memory = new Memory()
  memory.note('a', { createdMs: 1, creations: 2 })
  memory.note('a', { inStepWith: 3 })
  memory.note('b', { creations: 1 })
  assert.deepEqual(memory.of('a'), { createdMs: 1, creations: 2, inStepWith: 3 })
  memory.note('a', { createdMs: undefined, inStepWith: undefined })
  assert.deepEqual(memory.of('a'), { creations: 2 })
  memory.note('a', { creations: undefined })
  assert.deepEqual([memory.of('a'), memory.size], [{}, 1])
  memory.forget('b')
  assert.equal(memory.size, 0)
})
