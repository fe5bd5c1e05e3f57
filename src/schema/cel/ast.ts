// Expressions as trees. Macros stay what they are instead of being unfolded into loops: they are checked, costed and run as themselves.
import type { CelValue } from './values.ts'

interface Node {
  /** Offset in the source, in code points: where messages point. */
  readonly at: number
}

export type Expr =
  | (Node & { readonly kind: 'literal'; readonly value: CelValue })
  | (Node & { readonly kind: 'ident'; readonly name: string })
  | (Node & {
      readonly kind: 'select'
      readonly operand: Expr
      readonly field: string
      readonly how: 'plain' | 'test' | 'optional'
    })
  | (Node & { readonly kind: 'index'; readonly operand: Expr; readonly index: Expr; readonly optional: boolean })
  | (Node & { readonly kind: 'call'; readonly name: string; readonly target: Expr | undefined; readonly args: readonly Expr[] })
  | (Node & { readonly kind: 'list'; readonly items: readonly ListItem[] })
  | (Node & { readonly kind: 'map'; readonly entries: readonly MapItem[] })
  | (Node & { readonly kind: 'struct'; readonly name: string; readonly entries: readonly MapItem[] })
  | (Node & {
      readonly kind: 'macro'
      readonly macro: MacroName
      readonly range: Expr
      readonly variables: readonly string[]
      readonly args: readonly Expr[]
    })

export interface ListItem {
  readonly value: Expr
  readonly optional: boolean
}

export interface MapItem {
  readonly key: Expr
  readonly value: Expr
  readonly optional: boolean
}

export type MacroName =
  | 'all'
  | 'exists'
  | 'exists_one'
  | 'map'
  | 'filter'
  | 'transformList'
  | 'transformMap'
  | 'transformMapEntry'
  | 'optMap'
  | 'optFlatMap'
  | 'bind'

/** The parts that an expression is directly made of. */
export function childrenOf(expr: Expr): readonly Expr[] {
  switch (expr.kind) {
    case 'select':
      return [expr.operand]
    case 'index':
      return [expr.operand, expr.index]
    case 'call':
      return expr.target === undefined ? expr.args : [expr.target, ...expr.args]
    case 'list':
      return expr.items.map(item => item.value)
    case 'map':
    case 'struct':
      return expr.entries.flatMap(entry => [entry.key, entry.value])
    case 'macro':
      return [expr.range, ...expr.args]
    default:
      return []
  }
}
