// Small comparisons of JSON for objects of which we own parts.
import { isRecord } from '#base'
import type { StoredObject } from '#kube'
import type { PlainFields } from './kinds.ts'

/** Deep equality; the order of names does not count, `undefined` is the same as absent. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isRecord(a) || !isRecord(b)) return false
  return [...new Set([...Object.keys(a), ...Object.keys(b)])].every(name => isSame(a[name], b[name]))
}

/** Ours over theirs. */
export function over(theirs: unknown, ours: Readonly<Record<string, unknown>>): PlainFields {
  return { ...(isRecord(theirs) ? theirs : {}), ...ours }
}

/** Our item in the place of the one with its name, or at the end. */
export function withItem(list: unknown, ours: { readonly name: string }): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : []
  const index = items.findIndex(item => isRecord(item) && item.name === ours.name)
  return index < 0 ? [...items, ours] : items.with(index, ours)
}

/** What an update sends: the object as it was read with these parts in it. Field sets stay the server's: a partial list would drop some. */
export function replaced(object: StoredObject, labels: Readonly<Record<string, string>>, parts: PlainFields): StoredObject {
  const { managedFields: _fields, ...metadata } = object.metadata
  return { ...object, ...parts, metadata: { ...metadata, labels: { ...metadata.labels, ...labels } } }
}

export function hasLabels({ metadata }: StoredObject, labels: Readonly<Record<string, string>>): boolean {
  return Object.entries(labels).every(([name, value]) => metadata.labels?.[name] === value)
}
