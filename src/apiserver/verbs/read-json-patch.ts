// A JSON patch read as a real server reads it: operations by their text, so that a number or a key that stands twice in a value is in
// the patched object as it was written.
import { isRecord, NumberText } from '#base'
import { applyJsonPatch, JsonPatchError, jsonPatchOperationsMax } from '#kube'
import { copyJson, type Draft } from '../draft.ts'
import { goKind } from '../http/body.ts'
import type { ResourceCall } from '../http/call.ts'
import { badRequest, refusal, unprocessable } from '../refusals.ts'
import { findDuplicates, type NumbersAs, type ParsedJson, parseJsonAs } from '../text/json.ts'
import { memberTexts } from '../text/member-texts.ts'
import type { PatchChange, WrittenValue, WrittenValues } from './patch-change.ts'
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
  const change = (live: Readonly<Draft>): unknown => {
    try {
      return applyJsonPatch(copyJson(live), operations)
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable()
      throw error
    }
  }
  return Object.assign(change, {
    touched: touchedBy(operations),
    written: numbersOf(call.kind) === 'texts' ? writtenValues(text, operations, repeated) : noValues,
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

const noValues: WrittenValues = new Map()

/** `[3].value.a[0].b`, of which the last part is the path within the value. */
const withinValue = /^\[(\d+)\]\.value([.[].*)$/s

function writtenValues(text: string, operations: readonly unknown[], repeated: readonly string[]): WrittenValues {
  const repeats = new Map<number, string[]>()
  for (const path of repeated) {
    const [, index = '', within = ''] = withinValue.exec(path) ?? []
    if (index !== '') repeats.set(Number(index), [...(repeats.get(Number(index)) ?? []), within])
  }
  if (repeats.size === 0) return noValues
  const texts = memberTexts(text, 'value')
  const written = new Map<object, WrittenValue>()
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

/** Names in a path are the sender's: the maps have no prototype that `/__proto__` could reach. */
function touchedBy(operations: readonly unknown[]): Record<string, unknown> {
  const touched = emptyMap()
  for (const operation of operations) {
    if (!isRecord(operation) || typeof operation.path !== 'string') continue
    let at = touched
    for (const part of operation.path.split('/').slice(1, -1)) at = (at[part] ??= emptyMap()) as Record<string, unknown>
  }
  return touched
}

function emptyMap(): Record<string, unknown> {
  return Object.create(null) as Record<string, unknown>
}
