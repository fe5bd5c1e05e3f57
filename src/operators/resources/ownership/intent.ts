// The note that is written before a create call: by which token a successor knows the call, and when it went out. Until what was made has
// been seen, this is all there is to know of it.

import { createHash } from 'node:crypto'
import { findCondition } from '#kube'
import { annotations, conditions, type Resource } from '../api.ts'
import { inputOf } from '../model/kind-model.ts'
import { readInput } from '../model/read-input.ts'
import type { Content } from '../model/request.ts'
import type { Situation } from '../seen/seen.ts'
import { type Intent, parseIntent } from './intent-text.ts'
import { recordOf } from './ownership-record.ts'

/** How long AWS may take to show what was made. IAM needs seconds; a minute is patience enough. */
const visibleWithinMs = 60_000
const lookMsMin = 1_000

export const notVisible = 'the resource was made, or may have been, and AWS does not show it yet'

export function intentOf({ claim }: Pick<Situation, 'claim'>): Intent | undefined {
  return parseIntent(claim.metadata.annotations?.[annotations.createIntent])
}

/**
 * The same for every try of one creation. A resource that was seen and is gone was another creation, which its token must not mean any
 * more; one whose spec changed after the call went out still is the same.
 */
export function tokenOf(situation: Pick<Situation, 'claim'>): string {
  const { claim } = situation
  const record = recordOf(claim)
  if (record.kind === 'intended') return record.intent.token
  const arn = claim.status?.ackResourceMetadata?.arn
  const held = intentOf(situation)
  if (held !== undefined && arn === undefined && isOwnToken(claim, held.token)) return held.token
  const synced = findCondition(claim.status?.conditions, conditions.synced)
  return tokenOfLife(
    claim,
    arn === undefined ? String(claim.metadata.generation ?? 0) : `${arn} ${synced?.lastTransitionTime ?? ''}`,
  )
}

/** Changes of a manifest between a create call and the look that finds what it made. */
const generationsMax = 100

/**
 * Whether a token that stands in an annotation is one that this object's own first creation has. Anybody can write there, and the token of
 * another claim would be answered with what was made for that one.
 */
export function isOwnToken(claim: Resource, token: string): boolean {
  const { generation = 0 } = claim.metadata
  for (let each = generation; each >= Math.max(0, generation - generationsMax); each--)
    if (tokenOfLife(claim, String(each)) === token) return true
  return false
}

function tokenOfLife({ metadata }: Resource, life: string): string {
  const digest = createHash('sha256').update(`${metadata.uid} ${life}`).digest('hex')
  return `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`
}

/** What the print of a wish, or of what stands there, is; absent for kinds whose resources can be told otherwise. */
export function printOf({ deviation }: Pick<Situation, 'deviation'>, content: Content): string | undefined {
  const text = deviation.print?.(content)
  return text === undefined ? undefined : createHash('sha256').update(text).digest('hex').slice(0, 12)
}

/**
 * Whether a call of this object's own may have made what was found: whatever would prove it is seen late, or left out by a list, for a while.
 * The annotation proves nothing, but its token is one that nobody writes for another object, and all that follows is another look.
 */
export function isMaybeOurs(situation: Situation): boolean {
  const intent = intentOf(situation)
  return intent !== undefined && isOwnToken(situation.claim, intent.token) && wasCalledWithin(situation, visibleWithinMs * 10)
}

/** The time in the intent says when it was written: the call may have been tried again since, by this process or by another. */
function wasCalledWithin({ seen: { notes }, now }: Situation, ms: number): boolean {
  return notes.calledMs === undefined || Math.abs(now - notes.calledMs) < ms
}

/** Whether an absent resource may have been made by a call of a moment ago. */
export function isMaybeHidden(situation: Situation): boolean {
  const intent = intentOf(situation)
  if (intent === undefined || situation.seen.notes.refusedIntent === intent.token) return false
  // A resource that we deleted had been seen before, so that it is not one that AWS does not show yet.
  if (situation.seen.notes.deletedMs !== undefined) return false
  const wasSeen = findCondition(situation.claim.status?.conditions, conditions.synced)?.status === 'True'
  return !wasSeen && wasCalledWithin(situation, visibleWithinMs)
}

/** Until a resource that may be hidden is looked for again: rarer and rarer, and once more when the wait is over. */
export function nextLookMs({ seen: { notes }, now }: Situation): number {
  const waitedMs = now - (notes.calledMs ?? now)
  return Math.max(lookMsMin, Math.min(waitedMs, visibleWithinMs - waitedMs))
}

type Wish = Pick<Situation, 'model' | 'deviation'> & { readonly seen: Pick<Situation['seen'], 'wanted'> }

/** Whether a second create call of one creation cannot make a second resource: it carries a token, or a name that is taken then. */
export function isRepeatable(situation: Wish): boolean {
  const { model } = situation
  const { members } = inputOf(model.service.model, model.kind.operations.create)
  return Object.values(members).some(({ idempotencyToken }) => idempotencyToken === true) || isNamed(situation)
}

/** Whether there can be one such resource only: its name is in the manifest, and taken once it is there. */
export function isNamed({ model, seen, deviation }: Wish): boolean {
  if (deviation.repeatable !== undefined) return deviation.repeatable
  const read = model.kind.operations.readOne ?? model.kind.operations.getAttributes
  const { spec } = seen.wanted
  if (read === undefined) return deviation.read !== undefined
  const arn = deviation.arnOf === undefined ? undefined : seen.wanted.arn
  return readInput(model, read, { spec, status: {}, arn }) !== undefined
}
