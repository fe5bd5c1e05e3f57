// A Secret that cannot be used: terminal, since only a person can make or mend it, and looked at again soon, since nobody tells us when one
// did. The Secrets of a cluster are not watched: that would take the right to read them all.
import type { ResourcePlan } from './actions.ts'
import { conditions } from './api.ts'
import { readyOf } from './at-rest.ts'

/** Between looks at a Secret that is missing or wrong: one call of the API server, none of AWS. */
const lookMs = 60_000

export function unusable(message: string): ResourcePlan {
  const terminal = { type: conditions.terminal, status: 'True', reason: 'SecretUnusable', message } as const
  const synced = { type: conditions.synced, status: 'False', reason: 'SecretUnusable', message } as const
  return {
    actions: [],
    conditions: [terminal, synced, readyOf([terminal, synced])],
    next: { kind: 'look-again', afterMs: lookMs, why: message },
  }
}
