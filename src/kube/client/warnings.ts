import type { HttpHeaders } from '#base'

/** The texts of `Warning: 299 - "text"` headers. */
export function parseWarnings(headers: HttpHeaders): readonly string[] {
  const value = headers.warning
  if (value === undefined) return []
  const text = typeof value === 'string' ? value : value.join(', ')
  return [...text.matchAll(/\b299 \S+ "((?:[^"\\]|\\.)*)"/g)].map(match => (match[1] ?? '').replace(/\\(.)/g, '$1'))
}
