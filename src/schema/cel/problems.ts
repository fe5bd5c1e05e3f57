// What is wrong with an expression, printed the way people know it: place, reason, the line, and a mark under it.

import { codePointsOf } from './code-points.ts'

export interface CelProblem {
  /** Offset in code points. */
  readonly at: number
  readonly message: string
}

export function renderProblems(source: string, problems: readonly CelProblem[]): string {
  const characters = codePointsOf(source)
  const sorted = [...problems].sort((a, b) => a.at - b.at)
  return sorted.map(problem => renderProblem(characters, problem)).join('\n')
}

function renderProblem(characters: readonly string[], { at, message }: CelProblem): string {
  let line = 1
  let start = 0
  for (let i = 0; i < at && i < characters.length; i++) {
    if (characters[i] !== '\n') continue
    line++
    start = i + 1
  }
  const end = characters.indexOf('\n', start)
  const text = characters
    .slice(start, end < 0 ? undefined : end)
    .join('')
    .replaceAll('\t', ' ')
  const column = at - start
  return `ERROR: <input>:${line}:${column + 1}: ${message}\n | ${text}\n | ${'.'.repeat(column)}^`
}
