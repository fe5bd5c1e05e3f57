// The rules of a schema node, compiled.

import { childrenOf, type Expr } from '../cel/ast.ts'
import { type Compiled, compile, type Program } from '../cel/program.ts'
import { type CelType, optionalOf } from '../cel/types.ts'
import type { RuleText, SchemaNode } from '../node/node.ts'
import { schemaType } from './schema-type.ts'

export interface CompiledRule {
  readonly text: RuleText
  readonly rule: Compiled
  readonly messageExpression: Compiled | undefined
  readonly usesOldSelf: boolean
}

export interface NodeRules {
  readonly selfType: CelType | undefined
  readonly rules: readonly CompiledRule[]
}

const compiled = new WeakMap<SchemaNode, NodeRules>()

/** Compiled when first needed, once per node. */
export function rulesOf(node: SchemaNode, isResource: boolean): NodeRules {
  let rules = compiled.get(node)
  if (rules === undefined) {
    const selfType = schemaType(node, { name: 'selfType', isResource })
    rules = { selfType, rules: selfType === undefined ? [] : node.rules.map(text => compileRule(text, selfType)) }
    compiled.set(node, rules)
  }
  return rules
}

function compileRule(text: RuleText, selfType: CelType): CompiledRule {
  const oldType = text.optionalOldSelf === true ? optionalOf(selfType) : selfType
  const variables = new Map([
    ['self', selfType],
    ['oldSelf', oldType],
  ])
  const rule = compile(text.rule, variables)
  const messageExpression = text.messageExpression === undefined ? undefined : compile(text.messageExpression, variables)
  return { text, rule, messageExpression, usesOldSelf: rule.kind === 'compiled' && mentions(rule.program, 'oldSelf') }
}

function mentions(program: Program, name: string): boolean {
  for (const expr of parts(program.expr)) if (expr.kind === 'ident' && expr.name.replace(/^\./, '') === name) return true
  return false
}

/** All parts of an expression. */
function* parts(expr: Expr): Generator<Expr> {
  yield expr
  for (const child of childrenOf(expr)) yield* parts(child)
}
