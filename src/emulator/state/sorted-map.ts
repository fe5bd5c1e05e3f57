// An immutable map from text to values, in key order. The whole state of the emulator is made of these: a fork is a copy of one
// reference, a failed call is undone by forgetting the new root, and a page of a list starts in the middle without sorting. It is
// a weight-balanced tree: no node's side is more than `deltaMax` times as heavy as the other, so depth stays near log2(size).

interface Node<V> {
  readonly key: string
  readonly value: V
  readonly size: number
  readonly left: Node<V> | undefined
  readonly right: Node<V> | undefined
}

type Tree<V> = Node<V> | undefined

// Weights for which single and double rotations are known to restore balance (Hirai and Yamamoto).
const deltaMax = 3
const gammaMax = 2

export class SortedMap<V> implements Iterable<readonly [string, V]> {
  readonly #root: Tree<V>

  private constructor(root: Tree<V>) {
    this.#root = root
  }

  static empty<V>(): SortedMap<V> {
    return emptyMap as SortedMap<V>
  }

  static from<V>(entries: Iterable<readonly [string, V]>): SortedMap<V> {
    let map = SortedMap.empty<V>()
    for (const [key, value] of entries) map = map.set(key, value)
    return map
  }

  get size(): number {
    return sizeOf(this.#root)
  }

  get(key: string): V | undefined {
    return nodeOf(this.#root, key)?.value
  }

  has(key: string): boolean {
    return nodeOf(this.#root, key) !== undefined
  }

  set(key: string, value: V): SortedMap<V> {
    return new SortedMap(inserted(this.#root, key, value))
  }

  delete(key: string): SortedMap<V> {
    return this.has(key) ? new SortedMap(removed(this.#root, key)) : this
  }

  /** In key order (UTF-16 code units), beginning at `from` (inclusive) or after `after`. */
  *entries(start: { readonly from?: string; readonly after?: string } = {}): Generator<readonly [string, V]> {
    const path: Node<V>[] = []
    let node = this.#root
    while (node !== undefined) {
      if (isBefore(node.key, start)) node = node.right
      else {
        path.push(node)
        node = node.left
      }
    }
    for (let top = path.pop(); top !== undefined; top = path.pop()) {
      yield [top.key, top.value]
      for (let next = top.right; next !== undefined; next = next.left) path.push(next)
    }
  }

  *keys(): Generator<string> {
    for (const [key] of this.entries()) yield key
  }

  *values(): Generator<V> {
    for (const [, value] of this.entries()) yield value
  }

  [Symbol.iterator](): Generator<readonly [string, V]> {
    return this.entries()
  }

  first(): readonly [string, V] | undefined {
    let node = this.#root
    while (node?.left !== undefined) node = node.left
    return node === undefined ? undefined : [node.key, node.value]
  }

  last(): readonly [string, V] | undefined {
    let node = this.#root
    while (node?.right !== undefined) node = node.right
    return node === undefined ? undefined : [node.key, node.value]
  }

  /** The entry with this key, or else the nearest one before it. */
  floor(key: string): readonly [string, V] | undefined {
    let found: Tree<V>
    for (let node = this.#root; node !== undefined; node = key < node.key ? node.left : node.right) {
      if (node.key <= key) found = node
    }
    return found === undefined ? undefined : [found.key, found.value]
  }
}

const emptyMap: SortedMap<unknown> = (() => {
  // The constructor is private to keep trees well formed; the one empty map is made through the class itself.
  const make = SortedMap as unknown as new (root: undefined) => SortedMap<unknown>
  return new make(undefined)
})()

function isBefore(key: string, start: { readonly from?: string; readonly after?: string }): boolean {
  return (start.from !== undefined && key < start.from) || (start.after !== undefined && key <= start.after)
}

function sizeOf(tree: Tree<unknown>): number {
  return tree === undefined ? 0 : tree.size
}

function nodeOf<V>(tree: Tree<V>, key: string): Tree<V> {
  let node = tree
  while (node !== undefined && node.key !== key) node = key < node.key ? node.left : node.right
  return node
}

function branch<V>(key: string, value: V, left: Tree<V>, right: Tree<V>): Node<V> {
  return { key, value, size: sizeOf(left) + sizeOf(right) + 1, left, right }
}

function inserted<V>(tree: Tree<V>, key: string, value: V): Node<V> {
  if (tree === undefined) return branch(key, value, undefined, undefined)
  if (key === tree.key) return { ...tree, value }
  return key < tree.key
    ? balanced(tree.key, tree.value, inserted(tree.left, key, value), tree.right)
    : balanced(tree.key, tree.value, tree.left, inserted(tree.right, key, value))
}

function removed<V>(tree: Tree<V>, key: string): Tree<V> {
  if (tree === undefined) return undefined
  if (key < tree.key) return balanced(tree.key, tree.value, removed(tree.left, key), tree.right)
  if (key > tree.key) return balanced(tree.key, tree.value, tree.left, removed(tree.right, key))
  if (tree.left === undefined) return tree.right
  if (tree.right === undefined) return tree.left
  let next: Node<V> = tree.right
  while (next.left !== undefined) next = next.left
  return balanced(next.key, next.value, tree.left, removed(tree.right, next.key))
}

function balanced<V>(key: string, value: V, left: Tree<V>, right: Tree<V>): Node<V> {
  const leftWeight = sizeOf(left) + 1
  const rightWeight = sizeOf(right) + 1
  if (right !== undefined && rightWeight > deltaMax * leftWeight) {
    const double = sizeOf(right.left) + 1 >= gammaMax * (sizeOf(right.right) + 1)
    return rotatedLeft(
      key,
      value,
      left,
      double ? rotatedRight(right.key, right.value, right.left as Node<V>, right.right) : right,
    )
  }
  if (left !== undefined && leftWeight > deltaMax * rightWeight) {
    const double = sizeOf(left.right) + 1 >= gammaMax * (sizeOf(left.left) + 1)
    return rotatedRight(key, value, double ? rotatedLeft(left.key, left.value, left.left, left.right as Node<V>) : left, right)
  }
  return branch(key, value, left, right)
}

function rotatedLeft<V>(key: string, value: V, left: Tree<V>, right: Node<V>): Node<V> {
  return branch(right.key, right.value, branch(key, value, left, right.left), right.right)
}

function rotatedRight<V>(key: string, value: V, left: Node<V>, right: Tree<V>): Node<V> {
  return branch(left.key, left.value, left.left, branch(key, value, left.right, right))
}
