// JSON patch (RFC 6902) and JSON merge patch (RFC 7386) over plain JSON values. A number that was told by its text stays one.
import { NumberText } from '#base'

export class JsonPatchError extends Error {}

/** The API server takes no more in one request. */
export const jsonPatchOperationsMax = 10_000

/** Copies of copies grow without end: as many characters of values may be copied in one patch, as in a real server. */
const copiedLengthMax = 3_145_728

/** Who wants to know what a patch goes into on its way, or makes the copies itself. */
export interface PatchSteps {
  /** Told of each map and list within which something is looked for, set or compared. */
  readonly opened?: (container: object) => void
  readonly copy?: (value: unknown) => unknown
}

/** The value that is patched, and how much has been copied within it. */
interface Patched {
  root: unknown
  copiedLength: number
  readonly opened: (container: object) => void
  readonly copy: (value: unknown) => unknown
}

interface Operation {
  readonly op: string
  readonly path: string
  readonly from?: string
  readonly value?: unknown
}

/** Applies the operations in order, changing `target` in place where it can; returns the new root. All or nothing: use a copy. */
export function applyJsonPatch(target: unknown, operations: readonly unknown[], steps: PatchSteps = {}): unknown {
  const box: Patched = { root: target, copiedLength: 0, opened: steps.opened ?? (() => {}), copy: steps.copy ?? copyOf }
  for (const operation of operations) applyOperation(box, readOperation(operation))
  return box.root
}

/** The merged value; neither argument is changed, untouched parts are shared with `target`. */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isObject(patch)) return patch
  const result: Record<string, unknown> = isObject(target) ? { ...target } : {}
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key]
    else setOwn(result, key, mergePatch(Object.hasOwn(result, key) ? result[key] : undefined, value))
  }
  return result
}

function readOperation(value: unknown): Operation {
  if (!isObject(value)) throw new JsonPatchError('an operation must be an object')
  const { op, path, from } = value
  if (typeof op !== 'string' || typeof path !== 'string') throw new JsonPatchError('an operation needs "op" and "path"')
  if ((op === 'move' || op === 'copy') && typeof from !== 'string') throw new JsonPatchError(`${op} needs "from"`)
  // What is set without a value is set to null, as the Go implementation has it.
  return { value: null, ...value } as unknown as Operation
}

function applyOperation(box: Patched, operation: Operation): void {
  const path = parsePointer(operation.path)
  switch (operation.op) {
    case 'add':
      add(box, path, operation.value)
      return
    case 'remove':
      remove(box, path)
      return
    case 'replace':
      if (path.length > 0) replace(box, path, operation.value)
      // Only a map or a list can stand for the whole; anything else is passed over, as the Go implementation has it.
      else if (isObject(operation.value) || Array.isArray(operation.value)) box.root = operation.value
      return
    case 'move': {
      const from = parsePointer(operation.from as string)
      // Into itself nothing can be moved: where it was is nothing, or in a list what came after it.
      const value = read(box, from)
      remove(box, from)
      add(box, path, value)
      return
    }
    case 'copy':
      copy(box, parsePointer(operation.from as string), path)
      return
    case 'test':
      compare(box, path, operation)
      return
    default:
      throw new JsonPatchError(`Unexpected kind: ${operation.op}`)
  }
}

function copy(box: Patched, from: readonly string[], path: readonly string[]): void {
  if (from.length === 0) throw new JsonPatchError('the whole document cannot be copied')
  const value = readMember(box, from)
  box.copiedLength += lengthOf(value, copiedLengthMax - box.copiedLength)
  if (box.copiedLength > copiedLengthMax)
    throw new JsonPatchError(
      `Unable to complete the copy, the accumulated size increase of copy is ${box.copiedLength}, exceeding the limit ${copiedLengthMax}`,
    )
  add(box, path, box.copy(value))
}

function copyOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copyOf)
  if (!isObject(value)) return value
  const made: Record<string, unknown> = {}
  for (const [key, item] of Object.entries(value)) setOwn(made, key, copyOf(item))
  return made
}

/** To compare two values they are read to the bottom. */
function compare(box: Patched, path: readonly string[], { path: pointer, value: given = null }: Operation): void {
  const value = readMember(box, path)
  if (!sameJson(value, given)) throw new JsonPatchError(`testing value ${pointer} failed: test failed`)
  openAll(value, box.opened)
}

function openAll(value: unknown, opened: Patched['opened']): void {
  if (!Array.isArray(value) && !isObject(value)) return
  opened(value)
  for (const item of Object.values(value)) openAll(item, opened)
}

/** About as many characters as the value has as text; no more is counted once it is too much. */
function lengthOf(value: unknown, most: number): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 4
  let length = 2
  for (const [key, item] of Object.entries(value)) {
    if (length > most) break
    length += lengthOf(item, most - length) + (Array.isArray(value) ? 1 : key.length + 4)
  }
  return length
}

/** What stands before the first slash is passed over, whatever it is, as the Go implementation has it. */
function parsePointer(pointer: string): string[] {
  if (pointer === '') return []
  const start = pointer.indexOf('/')
  if (start < 0) throw new JsonPatchError(`path "${pointer}" has no "/"`)
  return pointer
    .slice(start + 1)
    .split('/')
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
}

function add(box: Patched, path: readonly string[], value: unknown): void {
  // The whole document can only be replaced, as in the Go implementation.
  if (path.length === 0) throw new JsonPatchError('the whole document cannot be added')
  const parent = readParent(box, path)
  const last = path.at(-1) as string
  if (Array.isArray(parent)) parent.splice(last === '-' ? parent.length : arrayIndex(last, parent.length + 1), 0, value)
  else if (isObject(parent)) setOwn(parent, last, value)
  else throw missing(path)
}

function remove(box: Patched, path: readonly string[]): void {
  if (path.length === 0) throw new JsonPatchError('the whole document cannot be removed')
  const parent = readParent(box, path)
  const last = path.at(-1) as string
  if (Array.isArray(parent)) parent.splice(arrayIndex(last, parent.length), 1)
  else if (isObject(parent) && Object.hasOwn(parent, last)) delete parent[last]
  else throw missing(path)
}

function replace(box: Patched, path: readonly string[], value: unknown): void {
  const parent = readParent(box, path)
  const last = path.at(-1) as string
  if (Array.isArray(parent)) parent[arrayIndex(last, parent.length)] = value
  else if (isObject(parent)) setOwn(parent, last, value)
  else throw missing(path)
}

function read(box: Patched, path: readonly string[]): unknown {
  let value = box.root
  for (const part of path) {
    open(box, value)
    if (Array.isArray(value)) value = value[arrayIndex(part, value.length)]
    else if (isObject(value) && Object.hasOwn(value, part)) value = value[part]
    else throw missing(path)
  }
  return value
}

function readParent(box: Patched, path: readonly string[]): unknown {
  const parent = read(box, path.slice(0, -1))
  open(box, parent)
  return parent
}

function open(box: Patched, value: unknown): void {
  if (typeof value === 'object' && value !== null) box.opened(value)
}

/** What is copied from or tested at a name that an object does not have is null, as the Go implementation has it. */
function readMember(box: Patched, path: readonly string[]): unknown {
  const parent = path.length === 0 ? undefined : readParent(box, path)
  return isObject(parent) && !Object.hasOwn(parent, path.at(-1) as string) ? null : read(box, path)
}

function missing(path: readonly string[]): JsonPatchError {
  return new JsonPatchError(`path /${path.join('/')} does not exist: missing value`)
}

/**
 * The index that a step of a pointer means in a list of so many places. Below zero it counts from the end, as in the Go implementation.
 */
function arrayIndex(part: string, places: number): number {
  const number = /^[+-]?\d{1,9}$/.test(part) ? Number(part) : Number.NaN
  const index = number < 0 ? number + places : number
  if (!(index >= 0 && index < places)) throw new JsonPatchError(`Unable to access invalid index: ${part}`)
  return index
}

/** Own property, also for the names that assignment treats specially. */
function setOwn(target: Record<string, unknown>, key: string, value: unknown): void {
  if (key !== '__proto__') target[key] = value
  else Object.defineProperty(target, key, { value, writable: true, enumerable: true, configurable: true })
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof NumberText)
}

/** Numbers are compared by their texts, as in the Go implementation. */
function sameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (a instanceof NumberText && b instanceof NumberText) return a.text === b.text
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((item, index) => sameJson(item, b[index]))
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every(key => Object.hasOwn(b, key) && sameJson(a[key], b[key]))
}
