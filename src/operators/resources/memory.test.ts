import assert from 'node:assert/strict'
import { test } from 'node:test'
import { forgetsEachTerm, Memory } from './memory.ts'

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

test('different lists are held until there are a thousand of them', () => {
  const memory = new Memory()
  const sizes: number[] = []
  for (let claim = 1; claim <= 1_001; claim++) {
    memory.note('a', { given: [`field-${claim}`] })
    if (claim >= 1_000) sizes.push(memory.lists)
  }
  assert.deepEqual(sizes, [1_000, 1])
})

test('each word that a resource changed is counted', () => {
  const memory = new Memory()
  memory.disturb('a')
  assert.equal(memory.of('a').disturbances, 1)
  memory.disturb('a')
  assert.equal(memory.of('a').disturbances, 2)
})

test('of more than two hundred thousand claims the one that was noted first is forgotten', () => {
  const memory = new Memory()
  for (let claim = 0; claim < 200_000; claim++) memory.note(String(claim), { creations: 1 })
  memory.note('0', { creations: 2 })
  assert.equal(memory.size, 200_000)
  memory.note('new', { creations: 1 })
  assert.deepEqual(
    [memory.size, memory.of('0'), memory.of('1'), memory.of('2')],
    [200_000, { creations: 2 }, {}, { creations: 1 }],
  )
})

test('a new term of leadership begins with nothing', async () => {
  const memories = [new Memory(), new Memory()]
  for (const memory of memories) memory.note('a', { given: ['x'] })
  await forgetsEachTerm(() => memories).run({} as never, new AbortController().signal)
  assert.deepEqual(
    memories.map(({ size, lists }) => [size, lists]),
    [
      [0, 0],
      [0, 0],
    ],
  )
})
