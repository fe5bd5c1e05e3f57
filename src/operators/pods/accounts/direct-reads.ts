// Reads of one object from the API server itself, past the cache: one in flight per key, shared by all who wait for it (§2.10.1).
// A negative answer counts only for those who asked before the read was sent: the object may have been made in between, and its pod would
// be let in without identity (S20). The others share the next read.
import { type ObjectKey, type ResourceType, renderKey, type StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import type { ReadTurns } from './read-budget.ts'

export type DirectAnswer =
  | { readonly kind: 'found'; readonly object: StoredObject }
  | { readonly kind: 'absent' }
  /** `again`: the same read may work a moment later. */
  | { readonly kind: 'failed'; readonly message: string; readonly again: boolean }
  /** No place in the queue, or nobody waits any more. */
  | { readonly kind: 'not-asked' }

export interface DirectRead {
  readonly key: ObjectKey
  readonly budget: ReadTurns
  readonly signal: AbortSignal
  /** Whether an answer to an earlier asker will do as well. */
  readonly isEnough: (answer: DirectAnswer) => boolean
}

/** Longer than this, and the reply would come after the pod's (§2.10.1). */
const readTimeoutMs = 1_000

export class DirectReads {
  readonly #client: Pick<KubeClient, 'find'>
  readonly #type: ResourceType
  readonly #flights = new Map<string, Flight>()
  reads = 0

  constructor(client: Pick<KubeClient, 'find'>, type: ResourceType) {
    this.#client = client
    this.#type = type
  }

  get inFlight(): number {
    return this.#flights.size
  }

  async ask(ask: DirectRead): Promise<DirectAnswer> {
    const id = renderKey(ask.key)
    for (let isLate = true; ; ) {
      if (ask.signal.aborted) return { kind: 'not-asked' }
      let flight = this.#flights.get(id)
      // One that still waits for its turn will be sent after this moment.
      if (flight === undefined || flight.isOver || !flight.isSent) isLate = false
      if (flight?.isOver === true) flight = undefined
      flight ??= this.#launch(id, ask)
      const answer = await flight.join(ask.signal)
      if (!isLate || ask.isEnough(answer)) return answer
    }
  }

  #launch(id: string, { key, budget }: DirectRead): Flight {
    const flight = new Flight(async (signal, sent) => {
      if (!(await budget.enter(signal))) return { kind: 'not-asked' }
      sent()
      this.reads++
      return this.#read(key, signal)
    })
    this.#flights.set(id, flight)
    void flight.answer.then(() => {
      if (this.#flights.get(id) === flight) this.#flights.delete(id)
    })
    return flight
  }

  async #read(key: ObjectKey, signal: AbortSignal): Promise<DirectAnswer> {
    try {
      const object = await this.#client.find(this.#type, key, { signal, timeoutMs: readTimeoutMs })
      return object === undefined ? { kind: 'absent' } : { kind: 'found', object }
    } catch (error) {
      const again = error instanceof KubeError && weather.has(error.code)
      return { kind: 'failed', message: error instanceof Error ? error.message : String(error), again }
    }
  }
}

const weather: ReadonlySet<string> = new Set(['throttled', 'unreachable', 'unknown-outcome', 'malformed'])

class Flight {
  readonly answer: Promise<DirectAnswer>
  isSent = false
  /** Everybody has left it; whoever comes now starts another. */
  isOver = false
  readonly #abort = new AbortController()
  #joined = 0

  constructor(run: (signal: AbortSignal, sent: () => void) => Promise<DirectAnswer>) {
    this.answer = run(this.#abort.signal, () => {
      this.isSent = true
    })
  }

  /** The answer, or nothing when the signal aborts first. The last to leave ends the flight. */
  join(signal: AbortSignal): Promise<DirectAnswer> {
    this.#joined++
    return new Promise(resolve => {
      const leave = (answer: DirectAnswer): void => {
        signal.removeEventListener('abort', onAbort)
        if (--this.#joined === 0) {
          this.isOver = true
          this.#abort.abort(new Error('nobody waits for the answer any more'))
        }
        resolve(answer)
      }
      const onAbort = (): void => leave({ kind: 'not-asked' })
      if (signal.aborted) return onAbort()
      signal.addEventListener('abort', onAbort, { once: true })
      void this.answer.then(answer => {
        if (!signal.aborted) leave(answer)
      })
    })
  }
}
