// What an expression may cost at most, before it ever runs: from the sizes that the schema allows.
import type { Expr } from '../cel/ast.ts'
import type { Program } from '../cel/program.ts'
import { bare, type CelType, dynType } from '../cel/types.ts'
import { CelBytes } from '../cel/values.ts'
import { requestBytesMax } from './schema-type.ts'

/** At least this is "without bound"; sums and products stay finite. */
const endless = 2 ** 63

export function estimateCost(program: Program): number {
  return new Estimate(program.types).cost(program.expr).cost
}

interface Costed {
  readonly cost: number
  /** The largest the value can be. */
  readonly size: number
  /** The largest its items can be. */
  readonly itemSize: number
}

function capped(value: number): number {
  return Math.min(Number.isNaN(value) ? endless : value, endless)
}

function tenth(size: number): number {
  return Math.ceil(size * 0.1)
}

class Estimate {
  private readonly types: ReadonlyMap<Expr, CelType>
  /** Sizes of macro variables in sight. */
  private readonly sizes: { readonly name: string; readonly size: number; readonly itemSize: number }[] = []

  constructor(types: ReadonlyMap<Expr, CelType>) {
    this.types = types
  }

  cost(expr: Expr): Costed {
    switch (expr.kind) {
      case 'literal':
        return { cost: 0, size: literalSize(expr.value), itemSize: 1 }
      case 'ident':
        return this.ident(expr)
      case 'select':
        return this.withTypeSize(expr, this.cost(expr.operand).cost + 1)
      case 'index': {
        const operand = this.cost(expr.operand)
        const typed = this.withTypeSize(expr, operand.cost + this.cost(expr.index).cost + 1)
        return typed.size >= requestBytesMax ? { ...typed, size: Math.min(typed.size, operand.itemSize) } : typed
      }
      case 'list':
        return this.list(expr)
      case 'map':
      case 'struct':
        return {
          cost: capped(expr.entries.reduce((sum, { key, value }) => sum + this.cost(key).cost + this.cost(value).cost, 30)),
          size: expr.entries.length,
          itemSize: expr.entries.reduce((max, { value }) => Math.max(max, this.cost(value).size), 1),
        }
      case 'call':
        return this.call(expr)
      default:
        return this.macro(expr)
    }
  }

  private withTypeSize(expr: Expr, cost: number): Costed {
    const type = this.types.get(expr) ?? dynType
    return { cost: capped(cost), size: typeSize(type), itemSize: itemTypeSize(type) }
  }

  private ident(expr: Extract<Expr, { kind: 'ident' }>): Costed {
    const known = this.sizes.findLast(({ name }) => name === expr.name)
    const typed = this.withTypeSize(expr, 1)
    if (known === undefined) return typed
    return { cost: 1, size: Math.min(typed.size, known.size), itemSize: Math.min(typed.itemSize, known.itemSize) }
  }

  private list(expr: Extract<Expr, { kind: 'list' }>): Costed {
    const items = expr.items.map(({ value }) => this.cost(value))
    return {
      cost: capped(items.reduce((sum, item) => sum + item.cost, 10)),
      size: items.length,
      itemSize: items.reduce((max, item) => Math.max(max, item.size), 1),
    }
  }

  private call(expr: Extract<Expr, { kind: 'call' }>): Costed {
    // The first part of a name such as `sets.contains` is no value.
    const isMember = expr.target !== undefined && this.types.has(expr.target)
    const args = (isMember ? [expr.target as Expr, ...expr.args] : expr.args).map(arg => this.cost(arg))
    const sum = args.reduce((total, arg) => total + arg.cost, 0)
    if (expr.name === '_?_:_') {
      const [condition, yes, no] = args as [Costed, Costed, Costed]
      return {
        cost: capped(condition.cost + Math.max(yes.cost, no.cost)),
        size: Math.max(yes.size, no.size),
        itemSize: Math.max(yes.itemSize, no.itemSize),
      }
    }
    const own = callCost(isMember || expr.target === undefined ? expr.name : `.${expr.name}`, args)
    const typed = this.withTypeSize(expr, sum + own)
    return { ...typed, ...resultSize(expr.name, args, typed) }
  }

  private macro(expr: Extract<Expr, { kind: 'macro' }>): Costed {
    const range = this.cost(expr.range)
    const single = expr.macro === 'bind' || expr.macro === 'optMap' || expr.macro === 'optFlatMap'
    const names = expr.variables.map(name => ({ name, size: single ? range.size : range.itemSize, itemSize: endless }))
    this.sizes.push(...names)
    const args = expr.args.map(arg => this.cost(arg))
    this.sizes.length -= names.length
    const body = args.reduce((sum, arg) => sum + arg.cost, 0)
    const last = args[args.length - 1] as Costed
    if (single) return { ...last, cost: capped(range.cost + body + 2) }
    const perItem = body + overheads[expr.macro]
    return {
      cost: capped(range.cost + range.size * perItem + 2),
      size: range.size,
      itemSize: expr.macro === 'filter' ? range.itemSize : last.size,
    }
  }
}

/** What each round of a loop costs besides its body. */
const overheads: Readonly<Record<Extract<Expr, { kind: 'macro' }>['macro'], number>> = {
  all: 3,
  exists: 4,
  exists_one: 2,
  map: 12,
  filter: 12,
  transformList: 12,
  transformMap: 32,
  transformMapEntry: 32,
  optMap: 1,
  optFlatMap: 1,
  bind: 1,
}

function literalSize(value: unknown): number {
  if (typeof value === 'string') return value.length
  return value instanceof CelBytes ? value.bytes.length : 1
}

function typeSize(type: CelType): number {
  if (type.kind === 'sized') return type.sizeMax
  const plain = bare(type)
  if (plain.kind === 'list' || plain.kind === 'map') return plain.sizeMax ?? endless
  if (plain.kind !== 'simple') return 1
  return plain.name === 'string' || plain.name === 'bytes' || plain.name === 'dyn' ? endless : 1
}

function itemTypeSize(type: CelType): number {
  const plain = bare(type)
  if (plain.kind === 'list') return typeSize(plain.items)
  return plain.kind === 'map' ? typeSize(plain.keys) : endless
}

const perTargetItem = new Set(['sum', 'min', 'max', 'isSorted'])
const onePass = new Set([
  'lowerAscii',
  'upperAscii',
  'replace',
  'split',
  'substring',
  'trim',
  'charAt',
  'join',
  'format',
  'url',
  'ip',
  'cidr',
  'isURL',
  'isIP',
  'isCIDR',
  'quantity',
  'isQuantity',
  '.quote',
  'string',
  'bytes',
])
const comparisons = new Set(['_==_', '_!=_', '_<_', '_<=_', '_>_', '_>=_'])

function callCost(name: string, args: readonly Costed[]): number {
  const [first, second] = args
  const [a, b] = [first?.size ?? 1, second?.size ?? 1]
  if (name === '_&&_' || name === '_||_') return 0
  if (comparisons.has(name)) return Math.max(1, tenth(Math.min(a, b)))
  if (name === '_+_') return Math.max(1, a === 1 && b === 1 ? 1 : tenth(a + b))
  if (name === '@in') return b
  if (name === 'startsWith' || name === 'endsWith') return Math.max(1, tenth(b))
  if (name === 'contains') return tenth(a) * tenth(b)
  if (name === '.contains' || name === '.equivalent' || name === '.intersects') return product(a, b)
  if (name === 'matches' || name === 'find' || name === 'findAll') return tenth(a + 1) * Math.ceil(b * 0.25)
  if (name === 'indexOf' || name === 'lastIndexOf') return tenth(a) * tenth(b)
  if (perTargetItem.has(name)) return a
  return onePass.has(name) ? Math.max(1, tenth(a)) : 1
}

function product(a: number, b: number): number {
  return capped(a * b + 1)
}

function resultSize(name: string, args: readonly Costed[], typed: Costed): Partial<Costed> {
  const [first, second] = args
  if (first === undefined) return {}
  switch (name) {
    case '_+_':
      return { size: capped(first.size + (second?.size ?? 0)), itemSize: Math.max(first.itemSize, second?.itemSize ?? 0) }
    case 'split':
    case 'findAll':
      return { size: first.size, itemSize: first.size }
    case 'find':
    case 'lowerAscii':
    case 'upperAscii':
    case 'substring':
    case 'trim':
      return { size: Math.min(typed.size, first.size) }
    case 'string':
    case 'bytes':
      // How long a number is as text is not looked into.
      return { size: first.size === 1 ? typed.size : Math.min(typed.size, first.size) }
    case 'join':
      return { size: capped(first.size * first.itemSize) }
    case 'replace':
      return { size: capped(first.size * Math.max(1, args[2]?.size ?? 1)) }
    case 'orValue':
      return { size: Math.max(typed.size, second?.size ?? 0) }
    default:
      return {}
  }
}
