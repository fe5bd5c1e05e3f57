// Texts of policies with wildcards and variables: `arn:aws:s3:::${aws:username}-*`. Compiled once per document, resolved per request.
// A variable's value is always literal: a user named `*` must not match everything.

const anyRun = -1
const anyOne = -2

type Part = string | typeof anyRun | typeof anyOne | { readonly variable: string; readonly fallback: string | undefined }

export interface PolicyPattern {
  readonly source: string
  readonly parts: readonly Part[]
  /** Text without wildcards and variables, so that the common case is one comparison. */
  readonly literal: string | undefined
}

export interface PatternOptions {
  readonly wildcards: boolean
  /** Only documents of version 2012-10-17 have variables; in older ones the text stands for itself. */
  readonly variables: boolean
}

/** Looks a context key up for `${key}`; `undefined` when the request has no single value for it. */
export type ContextLookup = (key: string) => string | undefined

export function compilePattern(source: string, options: PatternOptions): PolicyPattern {
  const parts: Part[] = []
  const pushText = (text: string): void => {
    const last = parts.at(-1)
    if (typeof last === 'string') parts[parts.length - 1] = last + text
    else if (text !== '') parts.push(text)
  }
  for (let at = 0; at < source.length; ) {
    const variable = options.variables ? variableAt(source, at) : undefined
    if (variable !== undefined) {
      if (typeof variable.part === 'string') pushText(variable.part)
      else parts.push(variable.part)
      at = variable.end
      continue
    }
    const character = source[at] as string
    if (options.wildcards && character === '*') parts.push(anyRun)
    else if (options.wildcards && character === '?') parts.push(anyOne)
    else pushText(character)
    at++
  }
  const literal = parts.length === 0 ? '' : parts.length === 1 && typeof parts[0] === 'string' ? parts[0] : undefined
  return { source, parts, literal }
}

/** `${*}`, `${?}` and `${$}` are the characters themselves; `${key, 'text'}` has a default. */
function variableAt(source: string, at: number): { readonly part: Part; readonly end: number } | undefined {
  if (!source.startsWith('${', at)) return undefined
  const close = source.indexOf('}', at)
  if (close === -1) return undefined
  const inside = source.slice(at + 2, close)
  if (inside === '*' || inside === '?' || inside === '$') return { part: inside, end: close + 1 }
  const found = /^\s*([^,\s]+)\s*(?:,\s*'([^']*)'\s*)?$/.exec(inside)
  if (found === null) return undefined
  return { part: { variable: found[1] as string, fallback: found[2] }, end: close + 1 }
}

/** False also when a variable without default has no value: an unresolved pattern matches nothing. */
export function matchesPattern(pattern: PolicyPattern, text: string, lookup: ContextLookup, ignoreCase = false): boolean {
  const subject = ignoreCase ? text.toLowerCase() : text
  if (pattern.literal !== undefined) return (ignoreCase ? pattern.literal.toLowerCase() : pattern.literal) === subject
  const units = resolvedUnits(pattern, lookup, ignoreCase)
  return units !== undefined && globMatches(units, Array.from(subject, codeOf))
}

/** The pattern's text with its variables filled in; `undefined` when one is missing. Wildcards are written as they were. */
export function resolvedText(pattern: PolicyPattern, lookup: ContextLookup): string | undefined {
  let text = ''
  for (const part of pattern.parts) {
    if (part === anyRun) text += '*'
    else if (part === anyOne) text += '?'
    else if (typeof part === 'string') text += part
    else {
      const value = lookup(part.variable) ?? part.fallback
      if (value === undefined) return undefined
      text += value
    }
  }
  return text
}

/** For ARNs: the resolved pattern cut at its colons into at most `limit` pieces, each matched by itself. */
export function matchesArnPattern(pattern: PolicyPattern, text: string, lookup: ContextLookup): boolean {
  const units = resolvedUnits(pattern, lookup, false)
  if (units === undefined) return false
  const wanted = splitUnits(units, arnParts)
  const given = splitUnits(Array.from(text, codeOf), arnParts)
  return (
    wanted.length === arnParts &&
    given.length === arnParts &&
    wanted.every((part, index) => globMatches(part, given[index] as readonly number[]))
  )
}

const arnParts = 6
const colon = 58

function resolvedUnits(pattern: PolicyPattern, lookup: ContextLookup, ignoreCase: boolean): readonly number[] | undefined {
  const units: number[] = []
  for (const part of pattern.parts) {
    if (typeof part === 'number') units.push(part)
    else {
      const text = typeof part === 'string' ? part : (lookup(part.variable) ?? part.fallback)
      if (text === undefined) return undefined
      for (const character of ignoreCase ? text.toLowerCase() : text) units.push(codeOf(character))
    }
  }
  return units
}

function codeOf(character: string): number {
  return character.codePointAt(0) as number
}

function splitUnits(units: readonly number[], limit: number): readonly (readonly number[])[] {
  const pieces: (readonly number[])[] = []
  let rest = units
  while (pieces.length < limit - 1) {
    const at = rest.indexOf(colon)
    if (at === -1) break
    pieces.push(rest.slice(0, at))
    rest = rest.slice(at + 1)
  }
  return [...pieces, rest]
}

/** Linear in practice and at worst length times length: after a mismatch only the last run of `*` is widened. */
function globMatches(pattern: readonly number[], text: readonly number[]): boolean {
  let at = 0
  let next = 0
  let starAt = -1
  let starNext = 0
  while (next < text.length) {
    const wanted = pattern[at]
    if (wanted === anyRun) {
      starAt = at++
      starNext = next
    } else if (wanted === anyOne || (wanted !== undefined && wanted === text[next])) {
      at++
      next++
    } else if (starAt !== -1) {
      at = starAt + 1
      next = ++starNext
    } else return false
  }
  while (pattern[at] === anyRun) at++
  return at === pattern.length
}
