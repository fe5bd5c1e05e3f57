// A number of a JSON text as it was written. `80.0`, `8e1` and `1E400` have a value like any other number, or none at all; who reads
// numbers by their text tells them apart from `80`, refuses them and quotes them.

/** Never changed. The text is no member of it, so that whoever walks JSON values finds nothing in it to walk into. */
export class NumberText {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  get text(): string {
    return this.#text
  }

  /** Infinite when no double holds it. */
  get value(): number {
    return Number(this.#text)
  }
}
