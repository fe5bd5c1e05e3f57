// Rules that use more of the language than the emulated server lets a new rule use: it admits what its predecessor knows as well, so that
// a definition can go back. Rules that a definition has already stay as they are.

import { childrenOf, type Expr, type FieldError, fieldError, isList, isObject, type Json, parse, renderProblems } from '#schema'
import type { EmulatedVersion } from '../emulated-version.ts'

/** The first server whose new rules may use it. */
const semverFrom = 34
const twoVariablesFrom = 33
const semverFunctions = new Set(['semver', 'isSemver'])

export function languageErrors(spec: Json | undefined, old: Json | undefined, emulate: EmulatedVersion): FieldError[] {
  const minor = Number(emulate.split('.')[1])
  if (minor >= semverFrom) return []
  const known = new Set<string>()
  eachRule(old, '', ({ rule }) => known.add(rule))
  const errors: FieldError[] = []
  eachRule(spec, 'spec', ({ rule, value, at }) => {
    if (known.has(rule)) return
    const parsed = parse(rule)
    const found = 'problems' in parsed ? undefined : tooNew(parsed.expr, minor)
    if (found === undefined) return
    const message = `undeclared reference to '${found.name}' (in container '')`
    errors.push(fieldError.invalid(at, value, `compilation failed: ${renderProblems(rule, [{ at: found.at, message }])}`))
  })
  return errors
}

function tooNew(expr: Expr, minor: number): { readonly name: string; readonly at: number } | undefined {
  if (expr.kind === 'macro' && expr.variables.length === 2 && minor < twoVariablesFrom) return { name: expr.macro, at: expr.at }
  if (expr.kind === 'call' && semverFunctions.has(expr.name) && minor < semverFrom) return { name: expr.name, at: expr.at }
  for (const child of childrenOf(expr)) {
    const found = tooNew(child, minor)
    if (found !== undefined) return found
  }
  return undefined
}

interface RuleAt {
  readonly rule: string
  readonly value: Json
  readonly at: string
}

/** Every rule and message expression below, wherever schemas nest. */
function eachRule(value: Json | undefined, at: string, visit: (found: RuleAt) => void): void {
  if (isList(value)) value.forEach((item, index) => eachRule(item, `${at}[${index}]`, visit))
  if (!isObject(value)) return
  for (const [key, below] of Object.entries(value)) {
    const path = `${at}.${key}`
    if (key !== 'x-kubernetes-validations' || !isList(below)) {
      eachRule(below, at.endsWith('.properties') ? `${at}[${key}]` : path, visit)
      continue
    }
    below.forEach((rule, index) => {
      if (!isObject(rule)) return
      for (const field of ['rule', 'messageExpression']) {
        const text = rule[field]
        if (typeof text === 'string') visit({ rule: text, value: text, at: `${path}[${index}].${field}` })
      }
    })
  }
}
