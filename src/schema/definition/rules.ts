// The rules of a definition: whether they compile, what they may mention, and what they may cost.

import type { Compiled, Program } from '../cel/program.ts'
import { bare } from '../cel/types.ts'
import { type FieldError, fieldError } from '../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import type { RuleText, SchemaNode } from '../node/node.ts'
import { estimateCost } from '../rules/estimate.ts'
import { type CompiledRule, rulesOf } from '../rules/rules.ts'
import { requestBytesMax, smallestSize } from '../rules/schema-type.ts'
import { internalRule } from './internal-form.ts'

export const ruleCostMax = 10_000_000
export const schemaCostMax = 100_000_000

/** First what the rules say; then, in a schema that is sound, what they mean where they say it well. */
export function checkDefinitionRules(root: SchemaNode, at: string, errors: FieldError[], isSound = true): void {
  if (!root.has.rules) return
  const unfit = new Set<SchemaNode>()
  checkTexts(root, at, unfit, errors)
  if (!isSound) return
  const budget = new Budget(unfit)
  visit(root, { at, isResource: true, count: 1, uncorrelatable: undefined }, budget, errors)
  budget.finish(at, errors)
}

function checkTexts(node: SchemaNode, at: string, unfit: Set<SchemaNode>, errors: FieldError[]): void {
  if (!node.has.rules) return
  for (const [name, property] of Object.entries(node.properties ?? {}))
    checkTexts(property, `${at}.properties[${name}]`, unfit, errors)
  if (node.additional !== undefined) checkTexts(node.additional, `${at}.additionalProperties`, unfit, errors)
  if (node.items !== undefined) checkTexts(node.items, `${at}.items`, unfit, errors)
  const before = errors.length
  sourcesOf(node).forEach((source, index) => checkText(node, source, `${at}.x-kubernetes-validations[${index}]`, errors))
  if (errors.length > before) unfit.add(node)
}

function sourcesOf({ source }: SchemaNode): readonly JsonObject[] {
  const rules = source['x-kubernetes-validations']
  return isList(rules) ? rules.filter(isObject) : []
}

interface SchemaPosition {
  readonly at: string
  readonly isResource: boolean
  /** How often the node can occur in one object; undefined: nothing bounds it. */
  readonly count: number | undefined
  /** The list because of which older values cannot be found again. */
  readonly uncorrelatable: string | undefined
}

function visit(node: SchemaNode, position: SchemaPosition, budget: Budget, errors: FieldError[]): void {
  if (!node.has.rules) return
  if (node.rules.length > 0 && !budget.unfit.has(node)) checkNodeRules(node, position, budget, errors)
  const times = (max: number | undefined): number | undefined =>
    position.count === undefined || max === undefined ? undefined : position.count * max
  for (const [name, property] of Object.entries(node.properties ?? {})) {
    const uncorrelatable = position.uncorrelatable ?? (node.mapType === 'atomic' ? position.at : undefined)
    visit(
      property,
      { at: `${position.at}.properties[${name}]`, isResource: property.embedded, count: position.count, uncorrelatable },
      budget,
      errors,
    )
  }
  const { additional, items } = node
  if (additional !== undefined) {
    const count = times(node.checks?.maxProperties)
    visit(
      additional,
      {
        at: `${position.at}.additionalProperties`,
        isResource: additional.embedded,
        count,
        uncorrelatable: position.uncorrelatable,
      },
      budget,
      errors,
    )
  }
  if (items !== undefined) {
    const uncorrelatable = position.uncorrelatable ?? (node.listType === 'map' ? undefined : position.at)
    visit(
      items,
      { at: `${position.at}.items`, isResource: items.embedded, count: times(node.checks?.maxItems), uncorrelatable },
      budget,
      errors,
    )
  }
}

function checkNodeRules(node: SchemaNode, position: SchemaPosition, budget: Budget, errors: FieldError[]): void {
  const path = `${position.at}.x-kubernetes-validations`
  const { selfType, rules } = rulesOf(node, position.isResource)
  const sources = sourcesOf(node)
  if (selfType === undefined) {
    const text =
      'internal error: failed to construct type information for x-kubernetes-validations rules: unable to convert structural schema to CEL declarations'
    errors.push(fieldError.internal(path, text))
    return
  }
  const count = position.count ?? Math.floor(requestBytesMax / smallestSize(node))
  rules.forEach((rule, index) => {
    const at = `${path}[${index}]`
    const source = sources[index] ?? {}
    checkCompiled(rule, source, at, position, errors)
    budget.add(rule.rule, `${at}.rule`, 'estimated rule cost', count, errors)
    if (rule.messageExpression !== undefined)
      budget.add(rule.messageExpression, `${at}.messageExpression`, 'estimated messageExpression cost', count, errors)
  })
}

const reasons = ['FieldValueDuplicate', 'FieldValueForbidden', 'FieldValueInvalid', 'FieldValueRequired']

function checkText(node: SchemaNode, source: JsonObject, at: string, errors: FieldError[]): void {
  const { rule, message, messageExpression, reason, fieldPath } = source
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '')
  if (text(rule).trim() === '') errors.push(fieldError.required(`${at}.rule`, 'rule is not specified'))
  if (text(message) !== '' && text(message).trim() === '')
    errors.push(fieldError.invalid(`${at}.message`, message, 'must be non-empty if specified'))
  else if (hasLineBreak(text(message).trim()))
    errors.push(fieldError.invalid(`${at}.message`, message, 'must not contain line breaks'))
  else if (hasLineBreak(text(rule).trim()) && text(message) === '') {
    errors.push(fieldError.required(`${at}.message`, 'message must be specified if rule contains line breaks'))
  }
  if (text(messageExpression) !== '' && text(messageExpression).trim() === '') {
    errors.push(fieldError.required(`${at}.messageExpression`, 'messageExpression must be non-empty if specified'))
  }
  if (reason !== undefined && !reasons.includes(text(reason)))
    errors.push(fieldError.notSupported(`${at}.reason`, reason, reasons))
  if (text(fieldPath) !== '' && !isFieldPath(node, text(fieldPath)))
    errors.push(fieldError.invalid(`${at}.fieldPath`, fieldPath, 'must be a valid path'))
}

function hasLineBreak(text: string): boolean {
  return /[\n\r]/.test(text)
}

/** A path along declared properties; lists have no places that a rule could mean. */
function isFieldPath(node: SchemaNode, path: string): boolean {
  if (!/^(?:\.[^.[\]'\s]+|\['(?:[^'\\]|\\.)+'\])+$/.test(path)) return false
  let current: SchemaNode | undefined = node
  for (const [, plain, quoted] of path.matchAll(/\.([^.[\]]+)|\['((?:[^'\\]|\\.)*)'\]/g)) {
    const name = plain ?? (quoted as string).replaceAll(/\\(.)/g, '$1')
    const property: SchemaNode | undefined = current?.properties?.[name]
    current = property ?? current?.additional
    if (current === undefined) return false
  }
  return !path.startsWith('.[')
}

function checkCompiled(rule: CompiledRule, source: JsonObject, at: string, position: SchemaPosition, errors: FieldError[]): void {
  const value = internalRule(source)
  const problem = ruleProblem(rule.rule, 'bool', 'cel expression must evaluate to a bool', '')
  if (problem !== undefined) errors.push({ ...fieldError.invalid(`${at}.rule`, value, problem), ordered: true })
  if (rule.messageExpression !== undefined) {
    const wrong = ruleProblem(
      rule.messageExpression,
      'string',
      'messageExpression must evaluate to a string',
      'messageExpression ',
    )
    if (wrong !== undefined) errors.push({ ...fieldError.invalid(`${at}.messageExpression`, value, wrong), ordered: true })
  }
  if (rule.text.optionalOldSelf !== undefined && !rule.usesOldSelf) {
    errors.push(
      fieldError.invalid(`${at}.optionalOldSelf`, rule.text.optionalOldSelf, 'may not be set if oldSelf is not used in rule'),
    )
  }
  if (rule.usesOldSelf && position.uncorrelatable !== undefined) errors.push(uncorrelated(rule.text, at, position.uncorrelatable))
}

function uncorrelated(text: RuleText, at: string, within: string): FieldError {
  return fieldError.invalid(
    `${at}.rule`,
    text.rule,
    `oldSelf cannot be used on the uncorrelatable portion of the schema within ${within}`,
  )
}

function ruleProblem(compiled: Compiled, wanted: 'bool' | 'string', text: string, prefix: string): string | undefined {
  if (compiled.kind === 'refused') return `${prefix}compilation failed: ${compiled.message}`
  const type = bare(compiled.program.type)
  return type.kind === 'simple' && (type.name === wanted || type.name === 'dyn') ? undefined : text
}

/** What all rules of a schema may cost together, and which of them cost most. */
class Budget {
  private total = 0
  private readonly dear: { readonly path: string; readonly cost: number }[] = []
  /** Nodes whose rules are not looked into. */
  readonly unfit: ReadonlySet<SchemaNode>

  constructor(unfit: ReadonlySet<SchemaNode>) {
    this.unfit = unfit
  }

  add(compiled: Compiled, path: string, name: string, count: number, errors: FieldError[]): void {
    if (compiled.kind !== 'compiled') return
    const cost = Math.min(estimateOf(compiled.program) * count, 2 ** 63)
    if (cost > ruleCostMax) errors.push(fieldError.forbidden(path, exceeds(name, cost, ruleCostMax)))
    this.total += cost
    this.dear.push({ path, cost })
  }

  finish(at: string, errors: FieldError[]): void {
    if (this.total <= schemaCostMax) return
    this.dear.sort((a, b) => b.cost - a.cost)
    for (const { path, cost } of this.dear.slice(0, 4)) {
      // Only what matters is named: a cheap rule is not to blame.
      if (cost < 1_000_000) continue
      errors.push(
        fieldError.forbidden(path, 'contributed to estimated rule cost total exceeding cost limit for entire OpenAPIv3 schema'),
      )
    }
    errors.push(
      fieldError.forbidden(
        at,
        exceeds('x-kubernetes-validations estimated rule cost total for entire OpenAPIv3 schema', this.total, schemaCostMax),
      ),
    )
  }
}

const estimates = new WeakMap<Program, number>()

function estimateOf(program: Program): number {
  let cost = estimates.get(program)
  if (cost === undefined) {
    cost = estimateCost(program)
    estimates.set(program, cost)
  }
  return cost
}

function exceeds(name: string, cost: number, limit: number): string {
  const factor = cost / limit
  const text = factor > 100 ? 'more than 100x' : factor < 1.5 ? `${factor.toFixed(6)}x` : `${factor.toFixed(1)}x`
  return `${name} exceeds budget by factor of ${text} (try simplifying the rule, or adding maxItems, maxProperties, and maxLength where arrays, maps, and strings are declared)`
}
