// Conditions of charts, evaluated.

/** As Go's templates would. */
export function evaluate(expression: string, holds: ReadonlySet<string>): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  const read = (): boolean => {
    const token = tokens.shift() ?? ''
    if (token !== '(') return token === 'true' || holds.has(token.replace('$v.', ''))
    const word = tokens.shift()
    const parts: boolean[] = []
    while (tokens[0] !== ')') parts.push(read())
    tokens.shift()
    return word === 'not' ? parts[0] !== true : word === 'and' ? parts.every(Boolean) : parts.some(Boolean)
  }
  return read()
}
