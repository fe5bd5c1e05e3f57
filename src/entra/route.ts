// Which address is whose. One port serves all: the host tells where clients were given Azure's own names, and else the path does
// (`/vaults/NAME/…`, `/blobs/ACCOUNT/…`).
import { type HttpResponse, uuidFromBytes } from '#base'
import { sameId } from './directory/directory.ts'
import type { ForeignIssuers } from './issuers/issuers.ts'
import { type ArmParts, answerArm } from './resources/arm.ts'
import { answerBlobs } from './resources/blobs.ts'
import { answerGraph } from './resources/graph.ts'
import { answerVault } from './resources/key-vault.ts'
import { instanceDiscovery, openIdConfiguration } from './sign-in/metadata.ts'
import { echoed, refusalResponse, refusals, SignInRefused } from './sign-in/refusals.ts'
import { answerTokenRequest } from './sign-in/token-endpoint.ts'
import { type EntraCall, json, textOf } from './wire/call.ts'

export interface EntraParts extends ArmParts {
  readonly issuers: ForeignIssuers
}

export async function route(parts: EntraParts, call: EntraCall): Promise<HttpResponse> {
  const [first = '', ...rest] = call.path
  const [name = '', service] = /^([^.]+)\.(vault\.azure\.net|blob\.core\.windows\.net)(?::\d+)?$/.exec(call.host)?.slice(1) ?? []
  if (service === 'vault.azure.net') return vaultNamed(parts, name, call.path, call)
  if (service !== undefined) return accountNamed(parts, name, call.path, call)
  switch (first.toLowerCase()) {
    case 'vaults':
      return vaultNamed(parts, rest[0] ?? '', rest.slice(1), call)
    case 'blobs':
      return accountNamed(parts, rest[0] ?? '', rest.slice(1), call)
    case 'subscriptions':
      return answerArm(parts, call)
    case 'v1.0':
      return answerGraph(parts, rest, call)
    default:
      return signIn(parts, call)
  }
}

function vaultNamed(parts: EntraParts, name: string, path: readonly string[], call: EntraCall): HttpResponse {
  const vault = parts.cell.now.vaults.find(each => sameId(each.name, name))
  return vault === undefined ? nowhere(`There is no vault ${name.slice(0, 100)}.`) : answerVault(parts, vault, path, call)
}

function accountNamed(parts: EntraParts, name: string, path: readonly string[], call: EntraCall): HttpResponse {
  const account = parts.cell.now.accounts.find(each => each.name === name)
  return account === undefined
    ? nowhere(`There is no storage account ${name.slice(0, 100)}.`)
    : answerBlobs(parts, account, path, call)
}

async function signIn(parts: EntraParts, call: EntraCall): Promise<HttpResponse> {
  try {
    return await signInUnguarded(parts, call)
  } catch (error) {
    if (!(error instanceof SignInRefused)) throw error
    const asked = textOf(call.headers['client-request-id']) ?? ''
    const correlationId = /^[0-9a-f-]{36}$/i.test(asked) ? asked : uuidFromBytes(parts.random.bytes(16))
    const traceId = uuidFromBytes(parts.random.bytes(16))
    return refusalResponse(error.refusal, { traceId, correlationId, nowMs: parts.clock.now(), origin: call.origin })
  }
}

async function signInUnguarded(parts: EntraParts, call: EntraCall): Promise<HttpResponse> {
  const [tenant = '', ...rest] = call.path
  const what = `${call.method} ${rest.join('/').toLowerCase()}`
  if (call.path.join('/').toLowerCase() === 'common/discovery/instance') return instanceDiscovery(call)
  switch (what) {
    case 'GET v2.0/.well-known/openid-configuration':
      return openIdConfiguration(knownTenant(parts, tenant), call)
    case 'GET discovery/v2.0/keys':
      return json(200, { keys: parts.keys.published(knownTenant(parts, tenant)) })
    case 'POST oauth2/v2.0/token':
      return answerTokenRequest(parts, tenant, call)
    default:
      return nowhere('Nothing is served at this address.')
  }
}

function knownTenant({ cell }: EntraParts, named: string): string {
  const tenant = cell.now.tenants.find(each => sameId(each, named))
  if (tenant === undefined) throw new SignInRefused(refusals.tenant(echoed(named)))
  return tenant
}

function nowhere(message: string): HttpResponse {
  return json(404, { error: { code: 'NotFound', message } })
}
