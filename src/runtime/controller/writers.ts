// Who writes for a controller: each pass through a writer of its own, and events through one whose writes no claim waits for.
import { given } from '#base'
import type { Gate } from '../election/gate.ts'
import type { EngineMetrics } from '../metrics/engine.ts'
import { type WriteRecord, Writer, type WriterOptions } from '../plan/writer.ts'
import type { AnyController } from './definition.ts'
import type { Holds } from './holds.ts'

export interface WritersOptions extends Pick<WriterOptions, 'breakers'> {
  readonly definition: AnyController
  readonly holds: Holds
  readonly metrics: EngineMetrics
  readonly callTimeoutMs?: number
  readonly pretend?: boolean
}

/** What a writer of one pass needs of that pass; what it wrote is put down in `writes`. */
export interface PassWriterOptions extends Pick<WriterOptions, 'gate' | 'signal' | 'cutOff' | 'written'> {
  readonly writes: WriteRecord[]
}

export class Writers {
  readonly fieldManager: string
  readonly #options: WritersOptions

  constructor(options: WritersOptions) {
    this.#options = options
    this.fieldManager = options.definition.fieldManager ?? options.definition.name
  }

  /** A writer for the pass over a claim, which waits for what was written. */
  ofPass(waiter: string, { gate, signal, cutOff, writes, written }: PassWriterOptions): Writer {
    return new Writer({
      ...this.#shared(),
      gate,
      signal,
      ...given({ cutOff }),
      written,
      waiter,
      onWrite: write => {
        writes.push(write)
        this.#count(write)
      },
      expect: (follower, written) => this.#options.holds.expect(waiter, follower, written),
    })
  }

  /** A writer of events: no claim waits for what it writes. */
  ofEvents(signal: AbortSignal, gate: Gate): Writer {
    const onWrite = (write: WriteRecord): void => this.#count(write)
    return new Writer({ ...this.#shared(), gate, signal, written: new Map(), onWrite, expect: () => {} })
  }

  #shared(): Pick<WriterOptions, 'fieldManager' | 'breakers' | 'callTimeoutMs' | 'pretend'> {
    const { breakers, callTimeoutMs = 10_000, pretend = false } = this.#options
    return { fieldManager: this.fieldManager, breakers, callTimeoutMs, pretend }
  }

  #count({ verb, type, result }: WriteRecord): void {
    const { definition, metrics } = this.#options
    metrics.writes.add({ controller: definition.name, verb, resource: type.plural, result })
  }
}
