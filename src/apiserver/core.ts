// What every part of the server may use of the rest.
import type { Clock, Log, Random } from '#base'
import type { Admission } from './admission/admission.ts'
import type { EmulatedVersion } from './api-server.ts'
import type { PodLogs } from './controllers/pod-logs.ts'
import type { Converter } from './conversion/converter.ts'
import type { Draft } from './draft.ts'
import type { FaultPlan } from './faults/fault-plan.ts'
import type { Reply, ResourceCall } from './http/call.ts'
import type { DataFolder } from './journal/journal.ts'
import type { Maybe } from './maybe.ts'
import type { Registry } from './registry/registry.ts'
import type { ServedKind } from './registry/resource.ts'
import type { Scheduler } from './scheduler.ts'
import type { Store } from './store/store.ts'
import type { ServiceAccountIssuer } from './tokens/issuer.ts'
import type { Watches } from './watch/watches.ts'

export interface Core {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly emulate: EmulatedVersion
  readonly store: Store
  readonly registry: Registry
  readonly admission: Admission
  readonly converter: Converter
  readonly watches: Watches
  readonly scheduler: Scheduler
  /** Where the state is kept, when it is. */
  readonly data: DataFolder | undefined
  snapshot(): string
  readonly issuer: ServiceAccountIssuer
  readonly logs: PodLogs
  readonly faults: FaultPlan
  /** Definitions whose objects have to go; looked after until they are gone. */
  readonly definitionRemovals: { add(name: string): void; stop(): void }
  strategicMerge(live: Readonly<Draft>, patch: Record<string, unknown>, kind: ServedKind): Draft
  /** Reviews and bindings: answered, not stored. */
  review(call: ResourceCall): Maybe<Reply>
  /** Waits until the store has reached the revision; refuses after a few seconds. Undefined: it has. */
  waitForRevision(revision: number): Promise<void> | undefined
  /** Throws Forbidden unless the caller may also do this verb on what the call addresses. */
  allow(call: ResourceCall, verb: string): void
  decodeProtobuf(bytes: Uint8Array): Record<string, unknown>
}

/** RFC 3339 in whole seconds, as metadata carries it. */
export function timestamp(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}Z`
}
