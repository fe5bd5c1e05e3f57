import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, silentLog } from '#base'
import { type CompanionContext, runCompanions } from './companion.ts'
import type { Reads } from './informer/reads.ts'

test('a companion has a claim looked at, as a fresh one unless it says otherwise, of a controller that there is', async () => {
  const added: unknown[] = []
  const controller = { definition: { name: 'roles' }, add: (...given: unknown[]) => void added.push(given) }
  const key = { namespace: 'a', name: 'b' }
  const answers: boolean[] = []
  const run = async ({ add }: CompanionContext): Promise<void> => {
    answers.push(add('roles', key), add('roles', key, 'drift'), add('others', key))
  }
  const context = { world: {} as Reads, clock: new ManualClock(), log: silentLog, controllers: [controller] }
  await runCompanions([{ name: 'hints', run }], context, new AbortController().signal)
  assert.deepEqual(answers, [true, true, false])
  assert.deepEqual(added, [
    [key, 'fresh'],
    [key, 'drift'],
  ])
})

test('companions work side by side, and all of them are waited for', async () => {
  const stop = new AbortController()
  const context = { world: {} as Reads, clock: new ManualClock(), log: silentLog, controllers: [] }
  const ended: string[] = []
  const companion = (name: string) => ({
    name,
    run: async (_context: CompanionContext, signal: AbortSignal): Promise<void> => {
      if (!signal.aborted) await new Promise(resolve => signal.addEventListener('abort', resolve))
      ended.push(name)
    },
  })
  let isOver = false
  const running = runCompanions([companion('a'), companion('b')], context, stop.signal).then(() => (isOver = true))
  await drain()
  assert.equal(isOver, false)
  stop.abort(new Error('enough'))
  await running
  assert.deepEqual(ended, ['a', 'b'])
})
