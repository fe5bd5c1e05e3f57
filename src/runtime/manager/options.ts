// What a manager is made of.
import type { Seams } from '#base'
import type { KubeClient } from '#kube/client'
import type { Companion } from '../companion.ts'
import type { AnyController } from '../controller/definition.ts'
import type { JudgedChange, MappingFailed, Take } from '../controller/options.ts'
import type { PassRecord } from '../controller/pass.ts'
import type { ElectionOptions } from '../election/election.ts'
import type { CacheMove } from '../informer/caches.ts'
import type { InformerLimits } from '../informer/limits.ts'
import type { Metrics } from '../metrics/registry.ts'
import type { Tracer } from '../trace.ts'

export interface ManagerOptions {
  readonly client: KubeClient
  readonly seams: Pick<Seams, 'clock' | 'random' | 'log'>
  readonly controllers: readonly AnyController[]
  readonly companions?: readonly Companion[]
  /** The process, unique: in events and as the holder of the lease. */
  readonly identity: string
  /** Among several managers of one process: in the metrics of its caches. */
  readonly name?: string
  /** Absent: this is the only process, by construction. The lease is kept by the manager's own client unless another is given. */
  readonly election?: Omit<
    ElectionOptions,
    'client' | 'clock' | 'random' | 'log' | 'identity' | 'isWanted' | 'holding' | 'onChange' | 'onFailed'
  > &
    Partial<Pick<ElectionOptions, 'client'>> & {
      /** Into how many parts replicas divide the work by namespaces, instead of one that leads over all of it. */
      readonly shards?: number
    }
  readonly metrics?: Metrics
  readonly informerLimits?: Partial<InformerLimits>
  readonly listing?: 'stream' | 'pages'
  readonly callTimeoutMs?: number
  /** Decides and reads, and changes nothing. */
  readonly pretend?: boolean
  readonly tracer?: Tracer
  readonly onTake?: (take: Take) => void
  readonly onPass?: (record: PassRecord) => void
  /** Each change of a claim: for metrics. */
  readonly onJudged?: (judged: JudgedChange) => void
  readonly onMappingFailed?: (failed: MappingFailed) => void
  /** Each change of a cache, of the hub or of a target: for tests and the simulator. */
  readonly onMove?: (move: CacheMove) => void
}
