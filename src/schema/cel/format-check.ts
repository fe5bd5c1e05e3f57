// `"…".format([…])` with both parts in sight: whether the clauses fit the arguments is known before it runs.
import type { CelProblem } from './problems.ts'
import { type CelType, isDyn, renderType } from './types.ts'

interface Argument {
  readonly at: number
  readonly type: CelType
}

interface Clause {
  readonly takes: readonly string[]
  readonly name: string
  readonly kinds: string
}

const clauses: Readonly<Record<string, Clause>> = {
  d: { name: 'decimal', takes: ['int', 'uint'], kinds: 'integers' },
  f: { name: 'fixed-point', takes: ['double', 'int', 'uint'], kinds: 'doubles' },
  e: { name: 'scientific', takes: ['double', 'int', 'uint'], kinds: 'doubles' },
  b: { name: 'binary', takes: ['int', 'uint', 'bool'], kinds: 'integers and bools' },
  o: { name: 'octal', takes: ['int', 'uint'], kinds: 'integers' },
  x: { name: 'hex', takes: ['int', 'uint', 'string', 'bytes'], kinds: 'integers, byte buffers, and strings' },
  X: { name: 'hex', takes: ['int', 'uint', 'string', 'bytes'], kinds: 'integers, byte buffers, and strings' },
}

export function formatProblem(pattern: string, callAt: number, args: readonly Argument[]): CelProblem | undefined {
  let next = 0
  for (const [, letter = ''] of pattern.matchAll(/%(?:\.\d+)?(.?)/gsu)) {
    if (letter === '%') continue
    if (letter !== 's' && clauses[letter] === undefined) {
      const why = letter === '' ? 'unexpected end of string' : `unrecognized formatting clause "${letter}"`
      return { at: callAt, message: `could not parse formatting clause: ${why}` }
    }
    const arg = args[next]
    if (arg === undefined) return { at: callAt, message: `index ${next} out of range` }
    next++
    const clause = clauses[letter]
    if (clause === undefined || isDyn(arg.type) || arg.type.kind === 'param') continue
    const type = renderType(arg.type)
    if (clause.takes.includes(type)) continue
    return {
      at: arg.at,
      message: `error during formatting: ${clause.name} clause can only be used on ${clause.kinds}, was given ${type}`,
    }
  }
  return undefined
}
