// Which claims were seen on the server since this process took their work over. Its cache may be older than that moment: whoever worked before may
// have let a claim go that still stands there, and what is made for it then belongs to nobody.

export class TakenClaims {
  /** By the uid of a claim: the term in which it was read, or written to. */
  readonly #terms = new Map<string, AbortSignal>()

  seenIn(term: AbortSignal): SeenClaims {
    return {
      has: uid => this.#terms.get(uid) === term,
      add: uid => void this.#terms.set(uid, term),
    }
  }

  /** The cache knows by now that it is gone. */
  forget(uid: string): void {
    this.#terms.delete(uid)
  }
}

/** Claims, by uid, that were there in this term. */
export interface SeenClaims {
  has(uid: string): boolean
  add(uid: string): void
}
