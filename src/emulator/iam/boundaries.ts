// Permissions boundaries of roles and users: a managed policy that an entity cannot exceed.
import type { Handler } from '../service.ts'
import { arnOrGuess, ask, type IamCall, keyOf } from './ask.ts'
import { invalidInput, noSuchEntity, roleMissing, userMissing } from './errors.ts'
import { documentOf } from './managed.ts'
import { type IamState, newest, type Role, type User } from './model.ts'
import { saveEntity } from './save.ts'

export function checkBoundary(call: IamCall, arn: string): void {
  if (!/^arn:[^:]+:iam::(?:\d{12}|aws):policy\/.+/.test(arn)) throw invalidInput(`ARN ${arn} is not valid.`)
  if (documentOf(call, arn) === undefined) throw noSuchEntity(`Scope ARN: ${arn} does not exist or is not attachable.`)
}

type Bounded = { readonly table: 'roles'; readonly entity: Role } | { readonly table: 'users'; readonly entity: User }

function boundedFor(call: IamCall<{ RoleName?: string; UserName?: string; PermissionsBoundary?: string }>): Bounded {
  const { RoleName: roleName, UserName: userName, PermissionsBoundary: boundary } = call.input
  const state = call.store.get()
  const name = roleName ?? userName ?? ''
  const isRole = roleName !== undefined
  const entity = isRole ? newest(state, 'roles', keyOf(name)) : newest(state, 'users', keyOf(name))
  const context = { 'iam:PermissionsBoundary': boundary ?? entity?.boundary }
  ask(call, arnOrGuess(call, isRole ? 'role' : 'user', name, entity), { tags: entity?.tags ?? [], context })
  if (entity === undefined) throw isRole ? roleMissing(name) : userMissing(name)
  return isRole ? { table: 'roles', entity: entity as Role } : { table: 'users', entity: entity as User }
}

function save(call: IamCall, { table, entity }: Bounded, boundary: string | undefined): void {
  if (table === 'roles') saveEntity(call, table, entity, { ...entity, boundary })
  else saveEntity(call, table, entity, { ...entity, boundary })
}

function putBoundary(call: IamCall<{ RoleName?: string; UserName?: string; PermissionsBoundary: string }>): void {
  const bounded = boundedFor(call)
  checkBoundary(call, call.input.PermissionsBoundary)
  save(call, bounded, call.input.PermissionsBoundary)
}

function deleteBoundary(call: IamCall<{ RoleName?: string; UserName?: string }>): void {
  const bounded = boundedFor(call)
  if (bounded.entity.boundary === undefined)
    throw noSuchEntity(`${bounded.table === 'roles' ? 'Role' : 'User'} ${bounded.entity.name} has no permissions boundary.`)
  save(call, bounded, undefined)
}

export const boundaryOperations: Readonly<Record<string, Handler<IamState>>> = {
  PutRolePermissionsBoundary: putBoundary,
  DeleteRolePermissionsBoundary: deleteBoundary,
  PutUserPermissionsBoundary: putBoundary,
  DeleteUserPermissionsBoundary: deleteBoundary,
}
