// Lists, sets and regular expressions.
import { compilePattern, expressionOf, workMax } from '../../pattern/pattern.ts'
import { celCompare, celEqual } from '../equality.ts'
import { CelDuration, CelList, CelUint, type CelValue, EvalError } from '../values.ts'
import type { Cost, LibraryFunction } from './function.ts'
import { operators } from './operators.ts'
import { textCost, traversal } from './size.ts'
import { indexOfText } from './strings.ts'

export const lists: Readonly<Record<string, LibraryFunction>> = {
  isSorted: ([list]) => (list instanceof CelList ? isSorted(list) : undefined),
  sum: ([list]) => (list instanceof CelList ? sum(list) : undefined),
  min: ([list]) => (list instanceof CelList ? extreme(list, 'min', order => order < 0) : undefined),
  max: ([list]) => (list instanceof CelList ? extreme(list, 'max', order => order > 0) : undefined),
  indexOf: args => indexOf(args, false),
  lastIndexOf: args => indexOf(args, true),
  'sets.contains': ([list, sub]) => bothLists(list, sub, (a, b) => b.items.every(item => has(a, item))),
  'sets.equivalent': ([a, b]) =>
    bothLists(a, b, (x, y) => x.items.every(item => has(y, item)) && y.items.every(item => has(x, item))),
  'sets.intersects': ([a, b]) => bothLists(a, b, (x, y) => x.items.some(item => has(y, item))),
  matches: ([text, pattern]) => (typeof text === 'string' && typeof pattern === 'string' ? matches(text, pattern) : undefined),
  find: ([text, pattern]) =>
    typeof text === 'string' && typeof pattern === 'string' ? (findAll(text, pattern, 1)[0] ?? '') : undefined,
  findAll: ([text, pattern, limit]) =>
    typeof text === 'string' && typeof pattern === 'string' && (limit === undefined || typeof limit === 'bigint')
      ? new CelList(findAll(text, pattern, limit === undefined || limit < 0n ? Number.POSITIVE_INFINITY : Number(limit)))
      : undefined,
}

const perItem: Cost = ([list]) => Math.max(1, traversal(list))
const product: Cost = ([a, b]) => traversal(a) * traversal(b) + 1
const regex: Cost = ([text, pattern]) => textCost(traversal(text) + 1) * Math.ceil(traversal(pattern) * 0.25)

export const listCosts: Readonly<Record<string, Cost>> = {
  isSorted: perItem,
  sum: perItem,
  min: perItem,
  max: perItem,
  indexOf: ([subject, part]) =>
    typeof subject === 'string' ? textCost(subject.length) * textCost(traversal(part)) : traversal(subject),
  lastIndexOf: ([subject, part]) =>
    typeof subject === 'string' ? textCost(subject.length) * textCost(traversal(part)) : traversal(subject),
  'sets.contains': product,
  'sets.equivalent': ([a, b]) => 2 * traversal(a) * traversal(b) + 1,
  'sets.intersects': product,
  matches: regex,
  find: regex,
  findAll: regex,
}

function bothLists(
  a: CelValue | undefined,
  b: CelValue | undefined,
  test: (a: CelList, b: CelList) => boolean,
): boolean | undefined {
  return a instanceof CelList && b instanceof CelList ? test(a, b) : undefined
}

function has(list: CelList, item: CelValue): boolean {
  return list.items.some(candidate => celEqual(candidate, item))
}

function isSorted({ items }: CelList): boolean {
  for (let i = 1; i < items.length; i++) {
    const order = celCompare(items[i - 1] as CelValue, items[i] as CelValue)
    if (order === undefined) throw new EvalError('no such overload')
    if (order > 0) return false
  }
  return true
}

/** The sum of the items, which is of the kind of the first. Where there are none it is the integer zero. */
function sum({ items }: CelList): CelValue {
  const [first, ...rest] = items
  if (first === undefined) return 0n
  let total: CelValue = first
  if (typeof first !== 'bigint' && typeof first !== 'number' && !(first instanceof CelUint) && !(first instanceof CelDuration)) {
    throw new EvalError('no such overload')
  }
  for (const item of rest) {
    const next = operators['_+_']?.([total, item])
    if (next === undefined) throw new EvalError('no such overload')
    total = next
  }
  return total
}

function extreme({ items }: CelList, name: string, better: (order: number) => boolean): CelValue {
  const [first, ...rest] = items
  if (first === undefined) throw new EvalError(`${name} called on empty list`)
  let best: CelValue = first
  for (const item of rest) {
    const order = celCompare(item, best)
    if (order === undefined) throw new EvalError('no such overload')
    if (better(order)) best = item
  }
  return best
}

function indexOf([subject, part, from]: readonly CelValue[], last: boolean): CelValue | undefined {
  if (subject instanceof CelList && from === undefined && part !== undefined) {
    const same = (item: CelValue): boolean => celEqual(item, part)
    return BigInt(last ? subject.items.findLastIndex(same) : subject.items.findIndex(same))
  }
  if (typeof subject !== 'string' || typeof part !== 'string') return undefined
  return from === undefined || typeof from === 'bigint' ? indexOfText(subject, part, from, last) : undefined
}

function matches(text: string, pattern: string): boolean {
  const compiled = compilePattern(pattern)
  if (compiled.problem !== undefined) throw new EvalError(compiled.problem)
  const match = compiled.match(text)
  if (match === 'too-dear') throw tooDear()
  return match === 'yes'
}

/** Each search may read the text to its end: what all of them may cost together is what one test may cost. */
function findAll(text: string, pattern: string, limit: number): string[] {
  const engine = expressionOf(pattern)
  if (engine === undefined) throw new EvalError(`Illegal regex: ${compilePattern(pattern).problem}`)
  const matcher = engine.expression.matcher(text)
  const found: string[] = []
  for (let work = 0; found.length < limit; found.push(matcher.group() ?? '')) {
    work += engine.size * (text.length - (found.length === 0 ? 0 : matcher.end()))
    if (work > workMax) throw tooDear()
    if (!matcher.find()) break
  }
  return found
}

function tooDear(): EvalError {
  return new EvalError('the text is too long for this pattern')
}
