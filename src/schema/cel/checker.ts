// Types of expressions: what a rule may be is known before it ever runs. Every mistake is told once, where it is made.
import type { Expr, MapItem } from './ast.ts'
import { formatProblem } from './format-check.ts'
import type { Overload } from './library/function.ts'
import { celFunction } from './library/registry.ts'
import { literalProblem } from './literals.ts'
import type { CelProblem } from './problems.ts'
import {
  type Bindings,
  bare,
  boolType,
  bytesType,
  type CelType,
  doubleType,
  dynType,
  errorType,
  fits,
  intType,
  isDyn,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  renderType,
  stringType,
  substitute,
  typeType,
  uintType,
} from './types.ts'
import { CelBytes, CelUint, type CelValue } from './values.ts'

export interface CheckedExpression {
  readonly type: CelType
  readonly problems: readonly CelProblem[]
  /** The type of every part, for estimates. */
  readonly types: ReadonlyMap<Expr, CelType>
}

export type Variables = ReadonlyMap<string, CelType>

export function check(expr: Expr, variables: Variables): CheckedExpression {
  const checker = new Checker()
  const type = checker.check(expr, variables)
  return { type: substitute(type, checker.bindings), problems: checker.problems, types: checker.types }
}

/** Names that stand for types. */
export const typeNames: ReadonlySet<string> = new Set(
  'bool int uint double bytes string null_type type list map optional_type google.protobuf.Timestamp google.protobuf.Duration net.IP net.CIDR kubernetes.URL kubernetes.Quantity'.split(
    ' ',
  ),
)

/** The dotted name that an expression spells, if it is nothing but that. */
export function dottedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name.replace(/^\./, '')
  if (expr.kind !== 'select' || expr.how !== 'plain') return undefined
  const operand = dottedName(expr.operand)
  return operand === undefined ? undefined : `${operand}.${expr.field}`
}

class Checker {
  readonly bindings: Bindings = new Map()
  readonly problems: CelProblem[] = []
  readonly types = new Map<Expr, CelType>()
  private fresh = 0

  check(expr: Expr, scope: Variables): CelType {
    const type = this.typeOf(expr, scope)
    this.types.set(expr, substitute(type, this.bindings))
    return type
  }

  private problem(at: number, message: string): CelType {
    this.problems.push({ at, message })
    return errorType
  }

  private typeOf(expr: Expr, scope: Variables): CelType {
    switch (expr.kind) {
      case 'literal':
        return literalType(expr.value)
      case 'ident':
        return this.ident(expr.name.replace(/^\./, ''), expr.at, scope)
      case 'select':
        return this.select(expr, scope)
      case 'index':
        return this.index(expr, scope)
      case 'call':
        return this.call(expr, scope)
      case 'list':
        return listOf(this.listItems(expr, scope))
      case 'map':
        return this.map(expr.entries, scope)
      case 'struct':
        return this.problem(expr.at, `undeclared reference to '${expr.name}' (in container '')`)
      default:
        return this.macro(expr, scope)
    }
  }

  private ident(name: string, at: number, scope: Variables): CelType {
    const type = scope.get(name)
    if (type !== undefined) return type
    if (typeNames.has(name)) return typeType
    return this.problem(at, `undeclared reference to '${name}' (in container '')`)
  }

  private select(expr: Extract<Expr, { kind: 'select' }>, scope: Variables): CelType {
    const name = dottedName(expr)
    if (name !== undefined && typeNames.has(name) && !scope.has(name.split('.')[0] as string)) return typeType
    const declared = name === undefined ? undefined : scope.get(name)
    if (declared !== undefined) return declared
    const operand = bare(substitute(this.check(expr.operand, scope), this.bindings))
    const inOptional = operand.kind === 'opaque' && operand.name === 'optional_type'
    const target = inOptional ? bare(operand.params[0] as CelType) : operand
    const field = this.field(target, expr.field, expr.at)
    if (expr.how === 'test') return boolType
    return inOptional || expr.how === 'optional' ? optionalOf(field) : field
  }

  private field(target: CelType, name: string, at: number): CelType {
    if (isDyn(target) || target.kind === 'param') return dynType
    if (target.kind === 'map') return target.values
    if (target.kind !== 'object') return this.problem(at, `type '${renderType(target)}' does not support field selection`)
    const type = target.fieldType(name)
    return type ?? this.problem(at, `undefined field '${name}'`)
  }

  private index(expr: Extract<Expr, { kind: 'index' }>, scope: Variables): CelType {
    const operand = bare(substitute(this.check(expr.operand, scope), this.bindings))
    const index = this.check(expr.index, scope)
    const inOptional = operand.kind === 'opaque' && operand.name === 'optional_type'
    const target = inOptional ? bare(operand.params[0] as CelType) : operand
    const item = this.item(target, index, expr)
    return inOptional || expr.optional ? optionalOf(item) : item
  }

  private item(target: CelType, index: CelType, expr: Extract<Expr, { kind: 'index' }>): CelType {
    if (isDyn(target) || target.kind === 'param') return dynType
    if (target.kind === 'list' && fits(intType, index, this.bindings)) return target.items
    if (target.kind === 'map' && fits(target.keys, index, this.bindings)) return target.values
    const name = expr.optional ? '_[?_]' : '_[_]'
    return this.problem(
      expr.at,
      `found no matching overload for '${name}' applied to '(${this.render(target)}, ${this.render(index)})'`,
    )
  }

  private render(type: CelType): string {
    return renderType(substitute(type, this.bindings)).replaceAll(/\b[A-Z]_\d+\b/g, 'dyn')
  }

  private call(expr: Extract<Expr, { kind: 'call' }>, scope: Variables): CelType {
    if (expr.target !== undefined) {
      const prefix = dottedName(expr.target)
      const qualified =
        prefix === undefined || scope.has(prefix.split('.')[0] as string) ? undefined : celFunction(`${prefix}.${expr.name}`)
      if (qualified !== undefined) return this.apply(expr, qualified.name, expr.args, false, scope)
    }
    const args = expr.target === undefined ? expr.args : [expr.target, ...expr.args]
    const name = expr.name.replace(/^\./, '')
    return this.apply(expr, name, args, expr.target !== undefined, scope)
  }

  private apply(expr: Expr, name: string, args: readonly Expr[], member: boolean, scope: Variables): CelType {
    const types = args.map(arg => this.check(arg, scope))
    const known = celFunction(name)
    const shown = name.includes('.') ? (name.split('.').pop() as string) : name
    if (known === undefined) return this.problem(expr.at, `undeclared reference to '${shown}' (in container '')`)
    const result = this.resolve(known.overloads, types, member)
    if (result === undefined) {
      const rendered = types.map(type => this.render(type))
      const text = member ? `${rendered[0]}.(${rendered.slice(1).join(', ')})` : `(${rendered.join(', ')})`
      return this.problem(expr.at, `found no matching overload for '${name}' applied to '${text}'`)
    }
    const wrong = literalProblem(name, args) ?? (name === 'format' ? this.format(expr, args) : undefined)
    return wrong === undefined ? result : this.problem(wrong.at, wrong.message)
  }

  private format(call: Expr, [pattern, list]: readonly Expr[]): CelProblem | undefined {
    if (pattern?.kind !== 'literal' || typeof pattern.value !== 'string' || list?.kind !== 'list') return undefined
    const args = list.items.map(({ value }) => ({ at: value.at, type: bare(this.types.get(value) ?? dynType) }))
    return formatProblem(pattern.value, call.at, args)
  }

  /** The result of the one overload that fits; of several with different results nothing is known. */
  private resolve(overloads: readonly Overload[], types: readonly CelType[], member: boolean): CelType | undefined {
    let result: CelType | undefined
    for (const overload of overloads) {
      if (overload.member !== member || overload.params.length !== types.length) continue
      const attempt: Bindings = new Map(this.bindings)
      const id = ++this.fresh
      const params = overload.params.map(param => renamed(param, id))
      if (!params.every((param, i) => fits(param, types[i] as CelType, attempt))) continue
      const type = substitute(renamed(overload.result, id), attempt)
      if (result !== undefined && renderType(result) !== renderType(type)) return dynType
      if (result === undefined) for (const [key, value] of attempt) this.bindings.set(key, value)
      result = type
    }
    return result
  }

  private listItems(expr: Extract<Expr, { kind: 'list' }>, scope: Variables): CelType {
    const items = expr.items.map(item => {
      const type = this.check(item.value, scope)
      return { type: item.optional ? inside(type) : type, at: item.value.at }
    })
    return this.common(items)
  }

  private map(entries: readonly MapItem[], scope: Variables): CelType {
    const keys = entries.map(entry => ({ type: this.check(entry.key, scope), at: entry.key.at }))
    const values = entries.map(entry => {
      const type = this.check(entry.value, scope)
      return { type: entry.optional ? inside(type) : type, at: entry.value.at }
    })
    return mapOf(this.common(keys), this.common(values))
  }

  /** One type for all, or dyn. */
  private common(items: readonly { type: CelType; at: number }[]): CelType {
    const [first, ...rest] = items
    if (first === undefined) return { kind: 'param', name: `E_${++this.fresh}` }
    for (const { type } of rest) if (!fits(first.type, type, this.bindings)) return dynType
    return first.type
  }

  private macro(expr: Extract<Expr, { kind: 'macro' }>, scope: Variables): CelType {
    const range = bare(substitute(this.check(expr.range, scope), this.bindings))
    if (expr.macro === 'bind') return this.check(expr.args[0] as Expr, extended(scope, expr.variables, [range]))
    if (expr.macro === 'optMap' || expr.macro === 'optFlatMap') return this.optional(expr, range, scope)
    const types = this.rangeTypes(range, expr)
    const inner = extended(
      scope,
      expr.variables,
      expr.variables.length === 1 ? [types.key ?? types.value] : [types.key ?? intType, types.value],
    )
    const results = expr.args.map(arg => this.check(arg, inner))
    return this.macroResult(expr, results, types)
  }

  private rangeTypes(range: CelType, expr: Expr & { range: Expr }): { key: CelType | undefined; value: CelType } {
    if (range.kind === 'list') return { key: undefined, value: range.items }
    if (range.kind === 'map') return { key: range.keys, value: range.values }
    if (isDyn(range) || range.kind === 'param') return { key: undefined, value: dynType }
    this.problem(
      expr.range.at,
      `expression of type '${this.render(range)}' cannot be range of a comprehension (must be list, map, or dynamic)`,
    )
    return { key: undefined, value: errorType }
  }

  private macroResult(
    expr: Extract<Expr, { kind: 'macro' }>,
    results: readonly CelType[],
    types: { key: CelType | undefined; value: CelType },
  ): CelType {
    const last = results[results.length - 1] as CelType
    const hasFilter = results.length === 2
    if (hasFilter || expr.macro === 'filter') this.mustBeBool(expr, results[0] as CelType, '_?_:_')
    switch (expr.macro) {
      case 'all':
        this.mustBeBool(expr, last, '_&&_')
        return boolType
      case 'exists':
        this.mustBeBool(expr, last, '_||_')
        return boolType
      case 'exists_one':
        this.mustBeBool(expr, last, '_?_:_')
        return boolType
      case 'filter':
        return listOf(types.key ?? types.value)
      case 'transformMap':
        return mapOf(types.key ?? intType, last)
      case 'transformMapEntry':
        return isDyn(last) || bare(last).kind === 'map' ? last : this.problem(expr.at, 'transformMapEntry needs a map')
      default:
        return listOf(last)
    }
  }

  private mustBeBool(expr: Expr & { args: readonly Expr[] }, type: CelType, operator: string): void {
    if (fits(boolType, type, this.bindings)) return
    const at = (expr.args[0] as Expr).at
    const shown = operator === '_?_:_' ? `(${this.render(type)}, dyn, dyn)` : `(bool, ${this.render(type)})`
    this.problem(at, `found no matching overload for '${operator}' applied to '${shown}'`)
  }

  private optional(expr: Extract<Expr, { kind: 'macro' }>, range: CelType, scope: Variables): CelType {
    const value = inside(range)
    const result = this.check(expr.args[0] as Expr, extended(scope, expr.variables, [value]))
    return expr.macro === 'optMap' ? optionalOf(result) : optionalOf(inside(result))
  }
}

function extended(scope: Variables, names: readonly string[], types: readonly CelType[]): Variables {
  const inner = new Map(scope)
  names.forEach((name, i) => inner.set(name, types[i] ?? dynType))
  return inner
}

/** What an optional holds. */
function inside(type: CelType): CelType {
  const plain = bare(type)
  return plain.kind === 'opaque' && plain.name === 'optional_type' ? (plain.params[0] ?? dynType) : dynType
}

function renamed(type: CelType, id: number): CelType {
  switch (type.kind) {
    case 'param':
      return { kind: 'param', name: `${type.name}_${id}` }
    case 'list':
      return { ...type, items: renamed(type.items, id) }
    case 'map':
      return { ...type, keys: renamed(type.keys, id), values: renamed(type.values, id) }
    case 'opaque':
      return type.params.length === 0 ? type : { ...type, params: type.params.map(param => renamed(param, id)) }
    default:
      return type
  }
}

function literalType(value: CelValue): CelType {
  if (value === null) return nullType
  if (value instanceof CelUint) return uintType
  if (value instanceof CelBytes) return bytesType
  switch (typeof value) {
    case 'boolean':
      return boolType
    case 'bigint':
      return intType
    case 'number':
      return doubleType
    default:
      return stringType
  }
}
