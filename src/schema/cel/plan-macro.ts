// Loops over lists and maps.
import type { Expr } from './ast.ts'
import { type CompiledExpression, charge, type Frame, type VariableSlots } from './frame.ts'
import { CelList, CelOptional, type CelValue, EvalError, isMap, LiteralMap } from './values.ts'

type Macro = Extract<Expr, { kind: 'macro' }>

export function planMacro(
  expr: Macro,
  scope: VariableSlots,
  plan: (expr: Expr, scope: VariableSlots) => CompiledExpression,
): CompiledExpression {
  const inner = withVariables(scope, expr.variables)
  const loop: Loop = { range: plan(expr.range, scope), first: scope.next, pair: expr.variables.length === 2 }
  const [one, two] = expr.args.map(arg => plan(arg, inner)) as [CompiledExpression, CompiledExpression | undefined]
  switch (expr.macro) {
    case 'all':
      return quantifier(loop, one, false)
    case 'exists':
      return quantifier(loop, one, true)
    case 'exists_one':
      return existsOne(loop, one)
    case 'filter':
      return collect(loop, one, frame => frame.slots[loop.first] as CelValue)
    case 'map':
    case 'transformList':
      return two === undefined ? collect(loop, undefined, one) : collect(loop, one, two)
    case 'transformMap':
      return two === undefined ? transformMap(loop, undefined, one) : transformMap(loop, one, two)
    case 'transformMapEntry':
      return two === undefined ? transformEntries(loop, undefined, one) : transformEntries(loop, one, two)
    case 'bind':
      return bind(loop, one)
    default:
      return optionalMap(loop, one, expr.macro === 'optFlatMap')
  }
}

interface Loop {
  readonly range: CompiledExpression
  /** The slot of the first variable. */
  readonly first: number
  readonly pair: boolean
}

function withVariables(scope: VariableSlots, names: readonly string[]): VariableSlots {
  const slots = new Map(scope.slots)
  names.forEach((name, i) => slots.set(name, scope.next + i))
  return { slots, next: scope.next + names.length }
}

/** Calls back for each item with the variables set; stops when told so. */
function each(loop: Loop, frame: Frame, visit: () => boolean | void): void {
  const range = loop.range(frame)
  const { slots } = frame
  if (range instanceof CelList) {
    for (let i = 0; i < range.items.length; i++) {
      if (loop.pair) slots[loop.first] = BigInt(i)
      slots[loop.first + (loop.pair ? 1 : 0)] = range.items[i] as CelValue
      if (visit() === true) return
    }
    return
  }
  if (!isMap(range)) throw new EvalError('no such overload')
  for (const key of range.keys()) {
    slots[loop.first] = key
    if (loop.pair) slots[loop.first + 1] = range.get(key) as CelValue
    if (visit() === true) return
  }
}

/** `all` and `exists`: a deciding item is enough, even if others fail. */
function quantifier(loop: Loop, test: CompiledExpression, decisive: boolean): CompiledExpression {
  return frame => {
    let failure: EvalError | undefined
    let decided = false
    each(loop, frame, () => {
      charge(frame, decisive ? 4 : 3)
      try {
        const result = test(frame)
        if (typeof result !== 'boolean') failure ??= new EvalError('no such overload')
        decided = result === decisive
      } catch (error) {
        if (!(error instanceof EvalError)) throw error
        failure ??= error
      }
      return decided
    })
    if (decided) return decisive
    if (failure !== undefined) throw failure
    return !decisive
  }
}

function isTrue(value: CelValue): boolean {
  if (typeof value !== 'boolean') throw new EvalError('no such overload')
  return value
}

function existsOne(loop: Loop, test: CompiledExpression): CompiledExpression {
  return frame => {
    let count = 0
    each(loop, frame, () => {
      charge(frame, 2)
      if (isTrue(test(frame))) count++
    })
    return count === 1
  }
}

function collect(loop: Loop, test: CompiledExpression | undefined, result: CompiledExpression): CompiledExpression {
  return frame => {
    const items: CelValue[] = []
    each(loop, frame, () => {
      charge(frame, 12)
      if (test === undefined || isTrue(test(frame))) items.push(result(frame))
    })
    return new CelList(items)
  }
}

function transformMap(loop: Loop, test: CompiledExpression | undefined, result: CompiledExpression): CompiledExpression {
  return frame => {
    const map = new LiteralMap()
    each(loop, frame, () => {
      charge(frame, 32)
      if (test === undefined || isTrue(test(frame))) map.add(frame.slots[loop.first] as CelValue, result(frame))
    })
    return map
  }
}

function transformEntries(loop: Loop, test: CompiledExpression | undefined, result: CompiledExpression): CompiledExpression {
  return frame => {
    const map = new LiteralMap()
    each(loop, frame, () => {
      charge(frame, 32)
      if (test !== undefined && !isTrue(test(frame))) return
      const entries = result(frame)
      if (!isMap(entries)) throw new EvalError('no such overload')
      for (const key of entries.keys()) {
        if (!map.add(key, entries.get(key) as CelValue)) throw new EvalError('insert failed: key already exists')
      }
    })
    return map
  }
}

function bind(loop: Loop, result: CompiledExpression): CompiledExpression {
  return frame => {
    frame.slots[loop.first] = loop.range(frame)
    return result(frame)
  }
}

function optionalMap(loop: Loop, result: CompiledExpression, flat: boolean): CompiledExpression {
  return frame => {
    const optional = loop.range(frame)
    if (!(optional instanceof CelOptional)) throw new EvalError('no such overload')
    charge(frame, 2)
    if (optional.value === undefined) return optional
    frame.slots[loop.first] = optional.value
    const value = result(frame)
    if (!flat) return new CelOptional(value)
    if (value instanceof CelOptional) return value
    throw new EvalError('no such overload')
  }
}
