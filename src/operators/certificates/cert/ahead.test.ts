// Times of a status that lie ahead of the clock: an hour that a clock jumped and went back again must not be waited for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cert } from '../api.ts'
import { agoMs, datedIn } from './decide/fields.ts'
import { mayComeToLight, unseenMs } from './decide/open-request.ts'
import { AheadMemory } from './memory.ts'

const nowMs = Date.parse('2026-01-01T00:00:00Z')
const [past, ahead] = ['2025-12-31T23:59:00Z', '2026-01-01T01:00:00Z']

function memoryAt(): { readonly memory: AheadMemory; pass(ms: number): void } {
  let monotonicMs = 1_000
  return {
    memory: new AheadMemory({ monotonicMs: () => monotonicMs }),
    pass: ms => {
      monotonicMs += ms
    },
  }
}

test('a time that has passed is as old as it says, and one that lies ahead as old as it is known', () => {
  const { memory, pass } = memoryAt()
  assert.deepEqual([...memory.knownMs('u', [past, ahead], nowMs)], [[ahead, 0]])
  pass(7_000)
  const aheadMs = memory.knownMs('u', [past, ahead], nowMs)
  assert.deepEqual([agoMs({ nowMs, aheadMs }, past), agoMs({ nowMs, aheadMs }, ahead)], [60_000, 7_000])
})

test('a time that cannot be read counts from when it was seen, like one that lies ahead', () => {
  const { memory, pass } = memoryAt()
  memory.knownMs('u', ['soon'], nowMs)
  pass(5_000)
  assert.equal(agoMs({ nowMs, aheadMs: memory.knownMs('u', ['soon'], nowMs) }, 'soon'), 5_000)
})

test('what lies ahead no longer, or stands in the status no longer, is forgotten', () => {
  const { memory, pass } = memoryAt()
  memory.knownMs('u', [ahead], nowMs)
  pass(9_000)
  assert.equal(memory.knownMs('u', [], nowMs).size, 0)
  assert.deepEqual([...memory.knownMs('u', [ahead], nowMs)], [[ahead, 0]])
  assert.equal(memory.knownMs('u', [ahead], Date.parse(ahead)).size, 0)
})

test('each object has times of its own', () => {
  const { memory, pass } = memoryAt()
  memory.knownMs('u', [ahead], nowMs)
  pass(3_000)
  assert.deepEqual([...memory.knownMs('v', [ahead], nowMs)], [[ahead, 0]])
  assert.deepEqual([...memory.knownMs('u', [ahead], nowMs)], [[ahead, 3_000]])
})

const asked = (requestedAt: string): Cert =>
  ({ spec: {}, status: { state: 'Validated', request: { requestedAt } } }) as unknown as Cert

for (const [knownMs, comes] of [
  [0, true],
  [unseenMs - 1, true],
  [unseenMs, false],
] as const)
  test(`what was asked for an hour ahead and is known for ${knownMs} ms ${comes ? 'may come to light' : 'comes no more'}`, () => {
    const claim = asked(ahead)
    assert.deepEqual(datedIn(claim), [ahead])
    const seen = { claim, nowMs, aheadMs: new Map([[ahead, knownMs]]), vainMs: Number.POSITIVE_INFINITY }
    assert.equal(mayComeToLight(seen), comes)
  })
