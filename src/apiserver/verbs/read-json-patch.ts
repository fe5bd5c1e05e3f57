// A JSON patch read as a real server reads it: operations by their text, so that a number or a key that stands twice in a value is in
// the patched object as it was written.
import { isRecord, NumberText } from '#base'
import { applyJsonPatch, JsonPatchError, jsonPatchOperationsMax } from '#kube'
import { renderJson } from '#schema'
import { asJson, copyJson, type Draft } from '../draft.ts'
import { goKind } from '../http/body.ts'
import type { ResourceCall } from '../http/call.ts'
import { badRequest, refusal, unprocessable } from '../refusals.ts'
import type { ServedKind } from '../registry/resource.ts'
import { JsonError, type NumbersAs, type ParsedJson, parseJsonAs } from '../text/json.ts'
import { findDuplicates } from '../text/json-keys.ts'
import type { PatchChange } from './patch-change.ts'
import { checkTestsAsText, patchedText } from './patched-text.ts'
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
      `Request entity too large: The allowed maximum operations in a JSON patch is ${jsonPatchOperationsMax}, got ${operations.length}`,
    )
  }
  const quote: PatchChange['quote'] = (live, kind) => patchedText(textOf(live, kind), text)
  const change = (live: Readonly<Draft>): unknown => {
    try {
      const patched = applyJsonPatch(copyJson(live), operations)
      checkTestsAsText(asJson(live), text, operations)
      return patched
    } catch (error) {
      if (error instanceof JsonPatchError) throw unprocessable()
      throw error
    }
  }
  return Object.assign(change, {
    quote,
    // Only values of the patch have them.
    repeatsWithin: (live: Readonly<Draft>, kind: ServedKind) => (repeated.length === 0 ? [] : duplicatesIn(quote(live, kind))),
    findings: {
      hasNumberTexts,
      duplicates: [
        ...repeated.map(path => `json patch duplicate field "${path}"`),
        ...strange.map(path => `json patch unknown field "${path}"`),
      ],
    },
  })
}

/** As a real server has the object that it patches. */
function textOf(live: Readonly<Draft>, kind: ServedKind): string {
  return kind.schema.render?.(asJson(live)) ?? renderJson(asJson(live), { sorted: true })
}

function duplicatesIn(text: string): string[] {
  return findDuplicates(text, JSON.parse(text))
}

function readOperations(text: string, numbers: NumbersAs): { operations: readonly unknown[]; hasNumberTexts: boolean } {
  let parsed: ParsedJson
  try {
    parsed = parseJsonAs(numbers, text)
  } catch (error) {
    if (!(error instanceof JsonError)) throw error
    const why = error.message
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
