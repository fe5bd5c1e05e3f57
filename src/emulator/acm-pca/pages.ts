// Lists in pages.
import type { CallPca } from './call.ts'
import { pcaFailure } from './errors.ts'

interface PageInput {
  readonly MaxResults?: number
  readonly NextToken?: string
}

const pageSizeDefault = 100

/** The page that is asked for, and the token of the next where there is one. */
export function paged<T>(
  call: CallPca<PageInput>,
  all: readonly T[],
  filters?: unknown,
): { readonly items: readonly T[]; readonly NextToken: string | undefined } {
  const { MaxResults = pageSizeDefault, NextToken: token } = call.input
  const position = token === undefined ? '0' : call.tokens.open(token, filters)
  if (position === undefined) throw pcaFailure('InvalidNextTokenException', 'The token specified in NextToken is not valid.')
  const start = Number(position)
  const end = start + MaxResults
  return { items: all.slice(start, end), NextToken: end < all.length ? call.tokens.seal(String(end), filters) : undefined }
}
