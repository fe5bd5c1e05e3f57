// Secrets of key vaults: get, list, set, delete, for whom a role assignment lets. Who brings no token is told where to get one.
import { createHash } from 'node:crypto'
import { given, type HttpResponse } from '#base'
import type { SecretVersion, Vault } from '../directory/directory.ts'
import type { TokenHolder } from '../sign-in/access-token.ts'
import { issuerOf } from '../sign-in/access-token.ts'
import { vaultAudience } from '../sign-in/resource-names.ts'
import { type EntraCall, json, objectIn } from '../wire/call.ts'
import { may, type ResourceParts, whoCalls } from './callers.ts'

const secretNames = /^[0-9A-Za-z-]{1,127}$/
const valueCharactersMax = 25_000

/** `path`: below the vault. */
export function answerVault(parts: ResourceParts, vault: Vault, path: readonly string[], call: EntraCall): HttpResponse {
  const caller = whoCalls(parts, call, [vaultAudience])
  if (caller === undefined || caller.tenant !== vault.tenant) return challenge(vault, call)
  if (!/^\d/.test(call.query.get('api-version') ?? ''))
    return fault(400, 'BadParameter', "The request is missing the query parameter 'api-version'.")
  const [collection, name, version] = path
  if (collection !== 'secrets') return fault(404, 'NotFound', 'There is nothing at this address; only secrets are served.')
  if (name === undefined) return call.method === 'GET' ? list(parts, vault, caller) : notServed(call)
  if (!secretNames.test(name))
    return fault(400, 'BadParameter', `The request URI contains an invalid name: ${name.slice(0, 200)}`)
  switch (call.method) {
    case 'GET':
      return version === 'versions' ? listVersions(parts, vault, caller, name) : get(parts, vault, caller, { name, version })
    case 'PUT':
      return set(parts, vault, caller, { name, call })
    case 'DELETE':
      return drop(parts, vault, caller, name)
    default:
      return notServed(call)
  }
}

function challenge({ tenant }: Vault, { origin }: EntraCall): HttpResponse {
  const body = { error: { code: 'Unauthorized', message: 'AKV10000: Request is missing a Bearer or PoP token.' } }
  const where = `Bearer authorization="${origin}/${tenant}", resource="${vaultAudience}"`
  return json(401, body, { 'www-authenticate': where })
}

function get(
  parts: ResourceParts,
  vault: Vault,
  caller: TokenHolder,
  { name, version = '' }: { name: string; version?: string | undefined },
): HttpResponse {
  const denied = deniedFor(parts, vault, caller, 'getSecret/action')
  if (denied !== undefined) return denied
  const versions = vault.secrets[name] ?? []
  const found = version === '' ? versions.at(-1) : versions.find(each => each.version === version)
  return found === undefined ? missing(name) : json(200, bundleOf(vault, name, found))
}

function list(parts: ResourceParts, vault: Vault, caller: TokenHolder): HttpResponse {
  const denied = deniedFor(parts, vault, caller, 'readMetadata/action')
  if (denied !== undefined) return denied
  const value = Object.entries(vault.secrets).map(([name, versions]) => itemOf(vault, name, versions.at(-1), false))
  return json(200, { value, nextLink: null })
}

function listVersions(parts: ResourceParts, vault: Vault, caller: TokenHolder, name: string): HttpResponse {
  const denied = deniedFor(parts, vault, caller, 'readMetadata/action')
  if (denied !== undefined) return denied
  return json(200, { value: (vault.secrets[name] ?? []).map(each => itemOf(vault, name, each, true)), nextLink: null })
}

function set(
  parts: ResourceParts,
  vault: Vault,
  caller: TokenHolder,
  { name, call }: { name: string; call: EntraCall },
): HttpResponse {
  const denied = deniedFor(parts, vault, caller, 'setSecret/action')
  if (denied !== undefined) return denied
  const { value, contentType } = objectIn(call) ?? {}
  if (typeof value !== 'string') return fault(400, 'BadParameter', "Property 'value' is required.")
  if (value.length > valueCharactersMax)
    return fault(400, 'BadParameter', `A secret has at most ${valueCharactersMax} characters.`)
  const before = vault.secrets[name] ?? []
  const createdS = Math.floor(parts.clock.now() / 1_000)
  const version = createHash('sha256').update(`${vault.id} ${name} ${before.length}`).digest('hex').slice(0, 32)
  const made: SecretVersion = { version, value, createdS, ...(typeof contentType === 'string' ? { contentType } : {}) }
  parts.cell.putVault({ ...vault, secrets: { ...vault.secrets, [name]: [...before, made] } })
  return json(200, bundleOf(vault, name, made))
}

function drop(parts: ResourceParts, vault: Vault, caller: TokenHolder, name: string): HttpResponse {
  const denied = deniedFor(parts, vault, caller, 'delete')
  if (denied !== undefined) return denied
  const { [name]: gone, ...secrets } = vault.secrets
  const last = gone?.at(-1)
  if (last === undefined) return missing(name)
  parts.cell.putVault({ ...vault, secrets })
  const { value: _value, ...rest } = bundleOf(vault, name, last)
  return json(200, rest)
}

/** The refusal names who asked for what, as Key Vault does. */
function deniedFor(parts: ResourceParts, vault: Vault, caller: TokenHolder, what: string): HttpResponse | undefined {
  const action = `Microsoft.KeyVault/vaults/secrets/${what}`
  if (may(parts, caller, { scope: vault.id, action, kind: 'data-action' })) return undefined
  const { appId, principalId, tenant } = caller
  const lines = [
    'Caller is not authorized to perform action on resource.',
    'If role assignments, deny assignments or role definitions were changed recently, please observe propagation time.',
    `Caller: appid=${appId};oid=${principalId};iss=${issuerOf(tenant, 1)}`,
    `Action: '${action}'`,
    `Resource: '${vault.id}'`,
    'Assignment: (not found)',
    'DenyAssignmentId: null',
    'DecisionReason: null',
    `Vault: ${vault.name};location=${vault.location}`,
  ]
  return json(403, {
    error: { code: 'Forbidden', message: `${lines.join('\r\n')}\r\n`, innererror: { code: 'ForbiddenByRbac' } },
  })
}

function bundleOf(
  vault: Vault,
  name: string,
  { version, value, contentType, createdS }: SecretVersion,
): Readonly<Record<string, unknown>> {
  return {
    value,
    ...given({ contentType }),
    id: `https://${vault.name}.vault.azure.net/secrets/${name}/${version}`,
    attributes: attributesOf(createdS),
  }
}

function itemOf(vault: Vault, name: string, secret: SecretVersion | undefined, withVersion: boolean): object {
  const id = `https://${vault.name}.vault.azure.net/secrets/${name}`
  return { id: withVersion ? `${id}/${secret?.version}` : id, attributes: attributesOf(secret?.createdS ?? 0) }
}

function attributesOf(createdS: number): object {
  return { enabled: true, created: createdS, updated: createdS, recoveryLevel: 'Purgeable', recoverableDays: 0 }
}

function missing(name: string): HttpResponse {
  const advice = 'If you recently deleted this secret you may be able to recover it using the correct recovery command.'
  const help = 'For help resolving this issue, please see https://go.microsoft.com/fwlink/?linkid=2125182'
  return fault(404, 'SecretNotFound', `A secret with (name/id) ${name} was not found in this key vault. ${advice} ${help}`)
}

function notServed({ method }: EntraCall): HttpResponse {
  return fault(405, 'MethodNotAllowed', `${method} is not served here.`)
}

function fault(status: number, code: string, message: string): HttpResponse {
  return json(status, { error: { code, message } })
}
