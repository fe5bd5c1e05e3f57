// Carries a plan out: the actions in their order, the branches of `together` side by side. The first failure ends its branch; what
// comes after all branches is skipped when one failed. What happened is returned, never thrown.
import { assertNever } from '#base'
import { keyOf, type ResourceType, type StoredObject } from '#kube'
import type { Altered } from './altered.ts'
import { carryOutApply, carryOutCreate } from './apply.ts'
import { type PatchOperation, test } from './compare-and-patch.ts'
import { carryOutDelete } from './delete.ts'
import { addFinalizer, removeFinalizer } from './finalizer.ts'
import type { Outcome } from './outcome.ts'
import type { Action, AddFinalizerAction, ObjectAction, OwnAction, PatchAction, RecordEventAction } from './plan.ts'
import { isOwn } from './print.ts'
import type { Recorder } from './recorder.ts'
import type { SeenClaims } from './taken-claims.ts'
import { dependencyOf, type Target } from './target.ts'
import { asTroubleUnder, Trouble } from './trouble.ts'
import type { WriteRecord, Writer } from './writer.ts'

/** What an own action gets. */
export interface ActContext {
  /** Ends the work: no further call is begun. */
  readonly signal: AbortSignal
  /** Ends a call that is under way. A stop lets it end by itself, for a while: what it made would else be known to nobody. */
  readonly cutOff: AbortSignal
  /** To be called before each mutating call of several; before the first it was. Throws when we do not lead any more (P13). */
  checkFence(): void
  /** What became of the actions before this one. */
  readonly outcomes: readonly Outcome[]
  /** Has the runner carry out a write whose content only came into being now, such as a secret: it stands in no plan. */
  carryOut(action: ObjectAction): Promise<void>
}

/** What an own action says: whether it changed anything, and what the report needs to know of it. */
export interface ActResult {
  readonly changed: boolean
  readonly value?: unknown
}

export type Act<Own extends OwnAction> = (action: Own, context: ActContext) => Promise<ActResult>

export interface RunPlanOptions {
  readonly writer: Writer
  readonly altered: Altered
  readonly fieldManager: string
  readonly recorder: Recorder
  /** `undefined` for a cluster that is not in the fleet. */
  target(cluster: string | undefined): Target | undefined
  readonly act?: Act<OwnAction>
  /** The claim that was decided on, read again before the first destructive action. */
  readonly claim?: ClaimDecidedOn
  /** The writes so far, to know whether an event has anything to tell. */
  readonly writes: readonly WriteRecord[]
}

/** What a plan is for, as the cache had it. */
export interface ClaimDecidedOn {
  readonly target: Target
  readonly type: ResourceType
  readonly object: StoredObject
  /** Those that were there since this process took them over; absent where nobody else worked on them before. */
  readonly seen?: SeenClaims
}

/** Branches of one plan that run at the same time: enough to hide one slow cluster, few enough to bound what a claim may hold. */
const branchesAtOnce = 8

export async function runActions(actions: readonly Action<OwnAction>[], options: RunPlanOptions): Promise<readonly Outcome[]> {
  const run = new Run(options)
  await run.inOrder(actions)
  return inPlanOrder(run.outcomes, actions)
}

/** Branches end in any order; what is said of them must not depend on it, or two replies that race rewrite the status for ever (P7). */
function inPlanOrder(outcomes: readonly Outcome[], actions: readonly Action<OwnAction>[]): readonly Outcome[] {
  const places = new Map(flatten(actions).map((action, place) => [action, place]))
  const placeOf = ({ action }: Outcome): number => places.get(action) ?? 0
  return outcomes.toSorted((a, b) => placeOf(a) - placeOf(b))
}

function flatten(actions: readonly Action<OwnAction>[]): readonly Action<OwnAction>[] {
  return actions.flatMap(action => (action.kind === 'together' ? [action, ...action.branches.flatMap(flatten)] : [action]))
}

class Run {
  readonly outcomes: Outcome[] = []
  readonly #options: RunPlanOptions
  #confirmed: Promise<void> | undefined

  constructor(options: RunPlanOptions) {
    this.#options = options
  }

  /** True when all succeeded. */
  async inOrder(actions: readonly Action<OwnAction>[]): Promise<boolean> {
    let ok = true
    for (const action of actions) {
      if (!ok) this.outcomes.push({ kind: 'skipped', action })
      else if (action.kind === 'together') ok = await this.#sideBySide(action.branches)
      else ok = await this.#one(action as ObjectAction | OwnAction)
    }
    return ok
  }

  async #sideBySide(branches: readonly (readonly Action<OwnAction>[])[]): Promise<boolean> {
    let ok = true
    let next = 0
    const lane = async (): Promise<void> => {
      for (let branch = branches[next++]; branch !== undefined; branch = branches[next++]) {
        if (!(await this.inOrder(branch))) ok = false
      }
    }
    await Promise.all(Array.from({ length: Math.min(branchesAtOnce, branches.length) }, lane))
    return ok
  }

  async #one(action: ObjectAction | OwnAction): Promise<boolean> {
    try {
      this.#options.writer.signal.throwIfAborted()
      if (isDestructive(action)) await this.#confirmClaim()
      this.outcomes.push(isOwn(action) ? await this.#own(action) : await this.#object(action as ObjectAction))
      return true
    } catch (error) {
      const dependency = isOwn(action) ? action.dependency : dependencyOf((action as ObjectAction).cluster)
      this.outcomes.push({ kind: 'failed', action, trouble: asTroubleUnder(this.#options.writer.signal, error, dependency) })
      return false
    }
  }

  async #own(action: OwnAction): Promise<Outcome> {
    const { act, writer } = this.#options
    if (act === undefined) {
      throw new Trouble({ kind: 'stop', reason: 'InternalError', message: `nothing carries out ${action.kind}` })
    }
    if (writer.pretend) return { kind: 'done', action, changed: true }
    const context: ActContext = {
      signal: writer.signal,
      cutOff: writer.cutOff,
      checkFence: () => writer.checkFence(),
      outcomes: this.outcomes,
      carryOut: async inner => {
        await this.#object(inner)
      },
    }
    await writer.enterFence()
    // Waiting for the fence may have been long: whoever slept meanwhile makes nothing for a claim that went (S5).
    if (action.destructive !== true) {
      this.#requireClaim()
      await this.#confirmSeen()
      await this.#confirmHeld(action)
    }
    const call = (): Promise<ActResult> => {
      writer.checkFence()
      return act(action, context)
    }
    const result = action.dependency === undefined ? await call() : await writer.guard(action.dependency, call)
    return { kind: 'done', action, ...result }
  }

  /** Once a term: the cache of whoever takes work over may still show a claim that its predecessor has let go (S5). */
  async #confirmSeen(): Promise<void> {
    const { claim, writer } = this.#options
    if (claim?.seen === undefined || writer.pretend) return
    const { uid, deletionTimestamp } = claim.object.metadata
    if (deletionTimestamp !== undefined || claim.seen.has(uid)) return
    // Only what is read behind the fence is later than all that others did.
    await writer.enterFence()
    const live = await writer.find(claim.target, claim.type, keyOf(claim.object))
    if (live?.metadata.uid !== uid) throw new Trouble({ kind: 'soon', reason: 'Stale', message: claimIsGone })
    claim.seen.add(uid)
  }

  /** Whoever takes our finalizer off by hand can be through with the claim long before a late cache hears of it (S5). */
  async #confirmHeld({ heldBy }: OwnAction): Promise<void> {
    const { claim, writer } = this.#options
    if (claim === undefined || heldBy === undefined) return
    const { uid, generation, deletionTimestamp } = claim.object.metadata
    const live = await writer.awaitFound(claim.target, claim.type, keyOf(claim.object))
    if (live?.metadata.uid !== uid) throw new Trouble({ kind: 'soon', reason: 'Stale', message: claimIsGone })
    const isSame = live.metadata.generation === generation && live.metadata.deletionTimestamp === deletionTimestamp
    if (!isSame || live.metadata.finalizers?.includes(heldBy) !== true)
      throw new Trouble({ kind: 'soon', reason: 'Stale', message: claimHasChanged })
  }

  #requireClaim(): void {
    const { claim } = this.#options
    if (claim === undefined || claim.object.metadata.deletionTimestamp !== undefined) return
    const cached = claim.target.cached(claim.type, keyOf(claim.object))
    if (cached.kind === 'absent' || (cached.kind === 'present' && cached.object.metadata.uid !== claim.object.metadata.uid))
      throw new Trouble({ kind: 'soon', reason: 'Stale', message: claimIsGone })
  }

  async #object(action: ObjectAction): Promise<Outcome> {
    const target = this.#options.target(action.cluster)
    if (target === undefined) {
      throw new Trouble({ kind: 'wait', reason: 'Unreachable', message: `cluster ${action.cluster} is not in the fleet` })
    }
    const unavailable = target.unavailable()
    if (unavailable !== undefined) {
      throw new Trouble({ kind: 'wait', dependency: dependencyOf(target.cluster), ...unavailable })
    }
    const { writes } = this.#options
    const before = writes.length
    const value = await this.#carryOut(action, target)
    const changed = writes.slice(before).some(write => write.result !== 'unchanged' && write.result !== 'refused')
    return { kind: 'done', action, changed, ...(value === undefined ? {} : { value }) }
  }

  #carryOut(action: ObjectAction, target: Target): Promise<unknown> {
    const { writer, altered, fieldManager } = this.#options
    const applying = { writer, target, altered, fieldManager, beforeCreate: () => this.#confirmSeen() }
    switch (action.kind) {
      case 'apply':
        return carryOutApply(applying, action)
      case 'create':
        return carryOutCreate(applying, action)
      case 'update': {
        const subresource = action.subresource === undefined ? {} : { subresource: action.subresource }
        const before = action.object.metadata.resourceVersion
        return writer.update({ target, type: action.type, key: keyOf(action.object), before, ...subresource }, action.object)
      }
      case 'patch':
        return carryOutPatch(writer, target, action)
      case 'delete':
        return carryOutDelete(writer, target, action)
      case 'add-finalizer':
        return this.#hold(target, action)
      case 'remove-finalizer':
        return removeFinalizer(writer, target, action)
      case 'record-event':
        return this.#record(target, action)
      default:
        return assertNever(action)
    }
  }

  /** Who wrote to the claim in this term has seen that it is there. */
  async #hold(target: Target, action: AddFinalizerAction): Promise<void> {
    const { writer, claim, writes } = this.#options
    const before = writes.length
    await addFinalizer(writer, target, action)
    if (writes.slice(before).some(({ result }) => result === 'changed')) claim?.seen?.add(action.object.metadata.uid)
  }

  async #record(target: Target, action: RecordEventAction): Promise<undefined> {
    const tellsOfChange =
      this.#options.writes.some(write => write.result !== 'unchanged') ||
      this.outcomes.some(outcome => outcome.kind === 'done' && outcome.changed)
    if (tellsOfChange) await this.#options.recorder.record(this.#options.writer, target, action)
  }

  /** P4: what is destroyed is destroyed for the claim as it is now. Once per pass: the actions follow within its deadline. */
  #confirmClaim(): Promise<void> {
    this.#confirmed ??= confirmClaim(this.#options)
    return this.#confirmed
  }
}

const claimIsGone = 'the claim is gone since the decision'
const claimHasChanged = 'the claim changed since the decision'

function isDestructive(action: ObjectAction | OwnAction): boolean {
  if (isOwn(action)) return action.destructive === true
  return action.kind === 'delete' || action.kind === 'remove-finalizer'
}

async function confirmClaim({ writer, claim }: RunPlanOptions): Promise<void> {
  if (claim === undefined) return
  const { metadata } = claim.object
  const live = await writer.find(claim.target, claim.type, keyOf(claim.object))
  const isSame =
    live?.metadata.uid === metadata.uid &&
    live.metadata.generation === metadata.generation &&
    live.metadata.deletionTimestamp === metadata.deletionTimestamp &&
    // Kinds without a generation: any change counts.
    (metadata.generation !== undefined || live.metadata.resourceVersion === metadata.resourceVersion)
  if (!isSame) throw new Trouble({ kind: 'soon', reason: 'Stale', message: claimHasChanged })
}

async function carryOutPatch(writer: Writer, target: Target, action: PatchAction): Promise<StoredObject | undefined> {
  const { type, key, uid, resourceVersion, patch, body } = action
  const subresource = action.subresource === undefined ? {} : { subresource: action.subresource }
  const version = resourceVersion === undefined ? {} : { resourceVersion }
  const before = resourceVersion === undefined ? {} : { before: resourceVersion }
  const place = { target, type, key, ...subresource, ...before }
  if (patch !== 'json') {
    const { metadata, ...rest } = body as { readonly metadata?: object }
    return writer.patch(place, patch, { ...rest, metadata: { ...metadata, uid, ...version } })
  }
  const tests = resourceVersion === undefined ? [] : [test('/metadata/resourceVersion', resourceVersion)]
  return writer.patch(place, 'json', [test('/metadata/uid', uid), ...tests, ...(body as readonly PatchOperation[])])
}
