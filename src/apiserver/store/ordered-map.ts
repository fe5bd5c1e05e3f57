// A sorted map whose copies are free. It is a B-tree in which every node knows which map may change it: a map changes its own nodes
// in place and copies all others on the way down, so a server that never forks pays nothing for forks, and a fork of a hundred
// thousand objects is two new owner marks.

/** Wide enough that a hundred thousand keys are three levels, narrow enough that an insertion moves little. */
const widthMax = 64

interface Leaf<V> {
  owner: object
  readonly keys: string[]
  readonly values: V[]
  readonly children: undefined
}

interface Branch<V> {
  owner: object
  /** The smallest key under each child when it was split off; the first is not used. */
  readonly keys: string[]
  readonly children: Node<V>[]
}

type Node<V> = Leaf<V> | Branch<V>

export class OrderedMap<V> {
  #root: Node<V>
  #owner: object
  #size: number

  constructor() {
    this.#owner = {}
    this.#root = { owner: this.#owner, keys: [], values: [], children: undefined }
    this.#size = 0
  }

  get size(): number {
    return this.#size
  }

  /** A map of its own with the same content. From now on both copy what they share before they change it. */
  fork(): OrderedMap<V> {
    const copy = new OrderedMap<V>()
    copy.#root = this.#root
    copy.#size = this.#size
    this.#owner = {}
    return copy
  }

  get(key: string): V | undefined {
    let node = this.#root
    while (node.children !== undefined) node = node.children[childIndex(node.keys, key)] as Node<V>
    const index = lowerBound(node.keys, key)
    return node.keys[index] === key ? node.values[index] : undefined
  }

  set(key: string, value: V): void {
    this.#root = this.#own(this.#root)
    const split = this.#insert(this.#root, key, value)
    if (split === undefined) return
    this.#root = { owner: this.#owner, keys: ['', split.key], children: [this.#root, split.right] }
  }

  delete(key: string): void {
    this.#root = this.#own(this.#root)
    this.#remove(this.#root, key)
    while (this.#root.children?.length === 1) this.#root = this.#root.children[0] as Node<V>
  }

  /** Visits in key order from the first key that is not below `from`, until `visit` returns false. */
  visit(from: string, visit: (value: V, key: string) => boolean): void {
    visitNode(this.#root, from, visit)
  }

  #own(node: Node<V>): Node<V> {
    if (node.owner === this.#owner) return node
    return node.children === undefined
      ? { owner: this.#owner, keys: node.keys.slice(), values: node.values.slice(), children: undefined }
      : { owner: this.#owner, keys: node.keys.slice(), children: node.children.slice() }
  }

  /** `node` is already ours. Returns the right half when it had to be split. */
  #insert(node: Node<V>, key: string, value: V): { key: string; right: Node<V> } | undefined {
    if (node.children === undefined) {
      const index = lowerBound(node.keys, key)
      if (node.keys[index] === key) {
        node.values[index] = value
        return undefined
      }
      node.keys.splice(index, 0, key)
      node.values.splice(index, 0, value)
      this.#size++
      return node.keys.length > widthMax ? this.#splitLeaf(node) : undefined
    }
    const index = childIndex(node.keys, key)
    const child = this.#own(node.children[index] as Node<V>)
    node.children[index] = child
    const split = this.#insert(child, key, value)
    if (split === undefined) return undefined
    node.keys.splice(index + 1, 0, split.key)
    node.children.splice(index + 1, 0, split.right)
    return node.keys.length > widthMax ? this.#splitBranch(node) : undefined
  }

  #splitLeaf(node: Leaf<V>): { key: string; right: Node<V> } {
    const half = node.keys.length >> 1
    const keys = node.keys.splice(half)
    const values = node.values.splice(half)
    return { key: keys[0] as string, right: { owner: this.#owner, keys, values, children: undefined } }
  }

  #splitBranch(node: Branch<V>): { key: string; right: Node<V> } {
    const half = node.keys.length >> 1
    const keys = node.keys.splice(half)
    const children = node.children.splice(half)
    return { key: keys[0] as string, right: { owner: this.#owner, keys, children } }
  }

  /** Nodes are not merged: an emptied one is dropped, a thin one stays, which bounds nothing worse than the largest size ever. */
  #remove(node: Node<V>, key: string): void {
    if (node.children === undefined) {
      const index = lowerBound(node.keys, key)
      if (node.keys[index] !== key) return
      node.keys.splice(index, 1)
      node.values.splice(index, 1)
      this.#size--
      return
    }
    const index = childIndex(node.keys, key)
    const child = this.#own(node.children[index] as Node<V>)
    node.children[index] = child
    this.#remove(child, key)
    if (child.keys.length > 0 || node.children.length === 1) return
    node.keys.splice(index, 1)
    node.children.splice(index, 1)
  }
}

/** The first index whose key is not below `key`. */
function lowerBound(keys: readonly string[], key: string): number {
  let low = 0
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) < key) low = middle + 1
    else high = middle
  }
  return low
}

function childIndex(keys: readonly string[], key: string): number {
  let low = 1
  let high = keys.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((keys[middle] as string) <= key) low = middle + 1
    else high = middle
  }
  return low - 1
}

function visitNode<V>(node: Node<V>, from: string, visit: (value: V, key: string) => boolean): boolean {
  if (node.children === undefined) {
    for (let index = lowerBound(node.keys, from); index < node.keys.length; index++) {
      if (!visit(node.values[index] as V, node.keys[index] as string)) return false
    }
    return true
  }
  for (let index = childIndex(node.keys, from); index < node.children.length; index++) {
    if (!visitNode(node.children[index] as Node<V>, from, visit)) return false
  }
  return true
}
