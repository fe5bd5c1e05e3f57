// The JSONPath dialect of kubectl and of printer columns: fields, indices, slices, wildcards, recursive descent, filters, unions.
// Missing keys select nothing.

type Step = (value: unknown) => readonly unknown[]

/** Everything that the path selects, in order. Throws `SyntaxError` for a text that is no path. */
export function selectJsonPath(text: string, root: unknown): readonly unknown[] {
  let values: readonly unknown[] = [root]
  for (const step of compiled(text)) values = values.flatMap(value => [...step(value)])
  return values
}

const known = new Map<string, readonly Step[]>()
/** Paths come from definitions, of which there are few. */
const knownMax = 2_000

function compiled(text: string): readonly Step[] {
  let steps = known.get(text)
  if (steps === undefined) {
    if (known.size >= knownMax) known.clear()
    steps = parse(text.replace(/^\{(.*)\}$/s, '$1').replace(/^\$/, ''))
    known.set(text, steps)
  }
  return steps
}

function parse(text: string): Step[] {
  const steps: Step[] = []
  let rest = text
  while (rest !== '') {
    const [length, step] = readStep(rest)
    steps.push(step)
    rest = rest.slice(length)
  }
  return steps
}

function readStep(text: string): [number, Step] {
  if (text.startsWith('..')) {
    const field = /^\.\.((?:\\.|[^.[\]])*)/.exec(text) as RegExpExecArray
    const name = unescape(field[1] as string)
    return [field[0].length, value => descendants(value).flatMap(child => (name === '' ? [child] : fieldOf(child, name)))]
  }
  if (text.startsWith('[')) {
    const end = closingBracket(text)
    return [end + 1, bracketStep(text.slice(1, end))]
  }
  const field = /^\.?((?:\\.|[^.[\]])*)/.exec(text) as RegExpExecArray
  if (field[0] === '') throw new SyntaxError(`cannot read the path at ${JSON.stringify(text)}`)
  const name = unescape(field[1] as string)
  if (name === '') return [field[0].length, value => [value]]
  return [field[0].length, name === '*' ? childrenOf : value => fieldOf(value, name)]
}

function bracketStep(inner: string): Step {
  const text = inner.trim()
  if (text === '*') return childrenOf
  const filter = /^\?\((.*)\)$/s.exec(text)
  if (filter !== null) return filterStep(filter[1] as string)
  const slice = /^(-?\d*):(-?\d*)(?::(\d*))?$/.exec(text)
  if (slice !== null) return sliceStep(slice)
  const parts = text.split(',').map(part => part.trim())
  const steps = parts.map(part => {
    const quoted = /^(['"])(.*)\1$/s.exec(part)
    if (quoted !== null) return (value: unknown) => fieldOf(value, quoted[2] as string)
    if (!/^-?\d+$/.test(part)) throw new SyntaxError(`cannot read the index ${JSON.stringify(part)}`)
    return (value: unknown) => (Array.isArray(value) ? present(value.at(Number(part))) : [])
  })
  return value => steps.flatMap(step => [...step(value)])
}

function sliceStep([, from, until, step]: RegExpExecArray): Step {
  return value => {
    if (!Array.isArray(value)) return []
    const chosen = value.slice(from === '' ? 0 : Number(from), until === '' ? undefined : Number(until)) as unknown[]
    const every = Math.max(1, Number(step ?? '') || 1)
    return chosen.filter((_, index) => index % every === 0)
  }
}

function filterStep(text: string): Step {
  const match = /^\s*(@.*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.*?))?\s*$/s.exec(text)
  if (match === null) throw new SyntaxError(`cannot read the filter ${JSON.stringify(text)}`)
  const left = parse((match[1] as string).slice(1))
  const operator = match[2]
  const right = operator === undefined ? undefined : operand(match[3] as string)
  const select = (item: unknown): unknown =>
    left.reduce<readonly unknown[]>((values, step) => values.flatMap(value => [...step(value)]), [item])[0]
  return value => {
    if (!Array.isArray(value)) return []
    return (value as unknown[]).filter(item => {
      const found = select(item)
      return operator === undefined ? found !== undefined : found !== undefined && compare(found, operator, right)
    })
  }
}

function operand(text: string): unknown {
  const quoted = /^(['"])(.*)\1$/s.exec(text)
  if (quoted !== null) return quoted[2]
  if (text === 'true' || text === 'false') return text === 'true'
  return Number(text)
}

function compare(a: unknown, operator: string, b: unknown): boolean {
  switch (operator) {
    case '==':
      return a === b
    case '!=':
      return a !== b
    case '<':
      return (a as number) < (b as number)
    case '<=':
      return (a as number) <= (b as number)
    case '>':
      return (a as number) > (b as number)
    default:
      return (a as number) >= (b as number)
  }
}

function closingBracket(text: string): number {
  let depth = 0
  let quote = ''
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (quote !== '') {
      if (character === quote) quote = ''
    } else if (character === "'" || character === '"') quote = character
    else if (character === '[') depth++
    else if (character === ']' && --depth === 0) return index
  }
  throw new SyntaxError(`no closing bracket in ${JSON.stringify(text)}`)
}

function unescape(name: string): string {
  return name.replace(/\\(.)/gs, '$1')
}

function fieldOf(value: unknown, name: string): readonly unknown[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name)) return []
  return present((value as Record<string, unknown>)[name])
}

function present(value: unknown): readonly unknown[] {
  return value === undefined ? [] : [value]
}

const childrenOf: Step = value =>
  Array.isArray(value) ? (value as unknown[]) : typeof value === 'object' && value !== null ? Object.values(value) : []

function descendants(value: unknown): unknown[] {
  return [value, ...childrenOf(value).flatMap(descendants)]
}
