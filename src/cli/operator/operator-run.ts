// What a process of operators is started with, and what it is made of.
import type { Seams } from '#base'
import type { Manager, Metrics, RunningOperator, Tracer } from '#runtime'
import type { OperatorSettings } from './flags.ts'

/** The port of each listener, where it is open. */
export type ListeningAt = Readonly<Record<'health' | 'metrics' | 'webhook', number | undefined>>

/** What a process is started with. */
export interface OperatorRun {
  readonly settings: OperatorSettings
  readonly seams: Seams
  readonly version: string
  /** Made here when absent. */
  readonly metrics?: Metrics
  readonly tracer?: Tracer
  /** All operators are put together, and nobody is served yet. */
  readonly onStarted?: () => void
  /** Where each listener ended up, once all are open. */
  readonly onListening?: (at: ListeningAt) => void
}

/** An operator at work. */
export interface Part {
  readonly name: string
  readonly running: RunningOperator
  readonly manager: Manager
}
