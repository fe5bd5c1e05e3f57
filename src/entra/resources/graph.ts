// What Microsoft Graph does here: applications, their service principals, secrets and federated credentials. Whoever is Owner of a subscription
// of the tenant may write; directory roles are not built.
import { type HttpResponse, memberAt } from '#base'
import type { Client, FederatedCredential } from '../directory/directory.ts'
import { isAllowed } from '../directory/roles.ts'
import type { TokenHolder } from '../sign-in/access-token.ts'
import { graphAudience } from '../sign-in/resource-names.ts'
import { secretDigest } from '../sign-in/token-endpoint.ts'
import { type EntraCall, empty, json, objectIn } from '../wire/call.ts'
import { type ArmParts, conflictOf } from './arm.ts'
import { whoCalls } from './callers.ts'
import { nameProblem, standing, wishOf, withCredential, withoutCredential } from './federated-credentials.ts'

/** `path`: below the version. */
export function answerGraph(parts: ArmParts, path: readonly string[], call: EntraCall): HttpResponse {
  const caller = whoCalls(parts, call, [graphAudience])
  if (caller === undefined)
    return fault(401, 'InvalidAuthenticationToken', 'Access token is empty, has ended or is for another audience.')
  if (!isAdministrator(parts, caller))
    return fault(403, 'Authorization_RequestDenied', 'Insufficient privileges to complete the operation.')
  const [collection, id, part, name] = path
  if (collection === 'servicePrincipals') return principals(parts, caller, call)
  if (collection !== 'applications')
    return fault(404, 'Request_ResourceNotFound', `Resource '${collection ?? ''}' is not served here.`)
  if (id === undefined) return applications(parts, caller, call)
  const application = applicationsOf(parts, caller).find(each => each.id === id || id === `(appId='${each.appId}')`)
  if (application === undefined) return missing(id)
  switch (part) {
    case undefined:
      return one(parts, application, call)
    case 'addPassword':
      return call.method === 'POST' ? addPassword(parts, application) : notServed(call)
    case 'federatedIdentityCredentials':
      return name === undefined ? credentials(parts, application, call) : credential(parts, application, name, call)
    default:
      return missing(part)
  }
}

function isAdministrator({ cell }: ArmParts, { tenant, principalId }: TokenHolder): boolean {
  return cell.now.subscriptions.some(
    ({ id, tenant: of }) =>
      of === tenant &&
      isAllowed(cell.now, {
        principalId,
        scope: `/subscriptions/${id}`,
        action: 'Microsoft.Authorization/roleAssignments/write',
        kind: 'action',
      }),
  )
}

function applicationsOf({ cell }: ArmParts, { tenant }: TokenHolder): readonly Client[] {
  return cell.now.clients.filter(client => client.kind === 'application' && client.tenant === tenant)
}

function applications(parts: ArmParts, caller: TokenHolder, call: EntraCall): HttpResponse {
  if (call.method === 'GET') {
    const wanted = /^appId eq '([^']*)'$/.exec(call.query.get('$filter') ?? '')?.[1]
    const all = applicationsOf(parts, caller).filter(({ appId }) => wanted === undefined || appId === wanted)
    return json(200, { value: all.map(bodyOf) })
  }
  if (call.method !== 'POST') return notServed(call)
  const { displayName, identifierUris, api } = objectIn(call) ?? {}
  if (typeof displayName !== 'string' || displayName === '')
    return fault(400, 'Request_BadRequest', "A value is required for property 'displayName' of resource 'Application'.")
  const drawn = parts.random.fork(`application/${parts.cell.now.clients.length}`)
  const made: Client = {
    kind: 'application',
    tenant: caller.tenant,
    id: drawn.fork('object').uuid(),
    appId: drawn.fork('app').uuid(),
    displayName,
    secrets: [],
    credentials: [],
    identifierUris: Array.isArray(identifierUris) ? identifierUris.filter(uri => typeof uri === 'string') : [],
    tokenVersion: memberAt(api, 'requestedAccessTokenVersion') === 2 ? 2 : 1,
  }
  parts.cell.putClient(made)
  return json(201, bodyOf(made))
}

function one(parts: ArmParts, application: Client, call: EntraCall): HttpResponse {
  if (call.method === 'GET') return json(200, bodyOf(application))
  if (call.method !== 'DELETE') return notServed(call)
  parts.cell.dropClient(application)
  return empty(204)
}

function principals(parts: ArmParts, caller: TokenHolder, call: EntraCall): HttpResponse {
  if (call.method !== 'POST') return notServed(call)
  const { appId } = objectIn(call) ?? {}
  const application = applicationsOf(parts, caller).find(each => each.appId === appId)
  if (application === undefined) return fault(400, 'Request_BadRequest', `The appId '${String(appId)}' names no application.`)
  if (application.principalId !== undefined)
    return fault(409, 'Request_MultipleObjectsWithSameKeyValue', 'The service principal cannot be created: it is there already.')
  const principalId = parts.random.fork(`principal/${application.id}`).uuid()
  parts.cell.putClient({ ...application, principalId })
  return json(201, { id: principalId, appId, displayName: application.displayName })
}

function addPassword({ cell, random }: ArmParts, application: Client): HttpResponse {
  const drawn = random.fork(`secret/${application.id}/${application.secrets.length}`)
  const secretText = Buffer.from(drawn.bytes(30)).toString('base64url')
  cell.putClient({ ...application, secrets: [...application.secrets, secretDigest(secretText)] })
  return json(200, { keyId: drawn.fork('id').uuid(), displayName: null, secretText })
}

function credentials(parts: ArmParts, application: Client, call: EntraCall): HttpResponse {
  const all = standing(application)
  if (call.method === 'GET') return json(200, { value: all.map(told) })
  if (call.method !== 'POST') return notServed(call)
  const body = objectIn(call) ?? {}
  const { name } = body
  const wish = wishOf(body)
  if (typeof wish === 'string') return fault(400, 'Request_BadRequest', wish)
  if (typeof name !== 'string') return fault(400, 'Request_BadRequest', "The property 'name' is required.")
  if (all.some(each => each.name === name))
    return fault(409, 'Request_MultipleObjectsWithSameKeyValue', `A federated credential of the name ${name} is there already.`)
  const problem = nameProblem(name) ?? conflictOf(all, name, wish)
  if (problem !== undefined) return fault(400, 'Request_BadRequest', problem)
  const changed = withCredential(application, name, wish, parts)
  parts.cell.putClient(changed)
  return json(201, told(standing(changed).at(-1)))
}

function credential(parts: ArmParts, application: Client, name: string, call: EntraCall): HttpResponse {
  const held = standing(application).find(each => each.name === name || each.id === name)
  if (held === undefined) return missing(name)
  if (call.method === 'GET') return json(200, told(held))
  if (call.method !== 'DELETE') return notServed(call)
  parts.cell.putClient(withoutCredential(application, held, parts))
  return empty(204)
}

/** When it is believed is nothing that Graph tells. */
function told(held: FederatedCredential | undefined): object {
  const { id, name, issuer, subject, audiences, description = null } = held ?? {}
  return { id, name, issuer, subject, audiences, description }
}

function bodyOf({ id, appId, displayName, identifierUris }: Client): object {
  return { id, appId, displayName, identifierUris }
}

function missing(id: string): HttpResponse {
  return fault(
    404,
    'Request_ResourceNotFound',
    `Resource '${id}' does not exist or one of its queried reference-property objects are not present.`,
  )
}

function notServed({ method }: EntraCall): HttpResponse {
  return fault(405, 'Request_BadRequest', `${method} is not served here.`)
}

function fault(status: number, code: string, message: string): HttpResponse {
  return json(status, { error: { code, message } })
}
