// How a signing key is replaced while tokens are in use: propagate, sign, retire. Pure; each call takes at most one step, and each step is
// one write of the Secret, so that a crash anywhere leaves a state from which the next look goes on.
//
//   steady ── asked for, or old enough ──> propagating: `next` is in the key set, and signs nothing
//   propagating ── seen published, and the propagation time is over ──> retiring: `next` is the key to sign with, the old one stays in
//                                                                       the key set
//   retiring ── the cluster is seen to sign with the new key, and the grace is over ──> steady: the old key is withdrawn
//
// No step is taken on a guess. Without proof that the cluster has changed over, both keys stay published, for ever if need be: that refuses
// nobody, whereas an early end would refuse every token of the cluster.
import { given } from '#base'
import type { KeyRing, SigningKey } from './key-ring.ts'

export interface RotationTimes {
  /** How long a key is published before it signs: longer than verifiers keep an older key set. */
  readonly propagationMs: number
  /** How long the old key stays after the cluster was last seen to sign with it: longer than its longest-lived token. */
  readonly graceMs: number
}

/** STS keeps a key set for some minutes; ours is read by others too. */
export const propagationMsDefault: number = 15 * 60_000
/** Tokens live 24 h (`token-expiration` on the ServiceAccount); an hour for clocks and caches. */
export const graceMsDefault: number = 25 * 3_600_000

/** Clocks of two leaders may differ by so much; times that one wrote are compared by the other (W8). */
const clockSkewMs = 60_000
/** How often an API server is asked which key it signs with, while that matters. */
const askAgainMs = 60_000
/** While the grace runs, the question is only whether somebody went back to the old key. */
const askAgainInGraceMs = 600_000

export interface RotationInput {
  readonly ring: KeyRing
  /** Since when `current` signs, or when it was brought; unknown for neither. */
  readonly sinceMs: number | undefined
  readonly now: number
  /** The value of the request on the Config. */
  readonly request: string | undefined
  readonly ageMsMax: number | undefined
  readonly times: RotationTimes
  /** Whether the key set of this very ring was seen published. */
  readonly isPublished: boolean
  /** Which key the cluster signs with, where that is known. */
  readonly signer: string | undefined
  /** When it was seen to, by the cluster's clock; ours where that is not known. */
  readonly signedAtMs?: number
  /** A fresh key, there when one may be needed. */
  readonly candidate: SigningKey | undefined
}

export type RotationPhase = 'steady' | 'publishing' | 'propagating' | 'handover' | 'retiring'

export interface RotationStep {
  readonly phase: RotationPhase
  /** The ring to be written, when a step is due. */
  readonly ring?: KeyRing
  /** When there is something to do although nothing changes. */
  readonly lookAgainMs?: number
}

/** Whether a rotation is to begin; a candidate is needed then. */
export function isRotationDue(input: Pick<RotationInput, 'ring' | 'sinceMs' | 'now' | 'request' | 'ageMsMax'>): boolean {
  const { ring, request } = input
  if (ring.next !== undefined || ring.previous !== undefined) return false
  return (request !== undefined && request !== ring.request) || dueByAgeMs(input) === 0
}

/** Whether it matters now which key the cluster signs with. */
export function isSignerOfInterest({ previous }: KeyRing): boolean {
  return previous !== undefined
}

export function decideRotation(input: RotationInput): RotationStep {
  const { ring } = input
  if (ring.previous !== undefined) return decideRetirement(input)
  if (ring.next !== undefined) return decidePropagation(input, ring.next)
  return decideStart(input)
}

function decideStart(input: RotationInput): RotationStep {
  const { ring, request, candidate } = input
  const dueMs = dueByAgeMs(input)
  if (!isRotationDue(input)) return { phase: 'steady', ...given({ lookAgainMs: dueMs }) }
  // Drawn with the observation; the moment at which it became due fell in between.
  if (candidate === undefined) return { phase: 'steady', lookAgainMs: 1_000 }
  return { phase: 'publishing', ring: { ...ring, next: candidate, ...given({ request }) } }
}

function decidePropagation({ ring, now, times, isPublished }: RotationInput, next: SigningKey): RotationStep {
  if (ring.nextPublishedMs === undefined) {
    return isPublished ? { phase: 'propagating', ring: { ...ring, nextPublishedMs: now } } : { phase: 'publishing' }
  }
  const waitMs = ring.nextPublishedMs + times.propagationMs + clockSkewMs - now
  if (waitMs > 0) return { phase: 'propagating', lookAgainMs: waitMs }
  // The new key may have been published and then removed by somebody, so it has to be published at this moment.
  if (!isPublished) return { phase: 'propagating' }
  const { next: _next, nextPublishedMs: _published, ...rest } = ring
  return { phase: 'handover', ring: { ...rest, current: next, sinceMs: now, previous: ring.current.public } }
}

function decideRetirement({ ring, now, times, signer, signedAtMs }: RotationInput): RotationStep {
  const { previous, retiresMs, ...rest } = ring
  const changedOver = signer === ring.current.public.keyId
  // Tokens expire by the clock of the cluster that signs them. Ours may run at another rate, may have jumped, and may be another leader's
  // than the one that wrote the time down (W8).
  const clusterMs = changedOver ? (signedAtMs ?? now) : now
  if (retiresMs === undefined) {
    if (!changedOver) return { phase: 'handover', lookAgainMs: askAgainMs }
    return { phase: 'retiring', ring: { ...ring, retiresMs: clusterMs + times.graceMs + clockSkewMs } }
  }
  // A token that was just made still has the old key: one of several API servers has not changed over, or was rolled back.
  if (signer !== undefined && !changedOver) {
    return { phase: 'handover', ring: { ...rest, ...given({ previous }) } }
  }
  const waitMs = retiresMs - clusterMs
  if (waitMs > 0) return { phase: 'retiring', lookAgainMs: Math.min(waitMs, askAgainInGraceMs) }
  // The last look is at the very end: nothing is withdrawn without proof.
  return changedOver ? { phase: 'steady', ring: rest } : { phase: 'retiring', lookAgainMs: askAgainMs }
}

/** 0 when due; `undefined` when never. */
function dueByAgeMs({ sinceMs, now, ageMsMax }: Pick<RotationInput, 'sinceMs' | 'now' | 'ageMsMax'>): number | undefined {
  if (ageMsMax === undefined || sinceMs === undefined) return undefined
  return Math.max(0, sinceMs + ageMsMax - now)
}
