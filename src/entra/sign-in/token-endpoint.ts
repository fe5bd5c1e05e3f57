// `POST /{tenant}/oauth2/v2.0/token`. The order of its checks, which decides what a request with several faults is told: tenant, a field that
// comes twice, grant type, client id, scope, application, credential, resource.
import { createHash, timingSafeEqual } from 'node:crypto'
import { type Clock, type HttpResponse, memberAt, type Random, readJson } from '#base'
import type { Client, DirectoryCell } from '../directory/directory.ts'
import type { ForeignIssuers } from '../issuers/issuers.ts'
import { type EntraCall, formOf, json } from '../wire/call.ts'
import { issueAccessToken, type TokenWish } from './access-token.ts'
import { checkAssertion } from './assertion.ts'
import { echoed, refusals, type SignInRefusal, SignInRefused } from './refusals.ts'
import { resourceNamed } from './resource-names.ts'
import type { TenantKeys } from './tenant-keys.ts'

export interface SignInParts {
  readonly cell: DirectoryCell
  readonly issuers: ForeignIssuers
  readonly keys: TenantKeys
  readonly clock: Clock
  readonly random: Random
}

export const assertionType = 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer'
const minuteS = 60
const dayS = 24 * 3_600

export async function answerTokenRequest(endpoint: SignInParts, tenantNamed: string, call: EntraCall): Promise<HttpResponse> {
  const { fields: form, repeated } = formOf(call)
  const { cell, clock, keys, random } = endpoint
  const tenant = cell.now.tenants.find(each => each === tenantNamed.toLowerCase())
  if (tenant === undefined) throw refused(refusals.tenant(echoed(tenantNamed)))
  if (repeated !== undefined) throw refused(refusals.repeated(echoed(repeated)))
  const grant = required(form, 'grant_type')
  if (grant !== 'client_credentials') throw refused(refusals.grantType(echoed(grant)))
  const clientId = required(form, 'client_id')
  const resource = resourceOf(required(form, 'scope'))
  const client = clientOf(endpoint, tenant, clientId)
  const proof = await prove(endpoint, client, form)
  const meant = resourceNamed(cell.now, tenant, resource)
  if (meant === undefined) throw refused(refusals.resource(echoed(resource), tenant))
  const nowS = Math.floor(clock.now() / 1_000)
  const lifeS = isRevocable(form) ? dayS : 60 * minuteS + random.integer(30 * minuteS)
  const wish: TokenWish = { client, ...meant, proof, nowS, lifeS }
  const expires = { expires_in: lifeS - 1, ext_expires_in: lifeS - 1 }
  return json(200, { token_type: 'Bearer', ...expires, access_token: issueAccessToken(wish, keys, random) }, noStore)
}

const noStore = { 'cache-control': 'no-store, no-cache', pragma: 'no-cache' }

function required(form: ReadonlyMap<string, string>, name: string): string {
  const value = form.get(name)
  if (value === undefined || value === '') throw refused(refusals.missing(name))
  return value
}

/** `RESOURCE/.default`, and nothing beside it but what OpenID Connect adds. */
function resourceOf(scope: string): string {
  const asked = scope.split(' ').filter(each => each !== '' && !['openid', 'profile', 'offline_access'].includes(each))
  const [only = '', ...more] = asked
  if (more.length > 0 || only === '' || only === '.default') throw refused(refusals.scope(echoed(scope)))
  if (!only.endsWith('/.default')) throw refused(refusals.defaultScope(echoed(scope)))
  return only.slice(0, -'/.default'.length)
}

function clientOf({ cell }: SignInParts, tenant: string, id: string): TokenWish['client'] {
  const found = cell.now.clients.find(client => client.tenant === tenant && client.appId === id.toLowerCase())
  if (found === undefined) throw refused(refusals.application(echoed(id), tenant))
  const { principalId } = found
  if (principalId === undefined) throw refused(refusals.noPrincipal(found.appId, tenant))
  return { ...found, principalId }
}

async function prove(endpoint: SignInParts, client: Client, form: ReadonlyMap<string, string>): Promise<TokenWish['proof']> {
  const { clock, issuers } = endpoint
  const assertion = form.get('client_assertion')
  if (assertion !== undefined && assertion !== '') {
    if (required(form, 'client_assertion_type') !== assertionType)
      throw refused(refusals.malformed('the type of the assertion is not that of a JWT'))
    await checkAssertion(assertion, client, issuers, clock.now())
    return 'assertion'
  }
  const secret = form.get('client_secret')
  if (secret === undefined || secret === '') throw refused(refusals.noCredential())
  const digest = secretDigest(secret)
  if (!client.secrets.some(held => isSame(held, digest))) throw refused(refusals.secret(client.appId))
  return 'secret'
}

export function secretDigest(secret: string): string {
  return createHash('sha256').update(secret).digest('hex')
}

function isSame(one: string, other: string): boolean {
  return timingSafeEqual(Buffer.from(one, 'hex'), Buffer.from(other, 'hex'))
}

/** A client that can be told in the middle of a token's life that it ended (`cp1`) gets one that lives for a day. */
function isRevocable(form: ReadonlyMap<string, string>): boolean {
  const values = memberAt(readJson(form.get('claims') ?? ''), 'access_token', 'xms_cc', 'values')
  return Array.isArray(values) && values.some((value: unknown) => typeof value === 'string' && value.toLowerCase() === 'cp1')
}

function refused(refusal: SignInRefusal): SignInRefused {
  return new SignInRefused(refusal)
}
