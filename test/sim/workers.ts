// One exploration by several threads: each takes every so manieth schedule, and what they found is added up. A schedule does not depend on
// which others ran before it, so it is the same exploration as by one.
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { given } from '#base'
import { addTallies, type ExploreOptions, explore, type Failure, type Tally } from '#simulator'
import { subjects } from './subjects.ts'

/** All of it can be sent to a thread. */
export type Search = Omit<ExploreOptions, 'elapsedMs' | 'onProgress' | 'onFailure' | 'share'>

interface Task {
  readonly controller: string
  readonly search: Search
  readonly share: NonNullable<ExploreOptions['share']>
}

type Message =
  | { readonly kind: 'progress' | 'whole'; readonly tally: Tally }
  | { readonly kind: 'failure'; readonly failure: Failure }

export interface SearchWatch {
  readonly onProgress?: (so: Tally) => void
  /** Called while the search goes on, with each failure once. */
  readonly onFailure?: (failure: Failure) => void
}

/** Objects of a simulated world live for a few steps: most of them are gone before a nursery of this size is full. */
const resourceLimits = { maxYoungGenerationSizeMb: 192 }

export async function searchInThreads(
  controller: string,
  search: Search,
  { threads, onProgress, onFailure }: SearchWatch & { readonly threads: number },
): Promise<Tally> {
  const { schedulesMin } = search
  const part = schedulesMin === undefined ? search : { ...search, schedulesMin: Math.ceil(schedulesMin / threads) }
  const soFar: Tally[] = []
  const all = Array.from({ length: threads }, (_, index) =>
    inThread(
      { controller, search: part, share: { index, of: threads } },
      {
        onProgress: tally => {
          soFar[index] = tally
          onProgress?.(addTallies(soFar.filter(each => each !== undefined)))
        },
        ...given({ onFailure }),
      },
    ),
  )
  return addTallies(await Promise.all(all))
}

async function inThread(task: Task, { onProgress, onFailure }: SearchWatch): Promise<Tally> {
  const worker = new Worker(new URL(import.meta.url), { workerData: task, resourceLimits })
  const whole = await new Promise<Tally>((resolve, reject) => {
    worker.on('error', reject)
    worker.on('exit', code => reject(new Error(`a thread ended with ${code} before its time`)))
    worker.on('message', (message: Message) => {
      if (message.kind === 'failure') onFailure?.(message.failure)
      else if (message.kind === 'whole') resolve(message.tally)
      else onProgress?.(message.tally)
    })
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
  const tell = (message: Message): void => parentPort?.postMessage(message)
  const whole = await explore(subject, {
    ...search,
    share,
    elapsedMs: () => performance.now() - started,
    onProgress: tally => tell({ kind: 'progress', tally }),
    onFailure: failure => tell({ kind: 'failure', failure }),
  })
  tell({ kind: 'whole', tally: whole })
}

if (!isMainThread) await carryOut(workerData as Task)
