// What SDKs ask before they ask for a token.
import type { HttpResponse } from '#base'
import { type EntraCall, json } from '../wire/call.ts'
import { refusals, SignInRefused } from './refusals.ts'

/** Hosts of the public cloud, whose names clients write into their questions. */
const publicHosts: readonly string[] = [
  'login.microsoftonline.com',
  'login.windows.net',
  'login.microsoft.com',
  'sts.windows.net',
]

export function instanceDiscovery({ query, host, origin }: EntraCall): HttpResponse {
  const asked = URL.parse(query.get('authorization_endpoint') ?? '')
  if (asked === null || (asked.host !== host && !publicHosts.includes(asked.host))) throw new SignInRefused(refusals.instance())
  const tenant = asked.pathname.split('/')[1] ?? 'common'
  return json(200, {
    tenant_discovery_endpoint: `${origin}/${tenant}/v2.0/.well-known/openid-configuration`,
    'api-version': '1.1',
    metadata: [
      { preferred_network: host, preferred_cache: host, aliases: [host] },
      { preferred_network: 'login.microsoftonline.com', preferred_cache: 'login.windows.net', aliases: publicHosts },
    ],
  })
}

export function openIdConfiguration(tenant: string, { origin }: EntraCall): HttpResponse {
  return json(200, {
    token_endpoint: `${origin}/${tenant}/oauth2/v2.0/token`,
    token_endpoint_auth_methods_supported: ['client_secret_post', 'private_key_jwt'],
    jwks_uri: `${origin}/${tenant}/discovery/v2.0/keys`,
    issuer: `${origin}/${tenant}/v2.0`,
    authorization_endpoint: `${origin}/${tenant}/oauth2/v2.0/authorize`,
    response_modes_supported: ['query', 'fragment', 'form_post'],
    response_types_supported: ['code', 'id_token', 'code id_token', 'id_token token'],
    subject_types_supported: ['pairwise'],
    id_token_signing_alg_values_supported: ['RS256'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    claims_supported: ['sub', 'iss', 'aud', 'exp', 'iat', 'ver', 'tid', 'nonce'],
  })
}
