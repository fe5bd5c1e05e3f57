// What a decision returns: everything that is to happen, and nothing left to choose. A plan can be printed, compared, kept in a golden
// file and shown before it is carried out. Only the runner (run.ts) carries one out.
import type { Condition, KubeObject, ObjectKey, Occurrence, ResourceType, StoredObject } from '#kube'
import type { PatchKind } from '#kube/client'

/** Which cluster an action is for: absent is the hub, otherwise a member of the fleet by name. */
interface Targeted {
  readonly cluster?: string
}

/**
 * Makes the stated fields so, under our own field manager, and no others (P8). Creates the object where there is none. `mark`: labels
 * or annotations that an object must already have before we touch it; one without them belongs to somebody else (S2).
 */
export interface ApplyAction extends Targeted {
  readonly kind: 'apply'
  readonly type: ResourceType
  readonly object: KubeObject
  readonly mark?: OwnerMark
}

/** Creates; one that exists already must carry the mark, and then counts as created (P3). */
export interface CreateAction extends Targeted {
  readonly kind: 'create'
  readonly type: ResourceType
  readonly object: KubeObject
  readonly mark?: OwnerMark
}

/** Replaces an object that we alone own. Its uid and resourceVersion are the precondition. */
export interface UpdateAction extends Targeted {
  readonly kind: 'update'
  readonly type: ResourceType
  readonly object: StoredObject
  readonly subresource?: string
}

/** Changes single fields. `uid`, and `resourceVersion` where given, are preconditions. */
export interface PatchAction extends Targeted {
  readonly kind: 'patch'
  readonly type: ResourceType
  readonly key: ObjectKey
  readonly patch: Exclude<PatchKind, 'apply'>
  readonly body: unknown
  readonly uid: string
  readonly resourceVersion?: string
  readonly subresource?: string
}

/** Deletes this very object, in the state in which it was seen (P4). `any-version` only where any state of it is unwanted. */
export interface DeleteAction extends Targeted {
  readonly kind: 'delete'
  readonly type: ResourceType
  readonly object: StoredObject
  readonly precondition?: 'this-version' | 'any-version'
  readonly propagation?: 'Foreground' | 'Background' | 'Orphan'
}

/** P2: before the first external effect. */
export interface AddFinalizerAction extends Targeted {
  readonly kind: 'add-finalizer'
  readonly type: ResourceType
  readonly object: StoredObject
  readonly finalizer: string
}

/** The last action of a deletion; a claim that stays and holds nothing any more is let go as well. [P5] */
export interface RemoveFinalizerAction extends Targeted {
  readonly kind: 'remove-finalizer'
  readonly type: ResourceType
  readonly object: StoredObject
  readonly finalizer: string
}

/** An event that tells of a change. In a pass that changed nothing it is not sent. */
export interface RecordEventAction extends Targeted, Occurrence {
  readonly kind: 'record-event'
}

/**
 * What an operator does outside Kubernetes. Extend it with the exact call to make; `act` of the reconciler carries it out. `dependency`
 * names what it needs to work (an AWS account, a zone): its own breaker. `destructive` ones run only after the claim was read afresh.
 */
export interface OwnAction {
  readonly kind: `act:${string}`
  /** For people: one line, without secrets. */
  readonly summary: string
  readonly dependency?: string
  readonly destructive?: boolean
  /** What it makes outlives a claim: right before it that is read afresh, has to ask for the same still, and to hold this finalizer. */
  readonly heldBy?: string
}

/** Branches that do not wait for one another, each in its own order: one dead target does not keep the others back (B28). */
export interface TogetherAction<Own extends OwnAction = never> {
  readonly kind: 'together'
  readonly branches: readonly (readonly Action<Own>[])[]
}

export type ObjectAction =
  | ApplyAction
  | CreateAction
  | UpdateAction
  | PatchAction
  | DeleteAction
  | AddFinalizerAction
  | RemoveFinalizerAction
  | RecordEventAction

export type Action<Own extends OwnAction = never> = ObjectAction | TogetherAction<Own> | Own

export interface OwnerMark {
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

export type Next =
  /** Nothing to do until something changes. */
  | { readonly kind: 'await-change' }
  /** `why` is for people; the time is a fallback, an event comes first as a rule (P10). */
  | {
      readonly kind: 'look-again'
      readonly afterMs: number
      readonly why: string
      /** `begun` goes on at once with what is half done; `drift` is a look that can wait for everybody else's. */
      readonly lane?: 'begun' | 'retry' | 'drift'
      /** The status stays as it is: what it would say now would be another thing a moment later. */
      readonly leavesStatus?: true
    }
  /** Only a spec change can help. */
  | { readonly kind: 'stalled'; readonly reason: string; readonly message: string }

export interface Plan<Own extends OwnAction = never> {
  /** Ordered, idempotent, complete in themselves. */
  readonly actions: readonly Action<Own>[]
  /** What we will say if they all succeed. */
  readonly conditions: readonly Condition[]
  readonly next: Next
  /** The claim's other status fields if they all succeed; `undefined` as a value removes the field. */
  readonly status?: Readonly<Record<string, unknown>>
}

/** Nothing to do, nothing to say. */
export const emptyPlan: Plan = { actions: [], conditions: [], next: { kind: 'await-change' } }
