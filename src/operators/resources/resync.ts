// When a resource is looked at again, where nothing happens; and between two full looks, for how long the last one still stands.

import { annotations, type Resource } from './api.ts'
import type { Settings } from './options.ts'
import { hearsOfSecrets, mayNameSecrets, secretsNamed } from './secrets/named-secrets.ts'
import type { Notes, Rest } from './seen/notes.ts'
import type { Situation } from './seen/seen.ts'

/** Every ten hours: what people change by hand is rare, and reads are not free. */
export const resyncSecondsDefault = 36_000

/** A Secret that was rotated is noticed within this time, where nobody tells us. */
const rotationLookMs = 300_000

/** Between full looks. */
export function resyncMs({ claim, model, settings }: Pick<Situation, 'claim' | 'model' | 'settings'>): number {
  const asked = Number(claim.metadata.annotations?.[annotations.resyncSeconds])
  const seconds =
    (Number.isFinite(asked) && asked > 0 ? asked : undefined) ??
    settings.resyncSecondsOf[model.kind.kind] ??
    model.kind.settings.resyncSeconds ??
    settings.resyncSeconds ??
    resyncSecondsDefault
  const afterMs = spread(claim, seconds * 1_000)
  const mayRotate = mayNameSecrets(model) && !hearsOfSecrets(model, claim, settings) && secretsNamed(model, claim).length > 0
  return mayRotate ? Math.min(afterMs, rotationLookMs) : afterMs
}

/** By a tenth either way, so that what was made together is not read together; the same claim always gets the same share. */
export function spread({ metadata }: Resource, ms: number): number {
  let sum = 0
  for (const character of metadata.uid) sum = (sum * 31 + character.charCodeAt(0)) % 1_000
  return Math.round(ms * (0.9 + sum / 5_000))
}

/** Full looks in a row that a list asked for and that found nothing: what AWS changes by itself is no reason for a fourth. */
export const idleMax = 3

interface Due {
  readonly basis: string
  readonly settings: Settings
  readonly model: Situation['model']
  readonly claim: Resource
  readonly nowMs: number
}

/** The last full look, where it still stands and the next is not due. */
export function restThatStands({ rest, disturbances = 0 }: Notes, due: Due): Rest | undefined {
  if (rest?.basis !== due.basis || rest.disturbances !== disturbances) return undefined
  return due.nowMs - rest.lookedMs < resyncMs(due) ? rest : undefined
}
