// What to believe of a ServiceAccount when a pod asks. A role that is known is believed at once. That there is none is believed only when
// the API server itself has said so after the pod asked: a cache is some past state, and a pod let in without its role keeps running
// without it (S20). For which ServiceAccounts that proof may follow behind the answer, steady.ts says. All of it inside the grace period; a pod is never held longer than that for a ServiceAccount that asks for nothing.
import type { Clock } from '#base'
import type { ObjectKey, StoredObject } from '#kube'
import { openScope, pause } from '#runtime'
import type { Accounts } from './accounts.ts'
import type { DirectAnswer, DirectReads } from './direct-reads.ts'
import type { ReadTurns } from './read-budget.ts'

export type LookupOutcome = 'hit' | 'get_hit' | 'not_found' | 'timeout' | 'error'

export interface LookupOptions {
  readonly accounts: Accounts
  readonly reads: DirectReads
  readonly clock: Clock
  /** 0: the cache alone decides. */
  readonly graceMs: number
  /** For ServiceAccounts that the cache does not know. */
  readonly unknownBudget: ReadTurns
  /** For those that it knows without a role; absent: they are believed to have none. */
  readonly confirmBudget: ReadTurns | undefined
  /** Asked as well before it is believed that there is no role: other places that may name one, which we may have read too early. */
  readonly others: readonly Other[]
}

/** Resolves once the place has been read after the call, or what was looked for is known, or the signal aborts. Never rejects. */
export type Other = (isDone: () => boolean, signal: AbortSignal) => Promise<LookupOutcome>

/** Before the first list is complete a miss says nothing at all, whatever the grace period (F-03). */
const unsyncedMs = 1_000
/** Between two attempts inside the grace period. */
const retryMs = 20

/** Resolves when `isSettled` is true, when the API server has denied it, or when the time is over. */
export async function lookUp(
  options: LookupOptions,
  key: ObjectKey,
  isSettled: () => boolean,
  signal: AbortSignal,
): Promise<LookupOutcome> {
  const { accounts, confirmBudget } = options
  const isKnown = accounts.find(key) !== undefined
  // Nothing can be called by the empty name, and nothing has to be asked for to know it.
  if (key.name === '' || key.namespace === '') return isKnown ? 'hit' : 'not_found'
  const limitMs = accounts.synced ? options.graceMs : Math.max(options.graceMs, unsyncedMs)
  const budget = isKnown ? confirmBudget : options.unknownBudget
  if (limitMs === 0 || budget === undefined) return isKnown ? 'hit' : 'not_found'
  // Without confirmation a ServiceAccount that turns up is an answer, with or without a role.
  const isDone = (): boolean => isSettled() || (confirmBudget === undefined && accounts.find(key) !== undefined)
  const scope = openScope({ parents: [signal], deadline: { clock: options.clock, ms: limitMs, what: 'the lookup' } })
  const settled = new AbortController()
  const forget = accounts.onNews(key, () => {
    if (isDone()) settled.abort()
  })
  const both = openScope({ parents: [scope.signal, settled.signal] })
  const others = confirmBudget === undefined ? [] : options.others
  try {
    const [account, ...rest] = await Promise.all([
      readUntilAnswered({ ...options, learn: object => accounts.learn(object) }, { key, budget, isDone }, both.signal),
      ...others.map(other => other(isDone, both.signal)),
    ])
    return isDone() ? account : (rest.find(outcome => outcome === 'error' || outcome === 'timeout') ?? account)
  } finally {
    forget()
    both.end()
    scope.end()
  }
}

/** The same for all ServiceAccounts by one list, which is newer than the call. Never rejects. */
export async function lookUpAll(
  { accounts, clock, graceMs, others }: Pick<LookupOptions, 'accounts' | 'clock' | 'graceMs' | 'others'>,
  signal: AbortSignal,
): Promise<LookupOutcome> {
  const scope = openScope({ parents: [signal], deadline: { clock, ms: graceMs, what: 'the list of ServiceAccounts' } })
  const listed = accounts.readAll(scope.signal).then(
    (): LookupOutcome => 'get_hit',
    (): LookupOutcome => (scope.signal.aborted ? 'timeout' : 'error'),
  )
  try {
    const outcomes = await Promise.all([listed, ...others.map(other => other(() => false, scope.signal))])
    return outcomes.find(outcome => outcome === 'error' || outcome === 'timeout') ?? 'get_hit'
  } finally {
    scope.end()
  }
}

export interface WantedAccount {
  readonly key: ObjectKey
  readonly budget: ReadTurns
  readonly isDone: () => boolean
}

export interface Reader extends Pick<LookupOptions, 'clock'> {
  readonly reads: DirectReads
  /** Takes in what was read. */
  learn(object: StoredObject): void
}

/** Reads one object until the API server has answered, what was looked for is known otherwise, or the signal aborts. */
export async function readUntilAnswered(
  { reads, clock, learn }: Reader,
  { key, budget, isDone }: WantedAccount,
  signal: AbortSignal,
): Promise<LookupOutcome> {
  const isEnough = (answer: DirectAnswer): boolean => {
    if (answer.kind === 'found') learn(answer.object)
    return isDone()
  }
  for (;;) {
    const answer = await reads.ask({ key, budget, signal, isEnough })
    if (answer.kind === 'found') {
      learn(answer.object)
      return 'get_hit'
    }
    if (isDone()) return 'hit'
    if (answer.kind === 'absent') return 'not_found'
    if (signal.aborted || answer.kind === 'not-asked') return 'timeout'
    if (!answer.again) return 'error'
    if (!(await pause(clock, retryMs, signal))) return isDone() ? 'hit' : 'timeout'
  }
}
