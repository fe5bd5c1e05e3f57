// The objects that an informer holds, with indexes. Nested maps (namespace, then name) instead of one map with joined keys: a
// hundred thousand joined keys are ten megabytes, and "all of a namespace" comes for free.
import type { StoredObject } from '#kube'

/** The values under which an object is found. It is pure and quick, since it runs on every change. */
export type IndexFunction<T> = (object: T) => readonly string[]

export type Indexes<T> = Readonly<Record<string, IndexFunction<T>>>

const nothing: readonly never[] = []

export class ObjectStore<T extends StoredObject> {
  #namespaces = new Map<string, Map<string, T>>()
  #size = 0
  readonly #indexes: readonly { readonly name: string; readonly of: IndexFunction<T>; readonly found: Map<string, Found<T>> }[]

  constructor(indexes: Indexes<T> = {}) {
    this.#indexes = Object.entries(indexes).map(([name, of]) => ({ name, of, found: new Map() }))
  }

  get size(): number {
    return this.#size
  }

  get(namespace: string, name: string): T | undefined {
    return this.#namespaces.get(namespace)?.get(name)
  }

  set(object: T): void {
    const namespace = object.metadata.namespace ?? ''
    let names = this.#namespaces.get(namespace)
    if (names === undefined) {
      names = new Map()
      this.#namespaces.set(namespace, names)
    }
    const previous = names.get(object.metadata.name)
    names.set(object.metadata.name, object)
    if (previous === undefined) this.#size++
    for (const index of this.#indexes) {
      if (previous !== undefined) removeFromIndex(index.found, index.of(previous), previous)
      for (const value of index.of(object)) addToIndex(index.found, value, object)
    }
  }

  delete(namespace: string, name: string): T | undefined {
    const names = this.#namespaces.get(namespace)
    const previous = names?.get(name)
    if (names === undefined || previous === undefined) return undefined
    names.delete(name)
    if (names.size === 0) this.#namespaces.delete(namespace)
    this.#size--
    for (const index of this.#indexes) removeFromIndex(index.found, index.of(previous), previous)
    return previous
  }

  /** All objects, or those of one namespace, in the order in which they came. */
  *values(namespace?: string): IterableIterator<T> {
    if (namespace !== undefined) {
      const names = this.#namespaces.get(namespace)
      if (names !== undefined) yield* names.values()
      return
    }
    for (const names of this.#namespaces.values()) yield* names.values()
  }

  /** `undefined` when there is no such index, which is a mistake of the caller. */
  byIndex(index: string, value: string): readonly T[] | undefined {
    const known = this.#indexes.find(one => one.name === index)
    if (known === undefined) return undefined
    const found = known.found.get(value)
    if (found === undefined) return nothing
    return found instanceof Set ? [...found] : [found]
  }
}

/** Most values are those of one object, and a set of one takes more than a small object. */
type Found<T> = T | Set<T>

function addToIndex<T>(index: Map<string, Found<T>>, value: string, object: T): void {
  const found = index.get(value)
  if (found instanceof Set) found.add(object)
  else index.set(value, found === undefined || found === object ? object : new Set([found, object]))
}

function removeFromIndex<T>(index: Map<string, Found<T>>, values: readonly string[], object: T): void {
  for (const value of values) {
    const found = index.get(value)
    if (found === object) index.delete(value)
    if (!(found instanceof Set)) continue
    found.delete(object)
    const [last] = found
    if (found.size === 1 && last !== undefined) index.set(value, last)
  }
}
