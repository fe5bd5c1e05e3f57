// Input against the model's constraints, in AWS's words (§3.2): "Value '…' at '…' failed to satisfy constraint: Member must …".
import type { Member, ServiceModel, StringShape, StructureShape } from '#aws'
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
    case 'list': {
      const items = value as readonly unknown[]
      checkLength(shape, items.length, `[${items.length} items]`, path, problems)
      // Items of a list that is too long are not looked at: the answer would grow with the request.
      if (shape.max !== undefined && items.length > shape.max) return
      for (const [index, item] of items.entries()) checkValue(model, shape.member, item, `${path}.${index + 1}.member`, problems)
      return
    }
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
    case 'string':
      checkText(shape, value as string, path, problems)
      return
    case 'boolean':
    case 'blob':
    case 'timestamp':
    case 'document':
      return
    default:
      checkRange(shape, value as number, path, problems)
  }
}

function checkText(shape: StringShape, text: string, path: string, problems: string[]): void {
  const shown = shape.sensitive ? '***' : shorten(text)
  checkLength(shape, lengthOf(text), shown, path, problems)
  if (shape.pattern !== undefined && !patternOf(shape, shape.pattern).test(text)) {
    problems.push(
      failed(shown, path, `satisfy regular expression pattern: ${shape.pattern.replace(/^\^/, '').replace(/\$$/, '')}`),
    )
  }
  if (shape.enum !== undefined && !shape.enum.includes(text))
    problems.push(failed(shown, path, `satisfy enum value set: [${shape.enum.join(', ')}]`))
}

function checkLength(
  shape: { readonly min?: number; readonly max?: number },
  length: number,
  shown: string,
  path: string,
  problems: string[],
): void {
  if (shape.max !== undefined && length > shape.max)
    problems.push(failed(shown, path, `have length less than or equal to ${shape.max}`))
  if (shape.min !== undefined && length < shape.min)
    problems.push(failed(shown, path, `have length greater than or equal to ${shape.min}`))
}

function checkRange(
  shape: { readonly min?: number; readonly max?: number },
  value: number,
  path: string,
  problems: string[],
): void {
  if (shape.max !== undefined && value > shape.max)
    problems.push(failed(String(value), path, `have value less than or equal to ${shape.max}`))
  if (shape.min !== undefined && value < shape.min)
    problems.push(failed(String(value), path, `have value greater than or equal to ${shape.min}`))
}

function failed(shown: string, path: string, must: string): string {
  return `Value '${shown}' at '${path}' failed to satisfy constraint: Member must ${must}`
}

function lowerFirst(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}

/** The length of a text in characters, and not in units of UTF-16. */
function lengthOf(text: string): number {
  // Only text with surrogates needs counting.
  return /[\ud800-\udfff]/.test(text) ? Array.from(text).length : text.length
}

// Keyed by immutable model values: what it answers never depends on who asked before.
const patterns = new WeakMap<StringShape, RegExp>()

/** The models' patterns are Java's and match the whole text. Those that JavaScript cannot read are not checked. */
function patternOf(shape: StringShape, source: string): RegExp {
  let pattern = patterns.get(shape)
  if (pattern === undefined) {
    pattern = compiled(source)
    patterns.set(shape, pattern)
  }
  return pattern
}

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
