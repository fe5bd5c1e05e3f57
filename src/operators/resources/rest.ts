// Between two full looks: what the last one that found the resource in step rested on, and for how long it still stands.

import type { Resource } from './api.ts'
import type { Settings } from './options.ts'
import { resyncMs } from './resync.ts'
import type { Notes, Rest } from './seen/notes.ts'
import type { Situation } from './seen/seen.ts'

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
