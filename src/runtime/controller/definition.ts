// What an operator writes: which claims, what else to watch, how to decide. Everything else is the engine's.
import type { Instant } from '#base'
import type { Condition, ObjectKey, Occurrence, ResourceType, StoredObject } from '#kube'
import type { ClaimKey } from '../claim-key.ts'
import type { Change } from '../informer/change.ts'
import type { Reads } from '../informer/reads.ts'
import type { Source } from '../informer/source.ts'
import type { OwnAction, Plan } from '../plan/plan.ts'
import type { Report, ReportInput } from '../plan/report.ts'
import type { Act } from '../plan/run.ts'
import type { StatusPlace } from '../plan/status.ts'

/** Observe, decide, act: see ARCHITECTURE.md. */
export interface Reconciler<Seen, Own extends OwnAction = never> {
  /** Reads and never judges. What is missing is a value. Does not know what woke it (P1). */
  observe(key: ClaimKey, world: Reads, signal: AbortSignal): Promise<Seen> | Seen
  /** Total and pure: no wait, no clock, no throw for bad input. */
  decide(seen: Seen, now: Instant): Plan<Own>
  /** Carries out the operator's own actions. Idempotent: it may be called again with the same action. */
  readonly act?: Act<Own>
  /** Says what became of it, where conditions depend on what an action returned. By default: the plan's conditions, or the trouble. */
  report?(input: ReportInput<Own> & { readonly seen: Seen }): Report | undefined
}

export interface Watch extends Source {
  /** For metrics and logs: what `toClaims` is called there. */
  readonly name?: string
  /** Where: the hub, which is the default, or every member of the fleet. */
  readonly on?: 'hub' | 'targets'
  /** Whether a change is worth a look at those claims; each is, without it. Only for what no decision of theirs rests on (P1). */
  isWorth?(change: Change): boolean
  /**
   * The claims that an object concerns; called with what it was and with what it is. May read the caches. When it fails it is asked
   * again until it succeeds: a trigger is never dropped (P14).
   */
  toClaims(object: StoredObject, world: Reads, cluster: string): Targets | Promise<Targets>
  /**
   * For claims that rest on many such objects: how long the process is there for others after it looked at this one for such a change. Changes
   * in that time are looked at together. Each change is looked at by itself without it.
   */
  pauseMs?(target: ObjectKey, world: Reads): number
  /**
   * Whether a claim looks at such a change when new and changed claims have had their looks, as it does at what may have drifted: for what its own
   * pass wrote, and found good already. Nothing is left out by it.
   */
  canWait?(change: Change, target: ObjectKey, world: Reads): boolean
}

export type Targets = readonly (ObjectKey & { readonly cluster?: string })[]

export interface ControllerDefinition<Seen, Own extends OwnAction = never> {
  /** In metrics, events and logs; also the name under which we own fields, unless `fieldManager` says otherwise. */
  readonly name: string
  readonly fieldManager?: string
  /** Who is named as the source of its events; `name` without it. */
  readonly eventSource?: string
  readonly claims: Source & { readonly on?: 'hub' | 'targets' }
  /** Whether a change of a claim is worth a pass; each is, without it. For claims whose passes are dear, such as calls to a cloud. */
  isWorth?(change: Change): boolean
  readonly watches?: readonly Watch[]
  /** The claims to look at when a cluster joins the fleet or leaves it. */
  toClaimsOfCluster?(cluster: string, world: Reads): Targets
  /** The claims whose status says whether the cluster can be followed, to look at when it has been silent for longer than a restart takes. */
  toClaimsOfAway?(cluster: string, world: Reads): Targets
  readonly reconciler: Reconciler<Seen, Own>
  /** Where the report goes; `none` for controllers that speak through other objects. */
  readonly status?: StatusPlace | { readonly kind: 'none' }
  /** The condition that sums up; trouble is told in it. */
  readonly summary?: string
  /** The events to record once conditions have been written whose status or reason is new. */
  eventsOf?(claim: StoredObject, changed: readonly Condition[]): readonly Occurrence[]
  /**
   * `everyone`: where replicas share the work by namespaces, each of them works on all claims of this controller. Only for one that writes
   * nothing.
   */
  readonly sharing?: 'everyone'
  /** Claims worked on at once. */
  readonly workers?: number
  /** A look at every claim this often, jittered, although nothing changed; 0 never. */
  readonly driftMs?: number
  /** Longest reconcile (P9). */
  readonly deadlineMs?: number
}

/** A definition with its types forgotten: what a manager holds. */
export type AnyController = ControllerDefinition<unknown, OwnAction>

/** Checks a definition and forgets its types, which only the reconciler's own functions need. */
export function defineController<Seen, Own extends OwnAction = never>(
  definition: ControllerDefinition<Seen, Own>,
): AnyController {
  return definition as unknown as AnyController
}

/** For `toClaims`: the object's controller, when it is of this kind. */
export function toController(type: ResourceType): Watch['toClaims'] {
  return ({ metadata }) =>
    (metadata.ownerReferences ?? [])
      .filter(reference => reference.controller === true && reference.kind === type.kind)
      .map(reference => ({ namespace: type.namespaced ? (metadata.namespace ?? '') : '', name: reference.name }))
}

/** For `toClaims`: the claim that a label or annotation names as `namespace/name`. For objects that cannot have an owner reference. */
export function toNamed(annotation: string): Watch['toClaims'] {
  return ({ metadata }) => {
    const text = metadata.annotations?.[annotation]
    if (text === undefined) return []
    const slash = text.indexOf('/')
    return [{ namespace: slash < 0 ? '' : text.slice(0, slash), name: text.slice(slash + 1) }]
  }
}
