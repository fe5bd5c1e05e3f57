// One pass over one claim: observe, decide, act, report. Everything that can go wrong comes back as a value.
import { type Clock, given, type Log } from '#base'
import type { Condition, StoredCondition, StoredObject } from '#kube'
import { type ClaimKey, renderClaimKey } from '../claim-key.ts'
import type { Reads } from '../informer/reads.ts'
import type { Altered } from '../plan/altered.ts'
import { decidingTrouble, failuresOf, type Outcome } from '../plan/outcome.ts'
import type { Next, OwnAction, Plan } from '../plan/plan.ts'
import { isOwn } from '../plan/print.ts'
import type { Recorder } from '../plan/recorder.ts'
import { foldOutcomes, type Report, type ReportInput } from '../plan/report.ts'
import { runActions } from '../plan/run.ts'
import { conditionsIn, readStatus, writeStatus } from '../plan/status.ts'
import type { SeenClaims } from '../plan/taken-claims.ts'
import type { Target } from '../plan/target.ts'
import { asTroubleUnder, type Trouble } from '../plan/trouble.ts'
import type { WriteRecord, Writer } from '../plan/writer.ts'
import type { AnyController } from './definition.ts'

export interface PassOptions {
  readonly definition: AnyController
  readonly key: ClaimKey
  readonly world: Reads
  /** The claim as the cache has it when the pass begins: what was decided on. */
  readonly claim: StoredObject | undefined
  /** For the actions: ends with the reconcile's deadline. */
  readonly writer: Writer
  /** For the status: outlives that deadline, to be able to tell of it. */
  readonly teller: Writer
  /** Tells what was made outside of the cluster. It outlives a stop as well, as long as calls under way are waited for. */
  readonly lastTeller: Writer
  readonly writes: readonly WriteRecord[]
  readonly altered: Altered
  readonly recorder: Recorder
  readonly fieldManager: string
  readonly failures: number
  readonly clock: Clock
  readonly log: Log
  readonly signal: AbortSignal
  target(cluster: string | undefined): Target | undefined
  /** Claims that were there since others may have worked on them; absent where nobody else did. */
  readonly seenClaims?: SeenClaims
}

/** What a pass was: for metrics, tests, `vouch plan` and the simulator. */
export interface PassRecord {
  readonly controller: string
  readonly key: ClaimKey
  readonly plan: Plan<OwnAction> | undefined
  readonly outcomes: readonly Outcome[]
  readonly writes: readonly WriteRecord[]
  readonly trouble: Trouble | undefined
  readonly next: Next | undefined
  readonly tookMs: number
}

export async function runPass(options: PassOptions): Promise<PassRecord> {
  const { definition, key, clock, writes } = options
  const startedMs = clock.monotonicMs()
  const record = (rest: Partial<PassRecord>): PassRecord => ({
    controller: definition.name,
    key,
    plan: undefined,
    outcomes: [],
    trouble: undefined,
    next: rest.plan?.next,
    ...rest,
    writes: [...writes],
    tookMs: clock.monotonicMs() - startedMs,
  })
  let plan: Plan<OwnAction> | undefined
  let seen: unknown
  try {
    seen = await definition.reconciler.observe(key, options.world, options.signal)
    plan = definition.reconciler.decide(seen, clock.now())
  } catch (error) {
    const trouble = logged(asTroubleUnder(options.signal, error), options)
    const untold = await tell(options, seen, { plan: nothingPlanned, outcomes: [failedBefore(trouble)] })
    return record({ trouble: earlier(trouble, untold) })
  }
  const outcomes = await runActions(plan.actions, runOptions(options))
  const trouble = decidingTrouble(failuresOf(outcomes))
  if (trouble !== undefined) logged(trouble, options)
  const untold = await tell(options, seen, { plan, outcomes })
  return record({ plan, outcomes, trouble: earlier(trouble, untold) })
}

/** Whoever stops until the spec changes has to be able to say so: what could not be told is tried again, however final it was. */
function earlier(trouble: Trouble | undefined, untold: Trouble | undefined): Trouble | undefined {
  return decidingTrouble([trouble, untold].filter(one => one !== undefined))
}

const nothingPlanned: Plan<OwnAction> = { actions: [], conditions: [], next: { kind: 'await-change' } }

function failedBefore(trouble: Trouble): Outcome {
  return { kind: 'failed', action: { kind: 'act:observe', summary: 'observe and decide' }, trouble }
}

function runOptions(options: PassOptions): Parameters<typeof runActions>[1] {
  const { definition, claim, writer, writes, altered, recorder, fieldManager, key, seenClaims } = options
  const claimTarget = options.target(key.cluster === '' ? undefined : key.cluster)
  return {
    writer,
    writes,
    altered,
    recorder,
    fieldManager,
    target: options.target,
    ...given({ act: definition.reconciler.act }),
    ...(claim === undefined || claimTarget === undefined
      ? {}
      : {
          claim: {
            target: claimTarget,
            type: definition.claims.type,
            object: claim,
            ...given({ seen: seenClaims }),
          },
        }),
  }
}

/** Folds plan and outcomes into the status and writes it once. Returns why it could not. */
async function tell(
  options: PassOptions,
  seen: unknown,
  said: { readonly plan: Plan<OwnAction>; readonly outcomes: readonly Outcome[] },
): Promise<Trouble | undefined> {
  const { definition, claim, key, clock } = options
  const teller = isTheOnlyWord(said.outcomes) ? options.lastTeller : options.teller
  const place = definition.status ?? { kind: 'subresource', observedGeneration: true }
  const target = options.target(key.cluster === '' ? undefined : key.cluster)
  if (claim === undefined || target === undefined || place.kind === 'none' || isGone(said.outcomes)) return undefined
  try {
    teller.signal.throwIfAborted()
    const current = conditionsIn(readStatus(claim, place))
    const summary = definition.summary ?? 'Ready'
    const failed = failuresOf(said.outcomes).length > 0
    const input = {
      ...said,
      failures: failed ? options.failures + 1 : 0,
      current,
      generation: claim.metadata.generation,
      summary,
    }
    const report = reportOf(definition, input, seen)
    if (report === undefined) return undefined
    const written = await writeStatus(teller, { target, type: definition.claims.type, claim, report, place, clock })
    if (written) await recordTransitions({ ...options, teller, claim }, target, transitions(current, report.conditions))
    return undefined
  } catch (error) {
    return logged(asTroubleUnder(teller.signal, error), options)
  }
}

/** Only what was written has happened; a status that somebody else wrote meanwhile is told by whoever wrote it. */
async function recordTransitions(
  { definition, claim, recorder, teller }: PassOptions & { readonly claim: StoredObject },
  target: Target,
  changed: readonly Condition[],
): Promise<void> {
  if (changed.length === 0 || teller.pretend) return
  for (const event of definition.eventsOf?.(claim, changed) ?? []) await recorder.record(teller, target, event)
}

function transitions(current: readonly StoredCondition[], wanted: readonly Condition[]): readonly Condition[] {
  return wanted.filter(({ type, status, reason }) => {
    const held = current.find(condition => condition.type === type)
    return held === undefined || held.status !== status || held.reason !== reason
  })
}

function reportOf(definition: AnyController, input: ReportInput<OwnAction>, seen: unknown): Report | undefined {
  // Before there is anything seen, only the engine can say what went wrong.
  if (definition.reconciler.report === undefined || seen === undefined) return foldOutcomes(input)
  return definition.reconciler.report({ ...input, seen })
}

/** What a call outside made may be known by its answer alone: a successor that was not told of it would make another. */
function isTheOnlyWord(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(outcome => outcome.kind === 'done' && outcome.changed && isOwn(outcome.action))
}

/** A finalizer of a claim that is being deleted went in this pass: there may be nothing left to write a status to. */
function isGone(outcomes: readonly Outcome[]): boolean {
  return outcomes.some(
    ({ kind, action }) =>
      kind === 'done' && action.kind === 'remove-finalizer' && action.object.metadata.deletionTimestamp !== undefined,
  )
}

function logged(trouble: Trouble, { log, key, definition }: PassOptions): Trouble {
  const fields = { controller: definition.name, claim: renderClaimKey(key), reason: trouble.reason, kind: trouble.kind }
  if (trouble.reason === 'InternalError') log.error('reconcile failed', { ...fields, error: stackOf(trouble.cause) })
  else if (trouble.kind !== 'soon') log.info('reconcile could not finish', { ...fields, message: trouble.message })
  return trouble
}

function stackOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause)
}
