// Role assignments: who may do what where. The name is a GUID that the caller chooses, which makes a repetition harmless.
import { type HttpResponse, isRecord } from '#base'
import { type RoleAssignment, sameId } from '../directory/directory.ts'
import { builtInRoles, lastOf } from '../directory/roles.ts'
import { type EntraCall, empty, json, objectIn } from '../wire/call.ts'
import { type ArmPath, armFault } from './arm-path.ts'
import type { ResourceParts } from './callers.ts'

const guid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

export function answerAssignments({ cell }: ResourceParts, { name, base, id }: ArmPath, call: EntraCall): HttpResponse {
  const at = cell.now.assignments.filter(({ scope }) => sameId(scope, base))
  if (name === undefined) return call.method === 'GET' ? json(200, { value: at.map(bodyOf) }) : notServed(call)
  const held = at.find(each => sameId(each.name, name))
  switch (call.method) {
    case 'GET':
      return held === undefined
        ? armFault(404, 'RoleAssignmentNotFound', `The role assignment '${id}' is not found.`)
        : json(200, bodyOf(held))
    case 'DELETE':
      if (held === undefined) return empty(204)
      cell.dropAssignment(held)
      return json(200, bodyOf(held))
    case 'PUT': {
      const made = wishedAssignment(name, base, call)
      if (typeof made === 'string') return armFault(400, 'InvalidCreateRoleAssignmentRequest', made)
      if (!cell.now.clients.some(({ principalId }) => principalId === made.principalId))
        return armFault(400, 'PrincipalNotFound', `Principal ${made.principalId} does not exist in the directory.`)
      const twin = cell.now.assignments.find(each => isSame(each, made))
      if (twin !== undefined && twin.name !== name)
        return armFault(409, 'RoleAssignmentExists', 'The role assignment already exists.')
      if (held !== undefined && twin === undefined)
        return armFault(
          409,
          'RoleAssignmentUpdateNotPermitted',
          'Tenant ID, application ID, principal ID, and scope are not allowed to be updated.',
        )
      cell.putAssignment(made)
      return json(201, bodyOf(made))
    }
    default:
      return notServed(call)
  }
}

function wishedAssignment(name: string, scope: string, call: EntraCall): RoleAssignment | string {
  const { properties } = objectIn(call) ?? {}
  const { principalId, roleDefinitionId } = isRecord(properties) ? properties : {}
  if (!guid.test(name)) return `The role assignment ID '${name}' is not valid. The role assignment ID must be a GUID.`
  if (typeof principalId !== 'string' || typeof roleDefinitionId !== 'string')
    return "The properties 'principalId' and 'roleDefinitionId' are required."
  if (!builtInRoles.some(({ id }) => sameId(id, lastOf(roleDefinitionId))))
    return `The role definition '${roleDefinitionId}' is not among the built-in roles that are known here.`
  return { name, scope, principalId, roleDefinitionId }
}

function isSame(one: RoleAssignment, other: RoleAssignment): boolean {
  return (
    sameId(one.scope, other.scope) &&
    one.principalId === other.principalId &&
    sameId(lastOf(one.roleDefinitionId), lastOf(other.roleDefinitionId))
  )
}

function bodyOf({ name, scope, principalId, roleDefinitionId }: RoleAssignment): object {
  return {
    id: `${scope}/providers/Microsoft.Authorization/roleAssignments/${name}`,
    name,
    type: 'Microsoft.Authorization/roleAssignments',
    properties: { scope, principalId, roleDefinitionId, principalType: 'ServicePrincipal' },
  }
}

function notServed({ method }: EntraCall): HttpResponse {
  return armFault(405, 'MethodNotAllowed', `${method} is not served here.`)
}
