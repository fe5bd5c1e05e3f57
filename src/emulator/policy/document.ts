// A policy document as the evaluator sees it. Reading is tolerant here: what may be stored is decided by validate.ts, and a document
// that slipped past it must never allow more than it says, so that unknown operators and malformed parts match nothing.
import { isRecord } from '#base'
import { compilePattern, type PolicyPattern } from './pattern.ts'

export interface Policy {
  readonly statements: readonly PolicyStatement[]
}

export interface PolicyStatement {
  /** From 1, as people count. */
  readonly index: number
  readonly sid: string | undefined
  readonly effect: 'Allow' | 'Deny'
  readonly actions: PatternSet | undefined
  readonly resources: PatternSet | undefined
  readonly principals: PrincipalSet | undefined
  readonly conditions: readonly PolicyCondition[]
}

export interface PatternSet {
  /** True for `NotAction` and `NotResource`. */
  readonly negated: boolean
  readonly patterns: readonly PolicyPattern[]
}

export interface PrincipalSet {
  readonly negated: boolean
  readonly values: readonly { readonly type: string; readonly value: string }[]
}

export interface PolicyCondition {
  /** As written, for explanations. */
  readonly operator: string
  readonly base: string
  readonly qualifier: 'ForAllValues' | 'ForAnyValue' | undefined
  readonly ifExists: boolean
  readonly key: string
  readonly values: readonly PolicyPattern[]
}

const emptyPolicy: Policy = { statements: [] }

/** `undefined` when the text is not a policy at all. */
export function readPolicy(text: string): Policy | undefined {
  let source: unknown
  try {
    source = JSON.parse(text)
  } catch {
    return undefined
  }
  if (!isRecord(source)) return undefined
  const variables = source['Version'] === '2012-10-17'
  const statements = listOf(source['Statement'])
  if (statements.length === 0) return emptyPolicy
  return { statements: statements.flatMap((statement, index) => readStatement(statement, index + 1, variables)) }
}

function readStatement(source: unknown, index: number, variables: boolean): readonly PolicyStatement[] {
  if (!isRecord(source)) return []
  const effect = source['Effect']
  if (effect !== 'Allow' && effect !== 'Deny') return []
  const sid = source['Sid']
  return [
    {
      index,
      sid: typeof sid === 'string' && sid !== '' ? sid : undefined,
      effect,
      actions: patternSet(source, 'Action', 'NotAction', false),
      resources: patternSet(source, 'Resource', 'NotResource', variables),
      principals: principalSet(source),
      conditions: readConditions(source['Condition'], variables),
    },
  ]
}

function patternSet(
  source: Readonly<Record<string, unknown>>,
  name: string,
  negatedName: string,
  variables: boolean,
): PatternSet | undefined {
  const negated = source[name] === undefined
  const value = negated ? source[negatedName] : source[name]
  if (value === undefined) return undefined
  const texts = listOf(value).filter(item => typeof item === 'string')
  return { negated, patterns: texts.map(text => compilePattern(text, { wildcards: true, variables })) }
}

function principalSet(source: Readonly<Record<string, unknown>>): PrincipalSet | undefined {
  const negated = source['Principal'] === undefined
  const value = negated ? source['NotPrincipal'] : source['Principal']
  if (value === undefined) return undefined
  if (value === '*') return { negated, values: [{ type: 'AWS', value: '*' }] }
  if (!isRecord(value)) return { negated, values: [] }
  const values = Object.entries(value).flatMap(([type, names]) =>
    listOf(names).flatMap(name => (typeof name === 'string' ? [{ type, value: name }] : [])),
  )
  return { negated, values }
}

function readConditions(source: unknown, variables: boolean): readonly PolicyCondition[] {
  if (!isRecord(source)) return []
  return Object.entries(source).flatMap(([operator, keys]) => {
    const { base, qualifier, ifExists } = parseOperator(operator)
    if (!isRecord(keys)) return []
    return Object.entries(keys).map(([key, values]) => ({
      operator,
      base,
      qualifier,
      ifExists,
      key,
      values: listOf(values).map(value => compilePattern(String(value), { wildcards: /like$|^arn/i.test(base), variables })),
    }))
  })
}

export function parseOperator(operator: string): {
  readonly base: string
  readonly qualifier: PolicyCondition['qualifier']
  readonly ifExists: boolean
} {
  const found = /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/i.exec(operator)
  const qualifier =
    found?.[1]?.toLowerCase() === 'forallvalues' ? 'ForAllValues' : found?.[1] === undefined ? undefined : 'ForAnyValue'
  return { base: found?.[2] ?? operator, qualifier, ifExists: found?.[3] !== undefined }
}

/** One or many: policies write a single element without its list. */
export function listOf(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value : [value]
}

/** Documents by text: the same trust policy is evaluated for every token. Bounded, and a pure function of its input. */
export class PolicyReader {
  readonly #read = new Map<string, Policy | undefined>()
  readonly #sizeMax = 5_000

  read(text: string): Policy | undefined {
    if (this.#read.has(text)) return this.#read.get(text)
    if (this.#read.size >= this.#sizeMax) this.#read.clear()
    const policy = readPolicy(text)
    this.#read.set(text, policy)
    return policy
  }
}
