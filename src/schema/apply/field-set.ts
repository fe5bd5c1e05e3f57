import { compareText } from '#base'
import { isObject } from '../json.ts'
// Sets of field paths, as a tree. A path element is its text in managedFields: `f:spec`, `k:{"name":"a"}`, `v:"x"`, `i:0`. A node may be
// a member itself, have members below, or both; the empty tree is the empty set. Sets are values: operations make new ones and share
// what did not change.

export interface FieldSet {
  readonly member: boolean
  readonly children: ReadonlyMap<string, FieldSet> | undefined
}

export const emptySet: FieldSet = { member: false, children: undefined }
export const leafSet: FieldSet = { member: true, children: undefined }

export function isEmptySet(set: FieldSet): boolean {
  return !set.member && set.children === undefined
}

/** The one way to make a node: no children is `undefined`, never an empty map. */
export function node(member: boolean, children: ReadonlyMap<string, FieldSet> | undefined): FieldSet {
  if (children === undefined || children.size === 0) return member ? leafSet : emptySet
  return { member, children }
}

export function union(a: FieldSet, b: FieldSet): FieldSet {
  if (a === b || isEmptySet(b)) return a
  if (isEmptySet(a)) return b
  // Neither is empty: without anything below, a set is a member itself.
  if (b.children === undefined) return a.member ? a : { member: true, children: a.children }
  if (a.children === undefined) return b.member ? b : { member: true, children: b.children }
  const children = new Map(a.children)
  for (const [element, child] of b.children) {
    const mine = children.get(element)
    children.set(element, mine === undefined ? child : union(mine, child))
  }
  return { member: a.member || b.member, children }
}

/** The paths of `a` that are not paths of `b`. What lies below a path of `b` stays. */
export function difference(a: FieldSet, b: FieldSet): FieldSet {
  const member = a.member && !b.member
  if (a.children === undefined) return member ? leafSet : emptySet
  if (b.children === undefined) return member === a.member ? a : node(member, a.children)
  const children = new Map<string, FieldSet>()
  for (const [element, child] of a.children) {
    const other = b.children.get(element)
    const rest = other === undefined ? child : difference(child, other)
    if (!isEmptySet(rest)) children.set(element, rest)
  }
  return node(member, children)
}

export function intersection(a: FieldSet, b: FieldSet): FieldSet {
  const member = a.member && b.member
  if (a.children === undefined || b.children === undefined) return member ? leafSet : emptySet
  const [small, large] = a.children.size <= b.children.size ? [a.children, b.children] : [b.children, a.children]
  const children = new Map<string, FieldSet>()
  for (const [element, child] of small) {
    const other = large.get(element)
    if (other === undefined) continue
    const both = intersection(child, other)
    if (!isEmptySet(both)) children.set(element, both)
  }
  return node(member, children)
}

/** Whether every path of `a` is a path of `b`. */
export function isSubset(a: FieldSet, b: FieldSet): boolean {
  if (a.member && !b.member) return false
  if (a.children === undefined) return true
  for (const [element, child] of a.children) {
    const other = b.children?.get(element)
    if (other === undefined || !isSubset(child, other)) return false
  }
  return true
}

export function setsEqual(a: FieldSet, b: FieldSet): boolean {
  if (a === b) return true
  if (a.member !== b.member || a.children?.size !== b.children?.size) return false
  if (a.children === undefined || b.children === undefined) return true
  for (const [element, child] of a.children) {
    const other = b.children.get(element)
    if (other === undefined || !setsEqual(child, other)) return false
  }
  return true
}

/** Removes these paths and all below them. */
export function withoutBranches(set: FieldSet, paths: readonly (readonly string[])[]): FieldSet {
  let out = set
  for (const path of paths) out = withoutBranch(out, path, 0)
  return out
}

function withoutBranch(set: FieldSet, path: readonly string[], at: number): FieldSet {
  const element = `f:${path[at]}`
  const child = set.children?.get(element)
  if (set.children === undefined || child === undefined) return set
  const children = new Map(set.children)
  const rest = at === path.length - 1 ? emptySet : withoutBranch(child, path, at + 1)
  if (isEmptySet(rest)) children.delete(element)
  else children.set(element, rest)
  return node(set.member, children)
}

/** Calls back with every path of the set: those of one level before those below. */
export function eachPath(set: FieldSet, visit: (path: readonly string[]) => void): void {
  walk(set, [], visit)
}

function walk({ children }: FieldSet, path: readonly string[], visit: (path: readonly string[]) => void): void {
  if (children === undefined) return
  const elements = sortedElements(children)
  for (const element of elements) if (children.get(element)?.member === true) visit([...path, element])
  for (const element of elements) walk(children.get(element) ?? emptySet, [...path, element], visit)
}

export function sortedElements(children: ReadonlyMap<string, FieldSet>): string[] {
  const elements = [...children.keys()]
  if (elements.length < 2) return elements
  if (elements.every(element => element.startsWith('f:'))) return elements.sort()
  return elements
    .map(element => ({ element, rank: ranks[element.charAt(0)] ?? 4, value: element.startsWith('f:') ? '' : parsed(element) }))
    .sort((a, b) => a.rank - b.rank || (a.rank === 0 ? compareText(a.element, b.element) : compareValues(a.value, b.value)))
    .map(({ element }) => element)
}

const ranks: Readonly<Record<string, number>> = { f: 0, k: 1, v: 2, i: 3 }

function parsed(element: string): unknown {
  try {
    return JSON.parse(element.slice(2)) as unknown
  } catch {
    return element
  }
}

/** Numbers by size, before text, and text before truth; lists of key fields one after the other. */
function compareValues(a: unknown, b: unknown): number {
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (isObject(a) && isObject(b)) return compareKeys(Object.entries(a), Object.entries(b))
  if (typeof a === typeof b) return compareText(String(a), String(b))
  return types.indexOf(typeof a) - types.indexOf(typeof b)
}

const types: readonly string[] = ['number', 'string', 'boolean', 'object']

function compareKeys(left: readonly (readonly [string, unknown])[], right: readonly (readonly [string, unknown])[]): number {
  for (const [index, [name, value]] of left.entries()) {
    const other = right[index]
    if (other === undefined) return 1
    const order = compareText(name, other[0]) || compareValues(value, other[1])
    if (order !== 0) return order
  }
  return left.length - right.length
}
