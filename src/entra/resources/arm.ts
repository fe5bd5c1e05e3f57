// What Azure Resource Manager does here: user-assigned identities and their federated credentials, role assignments, and the vaults and storage
// accounts that a proof reads from. Other resources are refused by name.
import { type HttpResponse, isRecord } from '#base'
import type { Client, StorageAccount, Vault } from '../directory/directory.ts'
import { sameId } from '../directory/directory.ts'
import type { TokenHolder } from '../sign-in/access-token.ts'
import { managementAudience } from '../sign-in/resource-names.ts'
import { type EntraCall, empty, json, objectIn } from '../wire/call.ts'
import { answerAssignments } from './arm-assignments.ts'
import { type ArmPath, armFault, providerPath } from './arm-path.ts'
import { may, type ResourceParts, whoCalls } from './callers.ts'
import {
  credentialsMax,
  isBusy,
  nameProblem,
  type Propagation,
  standing,
  wishOf,
  withCredential,
  withoutCredential,
} from './federated-credentials.ts'

export interface ArmParts extends ResourceParts, Propagation {}

export function answerArm(parts: ArmParts, call: EntraCall): HttpResponse {
  const caller = whoCalls(parts, call, [managementAudience, 'https://management.core.windows.net'])
  if (caller === undefined)
    return armFault(
      401,
      'AuthenticationFailed',
      'Authentication failed. The access token is missing, has ended or is for another audience.',
    )
  if (!/^\d{4}-\d{2}-\d{2}(?:-preview)?$/.test(call.query.get('api-version') ?? ''))
    return armFault(
      400,
      'MissingApiVersionParameter',
      'The api-version query parameter (?api-version=) is required for all requests.',
    )
  const path = providerPath(call.path)
  const subscription = parts.cell.now.subscriptions.find(({ id }) => sameId(id, path?.subscription ?? ''))
  if (path === undefined || subscription === undefined || subscription.tenant !== caller.tenant)
    return armFault(404, 'SubscriptionNotFound', `The subscription '${path?.subscription ?? ''}' could not be found.`)
  const denied = deniedFor(parts, caller, path, call.method)
  if (denied !== undefined) return denied
  switch (path.type.toLowerCase()) {
    case 'microsoft.managedidentity/userassignedidentities':
      return identity(parts, path, call, caller)
    case 'microsoft.managedidentity/userassignedidentities/federatedidentitycredentials':
      return credentials(parts, path, call)
    case 'microsoft.authorization/roleassignments':
      return answerAssignments(parts, path, call)
    case 'microsoft.keyvault/vaults':
      return vault(parts, path, call, caller)
    case 'microsoft.storage/storageaccounts':
      return account(parts, path, call, caller)
    default:
      return armFault(404, 'InvalidResourceType', `The resource type '${path.type}' is not served here.`)
  }
}

const verbs: Readonly<Record<string, string>> = { GET: 'read', HEAD: 'read', PUT: 'write', PATCH: 'write', DELETE: 'delete' }

function deniedFor(parts: ArmParts, caller: TokenHolder, path: ArmPath, method: string): HttpResponse | undefined {
  const action = `${path.type}/${verbs[method] ?? 'action'}`
  if (may(parts, caller, { scope: path.scope, action, kind: 'action' })) return undefined
  const who = `The client '${caller.appId}' with object id '${caller.principalId}'`
  const what = `does not have authorization to perform action '${action}' over scope '${path.scope}' or the scope is invalid.`
  const advice = 'If access was recently granted, please refresh your credentials.'
  return armFault(403, 'AuthorizationFailed', `${who} ${what} ${advice}`)
}

function identity(parts: ArmParts, { id, name, scope }: ArmPath, call: EntraCall, { tenant }: TokenHolder): HttpResponse {
  const { cell, random } = parts
  const ofIdentity = cell.now.clients.filter(client => client.kind === 'managed-identity' && client.tenant === tenant)
  if (name === undefined) {
    const inside = ofIdentity.filter(client => client.id.toLowerCase().startsWith(`${scope.toLowerCase()}/`))
    return call.method === 'GET' ? json(200, { value: inside.map(identityBody) }) : notServed(call)
  }
  const held = ofIdentity.find(client => sameId(client.id, id))
  switch (call.method) {
    case 'GET':
      return held === undefined ? missing(id) : json(200, identityBody(held))
    case 'PUT': {
      const { location, tags } = objectIn(call) ?? {}
      if (typeof location !== 'string')
        return armFault(400, 'LocationRequired', 'The location property is required for this definition.')
      const drawn = random.fork(`identity/${id.toLowerCase()}`)
      const made: Client = held ?? {
        kind: 'managed-identity',
        tenant,
        id,
        displayName: name,
        appId: drawn.fork('client').uuid(),
        principalId: drawn.fork('principal').uuid(),
        secrets: [],
        credentials: [],
        identifierUris: [],
        tokenVersion: 1,
      }
      const named = isRecord(tags) ? { tags: textsIn(tags) } : {}
      cell.putClient({ ...made, location, ...named })
      return json(held === undefined ? 201 : 200, identityBody({ ...made, location, ...named }))
    }
    case 'DELETE':
      if (held === undefined) return empty(204)
      cell.dropClient(held)
      return empty(200)
    default:
      return notServed(call)
  }
}

function textsIn(tags: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tags).filter((pair): pair is [string, string] => typeof pair[1] === 'string'))
}

function identityBody({ id, displayName, location, tags, tenant, principalId, appId }: Client): object {
  return {
    id,
    name: displayName,
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities',
    location,
    tags: tags ?? {},
    properties: { tenantId: tenant, principalId, clientId: appId },
  }
}

function credentials(parts: ArmParts, { parent, name, id }: ArmPath, call: EntraCall): HttpResponse {
  const { cell } = parts
  const owner = cell.now.clients.find(client => client.kind === 'managed-identity' && sameId(client.id, parent ?? ''))
  if (owner === undefined) return missing(parent ?? '')
  const all = standing(owner)
  const body = (each: (typeof all)[number]): object => ({
    id: `${owner.id}/federatedIdentityCredentials/${each.name}`,
    name: each.name,
    type: 'Microsoft.ManagedIdentity/userAssignedIdentities/federatedIdentityCredentials',
    properties: { issuer: each.issuer, subject: each.subject, audiences: each.audiences },
  })
  if (name === undefined) return call.method === 'GET' ? json(200, { value: all.map(body) }) : notServed(call)
  const held = all.find(each => each.name === name)
  if (call.method === 'GET') return held === undefined ? missing(id) : json(200, body(held))
  if (call.method !== 'PUT' && call.method !== 'DELETE') return notServed(call)
  if (isBusy(owner, parts)) {
    const message =
      'Too many Federated Identity Credentials are written concurrently for the managed identity: write one after another.'
    return armFault(409, 'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity', message)
  }
  if (call.method === 'DELETE') {
    if (held === undefined) return empty(204)
    cell.putClient(withoutCredential(owner, held, parts))
    return empty(200)
  }
  const { properties } = objectIn(call) ?? {}
  const wish = isRecord(properties) ? wishOf(properties) : "The property 'properties' is required."
  if (typeof wish === 'string') return armFault(400, 'BadRequest', wish)
  const problem = nameProblem(name) ?? conflictOf(all, name, wish)
  if (problem !== undefined) return armFault(400, 'BadRequest', problem)
  const changed = withCredential(owner, name, wish, parts)
  cell.putClient(changed)
  const [made] = standing(changed).slice(-1)
  return made === undefined ? missing(id) : json(held === undefined ? 201 : 200, body(made))
}

/** Two of one owner may not mean the same token, and there are at most twenty. */
export function conflictOf(
  all: ReturnType<typeof standing>,
  name: string,
  { issuer, subject }: { readonly issuer: string; readonly subject: string },
): string | undefined {
  const others = all.filter(each => each.name !== name)
  if (others.length >= credentialsMax)
    return `There are ${credentialsMax} federated credentials already, which is the most there can be.`
  return others.some(each => each.issuer === issuer && each.subject === subject)
    ? 'There is a federated credential with this issuer and subject already.'
    : undefined
}

function vault({ cell }: ArmParts, { id, name }: ArmPath, call: EntraCall, { tenant }: TokenHolder): HttpResponse {
  if (name === undefined) return notServed(call)
  const held = cell.now.vaults.find(each => sameId(each.id, id))
  const body = (each: Vault): object => ({
    id: each.id,
    name,
    type: 'Microsoft.KeyVault/vaults',
    location: each.location,
    properties: { tenantId: tenant, enableRbacAuthorization: true, vaultUri: `https://${name}.vault.azure.net/` },
  })
  if (call.method === 'GET') return held === undefined ? missing(id) : json(200, body(held))
  if (call.method !== 'PUT') return notServed(call)
  if (!/^[a-zA-Z](?!.*--)[a-zA-Z0-9-]{1,22}[a-zA-Z0-9]$/.test(name))
    return armFault(400, 'VaultNameNotValid', `The vault name '${name}' is invalid.`)
  const isTaken = held === undefined && cell.now.vaults.some(each => sameId(each.name, name))
  if (isTaken) return armFault(409, 'VaultAlreadyExists', `The vault name '${name}' is already in use.`)
  const made: Vault = { name, id, tenant, location: locationIn(call), secrets: held?.secrets ?? {} }
  cell.putVault(made)
  return json(held === undefined ? 201 : 200, body(made))
}

function account({ cell }: ArmParts, { id, name }: ArmPath, call: EntraCall, { tenant }: TokenHolder): HttpResponse {
  if (name === undefined) return notServed(call)
  const held = cell.now.accounts.find(each => sameId(each.id, id))
  const body = (each: StorageAccount): object => ({
    id: each.id,
    name,
    type: 'Microsoft.Storage/storageAccounts',
    location: each.location,
    properties: { provisioningState: 'Succeeded', primaryEndpoints: { blob: `https://${name}.blob.core.windows.net/` } },
  })
  if (call.method === 'GET') return held === undefined ? missing(id) : json(200, body(held))
  if (call.method !== 'PUT') return notServed(call)
  if (!/^[a-z0-9]{3,24}$/.test(name)) return armFault(400, 'AccountNameInvalid', `${name} is not a valid storage account name.`)
  const isTaken = held === undefined && cell.now.accounts.some(each => sameId(each.name, name))
  if (isTaken) return armFault(409, 'StorageAccountAlreadyTaken', `The storage account named ${name} is already taken.`)
  const made: StorageAccount = { name, id, tenant, location: locationIn(call), containers: held?.containers ?? {} }
  cell.putAccount(made)
  return json(200, body(made))
}

function locationIn(call: EntraCall): string {
  const { location } = objectIn(call) ?? {}
  return typeof location === 'string' ? location : 'westeurope'
}

function missing(id: string): HttpResponse {
  return armFault(404, 'ResourceNotFound', `The Resource '${id}' was not found.`)
}

function notServed({ method }: EntraCall): HttpResponse {
  return armFault(405, 'MethodNotAllowed', `${method} is not served here.`)
}
