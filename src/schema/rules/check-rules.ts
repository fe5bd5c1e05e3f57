// Runs the rules of a schema over an object, and over its older self where a rule is about the change.

import type { Meter, Program } from '../cel/program.ts'
import { BudgetExceeded, CelOptional, type CelValue, EvalError } from '../cel/values.ts'
import { type FieldError, fieldError, renderFieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject, jsonEqual } from '../json.ts'
import { itemKey, itemsByKey } from '../node/keyed-items.ts'
import type { RuleText, SchemaNode } from '../node/node.ts'
import { type CompiledRule, rulesOf } from './rules.ts'
import { toCel } from './schema-value.ts'

/** What one expression and what all expressions of one object may cost. */
export const callCostMax = 1_000_000
export const objectCostMax = 10_000_000

export interface RuleResult {
  readonly errors: readonly FieldError[]
  readonly warnings: readonly string[]
}

export function checkRules(root: SchemaNode, object: JsonObject, old: JsonObject | undefined): RuleResult {
  const run = new Checking()
  run.visit(root, compared(object, old, undefined), '', true)
  return { errors: run.errors, warnings: run.warnings }
}

/** A part of an object beside its older self. */
interface Compared {
  readonly value: Json
  /** Undefined where there is none to compare with: on creation, for a new key, for an item of a list without keys. */
  readonly old: Json | undefined
  /** The nearest part around it, or it itself, that has an older self. */
  readonly nearest: { readonly value: Json; readonly old: Json } | undefined
}

function compared(value: Json, old: Json | undefined, around: Compared | undefined): Compared {
  return { value, old, nearest: old === undefined ? around?.nearest : { value, old } }
}

/** What has no older self of its own is as unchanged as the nearest part around it that has one. */
function isUnchanged({ nearest }: Compared): boolean {
  return nearest !== undefined && jsonEqual(nearest.value, nearest.old)
}

class Checking {
  readonly errors: FieldError[] = []
  readonly warnings: string[] = []
  private spent = 0
  private stopped = false

  visit(node: SchemaNode, part: Compared, at: string, isResource: boolean): void {
    if (this.stopped || !node.has.rules) return
    const { value } = part
    if (node.rules.length > 0 && value !== null) this.runRules(node, part, at, isResource)
    if (isList(value)) this.visitItems(node, value, part, at)
    else if (isObject(value)) this.visitMembers(node, value, part, at)
  }

  private visitItems(node: SchemaNode, list: readonly Json[], part: Compared, at: string): void {
    const { items } = node
    if (items === undefined || !items.has.rules) return
    const before = isList(part.old) && node.listType === 'map' ? itemsByKey(node, part.old) : undefined
    list.forEach((item, index) =>
      this.visit(items, compared(item, before?.get(itemKey(node, item)), part), `${at}[${index}]`, items.embedded),
    )
  }

  private visitMembers(node: SchemaNode, value: JsonObject, part: Compared, at: string): void {
    const before = isObject(part.old) ? part.old : undefined
    for (const key of Object.keys(value)) {
      const property = node.properties?.[key]
      const child = property ?? node.additional
      if (child === undefined || !child.has.rules) continue
      const older = before !== undefined && Object.hasOwn(before, key) ? before[key] : undefined
      const path = property === undefined ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`
      this.visit(child, compared(value[key] as Json, older, part), path, child.embedded)
    }
  }

  private runRules(node: SchemaNode, part: Compared, at: string, isResource: boolean): void {
    const { value, old } = part
    const { rules } = rulesOf(node, isResource)
    const self = toCel(node, value, isResource)
    const oldSelf = old === undefined ? undefined : toCel(node, old, isResource)
    // Unchanged parts may stay as they are: what fails there is only a warning.
    let unchanged: boolean | undefined
    for (const rule of rules) {
      if (this.stopped) return
      const optional = rule.text.optionalOldSelf === true
      if (rule.usesOldSelf && oldSelf === undefined && !optional) continue
      const error = this.runRule(rule, node, [self, optional ? new CelOptional(oldSelf) : (oldSelf ?? null)], at)
      if (error === undefined) continue
      unchanged ??= isUnchanged(part)
      if (unchanged && !rule.usesOldSelf) this.warnings.push(renderFieldError(error))
      else this.errors.push(error)
    }
  }

  private runRule(rule: CompiledRule, node: SchemaNode, values: readonly CelValue[], at: string): FieldError | undefined {
    const type = node.type ?? ''
    if (rule.rule.kind !== 'compiled') return fieldError.invalid(at, type, `rule compiled with errors: ${rule.rule.message}`)
    const outcome = this.evaluate(rule.rule.program, values)
    if (outcome.kind === 'broke') {
      this.stopped = true
      return fieldError.invalid(
        at,
        type,
        'validation failed due to running out of cost budget, no further validation rules will be run',
      )
    }
    if (outcome.kind === 'failed') return fieldError.invalid(at, type, this.failureText(outcome.error, rule.text))
    if (outcome.value === true) return undefined
    return failure(rule.text, node, at, this.message(rule, values))
  }

  private failureText(error: Error, text: RuleText): string {
    const name = (text.message ?? text.rule).trim()
    if (error instanceof BudgetExceeded) {
      this.stopped = true
      return `'${error.message}': no further validation rules will be run due to call cost exceeds limit for rule: ${name}`
    }
    if (error.message.startsWith('no such overload')) {
      return `'${error.message}': call arguments did not match a supported operator, function or macro signature for rule: ${name}`
    }
    return `${error.message} evaluating rule: ${name}`
  }

  private evaluate(program: Program, values: readonly CelValue[]): Outcome {
    const meter: Meter = { cost: 0, costMax: callCostMax }
    let outcome: Outcome
    try {
      outcome = { kind: 'value', value: program.run(values, meter) }
    } catch (error) {
      if (!(error instanceof EvalError || error instanceof BudgetExceeded)) throw error
      outcome = { kind: 'failed', error }
    }
    this.spent += Math.min(meter.cost, callCostMax)
    return this.spent > objectCostMax ? { kind: 'broke' } : outcome
  }

  /** What the message expression says, if it says something fit to print; else the message; else the rule. */
  private message(rule: CompiledRule, values: readonly CelValue[]): string {
    const fallback = rule.text.message === undefined ? `failed rule: ${rule.text.rule.trim()}` : rule.text.message.trim()
    if (rule.messageExpression?.kind !== 'compiled') return fallback
    const outcome = this.evaluate(rule.messageExpression.program, values)
    if (outcome.kind === 'broke') this.stopped = true
    if (outcome.kind !== 'value' || typeof outcome.value !== 'string') return fallback
    const text = outcome.value.trim()
    return text === '' || /[\n\r]/.test(text) || Buffer.byteLength(text) > messageBytesMax ? fallback : text
  }
}

const messageBytesMax = 5 * 1024

type Outcome =
  | { readonly kind: 'value'; readonly value: CelValue }
  | { readonly kind: 'failed'; readonly error: Error }
  /** The budget of the whole object is used up. */
  | { readonly kind: 'broke' }

function failure(text: RuleText, node: SchemaNode, at: string, message: string): FieldError {
  const path = text.fieldPath === undefined ? at : joinedPath(node, at, text.fieldPath)
  switch (text.reason) {
    case 'FieldValueForbidden':
      return fieldError.forbidden(path, message)
    case 'FieldValueRequired':
      return fieldError.required(path, message)
    case 'FieldValueDuplicate':
      return fieldError.duplicate(path, node.type ?? '')
    default:
      return fieldError.invalid(path, node.type ?? '', message)
  }
}

/** Names after properties come with a dot, keys of open maps in brackets. */
function joinedPath(node: SchemaNode, at: string, fieldPath: string): string {
  let path = at
  let current: SchemaNode | undefined = node
  for (const [, plain, quoted] of fieldPath.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    const name = plain ?? (quoted as string).replaceAll(/\\(.)/g, '$1')
    const property: SchemaNode | undefined = current?.properties?.[name]
    path =
      property === undefined && current?.additional !== undefined ? `${path}[${name}]` : path === '' ? name : `${path}.${name}`
    current = property ?? current?.additional
  }
  return path
}
