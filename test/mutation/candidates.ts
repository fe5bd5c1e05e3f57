// Where a source can be broken by changing one token: what a tired hand mistypes, and what a test has to notice.
import { parseSync } from 'oxc-parser'

export interface Change {
  readonly start: number
  readonly end: number
  /** Whoever runs this place notices: an operator such as `??` is met by its left side, though coverage counts it with its right one. */
  readonly ranAt: number
  /** What stands there, and what is put there instead. */
  readonly was: string
  readonly becomes: string
}

/** A node of the tree, as far as it is looked at. */
interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [part: string]: unknown
}

const binary: Readonly<Record<string, string>> = {
  '===': '!==',
  '!==': '===',
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '+': '-',
  '-': '+',
  '*': '/',
  '/': '*',
  '%': '*',
  '&': '|',
  '|': '&',
  '<<': '>>',
  '>>': '<<',
}
const logical: Readonly<Record<string, string>> = { '&&': '||', '||': '&&', '??': '&&' }
const assignment: Readonly<Record<string, string>> = { '+=': '-=', '-=': '+=', '??=': '=', '||=': '=', '&&=': '=' }
const calls: Readonly<Record<string, string>> = { some: 'every', every: 'some', min: 'max', max: 'min' }

/** All single-token changes of a source, in its order. Types are left alone: they are gone when it runs. */
export function changesOf(path: string, source: string): readonly Change[] {
  const found: Change[] = []
  const at: At = (start, end, becomes, ranAt = start) =>
    void found.push({ start, end, ranAt, was: source.slice(start, end), becomes })
  const between = (left: Node, right: Node, table: Readonly<Record<string, string>>, operator: string): void => {
    const becomes = table[operator]
    const start = source.indexOf(operator, left.end)
    if (becomes !== undefined && start >= 0 && start < right.start) at(start, start + operator.length, becomes, left.start)
  }
  const visit = (node: Node): void => {
    switch (node.type) {
      case 'BinaryExpression': {
        const [left, right] = [node['left'] as Node, node['right'] as Node]
        if (!(node['operator'] === '+' && (isText(left) || isText(right)))) between(left, right, binary, String(node['operator']))
        break
      }
      case 'LogicalExpression':
        between(node['left'] as Node, node['right'] as Node, logical, String(node['operator']))
        break
      case 'AssignmentExpression':
        between(node['left'] as Node, node['right'] as Node, assignment, String(node['operator']))
        break
      case 'AwaitExpression':
        at(node.start, node.start + 'await '.length, '')
        break
      case 'UnaryExpression':
        if (node['operator'] === '!') at(node.start, node.start + 1, '')
        break
      case 'UpdateExpression':
        updated(node, source, at)
        break
      case 'Literal':
        literal(node, at)
        break
      case 'CallExpression':
        called(node['callee'] as Node, at)
        break
      default:
    }
    for (const child of childrenOf(node)) visit(child)
  }
  visit(parseSync(path, source).program as unknown as Node)
  return found.toSorted((a, b) => a.start - b.start || a.end - b.end)
}

type At = (start: number, end: number, becomes: string, ranAt?: number) => void

function updated(node: Node, source: string, at: At): void {
  const operator = String(node['operator'])
  const start = source.indexOf(operator, node['prefix'] === true ? node.start : (node['argument'] as Node).end)
  at(start, start + 2, operator === '++' ? '--' : '++')
}

function literal(node: Node, at: At): void {
  const { value } = node
  if (typeof value === 'boolean') at(node.start, node.end, String(!value))
  if (typeof value === 'number') at(node.start, node.end, value === 0 ? '1' : value === 1 ? '0' : String(value + 1))
}

function called(callee: Node, at: At): void {
  const property = callee.type === 'MemberExpression' ? (callee['property'] as Node) : undefined
  const name = property?.type === 'Identifier' ? String(property['name']) : ''
  const becomes = Object.hasOwn(calls, name) ? calls[name] : undefined
  if (property !== undefined && becomes !== undefined) at(property.start, property.end, becomes)
}

function isText({ type, value }: Node): boolean {
  return type === 'TemplateLiteral' || (type === 'Literal' && typeof value === 'string')
}

/** Of types, only what has an expression in it. */
const seen = new Set(['TSAsExpression', 'TSNonNullExpression', 'TSSatisfiesExpression', 'TSInstantiationExpression'])

function* childrenOf(node: Node): Generator<Node> {
  for (const [part, value] of Object.entries(node)) {
    if (part === 'typeAnnotation' || part === 'returnType' || part === 'typeArguments' || part === 'typeParameters') continue
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value])
      if (isNode(child) && (!child.type.startsWith('TS') || seen.has(child.type))) yield child
  }
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string' && 'start' in value
}
