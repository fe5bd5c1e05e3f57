// Pages of EKS's lists, and client tokens.
import type { Call } from '../service.ts'
import { eksFailure } from './errors.ts'
import type { EksState } from './model.ts'

interface Paged {
  readonly maxResults?: number
  readonly nextToken?: string
}

const pageSizeMax = 100

/** One page of what is sorted by `keyOf`. The token is left out on the last page. */
export function pageOf<T>(
  call: Call<EksState, Paged>,
  all: readonly T[],
  keyOf: (item: T) => string,
  filters: unknown,
): { readonly items: readonly T[]; readonly more: { readonly nextToken?: string } } {
  const { maxResults, nextToken } = call.input
  if (maxResults !== undefined && (maxResults < 1 || maxResults > pageSizeMax)) {
    throw eksFailure('InvalidParameterException', `maxResults must be between 1 and ${pageSizeMax}`)
  }
  const after = nextToken === undefined ? undefined : call.tokens.open(nextToken, filters)
  if (nextToken !== undefined && after === undefined) throw eksFailure('InvalidParameterException', 'Invalid nextToken')
  const rest = after === undefined ? all : all.filter(item => keyOf(item) > after)
  const items = rest.slice(0, maxResults ?? pageSizeMax)
  const last = items.at(-1)
  const more = rest.length > items.length && last !== undefined ? { nextToken: call.tokens.seal(keyOf(last), filters) } : {}
  return { items, more }
}

/** Client tokens are remembered this long. */
const tokenLifeMs = 24 * 3_600_000

/**
 * What an earlier call with the same client token made, or `undefined` for a new one. The same token with other parameters is
 * refused.
 */
export function madeBefore(call: Call<EksState, { readonly clientRequestToken?: string }>, cluster: string): string | undefined {
  const key = tokenKey(call, cluster)
  const known = key === undefined ? undefined : call.store.get().tokens.get(key)
  if (known === undefined) return undefined
  if (known.request !== requestText(call)) {
    throw eksFailure('InvalidParameterException', 'The client request token was used with different parameters', {
      clusterName: cluster,
    })
  }
  return known.made
}

export function rememberToken(
  call: Call<EksState, { readonly clientRequestToken?: string }>,
  cluster: string,
  made: string,
): void {
  const key = tokenKey(call, cluster)
  if (key === undefined) return
  const state = call.store.get()
  call.store.set({ ...state, tokens: state.tokens.set(key, { request: requestText(call), made }) })
  call.schedule({ kind: 'token-expired', id: key, atMs: call.now + tokenLifeMs, class: 'limit' })
}

function tokenKey(call: Call<EksState, { readonly clientRequestToken?: string }>, cluster: string): string | undefined {
  const token = call.input.clientRequestToken
  return token === undefined || token === '' ? undefined : `${call.operation}/${cluster}/${token}`
}

function requestText(call: Call<EksState, { readonly clientRequestToken?: string }>): string {
  const { clientRequestToken: _, ...rest } = call.input
  return JSON.stringify(Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)))
}
