// Patterns given by users run on an engine without backtracking: no pattern can make a request stall.
import { RE2JS } from 're2js'

export interface Pattern {
  readonly text: string
  /** Whether the pattern occurs in the value. */
  test(value: string): boolean
  /** Why the pattern is none; the pattern then never matches. */
  readonly problem: string | undefined
}

const compiled = new Map<string, Pattern>()

/** Patterns repeat: across fields, versions and servers in one process. */
const cacheMax = 2_000

export function compilePattern(text: string): Pattern {
  let pattern = compiled.get(text)
  if (pattern === undefined) {
    if (compiled.size >= cacheMax) compiled.clear()
    pattern = compile(text)
    compiled.set(text, pattern)
  }
  return pattern
}

function compile(text: string): Pattern {
  try {
    const expression = RE2JS.compile(text)
    return { text, problem: undefined, test: value => expression.test(value) }
  } catch (error) {
    return { text, problem: problemText(text, error), test: () => false }
  }
}

function problemText(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : 'invalid syntax'
  return message.startsWith('error parsing regexp') ? message : `error parsing regexp: ${message || text}`
}
