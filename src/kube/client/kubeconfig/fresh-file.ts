// A file that others replace while we run: tokens and certificates that rotate.
import type { Seams } from '#base'
import { KubeconfigError } from './kubeconfig.ts'

export class FreshFile {
  readonly #seams: Pick<Seams, 'files' | 'clock'>
  readonly #path: string
  readonly #maxAgeMs: number
  readonly #what: string
  #text: string | undefined
  #readMs = 0

  constructor(
    seams: Pick<Seams, 'files' | 'clock'>,
    path: string,
    options: { readonly what: string; readonly maxAgeMs: number },
  ) {
    this.#seams = seams
    this.#path = path
    this.#what = options.what
    this.#maxAgeMs = options.maxAgeMs
  }

  /** The text as it was at most the maximal age ago. When the file cannot be read any more, the last text goes on serving. */
  async text(): Promise<string> {
    const nowMs = this.#seams.clock.monotonicMs()
    if (this.#text !== undefined && nowMs - this.#readMs < this.#maxAgeMs) return this.#text
    try {
      const bytes = await this.#seams.files.read(this.#path)
      const text = new TextDecoder().decode(bytes)
      // Blanks are no token: they would be sent as one.
      if (text.trim() === '') throw new KubeconfigError(this.#path, `the file, ${this.#what}, is missing or empty`)
      this.#text = text
    } catch (error) {
      if (this.#text === undefined) throw error
    }
    this.#readMs = nowMs
    return this.#text
  }

  /** The next reader looks again. */
  forget(): void {
    this.#readMs = Number.NEGATIVE_INFINITY
  }
}
