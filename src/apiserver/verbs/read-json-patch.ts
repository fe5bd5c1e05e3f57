// A JSON patch read as a real server reads it: operations by their text, so that a number or a key that stands twice in a value is in
// the patched object as it was written.
import { isRecord, NumberText } from '#base'
import { applyJsonPatch, JsonPatchError, jsonPatchOperationsMax } from '#kube'
import { copyJson, type Draft } from '../draft.ts'
import { goKind } from '../http/body.ts'
import type { ResourceCall } from '../http/call.ts'
import { badRequest, refusal, unprocessable } from '../refusals.ts'
import { type NumbersAs, type ParsedJson, parseJsonAs } from '../text/json.ts'
import { findDuplicates } from '../text/json-keys.ts'
import { memberTexts } from '../text/member-texts.ts'
import type { PatchChange, WrittenValue } from './patch-change.ts'
import { numbersOf } from './recognise.ts'

export function readJsonPatch(call: ResourceCall): PatchChange {
  const text = Buffer.from(call.body).toString()
  const { operations, hasNumberTexts } = readOperations(text, numbersOf(call.kind))
  const strange = operations.flatMap((operation, index) => strangeFields(operation, index))
  const repeated = findDuplicates(text, operations).filter(path => !strange.includes(path))
  if (operations.length > jsonPatchOperationsMax) {
    throw refusal(
      413,
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${operations.length}`,
    )
  }
  const written = numbersOf(call.kind) === 'texts' ? writtenValues(text, operations, repeated) : new Map<object, WrittenValue>()
  const { touched, readBefore } = touchedBy(operations)
  // A copy is a copy of the text, unless what is copied has been read before.
  const copied = (from: object, to: object, index: number): void => {
    const value = written.get(from)
    if (value !== undefined && !readBefore.has(index)) written.set(to, value)
  }
  const change = (live: Readonly<Draft>): unknown => {
    try {
      return applyJsonPatch(copyJson(live), operations, copied)
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable()
      throw error
    }
  }
  return Object.assign(change, {
    touched,
    written,
    findings: {
      hasNumberTexts,
      duplicates: [
        ...repeated.map(path => `json patch duplicate field "${path}"`),
        ...strange.map(path => `json patch unknown field "${path}"`),
      ],
    },
  })
}

function readOperations(text: string, numbers: NumbersAs): { operations: readonly unknown[]; hasNumberTexts: boolean } {
  let parsed: ParsedJson
  try {
    parsed = parseJsonAs(numbers, text)
  } catch (error) {
    const why = error instanceof Error ? error.message : 'no JSON'
    // Only values hold numbers.
    throw badRequest(
      `error decoding patch: ${why.replace(/ value of type float64$/, ' struct field jsonPatchOp.value of type float64')}`,
    )
  }
  const operations = parsed.value ?? []
  if (Array.isArray(operations)) return { operations: operations as readonly unknown[], hasNumberTexts: parsed.hasNumberTexts }
  throw badRequest(
    `error decoding patch: json: cannot unmarshal ${goKind(operations)} into Go value of type []handlers.jsonPatchOp`,
  )
}

/** `[3].value.a[0].b`, of which the last part is the path within the value. */
const withinValue = /^\[(\d+)\]\.value([.[].*)$/s

function writtenValues(text: string, operations: readonly unknown[], repeated: readonly string[]): Map<object, WrittenValue> {
  const repeats = new Map<number, string[]>()
  for (const path of repeated) {
    const [, index = '', within = ''] = withinValue.exec(path) ?? []
    if (index !== '') repeats.set(Number(index), [...(repeats.get(Number(index)) ?? []), within])
  }
  const written = new Map<object, WrittenValue>()
  if (repeats.size === 0) return written
  const texts = memberTexts(text, 'value')
  for (const [index, paths] of repeats) {
    const operation = operations[index]
    const value = isRecord(operation) ? operation.value : undefined
    if (typeof value === 'object' && value !== null) written.set(value, { text: texts.get(index) ?? '', repeats: paths })
  }
  return written
}

const operationTexts: ReadonlySet<string> = new Set(['op', 'path', 'from'])

/**
 * Where there are fields that no operation has. What cannot be read as an operation at all is refused; null is one that says nothing, and fails when it is
 * carried out.
 */
function strangeFields(operation: unknown, index: number): readonly string[] {
  if (operation === null) return []
  const wrong = (value: unknown, into: string): Error =>
    badRequest(`error decoding patch: json: cannot unmarshal ${goKind(value)} into Go ${into}`)
  if (!isRecord(operation) || operation instanceof NumberText) throw wrong(operation, 'value of type handlers.jsonPatchOp')
  for (const [field, value] of Object.entries(operation)) {
    if (!operationTexts.has(field) || typeof value === 'string' || value === null) continue
    throw wrong(value, `struct field jsonPatchOp.${field} of type string`)
  }
  const strange = Object.keys(operation).filter(field => !operationTexts.has(field) && field !== 'value')
  return strange.map(field => `[${index}].${field}`)
}

/** Nested like what has been read. */
interface Touched {
  [part: string]: Touched
}

/** What has been read by then, and which copies are of something that had been. */
function touchedBy(operations: readonly unknown[]): { touched: Touched; readBefore: ReadonlySet<number> } {
  const touched = emptyMap()
  const readBefore = new Set<number>()
  for (const [index, operation] of operations.entries()) {
    if (!isRecord(operation) || typeof operation.path !== 'string') continue
    const { op, path, from, value } = operation
    if (op === 'copy' && typeof from === 'string' && isRecord(placeAt(touched, from))) readBefore.add(index)
    const parts = path.split('/').slice(1)
    let at = touched
    for (const part of parts.slice(0, -1)) at = at[part] ??= emptyMap()
    const last = parts.at(-1)
    if (op === 'test') {
      // To compare two values they are read to the bottom.
      if (last === undefined) readWhole(touched, value)
      else if (typeof value === 'object' && value !== null) readWhole((at[last] ??= emptyMap()), value)
    } else if (last !== undefined && !isIndex(last)) delete at[last]
  }
  return { touched, readBefore }
}

/** What is set in a list may move others, so nothing is forgotten of its items. */
function isIndex(part: string): boolean {
  return part === '-' || /^[+-]?\d+$/.test(part)
}

function placeAt(touched: Touched, path: string): unknown {
  let at: unknown = touched
  for (const part of path.split('/').slice(1)) at = isRecord(at) ? at[part] : undefined
  return at
}

function readWhole(at: Touched, value: unknown): void {
  if (typeof value !== 'object' || value === null || value instanceof NumberText) return
  for (const [key, item] of Object.entries(value))
    if (typeof item === 'object' && item !== null) readWhole((at[key] ??= emptyMap()), item)
}

/** Names in a path are the sender's: the maps have no prototype that `/__proto__` could reach. */
function emptyMap(): Touched {
  return Object.create(null) as Touched
}
