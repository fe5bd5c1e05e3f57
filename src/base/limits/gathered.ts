// Bytes that come in pieces of the sender's choosing, copied together as they come. A list of pieces would be simpler, and a piece that is kept
// costs some 200 bytes beside its own: a sender of single bytes would fill the memory a hundred times faster than any count of bytes tells.

/** Holds at most twice what has come, and never more than `bytesMax` beyond a last piece. */
export class GatheredBytes {
  readonly #bytesMax: number
  #bytes: Uint8Array = new Uint8Array()
  #length = 0

  /** `bytesMax`: how many are expected at most. */
  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax
  }

  get length(): number {
    return this.#length
  }

  /** The first piece is kept as it is, since most bodies come in one; nobody may write to it any more. */
  add(piece: Uint8Array): void {
    if (this.#length === 0) this.#bytes = piece
    else {
      this.#reserve(this.#length + piece.length)
      this.#bytes.set(piece, this.#length)
    }
    this.#length += piece.length
  }

  /** All that came, without a copy: what is added afterwards may be seen behind its end only. */
  joined(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }

  #reserve(length: number): void {
    if (length <= this.#bytes.length) return
    const larger = Buffer.allocUnsafe(Math.max(length, Math.min(this.#bytesMax, 2 * this.#length)))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}
