// Randomness as a value that is passed in. Every stream can be forked by name, so that one more draw in one place does not
// shift what all other places see.

export interface Random {
  /** In [0, 1). */
  float(): number
  /** A whole number in [0, below). */
  integer(below: number): number
  bytes(length: number): Uint8Array
  /** A version 4 UUID in lower case. */
  uuid(): string
  /** A stream of its own that depends only on this stream's seed and the name. */
  fork(name: string): Random
}

/** A reproducible stream (xoshiro128**, seeded through FNV and splitmix); fast, even, and not for secrets. */
export function seededRandom(seed: string | number): Random {
  return new SeededRandom(String(seed))
}

class SeededRandom implements Random {
  readonly #seed: string
  #a: number
  #b: number
  #c: number
  #d: number

  constructor(seed: string) {
    this.#seed = seed
    let state = hashText(seed)
    const next = (): number => {
      state = (state + 0x9e3779b9) | 0
      let z = state
      z = Math.imul(z ^ (z >>> 16), 0x85ebca6b)
      z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35)
      return (z ^ (z >>> 16)) >>> 0
    }
    this.#a = next()
    this.#b = next()
    this.#c = next()
    this.#d = next() | 1
  }

  float(): number {
    return this.#next() / 0x1_0000_0000
  }

  integer(below: number): number {
    return Math.floor(this.float() * below)
  }

  bytes(length: number): Uint8Array {
    const bytes = new Uint8Array(length)
    for (let index = 0; index < length; index++) bytes[index] = this.#next() & 0xff
    return bytes
  }

  uuid(): string {
    return uuidFromBytes(this.bytes(16))
  }

  fork(name: string): Random {
    return new SeededRandom(`${this.#seed}/${name}`)
  }

  #next(): number {
    const result = Math.imul(rotate(Math.imul(this.#b, 5), 7), 9) >>> 0
    const shifted = this.#b << 9
    this.#c ^= this.#a
    this.#d ^= this.#b
    this.#b ^= this.#c
    this.#a ^= this.#d
    this.#c ^= shifted
    this.#d = rotate(this.#d, 11)
    return result
  }
}

/** Made once: a server draws several UUIDs for each write. */
const hexPairs = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Renders 16 bytes as a version 4 UUID, setting its version and variant bits. */
export function uuidFromBytes(bytes: Uint8Array): string {
  const fixed = Uint8Array.from(bytes.subarray(0, 16))
  fixed[6] = ((fixed[6] ?? 0) & 0x0f) | 0x40
  fixed[8] = ((fixed[8] ?? 0) & 0x3f) | 0x80
  let hex = ''
  for (let index = 0; index < 16; index++) hex += hexPairs[fixed[index] as number]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  return hash
}
