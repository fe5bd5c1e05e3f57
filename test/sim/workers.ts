// One exploration by several threads: each takes every so manieth schedule, and what they found is added up. A schedule does not depend on
// which others ran before it, so it is the same exploration as by one.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { addTallies, type ExploreOptions, explore, type Tally } from '#simulator'
import { subjects } from './subjects.ts'

/** All of it can be sent to a thread. */
export type Search = Omit<ExploreOptions, 'elapsedMs' | 'onProgress' | 'share'>

interface Task {
  readonly controller: string
  readonly search: Search
  readonly share: NonNullable<ExploreOptions['share']>
}

interface Message {
  readonly tally: Tally
  readonly isWhole: boolean
}

/** Objects of a simulated world live for a few steps: most of them are gone before a nursery of this size is full. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 }

export async function searchInThreads(
  controller: string,
  search: Search,
  { threads, onProgress }: { readonly threads: number; readonly onProgress: (so: Tally) => void },
): Promise<Tally> {
  const { schedulesMin } = search
  const part = schedulesMin === undefined ? search : { ...search, schedulesMin: Math.ceil(schedulesMin / threads) }
  const soFar: Tally[] = []
  const all = Array.from({ length: threads }, (_, index) =>
    inThread({ controller, search: part, share: { index, of: threads } }, tally => {
      soFar[index] = tally
      onProgress(addTallies(soFar.filter(each => each !== undefined)))
    }),
  )
  return addTallies(await Promise.all(all))
}

async function inThread(task: Task, onProgress: (so: Tally) => void): Promise<Tally> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task, resourceLimits })
  const whole = await new Promise<Tally>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', code => reject(new Error(`a thread ended with ${code} before its time`)))
    worker.on('message', ({ tally, isWhole }: Message) => (isWhole ? resolve(tally) : onProgress(tally)))
  })
  await worker.terminate()
  return whole
}

async function carryOut({ controller, search, share }: Task): Promise<void> {
  const subject = subjects[controller]
  if (subject === undefined) throw new Error(`no controller ${controller} to simulate`)
  // Errors are made all the time here, and where one was made is asked of a schedule that is run again.
  Error.stackTraceLimit = 0
  const started = performance.now()
  const tell = (tally: Tally, isWhole: boolean): void => parentPort?.postMessage({ tally, isWhole } satisfies Message)
  const elapsedMs = (): number => performance.now() - started
  tell(await explore(subject, { ...search, share, elapsedMs, onProgress: so => tell(so, false) }), true)
}

if (!isMainThread) await carryOut(workerData as Task)
