// Roles (§5.3).

import { listDelay } from '../delays.ts'
import type { Handler } from '../service.ts'
import { newestOf, seenOf } from '../state/timeline.ts'
import { arnOf, arnOrGuess, ask, type IamCall, keyOf, newId } from './ask.ts'
import { checkBoundary } from './boundaries.ts'
import { boundTrustPolicy } from './documents.ts'
import { alreadyExists, deleteConflict, invalidInput, limitExceeded, roleMissing, unmodifiable } from './errors.ts'
import { countLiving, type IamState, newest, type Role, type Tag } from './model.ts'
import { type PageInput, page } from './pages.ts'
import { iamQuotas } from './quotas.ts'
import { saveEntity, writerOf } from './save.ts'
import { shownBoundary, shownRole, tagsOrNone } from './shown.ts'
import { checkedTags } from './tags.ts'

const sessionDurationDefaultS = 3_600

interface CreateRoleInput {
  readonly RoleName: string
  readonly AssumeRolePolicyDocument: string
  readonly Path?: string
  readonly Description?: string
  readonly MaxSessionDuration?: number
  readonly PermissionsBoundary?: string
  readonly Tags?: readonly Tag[]
}

function createRole(call: IamCall<CreateRoleInput>): object {
  const { RoleName: name, Path: path = '/', PermissionsBoundary: boundary, Tags } = call.input
  const arn = arnOf(call, 'role', path, name)
  const tags = checkedTags(Tags)
  ask(call, arn, {
    context: boundary === undefined ? {} : { 'iam:PermissionsBoundary': boundary },
    newTags: { tags, action: 'TagRole' },
  })
  if (path.startsWith('/aws-service-role/') || /^AWSServiceRoleFor/i.test(name)) {
    throw invalidInput(`The role name ${name} or path ${path} is reserved for service-linked roles.`)
  }
  checkNew(call, name)
  if (boundary !== undefined) checkBoundary(call, boundary)
  const role: Role = {
    ...newRole(call, { name, path, trustPolicy: boundTrustPolicy(call, call.input.AssumeRolePolicyDocument) }),
    description: call.input.Description,
    maxSessionDurationS: call.input.MaxSessionDuration ?? sessionDurationDefaultS,
    boundary,
    tags,
  }
  saveEntity(call, 'roles', undefined, role)
  return { Role: { ...described(call, role), Tags: tagsOrNone(role.tags) } }
}

/** Refuses a name that is taken, in whatever case, and a role too many. */
export function checkNew(call: IamCall, name: string): void {
  const state = call.store.get()
  if (newest(state, 'roles', keyOf(name)) !== undefined) throw alreadyExists(`Role with name ${name} already exists.`)
  const quota = call.quota(iamQuotas.roles)
  if (state.roles.size >= quota && countLiving(state, 'roles') >= quota)
    throw limitExceeded(`Cannot exceed quota for RolesPerAccount: ${quota}`)
}

export function newRole(call: IamCall, { name, path, trustPolicy }: Pick<Role, 'name' | 'path' | 'trustPolicy'>): Role {
  return {
    name,
    path,
    id: newId(call, 'AROA'),
    arn: arnOf(call, 'role', path, name),
    createdAtMs: call.now,
    trustPolicy,
    description: undefined,
    maxSessionDurationS: sessionDurationDefaultS,
    inline: {},
    attached: [],
    boundary: undefined,
    tags: [],
    serviceLinked: undefined,
    writtenBy: writerOf(call),
  }
}

/** Finds the role and asks for the right before it says that there is none. */
export function roleFor(call: IamCall<{ RoleName: string }>): Role {
  const { RoleName: name } = call.input
  const role = newest(call.store.get(), 'roles', keyOf(name))
  ask(call, arnOrGuess(call, 'role', name, role), { tags: role?.tags ?? [] })
  if (role === undefined) throw roleMissing(name)
  return role
}

/** The same for writes: service-linked roles belong to their service. */
export function modifiableRole(call: IamCall<{ RoleName: string }>): Role {
  const role = roleFor(call)
  if (role.serviceLinked !== undefined)
    throw unmodifiable(`Cannot perform the operation on the protected role '${role.name}' - this role is only modifiable by AWS`)
  return role
}

function described(call: IamCall, role: Role): object {
  return { ...shownRole(call, role), PermissionsBoundary: shownBoundary(role.boundary) }
}

export function lastUsedOf(call: IamCall, role: Role): object {
  const used = call.store.get().lastUsed.get(role.id)
  return used === undefined ? {} : { LastUsedDate: used.atMs, Region: used.region }
}

function getRole(call: IamCall<{ RoleName: string }>): object {
  const role = roleFor(call)
  return { Role: { ...described(call, role), Tags: tagsOrNone(role.tags), RoleLastUsed: lastUsedOf(call, role) } }
}

function listRoles(call: IamCall<PageInput & { PathPrefix?: string }>): object {
  const { PathPrefix: prefix = '/' } = call.input
  ask(call, arnOf(call, 'role', prefix, ''))
  const { items, rest } = page(call, after => lagging(call, after, prefix), prefix)
  return { Roles: items.map(role => shownRole(call, role)), ...rest }
}

/** Lists lag behind creates and deletes (§12.2), but show the newest of what they show. */
function* lagging(call: IamCall, after: string | undefined, prefix: string): Generator<readonly [string, Role]> {
  for (const [key, timeline] of call.store.get().roles.entries(after === undefined ? {} : { after })) {
    const seen = seenOf(timeline, call.now, call.delay(listDelay, `role/${key}`))
    const role = seen === undefined ? undefined : (newestOf(timeline) ?? seen)
    if (role !== undefined && role.path.startsWith(prefix)) yield [key, role]
  }
}

function updateRole(call: IamCall<{ RoleName: string; Description?: string; MaxSessionDuration?: number }>): object {
  const role = modifiableRole(call)
  const { Description: description = role.description, MaxSessionDuration: duration = sessionDurationDefaultS } = call.input
  saveEntity(call, 'roles', role, { ...role, description, maxSessionDurationS: duration })
  return {}
}

function updateRoleDescription(call: IamCall<{ RoleName: string; Description: string }>): object {
  const role = roleFor(call)
  const next = { ...role, description: call.input.Description }
  saveEntity(call, 'roles', role, next)
  return { Role: described(call, next) }
}

function updateAssumeRolePolicy(call: IamCall<{ RoleName: string; PolicyDocument: string }>): void {
  const role = modifiableRole(call)
  saveEntity(call, 'roles', role, { ...role, trustPolicy: boundTrustPolicy(call, call.input.PolicyDocument) })
}

function deleteRole(call: IamCall<{ RoleName: string }>): void {
  const role = modifiableRole(call)
  if (role.attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.')
  if (Object.keys(role.inline).length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.')
  const key = keyOf(role.name)
  for (const profile of call.store.get().profiles.values()) {
    if (profile.roles.includes(key)) throw deleteConflict('Cannot delete entity, must remove roles from instance profile first.')
  }
  saveEntity(call, 'roles', role, undefined)
}

export const roleOperations: Readonly<Record<string, Handler<IamState>>> = {
  CreateRole: createRole,
  GetRole: getRole,
  ListRoles: listRoles,
  UpdateRole: updateRole,
  UpdateRoleDescription: updateRoleDescription,
  UpdateAssumeRolePolicy: updateAssumeRolePolicy,
  DeleteRole: deleteRole,
}
