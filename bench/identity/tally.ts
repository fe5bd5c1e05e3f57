// What a process of an operator counts of its own work, and tells when it is asked.
import type { PassRecord } from '#runtime'
import { noTraffic, type Traffic } from './access.ts'
import { heapAfterCollection } from './heap.ts'

/** `start`: from now on. `memory`: after a full collection. */
export type TallyOrder = 'start' | 'counts' | 'memory'

export interface Counts {
  readonly passes: number
  /** Of them, without a write. */
  readonly idlePasses: number
  readonly writes: number
  readonly events: number
  /** Writes besides Events on the hub and on targets. */
  readonly onHub: number
  readonly onTarget: number
  readonly hub: Traffic
  readonly target: Traffic
  /** Passes that ended in trouble, by reason. */
  readonly troubles: Readonly<Record<string, number>>
  readonly rssMb: number
  readonly heapMb: number
}

export class Tally {
  readonly hub: Traffic = noTraffic()
  readonly target: Traffic = noTraffic()
  #passes = 0
  #idlePasses = 0
  #onHub = 0
  #onTarget = 0
  #troubles: Record<string, number> = {}

  take({ writes, trouble }: PassRecord): void {
    this.#passes++
    if (writes.length === 0) this.#idlePasses++
    for (const { type, cluster } of writes) {
      if (type.kind === 'Event') continue
      if (cluster === undefined) this.#onHub++
      else this.#onTarget++
    }
    if (trouble !== undefined) this.#troubles[trouble.reason] = (this.#troubles[trouble.reason] ?? 0) + 1
  }

  answer(order: TallyOrder): Counts {
    if (order === 'start') this.#reset()
    const events = this.hub.events + this.target.events
    // What is resident is what the machine sees; a collection that nobody asks for in earnest would make it less.
    const rssMb = process.memoryUsage().rss / 1_048_576
    const heap = order === 'memory' ? heapAfterCollection() : process.memoryUsage().heapUsed
    return {
      passes: this.#passes,
      idlePasses: this.#idlePasses,
      writes: this.#onHub + this.#onTarget + events,
      events,
      onHub: this.#onHub,
      onTarget: this.#onTarget,
      hub: { ...this.hub },
      target: { ...this.target },
      troubles: this.#troubles,
      rssMb,
      heapMb: heap / 1_048_576,
    }
  }

  #reset(): void {
    this.#passes = this.#idlePasses = this.#onHub = this.#onTarget = 0
    this.#troubles = {}
    for (const traffic of [this.hub, this.target]) Object.assign(traffic, noTraffic())
  }
}
