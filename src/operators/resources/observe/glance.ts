// Cheap reads: between two full looks at a resource in step, a list that serves all of them tells whether one shows as it did when it was
// looked at. One that does not is looked at in full, at once. Nothing is decided by a list alone.

import { createHash } from 'node:crypto'
import type { Resource } from '../api.ts'
import type { Equipment } from '../equipment.ts'
import type { Place } from '../place/select-place.ts'
import { idleMax, restThatStands } from '../resync.ts'
import type { Glance, Seen } from '../seen/seen.ts'

/** However few claims there are, a list of so many pages is worth its price. */
const pagesMin = 5

/** `undefined`: there is nothing to glance at, and the resource is looked at in full. */
export async function glanceAt(
  equipment: Equipment,
  seen: Seen,
  { claim, place, claims, signal }: Glancing,
): Promise<Glance | undefined> {
  const { model, settings } = equipment
  const { adoption, references, notes, wanted } = seen
  if (references.kind !== 'resolved') return undefined
  if (claim.metadata.deletionTimestamp !== undefined || !['none', 'adopted'].includes(adoption.kind)) return undefined
  const as = basisOf(claim, seen)
  const rest = restThatStands(notes, { basis: as, settings, model, claim, nowMs: equipment.nowMs() })
  if (rest !== undefined && rest.idleLooks >= idleMax) return { basis: as, shown: 'unknown', isUnchanged: true }
  const shown = await equipment.rolls.print({
    model,
    deviation: equipment.deviation,
    wanted,
    place,
    caller: equipment.caller(place, signal),
    nowMs: equipment.nowMs(),
    ageMsMax: (settings.cheapReadSeconds * 1_000) / 2,
    pagesMax: Math.max(pagesMin, claims()),
  })
  // Where there is no list to compare with, the next look is the full one that is due anyway.
  return {
    basis: as,
    shown,
    isUnchanged: rest !== undefined && (shown === 'unknown' || (shown !== 'absent' && shown === rest.shown)),
  }
}

interface Glancing {
  readonly claim: Resource
  readonly place: Place
  /** How many there are of the kind. */
  readonly claims: () => number
  readonly signal: AbortSignal
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
