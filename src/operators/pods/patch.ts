import { escapePointer } from '#base'
// The patch engine: reads the pod as the raw JSON that came, and adds. What it does not know it cannot lose, which is the fault of engines
// that re-type the pod and send whole containers back. It replaces one thing only: what stands under a name that is reserved for us (§6.2).

export type PatchValue =
  | null
  | boolean
  | number
  | string
  | readonly PatchValue[]
  | { readonly [key: string]: PatchValue | undefined }
export type PatchObject = { readonly [key: string]: PatchValue | undefined }

export interface AddOperation {
  readonly op: 'add'
  readonly path: string
  readonly value: PatchValue
}

/** Only of a volume or a mount under a name that is reserved for us. */
export interface ReplaceOperation {
  readonly op: 'replace'
  readonly path: string
  readonly value: PatchValue
}

export type PodOperation = AddOperation | ReplaceOperation

/** A list as the request has it: missing and null count as missing (6.2). */
export interface RawList {
  readonly path: string
  readonly items: readonly PatchObject[]
  readonly isMissing: boolean
}

export function isObject(value: PatchValue | undefined): value is PatchObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function readList(parent: PatchObject, parentPath: string, name: string): RawList {
  const value = parent[name]
  const path = `${parentPath}/${name}`
  if (!Array.isArray(value)) return { path, items: [], isMissing: true }
  const items: readonly PatchValue[] = value
  return { path, items: areObjects(items) ? items : items.map(item => (isObject(item) ? item : {})), isMissing: false }
}

function areObjects(items: readonly PatchValue[]): items is readonly PatchObject[] {
  return items.every(isObject)
}

/** Operations that append the values, creating the list when there is none. */
export function appendAll(list: RawList, values: readonly PatchValue[]): AddOperation[] {
  if (values.length === 0) return []
  if (list.isMissing) return [{ op: 'add', path: list.path, value: [...values] }]
  return values.map(value => ({ op: 'add', path: `${list.path}/-`, value }))
}

/** One operation that puts the value in front. */
export function prepend(list: RawList, value: PatchValue): AddOperation {
  return list.isMissing ? { op: 'add', path: list.path, value: [value] } : { op: 'add', path: `${list.path}/0`, value }
}

/** Sets one entry of a map of strings, creating the map when there is none. */
export function setEntry(parent: PatchObject, parentPath: string, name: string, key: string, value: string): AddOperation[] {
  const map = parent[name]
  if (!isObject(map)) return [{ op: 'add', path: `${parentPath}/${name}`, value: { [key]: value } }]
  return map[key] === value ? [] : [{ op: 'add', path: `${parentPath}/${name}/${escapePointer(key)}`, value }]
}

/** As JSON.stringify has it. Containers are given the same values, whose text is made once. */
export function renderOperations(operations: readonly PodOperation[]): string {
  const texts = new Map<PatchValue, string>()
  let rendered = ''
  for (const { op, path, value } of operations) {
    const pathText = plainPath.test(path) ? `"${path}"` : JSON.stringify(path)
    rendered += `${rendered === '' ? '[' : ','}{"op":"${op}","path":${pathText},"value":${renderValue(value, texts)}}`
  }
  return rendered === '' ? '[]' : `${rendered}]`
}

/** Of characters that stand in JSON as they are. */
const plainPath = /^[\w/.~-]*$/

/** What is frozen is given to more than one pod: its text is there as long as it is. */
const frozenTexts = new WeakMap<object, string>()

function renderValue(value: PatchValue, texts: Map<PatchValue, string>): string {
  const object = typeof value === 'object' && value !== null ? value : undefined
  const held = (object === undefined ? undefined : frozenTexts.get(object)) ?? texts.get(value)
  if (held !== undefined) return held
  const text = JSON.stringify(value)
  if (object !== undefined && Object.isFrozen(object)) frozenTexts.set(object, text)
  else texts.set(value, text)
  return text
}
