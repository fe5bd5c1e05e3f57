// The work queue alone, in this process: operations a second, and how long one new key waits behind 100,000 resyncs.
import { systemClock } from '#base'
import { WorkQueue } from '#runtime'

export interface QueueFigures {
  readonly operationsPerSecond: number
  readonly newKeyMs: number
}

const backlog = 100_000
const workers = 10

export async function measureQueue(): Promise<QueueFigures> {
  const options = { clock: systemClock, render: (key: string) => key, groupOf: (key: string) => key.slice(0, 4) }
  const queue = new WorkQueue<string>(options)
  const keys = Array.from({ length: backlog }, (_, index) => `n-${index % 90}/${index}`)
  const from = performance.now()
  for (const key of keys) queue.add(key)
  for (let index = 0; index < backlog; index++) {
    const taken = await queue.take()
    if (taken !== undefined) queue.done(taken)
  }
  // Each key: an add, a take, a done.
  const operationsPerSecond = (backlog * 3) / ((performance.now() - from) / 1_000)
  queue.close()
  return { operationsPerSecond, newKeyMs: await measureNewKey(keys, options) }
}

/** Ten workers, each busy a millisecond per key, with the backlog in the drift lane. */
async function measureNewKey(
  keys: readonly string[],
  options: ConstructorParameters<typeof WorkQueue<string>>[0],
): Promise<number> {
  const queue = new WorkQueue<string>({ ...options, driftActiveMax: workers - 1 })
  for (const key of keys) queue.add(key, 'drift')
  let addedMs = 0
  const waited = new Promise<number>(resolve => {
    const work = async (): Promise<void> => {
      for (;;) {
        const taken = await queue.take()
        if (taken === undefined) return
        if (taken.key === 'new/1') resolve(performance.now() - addedMs)
        await systemClock.sleep(1)
        queue.done(taken)
      }
    }
    for (let worker = 0; worker < workers; worker++) void work()
  })
  await systemClock.sleep(100)
  addedMs = performance.now()
  queue.add('new/1', 'fresh')
  const ms = await waited
  queue.close()
  return ms
}
