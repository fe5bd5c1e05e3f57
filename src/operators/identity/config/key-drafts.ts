// Keys that were drawn and are not in a Secret yet. A key comes on record before it is written (key-proof.ts), which takes two passes, and
// both have to speak of the same key. What a process forgets when it dies is drawn anew.
import type { Keys } from '#base'
import { keyPairOf, signingKeyBits } from '../documents/signing-key.ts'
import { type SigningKey, signingKeyOf } from './key-ring.ts'

/** One per Config at most, and as a rule for a second; what falls out is drawn again. */
const draftsMax = 256

export class KeyDrafts {
  readonly #keys: Keys
  readonly #drafts = new Map<string, SigningKey>()

  constructor(keys: Keys) {
    this.#keys = keys
  }

  /** The same key for the same Config until it is dropped. */
  async draw(configUid: string): Promise<SigningKey> {
    const held = this.#drafts.get(configUid)
    if (held !== undefined) return held
    const drawn = signingKeyOf(keyPairOf(await this.#keys.generateRsa(signingKeyBits)))
    this.#drafts.set(configUid, drawn)
    if (this.#drafts.size > draftsMax) this.#drafts.delete(this.#drafts.keys().next().value as string)
    return drawn
  }

  /** It is in the Secret, or not wanted any more. */
  drop(configUid: string): void {
    this.#drafts.delete(configUid)
  }
}
