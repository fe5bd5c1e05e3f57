// What was made once and may be needed again, up to a weight that the maker states. What was not asked for longest goes first.

export class BoundedCache<K, V> {
  readonly #weightMax: number
  /** In the order of their last use. */
  readonly #entries = new Map<K, { readonly value: V; readonly weight: number }>()
  #weight = 0

  constructor(weightMax: number) {
    this.#weightMax = weightMax
  }

  /** The weight of all entries together, which is never more than the maximum. */
  get weight(): number {
    return this.#weight
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key)
    if (entry === undefined) return undefined
    this.#entries.delete(key)
    this.#entries.set(key, entry)
    return entry.value
  }

  /** Keeps the value, in the place of an older one; what alone weighs more than the most is not kept. */
  set(key: K, value: V, weight: number): void {
    this.delete(key)
    if (weight > this.#weightMax) return
    this.#entries.set(key, { value, weight })
    this.#weight += weight
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#weightMax) return
      this.delete(oldest)
    }
  }

  /** The value for the key, made when it is not there. */
  getOrMake(key: K, make: () => V, weightOf: (value: V) => number): V {
    const known = this.get(key)
    if (known !== undefined) return known
    const value = make()
    this.set(key, value, weightOf(value))
    return value
  }

  delete(key: K): void {
    this.#weight -= this.#entries.get(key)?.weight ?? 0
    this.#entries.delete(key)
  }
}
