// JSON as the API server needs it: whole numbers past 2^53 keep every digit (as bigint). The common case is the engine's own parser and
// one pass over the text. What the text says besides its value is found in json-keys.ts.

import { NumberText } from '#base'
import { syntaxProblem } from '#schema'

export class JsonError extends Error {}

/** What becomes of numbers with a fraction or an exponent: they are worth what they are worth, or stay as they were written. */
export type NumbersAs = 'values' | 'texts'

export interface ParsedJson {
  readonly value: unknown
  /** Numbers of the value may be `NumberText`. */
  readonly hasNumberTexts: boolean
}

/** Parses text; throws `JsonError` with words for the sender. */
export function parseJson(text: string): unknown {
  return parseJsonAs('values', text).value
}

/** The same, with numbers as they are wanted. */
export function parseJsonAs(numbers: NumbersAs, written: string): ParsedJson {
  const text = halfPair.test(written) ? withoutHalves(written) : written
  try {
    if (!notableNumber.test(text)) return { value: JSON.parse(text), hasNumberTexts: false }
    if (numbers === 'texts' && oddNumber.test(text)) return { value: withNumberTexts(text), hasNumberTexts: true }
    const value: unknown = JSON.parse(
      text,
      unsafeNumber.test(text) ? (keepDigits as Parameters<typeof JSON.parse>[1]) : undefined,
    )
    return { value, hasNumberTexts: false }
  } catch (error) {
    // What nests past the stack is well formed: whoever answers says that it is too deep.
    if (error instanceof JsonError || error instanceof RangeError) throw error
    throw new JsonError(syntaxProblem(written), { cause: error })
  }
}

export function stringifyJson(value: unknown, indent?: string): string {
  try {
    return JSON.stringify(value, undefined, indent)
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    return JSON.stringify(value, keepBigints, indent)
  }
}

/** Sixteen digits may pass 2^53, three-digit exponents may pass a double. */
const unsafeNumber = /\d{16}|\d[eE]\+?\d{3}/

/** After a colon, or within a list. Texts may look like it, which costs time and nothing else. */
const oddNumber = /"\s*:\s*-?\d+[.eE]|[[,]\s*-?\d+[.eE]/

/** What both of the above have in common, and most texts have nowhere: the one pass that every text gets. */
const notableNumber = /\d{16}|\d[.eE][-+\d]/

/** Escapes of half a character, most of which have their other half beside them. */
const halfPair = /\\u[dD][89a-fA-F]/
const escape = /\\(?:u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|(u[dD][89a-fA-F][\da-fA-F]{2})|.)/gs

/** To Go half a character is one that cannot be shown. */
function withoutHalves(text: string): string {
  return text.replaceAll(escape, (whole: string, half: string | undefined) => (half === undefined ? whole : '\\ufffd'))
}

/** A number alone is nothing that anybody reads by its text. */
function withNumberTexts(text: string): unknown {
  const value: unknown = JSON.parse(text, keepTexts as Parameters<typeof JSON.parse>[1])
  return value instanceof NumberText ? value.value : value
}

function keepTexts(key: string, value: unknown, context: { source?: string }): unknown {
  const { source } = context
  if (typeof value !== 'number' || source === undefined || /^-?\d+$/.test(source)) return keepDigits(key, value, context)
  return new NumberText(source)
}

function keepDigits(_key: string, value: unknown, context: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  if (!Number.isFinite(value))
    throw new JsonError(`json: cannot unmarshal number ${context.source} into Go value of type float64`)
  if (context.source !== undefined && /^-?\d+$/.test(context.source)) return BigInt(context.source)
  return value
}

function keepBigints(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? rawJson(value.toString()) : value
}

const rawJson = (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON
