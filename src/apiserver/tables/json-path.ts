// The JSONPath dialect of columns and waits: fields, indices, slices, wildcards, recursion, filters, unions. Parsing and evaluation are
// total and bounded; a missing key is no result.
import { BoundedCache } from '#base'
import { isList, isObject, type Json, jsonEqual } from '#schema'

export interface JsonPath {
  /** All results, in document order. */
  evaluate(root: Json): readonly Json[]
}

type Step =
  | { readonly kind: 'field'; readonly name: string }
  | { readonly kind: 'index'; readonly at: number }
  | { readonly kind: 'slice'; readonly from: number | undefined; readonly to: number | undefined; readonly step: number }
  | { readonly kind: 'wildcard' }
  | { readonly kind: 'recurse' }
  | { readonly kind: 'union'; readonly steps: readonly Step[] }
  | { readonly kind: 'filter'; readonly left: Operand; readonly operator: Operator; readonly right: Operand }

type Operand = { readonly path: readonly Step[] } | { readonly value: Json }
type Operator = '==' | '!=' | '<' | '>' | '<=' | '>=' | 'exists'

/** Recursion over a large object must not multiply without end. */
const resultsMax = 10_000

/** How many characters of paths are kept compiled: a step holds about a hundred bytes and takes two characters at least. */
const compiledLengthMax = 100_000
const compiled = new BoundedCache<string, { readonly path: JsonPath | undefined }>(compiledLengthMax)

/** Undefined when the text is no path. */
export function compileJsonPath(text: string): JsonPath | undefined {
  return compiled.getOrMake(
    text,
    () => ({ path: readPath(text) }),
    () => text.length,
  ).path
}

function readPath(text: string): JsonPath | undefined {
  const steps = parsePath(text.startsWith('{') && text.endsWith('}') ? text.slice(1, -1) : text)
  return steps === undefined ? undefined : { evaluate: root => evaluate(steps, [root]) }
}

function parsePath(text: string): readonly Step[] | undefined {
  const steps: Step[] = []
  let rest = text.replace(/^[$@]/, '')
  while (rest !== '') {
    const next = parseStep(rest)
    if (next === undefined) return undefined
    steps.push(...next.steps)
    rest = rest.slice(next.length)
  }
  return steps
}

interface Parsed {
  readonly steps: readonly Step[]
  readonly length: number
}

function parseStep(text: string): Parsed | undefined {
  if (text.startsWith('..')) {
    const name = /^\.\.(?=\[)|^\.\.((?:\\.|[^.[\]\\])+)/.exec(text)
    if (name === null) return undefined
    const field = name[1]
    const after: readonly Step[] = field === undefined ? [] : [fieldStep(field)]
    return { steps: [{ kind: 'recurse' }, ...after], length: name[0].length }
  }
  const field = /^\.((?:\\.|[^.[\]\\])+)/.exec(text)
  if (field !== null) return { steps: [fieldStep(field[1] ?? '')], length: field[0].length }
  if (text.startsWith('.[')) {
    const inner = parseStep(text.slice(1))
    return inner === undefined ? undefined : { steps: inner.steps, length: inner.length + 1 }
  }
  return text.startsWith('[') ? parseBracket(text) : undefined
}

function fieldStep(name: string): Step {
  return name === '*' ? { kind: 'wildcard' } : { kind: 'field', name: name.replaceAll(/\\(.)/g, '$1') }
}

function parseBracket(text: string): Parsed | undefined {
  const end = closingBracket(text)
  if (end < 0) return undefined
  const inner = text.slice(1, end)
  const length = end + 1
  const filter = /^\?\((.*)\)$/s.exec(inner)
  if (filter !== null) {
    const step = parseFilter((filter[1] ?? '').trim())
    return step === undefined ? undefined : { steps: [step], length }
  }
  const parts = splitUnion(inner).map(parseMember)
  if (parts.length === 0 || parts.includes(undefined)) return undefined
  const steps = parts as readonly Step[]
  return { steps: steps.length === 1 ? steps : [{ kind: 'union', steps }], length }
}

/** Brackets nest inside filters, and quotes hide them. */
function closingBracket(text: string): number {
  let depth = 0
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i)
    if (quote !== '') {
      if (character === '\\') i++
      else if (character === quote) quote = ''
    } else if (character === '"' || character === "'") quote = character
    else if (character === '[') depth++
    else if (character === ']' && --depth === 0) return i
  }
  return -1
}

function splitUnion(text: string): string[] {
  const parts = text.match(/(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*"|[^,'"]|['"])+/gs) ?? []
  return parts.map(part => part.trim()).filter(part => part !== '')
}

function parseMember(text: string): Step | undefined {
  if (text === '*') return { kind: 'wildcard' }
  const quoted = /^(['"])(.*)\1$/s.exec(text)
  if (quoted !== null) return { kind: 'field', name: (quoted[2] ?? '').replaceAll(/\\(.)/g, '$1') }
  if (/^-?\d{1,9}$/.test(text)) return { kind: 'index', at: Number(text) }
  const slice = /^(-?\d{1,9})?:(-?\d{1,9})?(?::(\d{1,9}))?$/.exec(text)
  if (slice === null) return undefined
  const number = (part: string | undefined): number | undefined => (part === undefined ? undefined : Number(part))
  return { kind: 'slice', from: number(slice[1]), to: number(slice[2]), step: Math.max(1, number(slice[3]) ?? 1) }
}

function parseFilter(text: string): Step | undefined {
  const match = /==|!=|<=|>=|<|>/.exec(text)
  if (match === null) {
    const left = parseOperand(text)
    return left === undefined ? undefined : { kind: 'filter', left, operator: 'exists', right: { value: null } }
  }
  const left = parseOperand(text.slice(0, match.index))
  const right = parseOperand(text.slice(match.index + match[0].length))
  return left === undefined || right === undefined ? undefined : { kind: 'filter', left, operator: match[0] as Operator, right }
}

function parseOperand(text: string): Operand | undefined {
  const trimmed = text.trim()
  if (trimmed.startsWith('@') || trimmed.startsWith('$') || trimmed.startsWith('.')) {
    const path = parsePath(trimmed)
    return path === undefined ? undefined : { path }
  }
  const quoted = /^(['"])(.*)\1$/s.exec(trimmed)
  if (quoted !== null) return { value: (quoted[2] ?? '').replaceAll(/\\(.)/g, '$1') }
  if (trimmed === 'true' || trimmed === 'false') return { value: trimmed === 'true' }
  return /^-?\d+(\.\d+)?$/.test(trimmed) ? { value: Number(trimmed) } : undefined
}

function evaluate(steps: readonly Step[], roots: readonly Json[]): readonly Json[] {
  let values = roots
  for (const step of steps) {
    const next: Json[] = []
    for (const value of values) {
      take(step, value, next)
      if (next.length >= resultsMax) break
    }
    values = next
  }
  return values
}

function take(step: Step, value: Json, out: Json[]): void {
  switch (step.kind) {
    case 'field':
      if (isObject(value) && Object.hasOwn(value, step.name)) out.push(value[step.name] as Json)
      return
    case 'index':
      if (isList(value)) takeAt(value, step.at, out)
      return
    case 'slice':
      if (isList(value)) takeSlice(value, step, out)
      return
    case 'wildcard':
      if (isList(value)) out.push(...value)
      else if (isObject(value)) out.push(...Object.values(value))
      return
    case 'recurse':
      takeAll(value, out)
      return
    case 'union':
      for (const part of step.steps) take(part, value, out)
      return
    default:
      for (const item of isList(value) ? value : isObject(value) ? Object.values(value) : [])
        if (accepts(step, item)) out.push(item)
  }
}

function takeAt(list: readonly Json[], at: number, out: Json[]): void {
  const item = list[at < 0 ? list.length + at : at]
  if (item !== undefined) out.push(item)
}

function takeSlice(list: readonly Json[], slice: Extract<Step, { kind: 'slice' }>, out: Json[]): void {
  const bound = (at: number | undefined, otherwise: number): number =>
    at === undefined ? otherwise : at < 0 ? list.length + at : at
  const to = Math.min(bound(slice.to, list.length), list.length)
  for (let i = Math.max(bound(slice.from, 0), 0); i < to; i += slice.step) out.push(list[i] as Json)
}

function takeAll(value: Json, out: Json[]): void {
  const waiting: Json[] = [value]
  while (waiting.length > 0 && out.length < resultsMax) {
    const next = waiting.pop() as Json
    out.push(next)
    if (isList(next)) waiting.push(...[...next].reverse())
    else if (isObject(next)) waiting.push(...Object.values(next).reverse())
  }
}

function accepts(filter: Extract<Step, { kind: 'filter' }>, item: Json): boolean {
  const [left] = operandValues(filter.left, item)
  if (filter.operator === 'exists') return left !== undefined
  const [right] = operandValues(filter.right, item)
  if (left === undefined || right === undefined) return false
  if (filter.operator === '==') return jsonEqual(left, right)
  if (filter.operator === '!=') return !jsonEqual(left, right)
  return compares(left, right, filter.operator)
}

function operandValues(operand: Operand, item: Json): readonly Json[] {
  return 'value' in operand ? [operand.value] : evaluate(operand.path, [item])
}

function compares(left: Json, right: Json, operator: Operator): boolean {
  const numeric = (value: Json): boolean => typeof value === 'number' || typeof value === 'bigint'
  const comparable = (numeric(left) && numeric(right)) || (typeof left === 'string' && typeof right === 'string')
  if (!comparable) return false
  const [a, b] = [left as number, right as number]
  switch (operator) {
    case '<':
      return a < b
    case '>':
      return a > b
    case '<=':
      return a <= b
    default:
      return a >= b
  }
}
