// Cheap reads: between two full looks at a resource in step, a list that serves all of them tells whether one shows as it did when it was
// looked at. One that does not is looked at in full, at once. Nothing is decided by a list alone.
import { createHash } from 'node:crypto'
import { note, type ResourcePlan } from './actions.ts'
import type { Resource } from './api.ts'
import { conditions } from './api.ts'
import { resyncMs, spread } from './at-rest.ts'
import type { Case } from './decide.ts'
import type { Notes, Rest } from './memory.ts'
import type { Seen } from './observe.ts'
import type { Settings } from './options.ts'
import type { World } from './world.ts'

/** What a glance says. */
export interface Glance {
  /** A print of all that the last full look rested on but AWS itself. */
  readonly as: string
  /** What the list says of it. */
  readonly shown: string
  /** It is as it was, so that a full look can wait. */
  readonly isUnchanged: boolean
}

/** Full looks in a row that a list asked for and that found nothing: what AWS changes by itself is no reason for a fourth. */
const idleMax = 3
/** However few claims there are, a list of so many pages is worth its price. */
const pagesMin = 5

/** `undefined`: there is nothing to glance at, and the resource is looked at in full. */
export async function glanceAt(
  world: World,
  seen: Seen,
  { claim, claims, signal }: { readonly claim: Resource; readonly claims: () => number; readonly signal: AbortSignal },
): Promise<Glance | undefined> {
  const { model, settings } = world
  const { place, adoption, references, notes, wanted } = seen
  if (settings.cheapReadSeconds <= 0 || place.kind !== 'chosen' || references.kind !== 'resolved') return undefined
  if (claim.metadata.deletionTimestamp !== undefined || !['none', 'adopted'].includes(adoption.kind)) return undefined
  const as = basisOf(claim, seen)
  const rest = standing(notes, { as, settings, model, claim, nowMs: world.nowMs() })
  if (rest !== undefined && rest.idle >= idleMax) return { as, shown: 'unknown', isUnchanged: true }
  const shown = await world.rolls.print({
    model,
    wanted,
    place: place.place,
    caller: world.caller(place.place, signal),
    nowMs: world.nowMs(),
    ageMsMax: (settings.cheapReadSeconds * 1_000) / 2,
    pagesMax: Math.max(pagesMin, claims()),
  })
  // Without a list to go by, the full look that is due anyway is the next one.
  return { as, shown, isUnchanged: rest !== undefined && (shown === 'unknown' || (shown !== 'absent' && shown === rest.shown)) }
}

/** What was in step stays so until something shows. */
export function rested(one: Case): ResourcePlan {
  const { seen, claim } = one
  const { rest } = seen.notes
  const isSeen = seen.glance?.shown !== 'unknown'
  return {
    actions: rest !== undefined && rest.idle > 0 && isSeen ? [note(claim.metadata.uid, { rest: { ...rest, idle: 0 } })] : [],
    conditions: [],
    next: { kind: 'look-again', afterMs: untilNextMs(one, rest), why: 'a glance', lane: 'drift' },
  }
}

/** After a full look: what it found in step is remembered with what the list said; anything else is forgotten. */
export function withRest(one: Case, plan: ResourcePlan): ResourcePlan {
  const { seen, claim, now } = one
  const { glance, notes } = seen
  if (glance === undefined) return plan
  const { next } = plan
  const inStep = plan.conditions.some(({ type, status }) => type === conditions.synced && status === 'True')
  if (next.kind !== 'look-again' || next.lane !== 'drift' || !inStep) {
    if (notes.rest === undefined) return plan
    // First of all: what comes after it may fail, and must not be taken for rest.
    return { ...plan, actions: [note(claim.metadata.uid, { rest: undefined }), ...plan.actions] }
  }
  const held = standing(notes, { ...one, as: glance.as, nowMs: now })
  const rest: Rest = {
    as: glance.as,
    shown: glance.shown,
    lookedMs: held?.lookedMs ?? now,
    idle: held === undefined ? 0 : held.idle + 1,
    disturbances: notes.disturbances ?? 0,
  }
  return {
    ...plan,
    actions: [...plan.actions, note(claim.metadata.uid, { rest })],
    next: { ...next, afterMs: untilNextMs(one, rest) },
  }
}

interface Due {
  readonly as: string
  readonly settings: Settings
  readonly model: Case['model']
  readonly claim: Resource
  readonly nowMs: number
}

/** The last full look, where it still stands and the next is not due. */
function standing({ rest, disturbances = 0 }: Notes, due: Due): Rest | undefined {
  if (rest?.as !== due.as || rest.disturbances !== disturbances) return undefined
  return due.nowMs - rest.lookedMs < resyncMs(due) ? rest : undefined
}

/** The next glance, or the full look that is due before it. */
function untilNextMs(one: Case, rest: Rest | undefined): number {
  const glanceMs = spread(one.claim, one.settings.cheapReadSeconds * 1_000)
  const fullMs = rest === undefined ? 0 : Math.max(0, rest.lookedMs + resyncMs(one) - one.now)
  return rest !== undefined && rest.idle >= idleMax ? fullMs : Math.min(glanceMs, fullMs)
}

/** Whatever else may change what there is to do: the manifest, what it refers to, who asks for it and where. Not what AWS says. */
function basisOf({ metadata }: Resource, seen: Seen): string {
  const { wanted, place, olderOwner, secrets, output, namespaceAnnotations } = seen
  const { generation, annotations = {}, finalizers } = metadata
  const basis = {
    generation,
    annotations,
    finalizers,
    namespaceAnnotations,
    olderOwner,
    // Which selector chose the place, and its version, is told in a condition.
    place,
    secrets: secrets.kind,
    output: output.kind === 'found' ? output.secret.metadata.resourceVersion : output.kind,
    spec: wanted.spec,
    arn: wanted.arn,
  }
  return createHash('sha256').update(JSON.stringify(basis)).digest('base64url').slice(0, 16)
}
