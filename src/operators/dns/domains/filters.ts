// Which names the operand may write: `spec.domains` as its flags.
import type { Domain } from '../api/spec.ts'
import { goPatternProblem } from './go-pattern.ts'

/** The flags, or why there are none: an object can get past its webhook. */
export type DomainFlags = { readonly flags: readonly string[] } | { readonly problem: string }

export function domainFlags(domains: readonly Domain[] = []): DomainFlags {
  const flags: string[] = []
  const patterns: Record<'Include' | 'Exclude', string[]> = { Include: [], Exclude: [] }
  for (const domain of domains) {
    const problem = readDomain(domain, flags, patterns)
    if (problem !== undefined) return { problem }
  }
  const { Include: included, Exclude: excluded } = patterns
  if (included.length > 0) flags.push(`--regex-domain-filter=${joined(included)}`)
  if (excluded.length > 0) flags.push(`--regex-domain-exclusion=${joined(excluded)}`)
  return { flags }
}

function readDomain(
  { filterType, matchType, name, pattern }: Domain,
  flags: string[],
  patterns: Record<'Include' | 'Exclude', string[]>,
): string | undefined {
  switch (matchType) {
    case 'Exact':
      if (name === undefined) return 'name for domain cannot be empty'
      if (filterType === 'Include') flags.push(`--domain-filter=${name}`)
      if (filterType === 'Exclude') flags.push(`--exclude-domains=${name}`)
      return undefined
    case 'Pattern':
      if (pattern === undefined) return 'pattern for domain cannot be empty'
      return filterType === 'Include' || filterType === 'Exclude' ? readPattern(filterType, pattern, patterns) : undefined
    default:
      return `unknown match type in domains: ${matchType}`
  }
}

function readPattern(
  filterType: 'Include' | 'Exclude',
  pattern: string,
  patterns: Record<'Include' | 'Exclude', string[]>,
): string | undefined {
  const problem = goPatternProblem(pattern)
  if (problem !== undefined) return `${filterType === 'Include' ? 'input' : 'exclude'} pattern ${pattern} is invalid: ${problem}`
  patterns[filterType].push(pattern)
  return undefined
}

/** One alone as it is, several in parentheses. */
function joined(patterns: readonly string[]): string {
  return patterns.length === 1 ? (patterns[0] ?? '') : patterns.map(pattern => `(${pattern})`).join('|')
}
