// The conformance suite of the language, for the parts that rules of custom kinds have. What concerns protobuf messages, enums and
// libraries that no rule can use is left out by name; the counts are printed.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { getConformanceSuite } from '@bufbuild/cel-spec/testdata/tests.js'
import { celEqual } from './equality.ts'
import { compileUnchecked } from './program.ts'
import {
  BudgetExceeded,
  CelBytes,
  CelDuration,
  CelList,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  type CelValue,
  EvalError,
  LiteralMap,
} from './values.ts'

/** Suites about what rules do not have: messages, enums, other libraries. */
const left = new Set([
  'block_ext',
  'dynamic',
  'encoders_ext',
  'enums',
  'math_ext',
  'namespace',
  'proto2',
  'proto2_ext',
  'proto3',
  'type_deductions',
  'unknowns',
  'wrappers',
])

/** Cases that differ, by the reason why. A real API server differs in the same way: it keeps an older strings library. */
const olderLibrary = [
  'format/scientific notation formatting clause',
  'format/default precision for scientific notation',
  'format/list support for string',
  'format/map support for string',
  'format/map support (all key types)',
  'format/dyntype support for scientific notation',
  'format/dyntype NaN/infinity support',
  'format/dyntype support for lists',
  'format/dyntype support for maps',
  'format/scientific notation formatting clause in a string variable',
  'value_errors/indexof_out_of_range',
  'value_errors/lastindexof_out_of_range',
]
const known: ReadonlySet<string> = new Set(olderLibrary.map(name => `string_ext/${name}`))

/** Messages and their kind. */
const aboutMessages = /TestAllTypes|NestedTestAllTypes|google\.protobuf\.(?!Timestamp|Duration)|cel\.expr\.|has\(proto|\bproto\b/

interface ProtoValue {
  readonly kind: { readonly case: string | undefined; readonly value?: unknown }
}

interface Case {
  readonly name: string
  readonly expr: string
  readonly container: string
  readonly bindings: Readonly<Record<string, { readonly kind: { readonly case: string | undefined; readonly value?: unknown } }>>
  readonly resultMatcher: { readonly case: string | undefined; readonly value?: unknown }
}

function toCel({ kind }: ProtoValue): CelValue | undefined {
  switch (kind.case) {
    case 'nullValue':
      return null
    case 'boolValue':
    case 'stringValue':
    case 'doubleValue':
    case 'int64Value':
      return kind.value as CelValue
    case 'uint64Value':
      return new CelUint(kind.value as bigint)
    case 'bytesValue':
      return new CelBytes(kind.value as Uint8Array)
    case 'typeValue':
      return new CelTypeValue(kind.value as string)
    case 'listValue':
      return listOf((kind.value as { values: readonly ProtoValue[] }).values)
    case 'mapValue':
      return mapOf((kind.value as { entries: readonly { key?: ProtoValue; value?: ProtoValue }[] }).entries)
    case 'objectValue':
      return timeOf(kind.value as { typeUrl: string; value: Uint8Array })
    default:
      return undefined
  }
}

function listOf(values: readonly ProtoValue[]): CelValue | undefined {
  const items = values.map(toCel)
  return items.includes(undefined) ? undefined : new CelList(items as CelValue[])
}

function mapOf(entries: readonly { key?: ProtoValue; value?: ProtoValue }[]): CelValue | undefined {
  const map = new LiteralMap()
  for (const { key, value } of entries) {
    const [left, right] = [key && toCel(key), value && toCel(value)]
    if (left === undefined || right === undefined) return undefined
    map.add(left, right)
  }
  return map
}

/** A duration or a timestamp in its wire form. */
function timeOf({ typeUrl, value }: { typeUrl: string; value: Uint8Array }): CelValue | undefined {
  const fields: Record<number, bigint> = {}
  for (let at = 0; at < value.length; ) {
    const field = (value[at++] as number) >> 3
    let number = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = value[at++] as number
      number |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) break
    }
    fields[field] = BigInt.asIntN(64, number)
  }
  const nanos = (fields[1] ?? 0n) * 1_000_000_000n + (fields[2] ?? 0n)
  if (typeUrl.endsWith('google.protobuf.Duration')) return new CelDuration(nanos)
  return typeUrl.endsWith('google.protobuf.Timestamp') ? new CelTimestamp(nanos) : undefined
}

/** `same`, `skipped`, or what differs. */
type Verdict = string

function judge(situation: Case): Verdict {
  if (aboutMessages.test(situation.expr) || situation.container !== '') return 'skipped'
  const names = Object.keys(situation.bindings)
  const values: CelValue[] = []
  for (const name of names) {
    const bound = situation.bindings[name]?.kind
    const value = bound?.case === 'value' ? toCel(bound.value as ProtoValue) : undefined
    if (value === undefined) return 'skipped'
    values.push(value)
  }
  const { case: expectation, value: expected } = situation.resultMatcher
  const wantsError = expectation === 'evalError' || expectation === 'anyEvalErrors'
  const wanted = expectation === undefined ? true : wantsError ? undefined : expectedValue(expectation, expected)
  if (wanted === undefined && !wantsError) return 'skipped'
  return outcome(situation.expr, names, values, wanted)
}

function expectedValue(expectation: string, expected: unknown): CelValue | undefined {
  const value = expectation === 'typedResult' ? (expected as { result?: ProtoValue }).result : (expected as ProtoValue)
  return value === undefined ? undefined : toCel(value)
}

/** `wanted` undefined: an error. */
function outcome(expr: string, names: readonly string[], values: readonly CelValue[], wanted: CelValue | undefined): Verdict {
  const compiled = compileUnchecked(expr, names)
  if (compiled.kind === 'refused') return wanted === undefined ? 'same' : `refused: ${compiled.message}`
  try {
    const result = compiled.program.run(values, { cost: 0, costMax: Number.POSITIVE_INFINITY })
    if (wanted === undefined) return `a value instead of an error: ${show(result)}`
    return isSame(result, wanted) ? 'same' : `${show(result)} instead of ${show(wanted)}`
  } catch (error) {
    if (!(error instanceof EvalError || error instanceof BudgetExceeded)) throw error
    return wanted === undefined ? 'same' : `error: ${error.message}`
  }
}

function isSame(a: CelValue, b: CelValue): boolean {
  if (typeof a === 'number' && typeof b === 'number' && Number.isNaN(a) && Number.isNaN(b)) return true
  return typeof a === typeof b && celEqual(a, b)
}

function show(value: CelValue): string {
  return JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? `${part}` : part))
}

test('the language behaves as its conformance suite says', (t: TestContext) => {
  const counts = { same: 0, skipped: 0, known: 0 }
  const wrong: string[] = []
  const unneeded = new Set(known)
  for (const suite of getConformanceSuite().suites) {
    for (const section of suite.suites) {
      for (const { original } of section.tests) {
        const one = original as unknown as Case
        const id = `${suite.name}/${section.name}/${one.name}`
        const verdict = left.has(suite.name) ? 'skipped' : judge(one)
        if (verdict === 'same' || verdict === 'skipped') counts[verdict]++
        else if (unneeded.delete(id)) counts.known++
        else wrong.push(`${id}: ${one.expr}\n    ${verdict}`)
      }
    }
  }
  t.diagnostic(
    `CEL conformance: ${counts.same} as specified, ${counts.known} known to differ, ${counts.skipped} about what rules do not have`,
  )
  assert.deepEqual(wrong, [])
  assert.deepEqual([...unneeded], [])
})
