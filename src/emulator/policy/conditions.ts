// Conditions (§4.3): operators, qualifiers and what an absent key means.
import type { PolicyCondition } from './document.ts'
import { ipMatches } from './ip-range.ts'
import { type ContextLookup, matchesArnPattern, matchesPattern, type PolicyPattern, resolvedText } from './pattern.ts'

/** Condition keys of a request by lower-case name; a key that is present has at least one value. */
export type ConditionContext = ReadonlyMap<string, readonly string[]>

type Test = (given: string, wanted: PolicyPattern, lookup: ContextLookup) => boolean

const byResolvedText =
  (test: (given: string, wanted: string) => boolean): Test =>
  (given, wanted, lookup) => {
    const text = resolvedText(wanted, lookup)
    return text !== undefined && test(given, text)
  }

const byNumber = (test: (given: number, wanted: number) => boolean): Test =>
  byResolvedText((given, wanted) => {
    const pair = [parseDecimal(given), parseDecimal(wanted)] as const
    return pair[0] !== undefined && pair[1] !== undefined && test(pair[0], pair[1])
  })

const byDate = (test: (given: number, wanted: number) => boolean): Test =>
  byResolvedText((given, wanted) => {
    const pair = [parseMoment(given), parseMoment(wanted)] as const
    return pair[0] !== undefined && pair[1] !== undefined && test(pair[0], pair[1])
  })

interface Operator {
  readonly negated: boolean
  readonly test: Test
}

const equals = byResolvedText((given, wanted) => given === wanted)
const equalsIgnoreCase = byResolvedText((given, wanted) => given.toLowerCase() === wanted.toLowerCase())
const like: Test = (given, wanted, lookup) => matchesPattern(wanted, given, lookup)
const arn: Test = (given, wanted, lookup) => matchesArnPattern(wanted, given, lookup)
const ip = byResolvedText(ipMatches)
const isSame = (a: number, b: number): boolean => a === b

const operators: ReadonlyMap<string, Operator> = new Map(
  Object.entries({
    StringEquals: { negated: false, test: equals },
    StringNotEquals: { negated: true, test: equals },
    StringEqualsIgnoreCase: { negated: false, test: equalsIgnoreCase },
    StringNotEqualsIgnoreCase: { negated: true, test: equalsIgnoreCase },
    StringLike: { negated: false, test: like },
    StringNotLike: { negated: true, test: like },
    ArnEquals: { negated: false, test: arn },
    ArnLike: { negated: false, test: arn },
    ArnNotEquals: { negated: true, test: arn },
    ArnNotLike: { negated: true, test: arn },
    Bool: { negated: false, test: equalsIgnoreCase },
    NumericEquals: { negated: false, test: byNumber(isSame) },
    NumericNotEquals: { negated: true, test: byNumber(isSame) },
    NumericLessThan: { negated: false, test: byNumber((a, b) => a < b) },
    NumericLessThanEquals: { negated: false, test: byNumber((a, b) => a <= b) },
    NumericGreaterThan: { negated: false, test: byNumber((a, b) => a > b) },
    NumericGreaterThanEquals: { negated: false, test: byNumber((a, b) => a >= b) },
    DateEquals: { negated: false, test: byDate(isSame) },
    DateNotEquals: { negated: true, test: byDate(isSame) },
    DateLessThan: { negated: false, test: byDate((a, b) => a < b) },
    DateLessThanEquals: { negated: false, test: byDate((a, b) => a <= b) },
    DateGreaterThan: { negated: false, test: byDate((a, b) => a > b) },
    DateGreaterThanEquals: { negated: false, test: byDate((a, b) => a >= b) },
    IpAddress: { negated: false, test: ip },
    NotIpAddress: { negated: true, test: ip },
    BinaryEquals: { negated: false, test: equals },
  } satisfies Record<string, Operator>).map(([name, operator]) => [name.toLowerCase(), operator]),
)

export function isKnownOperator(base: string): boolean {
  return base.toLowerCase() === 'null' || operators.has(base.toLowerCase())
}

export function conditionHolds(condition: PolicyCondition, context: ConditionContext): boolean {
  const given = context.get(condition.key.toLowerCase())
  const base = condition.base.toLowerCase()
  if (base === 'null') return condition.values.some(value => value.source.toLowerCase() === String(given === undefined))
  const operator = operators.get(base)
  if (operator === undefined) return false
  if (given === undefined) return holdsWithoutKey(condition, operator)
  const lookup = lookupIn(context)
  const matchesAny = (value: string): boolean => condition.values.some(wanted => operator.test(value, wanted, lookup))
  const satisfies = (value: string): boolean => matchesAny(value) !== operator.negated
  switch (condition.qualifier) {
    case 'ForAllValues':
      return given.every(satisfies)
    case 'ForAnyValue':
      return given.some(satisfies)
    default:
      // On several values a plain operator asks whether any of them matches; its negation, whether none does.
      return given.some(matchesAny) !== operator.negated
  }
}

function holdsWithoutKey(condition: PolicyCondition, operator: Operator): boolean {
  if (condition.ifExists) return true
  if (condition.qualifier === 'ForAllValues') return true
  return condition.qualifier === 'ForAnyValue' ? false : operator.negated
}

/** Variables take a key's value when it has exactly one. */
export function lookupIn(context: ConditionContext): ContextLookup {
  return key => {
    const values = context.get(key.toLowerCase())
    return values?.length === 1 ? values[0] : undefined
  }
}

/** For explanations: what was wanted and what was there. */
export function describeCondition(condition: PolicyCondition, context: ConditionContext): string {
  const wanted = condition.values.map(value => value.source).join(', ')
  const given = context.get(condition.key.toLowerCase())
  return `${condition.operator} on ${condition.key} wants [${wanted}], the request has ${given === undefined ? 'no such key' : `[${given.join(', ')}]`}`
}

function parseDecimal(text: string): number | undefined {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text) ? Number(text) : undefined
}

/** ISO 8601 or epoch seconds, in milliseconds. */
function parseMoment(text: string): number | undefined {
  if (/^-?\d+$/.test(text)) return Number(text) * 1_000
  const at = /^\d{4}-\d\d-\d\d(?:T.*)?$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : at
}
