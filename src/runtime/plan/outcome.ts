import type { Action, OwnAction } from './plan.ts'
import type { Trouble } from './trouble.ts'

/** What became of one action. */
export type Outcome =
  | { readonly kind: 'done'; readonly action: Action<OwnAction>; readonly changed: boolean; readonly value?: unknown }
  | { readonly kind: 'failed'; readonly action: Action<OwnAction>; readonly trouble: Trouble }
  /** The action was left out, since one before it failed. */
  | { readonly kind: 'skipped'; readonly action: Action<OwnAction> }

export function failuresOf(outcomes: readonly Outcome[]): readonly Trouble[] {
  return outcomes.flatMap(outcome => (outcome.kind === 'failed' ? [outcome.trouble] : []))
}

/** The trouble that decides what happens next: the one that asks for the earliest look, then the first. */
export function decidingTrouble(troubles: readonly Trouble[]): Trouble | undefined {
  for (const kind of ['soon', 'backoff', 'wait', 'stop'] as const) {
    const found = troubles.find(trouble => trouble.kind === kind)
    if (found !== undefined) return found
  }
  return undefined
}
