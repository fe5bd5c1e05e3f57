// Randomness from a hash: every name gets its own stream of blocks of 512 bits, so that two of a million objects never draw the same id, which
// a generator with a 32-bit seed cannot promise. Reproducible from the seed, and for that very reason not for real secrets.
import { hash } from 'node:crypto'
import type { Random } from '#base'

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
    return uuidOf(Buffer.from(this.bytes(16).buffer))
  }

  fork(name: string): Random {
    return new HashRandom(`${this.#seed}\u0000${name}`)
  }

  #refill(): void {
    this.#block = hash('sha512', `${this.#seed}\u0001${this.#count++}`, 'buffer')
    this.#at = 0
  }
}

/** Version 4, of sixteen bytes that are changed in place. */
export function uuidOf(bytes: Buffer): string {
  bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40
  bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80
  const hex = bytes.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

/** Text of this length over the alphabet. The draw is even where its length divides 256, and even enough for ids elsewhere. */
export function drawText(random: Random, alphabet: string, length: number): string {
  let text = ''
  for (const byte of random.bytes(length)) text += alphabet[byte % alphabet.length]
  return text
}
