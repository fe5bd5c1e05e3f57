import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Failure, Tally } from '#simulator'
import { renderFound } from './mutants/tally.ts'
import { type Search, searchInThreads } from './workers.ts'

const controller = 'configmap-mirror'

async function search(search: Partial<Search>, threads: number): Promise<Tally> {
  const whole: Search = { seeds: 0, only: 'random', ...search }
  return searchInThreads(controller, whole, { threads })
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

test('a failure is told as soon as a thread has it, with its seed, and once', async () => {
  const found: Failure[] = []
  // Nobody does the work, so nothing comes to its end.
  const broken: Search = { seeds: 2, only: 'random', replicas: 0, failuresMax: 100 }
  let isOver = false
  const { failures } = await searchInThreads(controller, broken, {
    threads: 1,
    onFailure: failure => found.push(isOver ? assert.fail('it is told late') : failure),
  })
  isOver = true
  assert.deepEqual(found, failures)
  const lines = found.map(renderFound)
  assert.match(lines[0] ?? '', /^found in the clean run with \[\]: L1: .* without faults$/)
  assert.deepEqual(
    lines.slice(-2).map(line => line.split(':')[0]),
    ['found in seed-1', 'found in seed-2'],
  )
})

test('a controller that does not exist is an error, and no empty search', async () => {
  await assert.rejects(searchInThreads('nobody', { seeds: 1 }, { threads: 2 }), /no controller nobody/)
})
