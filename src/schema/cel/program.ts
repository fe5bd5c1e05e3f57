// A compiled expression: what the rest of the server sees of the language.
import type { Expr } from './ast.ts'
import { check, type Variables } from './checker.ts'
import type { CompiledExpression, Frame } from './frame.ts'
import { parse } from './parser.ts'
import { plan } from './plan.ts'
import { type CelProblem, renderProblems } from './problems.ts'
import type { CelType } from './types.ts'
import type { CelValue } from './values.ts'

export type Compiled =
  | { readonly kind: 'compiled'; readonly program: Program }
  /** The text of all problems, with the lines they are on. */
  | { readonly kind: 'refused'; readonly message: string }

export interface Program {
  readonly source: string
  readonly expr: Expr
  readonly type: CelType
  readonly types: ReadonlyMap<Expr, CelType>
  /** Values in the order of the variables. Throws EvalError and BudgetExceeded. Adds to `meter.cost` what it cost. */
  run(values: readonly CelValue[], meter: Meter): CelValue
}

export interface Meter {
  cost: number
  /** The most that may stand in `cost` after the run. */
  readonly costMax: number
}

export function compile(source: string, variables: Variables): Compiled {
  const parsed = parse(source)
  if ('problems' in parsed) return refused(source, parsed.problems)
  const checked = check(parsed.expr, variables)
  if (checked.problems.length > 0) return refused(source, checked.problems)
  return { kind: 'compiled', program: makeProgram(source, parsed.expr, [...variables.keys()], checked) }
}

/** Without types: for expressions over values of which nothing is known. */
export function compileUnchecked(source: string, names: readonly string[]): Compiled {
  const parsed = parse(source)
  if ('problems' in parsed) return refused(source, parsed.problems)
  const untyped = { type: { kind: 'simple', name: 'dyn' } as const, types: new Map<Expr, CelType>() }
  return { kind: 'compiled', program: makeProgram(source, parsed.expr, names, untyped) }
}

function refused(source: string, problems: readonly CelProblem[]): Compiled {
  return { kind: 'refused', message: renderProblems(source, problems) }
}

function makeProgram(
  source: string,
  expr: Expr,
  names: readonly string[],
  checked: { readonly type: CelType; readonly types: ReadonlyMap<Expr, CelType> },
): Program {
  let planned: CompiledExpression | undefined
  const slots = new Map(names.map((name, i) => [name, i]))
  return {
    source,
    expr,
    type: checked.type,
    types: checked.types,
    run: (values, meter) => {
      planned ??= plan(expr, { slots, next: names.length })
      const frame: Frame = { slots: [...values], cost: meter.cost, costMax: meter.costMax }
      try {
        return planned(frame)
      } finally {
        meter.cost = frame.cost
      }
    },
  }
}
