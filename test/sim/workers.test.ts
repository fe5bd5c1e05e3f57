import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Tally } from '#simulator'
import { type Search, searchInThreads } from './workers.ts'

const controller = 'configmap-mirror'

async function search(search: Partial<Search>, threads: number): Promise<Tally> {
  const whole: Search = { seeds: 0, only: 'random', ...search }
  return searchInThreads(controller, whole, { threads, onProgress: () => {} })
}

test('two threads run the schedules that one would, and each runs the clean one first', async () => {
  const [clean, alone, shared] = [await search({}, 1), await search({ seeds: 5 }, 1), await search({ seeds: 5 }, 2)]
  assert.equal(shared.randoms, 5)
  assert.equal(shared.schedules, 5 + 2 * clean.schedules)
  assert.equal(shared.steps - 2 * clean.steps, alone.steps - clean.steps)
  const checked = ({ invariants }: Tally): number => invariants.get('S1') ?? 0
  assert.equal(checked(shared) - 2 * checked(clean), checked(alone) - checked(clean))
})

test('single faults are shared out as well', async () => {
  assert.equal((await search({ only: 'crashes', singlesMax: 5 }, 2)).singles, 5)
})

test('a controller that does not exist is an error, and no empty search', async () => {
  await assert.rejects(searchInThreads('nobody', { seeds: 1 }, { threads: 2, onProgress: () => {} }), /no controller nobody/)
})
