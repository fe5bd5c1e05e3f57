// Messages whose objects have not been looked at yet. A message is done with once a pass that began after it came has ended for each of
// them: until then a successor would get it again.
import { type ObjectKey, renderKey } from '#kube'

interface Message {
  readonly receipt: string
  readonly atMs: number
  left: number
}

export class Waiting {
  readonly #byClaim = new Map<string, Message[]>()
  readonly #onDone: (receipt: string) => void
  readonly #forgetAfterMs: number

  /** `forgetAfterMs`: when the queue hands a message out again, under another receipt. */
  constructor(options: { readonly onDone: (receipt: string) => void; readonly forgetAfterMs: number }) {
    this.#onDone = options.onDone
    this.#forgetAfterMs = options.forgetAfterMs
  }

  /** Objects that are waited for. */
  get size(): number {
    return this.#byClaim.size
  }

  add(receipt: string, claims: readonly { readonly controller: string; readonly key: ObjectKey }[], atMs: number): void {
    const message = { receipt, atMs, left: claims.length }
    for (const { controller, key } of claims) {
      const id = idOf(controller, key)
      const held = (this.#byClaim.get(id) ?? []).filter(each => atMs - each.atMs < this.#forgetAfterMs)
      this.#byClaim.set(id, [...held, message])
    }
  }

  /** A pass that began at that time has ended. */
  onPass(controller: string, key: ObjectKey, beganMs: number): void {
    const id = idOf(controller, key)
    const held = this.#byClaim.get(id)
    if (held === undefined) return
    const later = held.filter(({ atMs }) => atMs > beganMs)
    if (later.length === 0) this.#byClaim.delete(id)
    else this.#byClaim.set(id, later)
    for (const message of held) {
      if (message.atMs > beganMs) continue
      message.left -= 1
      if (message.left === 0) this.#onDone(message.receipt)
    }
  }

  /** Drops what the queue hands out again anyway. */
  forgetOld(nowMs: number): void {
    for (const [id, messages] of this.#byClaim)
      if (messages.every(({ atMs }) => nowMs - atMs >= this.#forgetAfterMs)) this.#byClaim.delete(id)
  }
}

function idOf(controller: string, key: ObjectKey): string {
  return `${controller} ${renderKey(key)}`
}
