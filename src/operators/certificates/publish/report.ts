// What became of the writes, target by target. It speaks of its own fields and its own condition only: the certificate is another matter.
import type { Report, ReportInput, Trouble } from '#runtime'
import { notesOf, type PublishSettings, planPlaces, saidOf } from './decide.ts'
import { placeId } from './place.ts'
import type { PublishSeen } from './seen.ts'
import type { PublishReason } from './write.ts'

type Input = ReportInput & { readonly seen: PublishSeen }

export function reportPublishing({ seen, outcomes }: Input, settings: PublishSettings): Report | undefined {
  const { claim } = seen
  if (claim === undefined || claim.metadata.deletionTimestamp !== undefined) return undefined
  const places = planPlaces(seen, settings)
  if (places.length === 0 && (claim.status?.published ?? []).length === 0) return undefined
  const noted = notesOf(claim, places)
  if (noted !== undefined) return { conditions: [], status: { published: noted } }
  const failed = new Map<string, PublishReason | 'pending'>()
  for (const { place, written } of places) {
    if (written.kind !== 'write') continue
    const text = JSON.stringify(written.action)
    const outcome = outcomes.find(({ action }) => JSON.stringify(action) === text)
    if (outcome === undefined || outcome.kind === 'done') continue
    failed.set(placeId(place), outcome.kind === 'failed' ? reasonOf(outcome.trouble) : 'pending')
  }
  const { published, conditions } = saidOf(claim, places, failed)
  // Weather says nothing yet: what was said stays, and the next try is on its way.
  const isPending = [...failed.values()].includes('pending')
  return { conditions: isPending ? [] : conditions, status: { published: published.length === 0 ? undefined : published } }
}

function reasonOf({ reason }: Trouble): PublishReason | 'pending' {
  switch (reason) {
    case 'Forbidden':
      return 'Forbidden'
    case 'OwnedByAnother':
    case 'Rejected':
      return 'Conflict'
    case 'NotFound':
    case 'KindMissing':
      return 'TargetMissing'
    default:
      return 'pending'
  }
}
