// What one life of a simulated process is given.
import type { HttpExchange, Seams } from '#base'
import type { EmulatorCredentials } from '#emulator'
import type { Probe } from './effects.ts'

/** One life of one process. */
export interface ProcessContext {
  readonly name: string
  readonly epoch: number
  /** Which of the subject's versions it is; 0 unless another one was asked for (F26). */
  readonly version: number
  readonly seams: Seams
  /** The process's transport to a server of the world. */
  connect(server: string): HttpExchange
  /** Aborted for a graceful stop; a kill aborts nothing, it simply never answers again. */
  readonly signal: AbortSignal
  /** AWS, where the subject has it. */
  readonly cloud?: { readonly exchange: HttpExchange; readonly credentials: EmulatorCredentials }
  readonly probe: Probe
}
