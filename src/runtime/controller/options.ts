// What a controller is put together from, and what it tells those who watch it at work.
import type { Clock, Log, Random } from '#base'
import type { ClaimKey } from '../claim-key.ts'
import type { Terms } from '../election/terms.ts'
import type { Reads } from '../informer/reads.ts'
import type { EngineMetrics } from '../metrics/engine.ts'
import type { Target } from '../plan/target.ts'
import type { Lane } from '../queue/lane.ts'
import type { Tracer } from '../trace.ts'
import type { AnyController, Watch } from './definition.ts'
import type { PassRecord } from './pass.ts'

export interface ControllerOptions {
  readonly definition: AnyController
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly world: Reads
  /** The caches that mappings from changes to claims read. */
  readonly mappingWorld: Reads
  readonly terms: Terms
  readonly metrics: EngineMetrics
  /** The name of the process in events. */
  readonly instance: string
  readonly callTimeoutMs?: number
  readonly pretend?: boolean
  target(cluster: string | undefined): Target | undefined
  readonly tracer?: Tracer
  /** Before each pass: for tests and the simulator. */
  readonly onTake?: (take: Take) => void
  /** After each pass: for tests and the simulator. */
  readonly onPass?: (record: PassRecord) => void
  readonly onJudged?: (judged: JudgedChange) => void
  readonly onMappingFailed?: (failed: MappingFailed) => void
}

/** A change of a claim, and whether it was worth a pass. */
export interface JudgedChange {
  readonly controller: string
  readonly isKept: boolean
}

/** A change of a watched object whose claims could not be told; it is tried again. */
export interface MappingFailed {
  readonly controller: string
  readonly watch: Watch
}

/** A key that a worker begins with, and how long it waited while there were workers. */
export interface Take {
  readonly controller: string
  readonly key: ClaimKey
  readonly lane: Lane
  readonly waitedMs: number
}
