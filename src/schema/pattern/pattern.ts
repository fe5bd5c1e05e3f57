// Patterns given by users. They run on an engine without backtracking, so the time that a test takes is the size of the pattern times
// the length of the text, and both have bounds here: no pattern can make a request stall. A schema holds the text of its patterns; the
// compiled engines of all schemas share one bounded memory, so that thousands of definitions cost no more of it than a few.

import { RE2JS } from 're2js'
import { BoundedCache } from '#base'
import { patternSize } from './size.ts'

export interface Pattern {
  readonly text: string
  /** Whether the pattern occurs in the value. */
  match(value: string): PatternMatch
  /** Why the pattern is none; it then never matches. */
  readonly problem: string | undefined
}

/** `too-dear`: nobody looked, since the answer would take too long. */
export type PatternMatch = 'yes' | 'no' | 'too-dear'

export function compilePattern(text: string): Pattern {
  return {
    text,
    get problem() {
      return patternProblem(text)
    },
    match: value => matchPattern(text, value),
  }
}

/** Compiling takes about two milliseconds for a thousand instructions. A real server takes a hundred times more. */
const sizeMax = 20_000

/** What reads the text looks at some of it again and again: of 40,000 characters for half a second. Only classes make it so long. */
const lengthMax = 40_000

/** Size times length. The engine takes up to seventy nanoseconds for one of these, so this is less than a second. */
export const workMax = 10_000_000

/** What one instruction of a compiled pattern holds, as measured. */
const instructionBytes = 200
/** The engine remembers states for what it has read, up to 8 MB: after this many bytes it is made anew. */
const statesBytesMax = 250_000
/** Room for a thousand usual patterns. */
const enginesBytesMax = 16_000_000

/** A pattern ready for use, or why there is none. */
type Engine =
  | { readonly kind: 'ready'; readonly expression: RE2JS; readonly size: number; statesBytes: number }
  | { readonly kind: 'refused'; readonly problem: string; readonly size: number }

/** Patterns repeat: across fields, versions and servers in one process. */
const engines = new BoundedCache<string, Engine>(enginesBytesMax)

/** Bytes held by compiled patterns, of this whole process. */
export function patternsBytes(): number {
  return engines.weight
}

/** The compiled pattern, for what more than a test is wanted; undefined when it is none or too large. */
export function expressionOf(text: string): { readonly expression: RE2JS; readonly size: number } | undefined {
  const engine = engineOf(text)
  return engine.kind === 'ready' ? engine : undefined
}

function patternProblem(text: string): string | undefined {
  const engine = engineOf(text)
  return engine.kind === 'refused' ? engine.problem : undefined
}

function matchPattern(text: string, value: string): PatternMatch {
  const engine = engineOf(text)
  if (engine.kind === 'refused') return 'no'
  if (engine.size * value.length > workMax) return 'too-dear'
  const matches = engine.expression.test(value)
  remember(text, engine, value.length)
  return matches ? 'yes' : 'no'
}

/** A test makes at most one state for each character, and a state grows with the pattern. */
function remember(text: string, engine: Extract<Engine, { kind: 'ready' }>, length: number): void {
  engine.statesBytes += length * (stateBytes + engine.size)
  if (engine.statesBytes > statesBytesMax) engines.delete(text)
  else engines.set(text, engine, weightOf(text, engine))
}

/**
 * Most characters lead to a state that is known already, so this is little: texts chosen to make a new state with every character hold
 * up to eight times what is counted.
 */
const stateBytes = 20

function engineOf(text: string): Engine {
  return engines.getOrMake(
    text,
    () => makeEngine(text),
    engine => weightOf(text, engine),
  )
}

function weightOf(text: string, engine: Engine): number {
  const held = engine.kind === 'ready' ? engine.size * instructionBytes + engine.statesBytes : engine.problem.length
  return held + text.length + 200
}

function makeEngine(text: string): Engine {
  const size = text.length > lengthMax ? text.length : patternSize(text)
  if (size > sizeMax) return { kind: 'refused', problem: 'error parsing regexp: expression too large', size }
  try {
    return { kind: 'ready', expression: RE2JS.compile(text), size, statesBytes: 0 }
  } catch (error) {
    return { kind: 'refused', problem: problemText(text, error), size }
  }
}

function problemText(text: string, error: unknown): string {
  const message = error instanceof Error ? error.message : 'invalid syntax'
  return message.startsWith('error parsing regexp') ? message : `error parsing regexp: ${message || text}`
}
