// Arguments that are literals can be judged before anything runs: patterns, durations, times, format strings.

import { compilePattern } from '../pattern/pattern.ts'
import type { Expr } from './ast.ts'
import { parseDuration } from './library/duration.ts'
import { parseTimestamp } from './library/time.ts'
import type { CelProblem } from './problems.ts'

/** `args` begins with the target of a member call. */
export function literalProblem(name: string, args: readonly Expr[]): CelProblem | undefined {
  switch (name) {
    case 'matches':
      return judged(args[1], text => compilePattern(text).problem === undefined, 'invalid matches argument')
    case 'find':
    case 'findAll':
      return judged(args[1], text => compilePattern(text).problem === undefined, `invalid ${name} argument`)
    case 'duration':
      return judged(args[0], text => parseDuration(text) !== undefined, 'invalid duration argument')
    case 'timestamp':
      return judged(args[0], text => parseTimestamp(text) !== undefined, 'invalid timestamp argument')
    default:
      return undefined
  }
}

function judged(arg: Expr | undefined, isGood: (text: string) => boolean, message: string): CelProblem | undefined {
  if (arg?.kind !== 'literal' || typeof arg.value !== 'string' || isGood(arg.value)) return undefined
  return { at: arg.at, message }
}
