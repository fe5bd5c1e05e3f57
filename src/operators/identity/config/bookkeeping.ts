// What the status of a Config copies from its children, and of its keys, for readers: worth a write of its own only when nothing else is
// about to be told, since ACK says more of a new child within a second or two, as a rule (M4, M5).
import { compareText, type Instant } from '#base'
import { type Condition, findCondition } from '#kube'
import { isEqualJson } from '#runtime'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { settlingMsMax } from '../role/settling.ts'

export interface Said {
  readonly conditions: readonly Condition[]
  readonly status: Readonly<Record<string, unknown>>
}

/** For how long it can be left at that; 0 when something else is to be told, or nothing. `madeAt`: of what is written down about. */
export function bookkeepingMs(
  config: WorkloadIdentityConfig,
  said: Said,
  madeAt: readonly (Instant | undefined)[],
  now: Instant,
): number {
  const youngest = Math.max(...madeAt.map(at => at ?? 0))
  const leftMs = youngest + settlingMsMax - now
  // Where our clock is far behind, the wait would have no end, so a wait that is too long counts as over.
  if (leftMs <= 0 || leftMs > 2 * settlingMsMax || !saysTheSame(config, said.conditions)) return 0
  const held: Readonly<Record<string, unknown>> = { ...config.status }
  const changed = Object.keys(said.status).filter(name => !isEqualJson(said.status[name], held[name]))
  const isBooks = (name: string): boolean =>
    name === 'ackResources' || (name === 'signingKeys' && isEqualJson(keysOf(held[name]), keysOf(said.status[name])))
  return changed.length > 0 && changed.every(isBooks) ? leftMs : 0
}

function saysTheSame({ metadata, status }: WorkloadIdentityConfig, conditions: readonly Condition[]): boolean {
  return conditions.every(({ type, status: is, reason, message }) => {
    const before = findCondition(status?.conditions, type)
    const isSame = before?.status === is && before.reason === reason && before.message === message
    return isSame && before.observedGeneration === metadata.generation
  })
}

/** A key that was drawn has arrived. One that comes on record, or goes off it, decides what may be published (S24): that is no bookkeeping. */
function keysOf(record: unknown): readonly string[] {
  if (typeof record !== 'object' || record === null) return []
  return Object.values(record).flat().map(String).toSorted(compareText)
}
