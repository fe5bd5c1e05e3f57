// Expressions as closures, made once and run often. A run has a frame: slots for the variables, and a budget that every step draws on.
import type { Expr, MapItem } from './ast.ts'
import { dottedName, typeNames } from './checker.ts'
import { type CompiledExpression, charge, type Frame, type VariableSlots } from './frame.ts'
import { itemAt } from './library/operators.ts'
import { celFunction } from './library/registry.ts'
import { planMacro } from './plan-macro.ts'
import {
  CelList,
  CelOptional,
  CelTypeValue,
  CelUint,
  type CelValue,
  EvalError,
  isCelObject,
  isMap,
  LiteralMap,
} from './values.ts'

export function plan(expr: Expr, scope: VariableSlots): CompiledExpression {
  switch (expr.kind) {
    case 'literal': {
      const { value } = expr
      return () => value
    }
    case 'ident':
      return planIdent(expr.name.replace(/^\./, ''), scope)
    case 'select':
      return planSelect(expr, scope)
    case 'index':
      return planIndex(expr, scope)
    case 'call':
      return planCall(expr, scope)
    case 'list':
      return planList(expr, scope)
    case 'map':
      return planMap(expr.entries, scope)
    case 'struct':
      return () => {
        throw new EvalError(`unknown type: ${expr.name}`)
      }
    default:
      return planMacro(expr, scope, plan)
  }
}

function planIdent(name: string, scope: VariableSlots): CompiledExpression {
  const slot = scope.slots.get(name)
  if (slot !== undefined) {
    return frame => {
      charge(frame, 1)
      return frame.slots[slot] as CelValue
    }
  }
  const type = new CelTypeValue(name)
  if (typeNames.has(name)) return () => type
  return () => {
    throw new EvalError(`no such attribute(s): ${name}`)
  }
}

function planSelect(expr: Extract<Expr, { kind: 'select' }>, scope: VariableSlots): CompiledExpression {
  const name = dottedName(expr)
  if (name !== undefined && typeNames.has(name) && !scope.slots.has(name.split('.')[0] as string)) {
    const type = new CelTypeValue(name)
    return () => type
  }
  // The longest name that somebody declared is meant: `authorizer.requestResource` is a variable.
  if (name !== undefined && scope.slots.has(name)) return planIdent(name, scope)
  const operand = plan(expr.operand, scope)
  const { field, how } = expr
  return frame => {
    const target = operand(frame)
    charge(frame, 1)
    if (target instanceof CelOptional) return selectOptional(target, field, how)
    const value = fieldOf(target, field)
    if (how === 'test') return value !== undefined
    if (how === 'optional') return new CelOptional(value)
    if (value === undefined) throw new EvalError(`no such key: ${field}`)
    return value
  }
}

function selectOptional(target: CelOptional, field: string, how: 'plain' | 'test' | 'optional'): CelValue {
  const value = target.value === undefined ? undefined : fieldOf(target.value, field)
  return how === 'test' ? value !== undefined : new CelOptional(value)
}

function fieldOf(target: CelValue, field: string): CelValue | undefined {
  if (isCelObject(target)) return target.field(field)
  if (isMap(target)) return target.get(field)
  throw new EvalError('no such overload')
}

function planIndex(expr: Extract<Expr, { kind: 'index' }>, scope: VariableSlots): CompiledExpression {
  const operand = plan(expr.operand, scope)
  const index = plan(expr.index, scope)
  const { optional } = expr
  return frame => {
    const target = operand(frame)
    const at = index(frame)
    charge(frame, 1)
    if (target instanceof CelOptional) return new CelOptional(target.value === undefined ? undefined : lookUp(target.value, at))
    const value = lookUp(target, at)
    if (optional) return new CelOptional(value)
    if (value !== undefined) return value
    throw new EvalError(target instanceof CelList ? `index out of bounds: ${indexText(at)}` : `no such key: ${indexText(at)}`)
  }
}

function lookUp(target: CelValue, at: CelValue): CelValue | undefined {
  return isCelObject(target) && typeof at === 'string' ? target.field(at) : itemAt(target, at)
}

function indexText(at: CelValue): string {
  if (at instanceof CelUint) return String(at.value)
  return typeof at === 'object' ? '' : String(at)
}

function planCall(expr: Extract<Expr, { kind: 'call' }>, scope: VariableSlots): CompiledExpression {
  switch (expr.name) {
    case '_&&_':
      return planLogic(expr.args, scope, false)
    case '_||_':
      return planLogic(expr.args, scope, true)
    case '_?_:_':
      return planChoice(expr.args, scope)
    case 'or':
    case 'orValue':
      if (expr.target !== undefined) return planAlternative(expr.target, expr.args, scope, expr.name)
  }
  const prefix = expr.target === undefined ? undefined : dottedName(expr.target)
  const isVariable = prefix !== undefined && scope.slots.has(prefix.split('.')[0] as string)
  const qualified = prefix === undefined || isVariable ? undefined : celFunction(`${prefix}.${expr.name}`)
  const name = qualified?.name ?? expr.name.replace(/^\./, '')
  const args = expr.target === undefined || qualified !== undefined ? expr.args : [expr.target, ...expr.args]
  return planFunction(
    name,
    args.map(arg => plan(arg, scope)),
  )
}

function planFunction(name: string, args: readonly CompiledExpression[]): CompiledExpression {
  const known = celFunction(name)
  if (known === undefined) {
    return () => {
      throw new EvalError(`unknown function: ${name}`)
    }
  }
  const { run, cost } = known
  if (!known.overloads.some(overload => overload.params.length === args.length)) {
    return () => {
      throw new EvalError('no such overload')
    }
  }
  return frame => {
    const values: CelValue[] = []
    for (let i = 0; i < args.length; i++) values.push((args[i] as CompiledExpression)(frame))
    // Before the work: what is too dear is not begun. The result's size is not known yet and not asked for.
    charge(frame, cost === undefined ? 1 : cost(values, null))
    const result = run(values)
    if (result === undefined) throw new EvalError('no such overload')
    return result
  }
}

/** `&&` and `||`: one decided side is enough, even if the other fails. */
function planLogic(args: readonly Expr[], scope: VariableSlots, decisive: boolean): CompiledExpression {
  const [left, right] = args.map(arg => plan(arg, scope)) as [CompiledExpression, CompiledExpression]
  return frame => {
    let failure: EvalError | undefined
    try {
      const first = left(frame)
      if (first === decisive) return decisive
      if (typeof first !== 'boolean') failure = new EvalError('no such overload')
    } catch (error) {
      if (!(error instanceof EvalError)) throw error
      failure = error
    }
    const second = failure === undefined ? right(frame) : decided(right, frame, failure)
    if (second === decisive) return decisive
    if (failure !== undefined) throw failure
    if (typeof second !== 'boolean') throw new EvalError('no such overload')
    return second
  }
}

/** The right side after the left failed: if it fails too, the left failure is told. */
function decided(right: CompiledExpression, frame: Frame, failure: EvalError): CelValue {
  try {
    return right(frame)
  } catch (error) {
    throw error instanceof EvalError ? failure : error
  }
}

function planChoice(args: readonly Expr[], scope: VariableSlots): CompiledExpression {
  const [condition, yes, no] = args.map(arg => plan(arg, scope)) as [CompiledExpression, CompiledExpression, CompiledExpression]
  return frame => {
    const value = condition(frame)
    if (typeof value !== 'boolean') throw new EvalError('no such overload')
    return value ? yes(frame) : no(frame)
  }
}

function planAlternative(target: Expr, args: readonly Expr[], scope: VariableSlots, name: 'or' | 'orValue'): CompiledExpression {
  const first = plan(target, scope)
  const other = plan(args[0] ?? { kind: 'literal', value: null, at: 0 }, scope)
  return frame => {
    const optional = first(frame)
    // What turns out to be no optional stands for itself.
    if (!(optional instanceof CelOptional)) return optional
    if (optional.value !== undefined) return name === 'or' ? optional : optional.value
    return other(frame)
  }
}

function planList(expr: Extract<Expr, { kind: 'list' }>, scope: VariableSlots): CompiledExpression {
  const items = expr.items.map(({ value, optional }) => ({ run: plan(value, scope), optional }))
  return frame => {
    charge(frame, 10)
    const values: CelValue[] = []
    for (const { run, optional } of items) {
      const value = run(frame)
      if (!optional) values.push(value)
      else if (!(value instanceof CelOptional))
        throw new EvalError('cannot initialize optional list element from non-optional value')
      else if (value.value !== undefined) values.push(value.value)
    }
    return new CelList(values)
  }
}

function planMap(entries: readonly MapItem[], scope: VariableSlots): CompiledExpression {
  const items = entries.map(({ key, value, optional }) => ({ key: plan(key, scope), value: plan(value, scope), optional }))
  return frame => {
    charge(frame, 30)
    const map = new LiteralMap()
    for (const { key, value, optional } of items) {
      const name = key(frame)
      const content = value(frame)
      if (!optional) {
        if (!map.add(name, content)) throw new EvalError('Failed with repeated key')
      } else if (!(content instanceof CelOptional))
        throw new EvalError('cannot initialize optional entry from non-optional value')
      else if (content.value !== undefined) map.add(name, content.value)
    }
    return map
  }
}
