// Input against the model's constraints, in AWS's words (§3.2): "Value '…' at '…' failed to satisfy constraint: Member must …".
import type { ListShape, Member, NumberShape, ServiceModel, Shape, StringShape, StructureShape } from '#aws'
import { shorten } from './scalars.ts'
import { membersOf, shapeOf } from './shapes.ts'

/** All problems in the model's order, not only the first; AWS lists them too, and there may be many: no more than this are told. */
const problemsMax = 20

export function problemsOf(
  model: ServiceModel,
  structure: StructureShape,
  input: Readonly<Record<string, unknown>>,
): readonly string[] {
  const problems: string[] = []
  checkStructure(model, structure, input, '', problems)
  return problems
}

/** "1 validation error detected: …" or "2 validation errors detected: …; …". */
export function validationMessage(problems: readonly string[]): string {
  const told = problems.slice(0, problemsMax)
  return `${told.length} validation error${told.length === 1 ? '' : 's'} detected: ${told.join('; ')}`
}

function checkStructure(
  model: ServiceModel,
  structure: StructureShape,
  values: Readonly<Record<string, unknown>>,
  path: string,
  problems: string[],
): void {
  for (const [name, member] of membersOf(structure)) {
    const value = values[name]
    const memberPath = path === '' ? lowerFirst(name) : `${path}.${lowerFirst(name)}`
    if (value !== undefined && value !== null) checkValue(model, member, value, memberPath, problems)
    else if (structure.required.includes(name))
      problems.push(`Value null at '${memberPath}' failed to satisfy constraint: Member must not be null`)
    if (problems.length >= problemsMax) return
  }
}

function checkValue(model: ServiceModel, member: Member, value: unknown, path: string, problems: string[]): void {
  const shape = shapeOf(model, member.target)
  switch (shape.type) {
    case 'structure':
    case 'union':
      checkStructure(model, shape, value as Record<string, unknown>, path, problems)
      return
    case 'list':
      checkList(model, shape, value as readonly unknown[], path, problems)
      return
    case 'map': {
      const entries = Object.entries(value as Record<string, unknown>)
      checkLength(shape, entries.length, `{${entries.length} entries}`, path, problems)
      if (shape.max !== undefined && entries.length > shape.max) return
      for (const [key, item] of entries) {
        checkValue(model, shape.key, key, `${path}.key`, problems)
        if (item !== null && item !== undefined) checkValue(model, shape.value, item, `${path}.${key}.member`, problems)
      }
      return
    }
    default:
      for (const { must } of rulesOf(shape).filter(rule => !rule.holds(value)))
        problems.push(failed(shown(shape, value), path, must))
  }
}

function checkList(model: ServiceModel, list: ListShape, items: readonly unknown[], path: string, problems: string[]): void {
  const item = shapeOf(model, list.member.target)
  const text = shownList(item, items)
  checkLength(list, items.length, text, path, problems)
  // Items of a list that is too long are not looked at: the answer would grow with the request.
  if (list.max !== undefined && items.length > list.max) return
  const rules = rulesOf(item)
  // Of texts and numbers AWS tells neither which one is wrong nor how: it tells all that each of them must be.
  if (items.some(value => rules.some(rule => !rule.holds(value))))
    problems.push(failed(text, path, `satisfy constraint: [${rules.map(({ must }) => `Member must ${must}`).join(', ')}]`))
  if (rules.length > 0) return
  for (const [index, value] of items.entries()) checkValue(model, list.member, value, `${path}.${index + 1}.member`, problems)
}

function checkLength(
  shape: { readonly min?: number; readonly max?: number },
  length: number,
  text: string,
  path: string,
  problems: string[],
): void {
  for (const { must } of bounds(shape, 'length', () => length).filter(rule => !rule.holds(undefined))) {
    problems.push(failed(text, path, must))
  }
}

function failed(text: string, path: string, must: string): string {
  return `Value '${text}' at '${path}' failed to satisfy constraint: Member must ${must}`
}

function shown(shape: Shape, value: unknown): string {
  return shape.sensitive ? '***' : shorten(String(value))
}

/** More do not fit into what is shown of a value. */
const shownItemsMax = 100

/** `[a, b]`, as AWS prints texts and numbers; of structures only how many there are. */
function shownList(item: Shape, items: readonly unknown[]): string {
  if (items.length === 0) return '[]'
  if (rulesOf(item).length === 0 && item.type !== 'string') return `[${items.length} items]`
  return item.sensitive ? '***' : `[${shorten(items.slice(0, shownItemsMax).join(', '))}]`
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** What a text or a number must be, in AWS's words and in their order. */
interface Rule {
  readonly must: string
  holds(value: unknown): boolean
}

// Keyed by immutable model values: what it answers never depends on who asked before.
const rules = new WeakMap<Shape, readonly Rule[]>()

/** None of structures and collections, nor of what has no text form. */
function rulesOf(shape: Shape): readonly Rule[] {
  let known = rules.get(shape)
  if (known === undefined) {
    known = shape.type === 'string' ? textRules(shape) : isNumber(shape) ? bounds(shape, 'value', Number) : []
    rules.set(shape, known)
  }
  return known
}

const numberTypes: readonly string[] = [
  'byte',
  'short',
  'integer',
  'long',
  'float',
  'double',
  'bigInteger',
  'bigDecimal',
  'intEnum',
]

function isNumber(shape: Shape): shape is NumberShape {
  return numberTypes.includes(shape.type)
}

function textRules(shape: StringShape): readonly Rule[] {
  const { pattern, enum: values } = shape
  const matches = pattern === undefined ? undefined : compiled(pattern)
  return [
    ...bounds(shape, 'length', text => lengthOf(text as string)),
    ...(pattern === undefined || matches === undefined
      ? []
      : [
          {
            must: `satisfy regular expression pattern: ${pattern.replace(/^\^/, '').replace(/\$$/, '')}`,
            holds: (text: unknown) => matches.test(text as string),
          },
        ]),
    ...(values === undefined
      ? []
      : [
          {
            must: `satisfy enum value set: [${values.join(', ')}]`,
            holds: (text: unknown) => values.includes(text as string),
          },
        ]),
  ]
}

function bounds(
  { min, max }: { readonly min?: number; readonly max?: number },
  what: 'length' | 'value',
  sizeOf: (value: unknown) => number,
): readonly Rule[] {
  return [
    ...(max === undefined
      ? []
      : [{ must: `have ${what} less than or equal to ${max}`, holds: (value: unknown) => sizeOf(value) <= max }]),
    ...(min === undefined
      ? []
      : [{ must: `have ${what} greater than or equal to ${min}`, holds: (value: unknown) => sizeOf(value) >= min }]),
  ]
}

/** The length of a text in characters, and not in units of UTF-16. */
function lengthOf(text: string): number {
  // Only text with surrogates needs counting.
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length
}

/** The models' patterns are Java's and match the whole text. Those that JavaScript cannot read are not checked. */
function compiled(source: string): RegExp {
  for (const flags of ['su', 's']) {
    try {
      return new RegExp(`^(?:${source})$`, flags)
    } catch {
      // Try the next, more forgiving mode.
    }
  }
  return /^/
}
