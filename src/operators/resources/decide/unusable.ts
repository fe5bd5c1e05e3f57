// A Secret that cannot be used: terminal, since only a person can make or mend it. The watch on Secrets tells when one did; where it is
// switched off, or does not reach the Secret, it is looked at again soon.

import { conditions } from '../api.ts'
import { resyncMs } from '../resync.ts'
import { hearsOfSecrets } from '../secrets/named-secrets.ts'
import type { Situation } from '../seen/seen.ts'
import type { ResourcePlan } from './actions.ts'
import { readyOf } from './at-rest.ts'

/** Between looks at a Secret that is missing or wrong, of which nobody tells us: one call of the API server, none of AWS. */
const lookMs = 60_000

export function unusable(situation: Situation, message: string): ResourcePlan {
  const afterMs = hearsOfSecrets(situation.model, situation.claim, situation.settings) ? resyncMs(situation) : lookMs
  const terminal = { type: conditions.terminal, status: 'True', reason: 'SecretUnusable', message } as const
  const synced = { type: conditions.synced, status: 'False', reason: 'SecretUnusable', message } as const
  return {
    actions: [],
    conditions: [terminal, synced, readyOf([terminal, synced])],
    next: { kind: 'look-again', afterMs, why: message },
  }
}
