// Randomness from a hash: every name gets its own stream of 256 bits, so that two of a million objects never draw the same id, which
// a generator with a 32-bit seed cannot promise. Reproducible from the seed, and for that very reason not for real secrets.
import { createHash } from 'node:crypto'
import { type Random, uuidFromBytes } from '#base'

const blockBytes = 32

export function hashRandom(seed: string): Random {
  return new HashRandom(seed)
}

class HashRandom implements Random {
  readonly #seed: string
  #block: Uint8Array = new Uint8Array(0)
  #at = 0
  #count = 0

  constructor(seed: string) {
    this.#seed = seed
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length)
    for (let filled = 0; filled < length; ) {
      if (this.#at >= this.#block.length) this.#refill()
      const taken = Math.min(length - filled, this.#block.length - this.#at)
      bytes.set(this.#block.subarray(this.#at, this.#at + taken), filled)
      filled += taken
      this.#at += taken
    }
    return bytes
  }

  float(): number {
    return Buffer.from(this.bytes(6).buffer).readUIntBE(0, 6) / 2 ** 48
  }

  integer(below: number): number {
    return Math.floor(this.float() * below)
  }

  uuid(): string {
    return uuidFromBytes(this.bytes(16))
  }

  fork(name: string): Random {
    return new HashRandom(`${this.#seed}\u0000${name}`)
  }

  #refill(): void {
    this.#block = createHash('sha256')
      .update(`${this.#seed}\u0001${this.#count++}`)
      .digest()
      .subarray(0, blockBytes)
    this.#at = 0
  }
}

/** Text of this length over the alphabet, whose length should divide 256 for an even draw. */
export function drawText(random: Random, alphabet: string, length: number): string {
  let text = ''
  for (const byte of random.bytes(length)) text += alphabet[byte % alphabet.length]
  return text
}
