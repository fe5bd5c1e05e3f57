import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ManualClock } from '#base'
import { type Lane, lanes } from './lane.ts'
import { type Taken, WorkQueue } from './work-queue.ts'

type Step =
  | { readonly kind: 'add'; readonly key: string; readonly lane: Lane; readonly afterMs: number }
  | { readonly kind: 'take' }
  | { readonly kind: 'done'; readonly which: number }
  | { readonly kind: 'wait'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    kind: fc.constant('add' as const),
    key: fc.constantFrom('a/1', 'a/2', 'b/1', 'c/1'),
    lane: fc.constantFrom(...lanes),
    afterMs: fc.constantFrom(0, 0, 10, 1_000),
  }),
  fc.record({ kind: fc.constant('take' as const) }),
  fc.record({ kind: fc.constant('done' as const), which: fc.nat(3) }),
  fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(1, 10, 1_000) }),
)

test('whatever is added is worked on afterwards, by one worker at a time, and nothing is left', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async steps => {
      const clock = new ManualClock()
      const queue = new WorkQueue<string>({ clock, render: key => key, groupOf: key => key.slice(0, 1), driftActiveMax: 2 })
      const active: Taken<string>[] = []
      /** Keys with an addition that no later take has answered. */
      const owed = new Set<string>()
      const receive = (taken: Taken<string> | undefined): void => {
        assert.ok(taken !== undefined)
        assert.ok(!active.some(one => one.id === taken.id), 'two workers have one key')
        owed.delete(taken.id)
        active.push(taken)
      }
      for (const one of steps) {
        if (one.kind === 'add') {
          queue.add(one.key, one.lane, one.afterMs)
          owed.add(one.key)
        } else if (one.kind === 'take' && queue.depth('fresh') + queue.depth('retry') > 0) receive(await queue.take())
        else if (one.kind === 'done') {
          const taken = active.splice(one.which, 1)[0]
          if (taken !== undefined) queue.done(taken)
        } else if (one.kind === 'wait') await clock.advance(one.ms)
      }
      for (const taken of active.splice(0)) queue.done(taken)
      await clock.advance(2_000)
      while (queue.depth() > 0) {
        receive(await queue.take())
        for (const taken of active.splice(0)) queue.done(taken)
      }
      assert.deepEqual([...owed], [])
      assert.equal(queue.size, 0)
      assert.equal(clock.pendingCount(), 0)
    }),
    { numRuns: 200 },
  )
})
