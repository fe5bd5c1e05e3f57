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

test('what many claims speak of alike is held once, until nobody remembers anything', () => {
  const memory = new Memory()
  const spoken = (): readonly string[] => ['name', 'rules', 'rules.0.port']
  memory.note('a', { given: spoken() })
  memory.note('b', { given: spoken(), creations: 1 })
  memory.note('c', { given: ['name'] })
  assert.deepEqual([memory.of('a').given, memory.of('b').given, memory.of('c').given], [spoken(), spoken(), ['name']])
  assert.equal(memory.of('a').given, memory.of('b').given)
  memory.note('a', { given: undefined })
  assert.deepEqual(memory.of('a'), {})
})

test('claims that all speak of something else do not make the memory grow without an end', () => {
  const memory = new Memory()
  for (let claim = 0; claim < 3_000; claim++) memory.note('a', { given: [`field-${claim}`] })
  assert.deepEqual([memory.of('a').given, memory.size], [['field-2999'], 1])
  assert.ok(memory.lists <= 1_000, String(memory.lists))
})

test('a thousand different lists are held, and the next begins anew', () => {
  const memory = new Memory()
  const hold = (count: number): number => {
    for (let list = 0; list < count; list++) memory.note('a', { given: [`field-${list}`] })
    return memory.lists
  }
  assert.deepEqual([hold(1_000), hold(1_001)], [1_000, 1])
})

test('who says that a resource changed is counted', () => {
  const memory = new Memory()
  const counted = (): number | undefined => {
    memory.disturb('a')
    return memory.of('a').disturbances
  }
  assert.deepEqual([counted(), counted()], [1, 2])
})

test('of more claims than one process serves the one that was noted first is forgotten', () => {
  const memory = new Memory()
  for (let claim = 0; claim < 200_000; claim++) memory.note(String(claim), { creations: 1 })
  memory.note('0', { creations: 2 })
  assert.deepEqual([memory.size, memory.of('1').creations], [200_000, 1])
  memory.note('another', { creations: 1 })
  assert.deepEqual([memory.size, memory.of('0').creations, memory.of('1').creations], [200_000, 2, undefined])
})
