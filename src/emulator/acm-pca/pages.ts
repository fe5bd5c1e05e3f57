// Lists in pages.
import { given } from '#base'
import { numberedPage } from '../numbered-page.ts'
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
): { readonly items: readonly T[]; readonly next: { readonly NextToken?: string } } {
  const { MaxResults: size = pageSizeDefault, NextToken: token } = call.input
  const page = numberedPage(call, all, { token, size, filters })
  if (page === undefined) throw pcaFailure('InvalidNextTokenException', 'The token specified in NextToken is not valid.')
  return { items: page.items, next: given({ NextToken: page.nextToken }) }
}
