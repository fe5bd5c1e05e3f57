import type { HttpFailure } from '#base'

/** What the process iterates. Pushed pieces wait until they are asked for. */
export class StreamReader implements AsyncIterableIterator<Uint8Array> {
  readonly #pieces: Uint8Array[] = []
  #waiting: ((result: IteratorResult<Uint8Array> | Promise<never>) => void) | undefined
  #finished = false
  #failure: HttpFailure | undefined
  onReturn: () => void = () => {}

  push(piece: Uint8Array): void {
    const waiting = this.#waiting
    if (waiting === undefined) this.#pieces.push(piece)
    else {
      this.#waiting = undefined
      waiting({ done: false, value: piece })
    }
  }

  finish(failure: HttpFailure | undefined): void {
    if (this.#finished) return
    this.#finished = true
    this.#failure = failure
    const waiting = this.#waiting
    this.#waiting = undefined
    waiting?.(this.#ended())
  }

  next(): Promise<IteratorResult<Uint8Array>> {
    const piece = this.#pieces.shift()
    if (piece !== undefined) return Promise.resolve({ done: false, value: piece })
    if (this.#finished) return Promise.resolve(this.#ended())
    return new Promise(resolve => {
      this.#waiting = resolve
    })
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.onReturn()
    this.finish(undefined)
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  #ended(): IteratorResult<Uint8Array> | Promise<never> {
    const failure = this.#failure
    this.#failure = undefined
    return failure === undefined ? { done: true, value: undefined } : Promise.reject(failure)
  }
}
