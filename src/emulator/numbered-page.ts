// Lists that are told a page at a time by how many came before. What may change between two pages is listed by name instead, by each service.
import { given } from '#base'
import type { PageTokens } from './service.ts'

interface Page<T> {
  readonly items: readonly T[]
  /** Absent on the last page. */
  readonly nextToken?: string
}

/** The page that is asked for; undefined where the token is none of this list. `filters`: what the pages of one list have in common. */
export function numberedPage<T>(
  { tokens }: { readonly tokens: PageTokens },
  all: readonly T[],
  { token, size, filters }: { readonly token: string | undefined; readonly size: number; readonly filters?: unknown },
): Page<T> | undefined {
  const position = token === undefined ? '0' : tokens.open(token, filters)
  if (position === undefined) return undefined
  const start = Number(position)
  const end = start + size
  const nextToken = end < all.length ? tokens.seal(String(end), filters) : undefined
  return { items: all.slice(start, end), ...given({ nextToken }) }
}
