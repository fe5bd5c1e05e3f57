// An issuer's keys, fetched as STS does (§6.3 step 5 and "Caching").
import { type Jwk, readKeySet } from '#base'
import type { IssuerFetch } from '../ports.ts'
import type { Context } from '../service.ts'
import { idpUnreachable, keysUnavailable } from './errors.ts'
import { type StsState, withKeys } from './model.ts'

export type KeyFetch =
  | { readonly kind: 'keys'; readonly keys: readonly Jwk[]; readonly cached: boolean }
  | { readonly kind: 'failed'; readonly why: string; readonly error: Error }

/** `force` asks for a fresh set because a token named an unknown key; that is granted only so often. */
export async function issuerKeys(context: Context<StsState>, issuer: string, force: boolean): Promise<KeyFetch> {
  const { jwksTtlMs, unknownKidRefetchMs } = context.knobs
  const cached = context.store.get().issuers.get(issuer)
  const isFresh = cached !== undefined && context.now - cached.fetchedAtMs < jwksTtlMs
  if (isFresh && (!force || (cached.forcedAtMs !== undefined && context.now - cached.forcedAtMs < unknownKidRefetchMs))) {
    return { kind: 'keys', keys: cached.keys, cached: true }
  }
  const fetched = await fetchKeys(context, issuer)
  if (fetched.kind === 'keys' && jwksTtlMs > 0) {
    const forcedAtMs = force ? context.now : undefined
    context.store.set(withKeys(context.store.get(), issuer, { fetchedAtMs: context.now, forcedAtMs, keys: fetched.keys }))
  }
  return fetched
}

async function fetchKeys(context: Context<StsState>, issuer: string): Promise<KeyFetch> {
  const { issuers } = context.ports
  const discoveryUrl = `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`
  const discovery = documentOf(context, discoveryUrl, await issuers.fetch(discoveryUrl))
  if ('kind' in discovery) return discovery
  const read = readDiscovery(discovery.body, issuer)
  if (typeof read === 'string') return failed(`${discoveryUrl}: ${read}`)
  const document = documentOf(context, read.jwksUri, await issuers.fetch(read.jwksUri))
  if ('kind' in document) return document
  const keys = readKeySet(document.body)
  return typeof keys === 'string' ? failed(`${read.jwksUri}: ${keys}`) : { kind: 'keys', keys, cached: false }
}

function documentOf(context: Context<StsState>, url: string, fetched: IssuerFetch): KeyFetch | { readonly body: Uint8Array } {
  if (fetched.kind === 'unreachable') {
    const transient = fetched.transient && context.knobs.idpCommunicationError
    return { kind: 'failed', why: `${url}: ${fetched.why}`, error: transient ? idpUnreachable() : keysUnavailable() }
  }
  return fetched.status === 200 ? { body: fetched.body } : failed(`${url} answered ${fetched.status}`)
}

function readDiscovery(body: Uint8Array, issuer: string): { readonly jwksUri: string } | string {
  let source: unknown
  try {
    source = JSON.parse(Buffer.from(body).toString('utf8'))
  } catch {
    return 'it is not JSON'
  }
  if (typeof source !== 'object' || source === null) return 'it is no JSON object'
  const { issuer: named, jwks_uri: jwksUri } = source as Readonly<Record<string, unknown>>
  if (named !== issuer) return `it is the document of issuer ${String(named)}`
  return typeof jwksUri === 'string' && jwksUri.startsWith('https://') ? { jwksUri } : 'its jwks_uri is no https address'
}

function failed(why: string): KeyFetch {
  return { kind: 'failed', why, error: keysUnavailable() }
}
