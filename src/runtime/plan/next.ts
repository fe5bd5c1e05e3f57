// What comes after a pass, where several reasons have a say in it: the earliest look is taken, since the others come up again in it.
import type { Next } from './plan.ts'

export const awaitChange: Next = { kind: 'await-change' }

/** A look after a while, or none where the while is not known: then only a change wakes the claim. */
export function lookAgain(afterMs: number | undefined, why: string): Next {
  return afterMs === undefined ? awaitChange : { kind: 'look-again', afterMs, why }
}

/** The earliest of two looks, and `first` where both are due at the same moment. A look is sooner than anything that takes none. */
export function sooner(first: Next, other: Next): Next {
  if (other.kind !== 'look-again') return first
  return first.kind === 'look-again' && first.afterMs <= other.afterMs ? first : other
}
