// What follows behind an answer that was given by the watch alone: the reads that confirm it, and what is told when they do not.
import type { Clock, Log } from '#base'
import { BehindChecks, type BehindResult } from '../accounts/behind.ts'
import { type LookupOptions, lookUp } from '../accounts/lookup.ts'
import { alwaysMyTurn, ReadBudget } from '../accounts/read-budget.ts'
import type { SteadyAccounts } from '../accounts/steady.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import type { Snapshots } from './snapshots.ts'

export interface BehindAnswersOptions {
  readonly lookup: LookupOptions
  readonly steady: SteadyAccounts
  readonly clock: Clock
  readonly log: Log
  readonly metrics: WebhookMetrics
  readonly snapshots: () => Pick<Snapshots, 'knowsRole'>
}

/** Nobody waits for them, so that they may take their time: a thousand ServiceAccounts are asked about within twenty seconds. */
const readsBehind = { perSecond: 50, burst: 50, queuedMax: 1_000 }
/** An API server that has not answered by then is told as one that could not be asked. */
const readBehindMs = 5_000

export function behindAnswers(options: BehindAnswersOptions): BehindChecks {
  const { clock, snapshots } = options
  const lookup = { ...options.lookup, graceMs: readBehindMs, unknownBudget: alwaysMyTurn, confirmBudget: alwaysMyTurn }
  const hasRole = (key: BehindResult['key']): boolean => snapshots().knowsRole(key)
  return new BehindChecks({
    clock,
    turns: new ReadBudget(clock, readsBehind),
    pendingMax: readsBehind.queuedMax,
    hasRole,
    lookUp: (key, signal) => lookUp(lookup, key, () => hasRole(key), signal),
    onResult: result => tell(options, result),
  })
}

function tell({ steady, log, metrics }: BehindAnswersOptions, { key, pods, found }: BehindResult): void {
  const who = { namespace: key.namespace, serviceAccount: key.name, pods }
  switch (found) {
    case 'no-role':
      return
    case 'unknown':
      metrics.unconfirmed.add({}, pods)
      return log.warn(
        'pods were let in without a role, and the API server did not say afterwards whether they should have one',
        who,
      )
    case 'role-read':
      // The watch is behind, and nobody knows with what else.
      steady.doubt()
      metrics.lateRoles.add(byRead, pods)
      return log.warn(
        'pods were let in without the role that their ServiceAccount has, which the watch had not brought; restart them',
        who,
      )
    case 'role-watched':
      metrics.lateRoles.add(byWatch, pods)
      return log.warn(
        'pods were let in without a role, and their ServiceAccount was given one at about that time; restart them',
        who,
      )
  }
}

const byRead = Object.freeze({ brought_by: 'read' })
const byWatch = Object.freeze({ brought_by: 'watch' })
