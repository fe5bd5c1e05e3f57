// Tokens into a tree, by recursive descent. Depth is bounded, so that no text can exhaust the stack.
import { childrenOf, type Expr, type ListItem, type MapItem } from './ast.ts'
import { type CelToken, SyntaxProblem, tokenize } from './lexer.ts'
import { expandMacro } from './macros.ts'
import type { CelProblem } from './problems.ts'

export type Parsed = { readonly expr: Expr } | { readonly problems: readonly CelProblem[] }

export function parse(source: string): Parsed {
  let problems: readonly CelProblem[] = []
  try {
    const read = tokenize(source)
    problems = read.problems
    const expr = new Parser(read.tokens).whole()
    return problems.length === 0 ? { expr } : { problems }
  } catch (error) {
    if (error instanceof SyntaxProblem) return { problems: [...problems, { at: error.at, message: error.message }] }
    throw error
  }
}

/** As deep as a real server lets expressions nest. */
const depthMax = 250

/** Chains of operators make deep trees as well; everything that walks trees recurses. */
const treeDepthMax = 400

/** No name may be one of them. */
export const reservedWords: ReadonlySet<string> = new Set(
  'as break const continue else false for function if import in let loop package namespace null return true var void while'.split(
    ' ',
  ),
)

/** All that may stand where an expression may begin, in the order in which it is told. */
const beginnings =
  "'[' ']' '{' '}' '(' ')' '.' ',' '-' '!' '?' 'true' 'false' 'null' NUM_FLOAT NUM_INT NUM_UINT STRING BYTES IDENTIFIER".split(
    ' ',
  )

function startOfExpression(others = ''): string {
  const told = beginnings.filter(word => !/^'[\]}),?]'$/.test(word) || others.includes(word.charAt(1)))
  return `{${told.join(', ')}}`
}

function startsExpression(token: CelToken | undefined): boolean {
  if (token?.kind === 'ident') return token.quoted !== true
  return token?.kind === 'literal' || (token?.kind === 'symbol' && '[{(.-!'.includes(token.text))
}

/** Behind a dot stands a name. */
function noAlternative({ kind, text, at }: CelToken): SyntaxProblem {
  return new SyntaxProblem(`Syntax error: no viable alternative at input '.${kind === 'end' ? '' : text}'`, at)
}

const relations = new Set(['<', '<=', '>=', '>', '==', '!=', 'in'])
const intMax = 2n ** 63n

class Parser {
  private readonly tokens: readonly CelToken[]
  private position = 0
  private readonly depths = new WeakMap<Expr, number>()
  private depth = 0

  constructor(tokens: readonly CelToken[]) {
    this.tokens = tokens
  }

  whole(): Expr {
    const expr = this.expression()
    const rest = this.peek()
    if (rest.kind === 'end') return expr
    throw this.unexpected('<EOF>', this.next()?.kind === 'end')
  }

  /** Every node comes through here, so that no tree is deeper than walks can go. */
  private made(expr: Expr): Expr {
    let depth = 0
    for (const child of childrenOf(expr)) depth = Math.max(depth, this.depths.get(child) ?? 1)
    if (depth >= treeDepthMax) throw new SyntaxProblem(`expression recursion limit exceeded: ${treeDepthMax}`, expr.at)
    this.depths.set(expr, depth + 1)
    return expr
  }

  private peek(): CelToken {
    return this.tokens[this.position] as CelToken
  }

  private next(): CelToken | undefined {
    return this.tokens[this.position + 1]
  }

  private is(text: string, token: CelToken | undefined = this.peek()): boolean {
    return token?.kind === 'symbol' && token.text === text
  }

  private take(): CelToken {
    const token = this.peek()
    if (token.kind !== 'end') this.position++
    return token
  }

  private accept(text: string): CelToken | undefined {
    return this.is(text) ? this.take() : undefined
  }

  /** Where more than the one could stand, all of it is told. */
  private expect(text: string, expected = `'${text}'`): CelToken {
    const token = this.accept(text)
    if (token !== undefined) return token
    const found = this.peek()
    const isLeftOut = expected === `'${text}'` && this.couldFollow(text, found)
    if (isLeftOut) throw new SyntaxProblem(`Syntax error: missing '${text}' at '${found.text}'`, found.at)
    throw this.unexpected(expected, this.is(text, this.next()))
  }

  private couldFollow(text: string, found: CelToken): boolean {
    return text === ':' ? startsExpression(found) : found.kind === 'end' && this.openBrackets() === 1
  }

  /** Where an expression begins unless one of the others is there. */
  private begin(others: string): void {
    const token = this.peek()
    const isOther = token.kind === 'symbol' && others.includes(token.text)
    if (isOther || startsExpression(token)) return
    throw this.unexpected(startOfExpression(others), startsExpression(this.next()))
  }

  private isItem(): boolean {
    return this.is('?') || startsExpression(this.peek())
  }

  private openBrackets(): number {
    const count = (brackets: string): number =>
      this.tokens.slice(0, this.position).filter(token => token.kind === 'symbol' && brackets.includes(token.text)).length
    return count('([{') - count(')]}')
  }

  /** A token without which the text would go on as it should is one too many. */
  private unexpected(expected: string, isOneTooMany: boolean): SyntaxProblem {
    const { text, at } = this.peek()
    return new SyntaxProblem(
      `Syntax error: ${isOneTooMany ? 'extraneous' : 'mismatched'} input '${text}' expecting ${expected}`,
      at,
    )
  }

  private expression(): Expr {
    if (++this.depth > depthMax) throw new SyntaxProblem(`expression recursion limit exceeded: ${depthMax}`, this.peek().at)
    const condition = this.logic('||', () => this.logic('&&', () => this.relation()))
    const mark = this.accept('?')
    let result = condition
    if (mark !== undefined) {
      const yes = this.logic('||', () => this.logic('&&', () => this.relation()))
      this.expect(':')
      const no = this.expression()
      result = this.made(call(mark.at, '_?_:_', [condition, yes, no]))
    }
    this.depth--
    return result
  }

  private logic(operator: '||' | '&&', next: () => Expr): Expr {
    let left = next()
    for (let token = this.accept(operator); token !== undefined; token = this.accept(operator)) {
      left = this.made(call(token.at, `_${operator}_`, [left, next()]))
    }
    return left
  }

  private relation(): Expr {
    let left = this.sum()
    while (this.peek().kind === 'symbol' && relations.has(this.peek().text)) {
      const token = this.take()
      left = this.made(call(token.at, token.text === 'in' ? '@in' : `_${token.text}_`, [left, this.sum()]))
    }
    return left
  }

  private sum(): Expr {
    let left = this.product()
    while (this.is('+') || this.is('-')) {
      const token = this.take()
      left = this.made(call(token.at, `_${token.text}_`, [left, this.product()]))
    }
    return left
  }

  private product(): Expr {
    let left = this.unary()
    while (this.is('*') || this.is('/') || this.is('%')) {
      const token = this.take()
      left = this.made(call(token.at, `_${token.text}_`, [left, this.unary()]))
    }
    return left
  }

  private unary(): Expr {
    const token = this.peek()
    if (this.is('!')) return this.repeated('!', '!_')
    if (!this.is('-')) return this.member()
    const next = this.tokens[this.position + 1]
    if (next?.kind === 'literal' && (typeof next.value === 'bigint' || typeof next.value === 'number')) {
      // A minus sign before a number belongs to it: only so can the smallest integer be written.
      this.take()
      this.take()
      const literal: Expr = { kind: 'literal', value: negated(next.value, next.at), at: token.at }
      return this.suffixes(literal)
    }
    return this.repeated('-', '-_')
  }

  private repeated(symbol: string, name: string): Expr {
    const marks: CelToken[] = []
    for (let token = this.accept(symbol); token !== undefined; token = this.accept(symbol)) marks.push(token)
    const operand = symbol === '-' && this.is('!') ? this.unary() : this.member()
    // Pairs cancel each other out.
    return marks.length % 2 === 0 ? operand : this.made(call((marks[0] as CelToken).at, name, [operand]))
  }

  private member(): Expr {
    return this.suffixes(this.primary())
  }

  private suffixes(start: Expr): Expr {
    let expr = start
    for (;;) {
      const dot = this.accept('.')
      if (dot !== undefined) expr = this.selection(expr, dot)
      else if (this.is('[')) expr = this.indexing(expr)
      else if (this.is('{')) {
        const name = qualifiedName(expr)
        if (name === undefined) return expr
        const at = this.take().at
        expr = this.made({ kind: 'struct', name, entries: this.fields(), at })
      } else return expr
    }
  }

  private selection(operand: Expr, dot: CelToken): Expr {
    const optional = this.accept('?') !== undefined
    const name = this.take()
    if (name.kind !== 'ident' && !(name.kind === 'symbol' && name.text === 'in')) {
      throw noAlternative(name)
    }
    if (!optional && this.is('(')) {
      const open = this.take()
      const args = this.list(')')
      return (
        expandMacro(open.at, name.text, operand, args) ?? { kind: 'call', name: name.text, target: operand, args, at: open.at }
      )
    }
    return this.made({ kind: 'select', operand, field: name.text, how: optional ? 'optional' : 'plain', at: dot.at })
  }

  private indexing(operand: Expr): Expr {
    const open = this.take()
    this.begin('?')
    const optional = this.accept('?') !== undefined
    const index = this.expression()
    this.expect(']')
    return this.made({ kind: 'index', operand, index, optional, at: open.at })
  }

  private primary(): Expr {
    const token = this.take()
    if (token.kind === 'literal') {
      if (typeof token.value === 'bigint' && token.value >= intMax) throw new SyntaxProblem('invalid int literal', token.at)
      return { kind: 'literal', value: token.value, at: token.at }
    }
    if (token.kind === 'ident') return this.identifier(token, token.text)
    switch (token.text) {
      case '(': {
        const inner = this.expression()
        this.expect(')')
        return inner
      }
      case '[':
        return this.made({ kind: 'list', items: this.items(), at: token.at })
      case '{':
        return this.made({ kind: 'map', entries: this.entries(), at: token.at })
      case '.': {
        const name = this.take()
        if (name.kind === 'ident') return this.identifier(name, `.${name.text}`)
        throw noAlternative(name)
      }
      default:
        if (token.kind !== 'end') this.position--
        throw this.unexpected(startOfExpression(), token.kind !== 'end' && startsExpression(this.next()))
    }
  }

  private identifier(token: CelToken, name: string): Expr {
    if (reservedWords.has(token.text)) throw new SyntaxProblem(`reserved identifier: ${token.text}`, token.at)
    if (!this.is('(')) return { kind: 'ident', name, at: token.at }
    const open = this.take()
    const args = this.list(')')
    return this.made(expandMacro(open.at, name, undefined, args) ?? { kind: 'call', name, target: undefined, args, at: open.at })
  }

  private list(close: string): Expr[] {
    const items: Expr[] = []
    this.begin(close)
    if (this.accept(close) !== undefined) return items
    do items.push(this.expression())
    while (this.accept(',') !== undefined)
    this.expect(close)
    return items
  }

  private items(): ListItem[] {
    const items: ListItem[] = []
    this.begin('],?')
    while (this.isItem()) {
      const optional = this.accept('?') !== undefined
      items.push({ value: this.expression(), optional })
      if (this.accept(',') !== undefined) continue
      this.expect(']', "{']', ','}")
      return items
    }
    // A comma may end the list, be there items or none.
    if (items.length === 0) this.accept(',')
    this.expect(']')
    return items
  }

  private entries(): MapItem[] {
    const entries: MapItem[] = []
    this.begin('},?')
    while (this.isItem()) {
      const optional = this.accept('?') !== undefined
      const key = this.expression()
      this.expect(':')
      entries.push({ key, value: this.expression(), optional })
      if (this.accept(',') !== undefined) continue
      this.expect('}', "{'}', ','}")
      return entries
    }
    if (entries.length === 0) this.accept(',')
    this.expect('}')
    return entries
  }

  private fields(): MapItem[] {
    const entries: MapItem[] = []
    while (!this.is('}')) {
      const optional = this.accept('?') !== undefined
      const name = this.take()
      if (name.kind !== 'ident')
        throw new SyntaxProblem(`Syntax error: mismatched input '${name.text}' expecting IDENTIFIER`, name.at)
      this.expect(':')
      entries.push({ key: { kind: 'literal', value: name.text, at: name.at }, value: this.expression(), optional })
      if (this.accept(',') === undefined) break
    }
    this.expect('}')
    return entries
  }
}

function call(at: number, name: string, args: readonly Expr[]): Expr {
  return { kind: 'call', name, target: undefined, args, at }
}

function negated(value: bigint | number, at: number): bigint | number {
  if (typeof value === 'bigint' && value > intMax) throw new SyntaxProblem('invalid int literal', at)
  return -value
}

function qualifiedName(expr: Expr): string | undefined {
  if (expr.kind === 'ident') return expr.name
  if (expr.kind !== 'select' || expr.how !== 'plain') return undefined
  const operand = qualifiedName(expr.operand)
  return operand === undefined ? undefined : `${operand}.${expr.field}`
}
