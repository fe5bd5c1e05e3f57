// Regular expressions as Go's `regexp` takes or refuses them, in its words: the operand is a Go program, and what it cannot compile stops it.
// The engine that runs here is RE2 as well. It differs in what it says of a trailing backslash, refuses a group name that comes twice, and
// knows other names of character classes.
import { compilePattern } from '#schema'
import { isGoClass } from './go-classes.ts'
import { nestedRepeat } from './nested-repeat.ts'

/** Why Go would refuse the pattern; undefined when it takes it. */
export function goPatternProblem(text: string): string | undefined {
  const { rewritten, originals } = withKnownClasses(text)
  const problem = compilePattern(rewritten).problem
  if (problem === undefined) return undefined
  const repeat = problem.endsWith('expression too large') ? nestedRepeat(text) : undefined
  if (repeat !== undefined) return `error parsing regexp: invalid repeat count: \`${repeat}\``
  const distinct = /duplicate capture group name/.test(problem) ? withDistinctNames(rewritten) : undefined
  const second = distinct === undefined ? problem : compilePattern(distinct).problem
  if (second === undefined) return undefined
  const named = originals.reduce((said, [placeholder, original]) => said.replaceAll(placeholder, original), second)
  return named.endsWith('trailing backslash at end of expression') ? `${named}: \`\`` : withoutMarks(named)
}

interface Rewritten {
  readonly rewritten: string
  /** What stands in the text for what was there. */
  readonly originals: readonly (readonly [string, string])[]
}

/** Class names that Go knows become one that every engine knows; those that it does not know, one that none does. */
function withKnownClasses(text: string): Rewritten {
  const originals: (readonly [string, string])[] = []
  const rewritten = text.replaceAll(
    /\\Q[\s\S]*?(?:\\E|$)|\\([pP])\{(\^?)([^}]*)\}|\\[\s\S]/g,
    (whole, letter, negation, name) => {
      if (letter === undefined) return whole
      if (isGoClass(name)) return `\\${letter}{${negation}L}`
      const placeholder = `\\${letter}{${negation}?${originals.length}}`
      originals.push([placeholder, whole])
      return placeholder
    },
  )
  return { rewritten, originals }
}

const mark = '__again'

/** Every name once: only whether the pattern compiles is asked, and what the groups are called makes no difference to that. */
function withDistinctNames(text: string): string {
  const seen = new Map<string, number>()
  return text.replaceAll(/\(\?P?<(\w+)>/g, (whole, name: string) => {
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    return times === 0 ? whole : whole.replace(`${name}>`, `${name}${mark}${times}>`)
  })
}

function withoutMarks(problem: string): string {
  return problem.replaceAll(new RegExp(`${mark}\\d+`, 'g'), '')
}
