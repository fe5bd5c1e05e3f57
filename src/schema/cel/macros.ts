// Calls that are no calls: `has`, and the loops over lists and maps.
import type { Expr, MacroName } from './ast.ts'
import { SyntaxProblem } from './lexer.ts'

/** The macro that a call is, or undefined when it is a call. */
export function expandMacro(at: number, name: string, target: Expr | undefined, args: readonly Expr[]): Expr | undefined {
  if (target === undefined) return name === 'has' && args.length === 1 ? testOf(args[0] as Expr) : undefined
  const plan = plans.get(`${name}/${args.length}`)
  if (plan === undefined || (name === 'bind' && !(target.kind === 'ident' && target.name === 'cel'))) return undefined
  const variables = args.slice(0, plan.variables).map(variableOf)
  if (new Set(variables).size < variables.length) {
    throw new SyntaxProblem(`duplicate variable name: ${variables[0]}`, (args[1] as Expr).at)
  }
  const rest = args.slice(plan.variables)
  if (plan.macro === 'bind') return { kind: 'macro', macro: 'bind', range: rest[0] as Expr, variables, args: rest.slice(1), at }
  return { kind: 'macro', macro: plan.macro, range: target, variables, args: rest, at }
}

interface Plan {
  readonly macro: MacroName
  readonly variables: number
}

const plans: ReadonlyMap<string, Plan> = new Map<string, Plan>([
  ['all/2', { macro: 'all', variables: 1 }],
  ['exists/2', { macro: 'exists', variables: 1 }],
  ['exists_one/2', { macro: 'exists_one', variables: 1 }],
  ['existsOne/2', { macro: 'exists_one', variables: 1 }],
  ['map/2', { macro: 'map', variables: 1 }],
  ['map/3', { macro: 'map', variables: 1 }],
  ['filter/2', { macro: 'filter', variables: 1 }],
  ['all/3', { macro: 'all', variables: 2 }],
  ['exists/3', { macro: 'exists', variables: 2 }],
  ['exists_one/3', { macro: 'exists_one', variables: 2 }],
  ['existsOne/3', { macro: 'exists_one', variables: 2 }],
  ['transformList/3', { macro: 'transformList', variables: 2 }],
  ['transformList/4', { macro: 'transformList', variables: 2 }],
  ['transformMap/3', { macro: 'transformMap', variables: 2 }],
  ['transformMap/4', { macro: 'transformMap', variables: 2 }],
  ['transformMapEntry/3', { macro: 'transformMapEntry', variables: 2 }],
  ['transformMapEntry/4', { macro: 'transformMapEntry', variables: 2 }],
  ['optMap/2', { macro: 'optMap', variables: 1 }],
  ['optFlatMap/2', { macro: 'optFlatMap', variables: 1 }],
  ['bind/3', { macro: 'bind', variables: 1 }],
])

function testOf(arg: Expr): Expr {
  if (arg.kind === 'select' && arg.how === 'plain') return { ...arg, how: 'test' }
  throw new SyntaxProblem('invalid argument to has() macro', arg.at)
}

function variableOf(arg: Expr): string {
  if (arg.kind === 'ident' && !arg.name.startsWith('.')) return arg.name
  throw new SyntaxProblem('argument must be a simple name', arg.at)
}
