// Users, groups and access keys (§1.5: simplified; no passwords, no second factors).

import type { Handler } from '../service.ts'
import { drawText } from '../state/hash-random.ts'
import { arnOf, arnOrGuess, ask, type IamCall, keyOf, newId } from './ask.ts'
import { checkBoundary } from './boundaries.ts'
import {
  alreadyExists,
  deleteConflict,
  groupMissing,
  limitExceeded,
  noSuchEntity,
  userMissing,
  validationError,
} from './errors.ts'
import { type AccessKey, countLiving, type Group, type IamState, living, newest, type Tag, type User } from './model.ts'
import { type PageInput, page, pageOfList } from './pages.ts'
import { iamQuotas } from './quotas.ts'
import { saveEntity, writerOf } from './save.ts'
import { shownBoundary, shownGroup, shownUser, tagsOrNone } from './shown.ts'
import { checkedTags } from './tags.ts'

function createUser(
  call: IamCall<{ UserName: string; Path?: string; PermissionsBoundary?: string; Tags?: readonly Tag[] }>,
): object {
  const { UserName: name, Path: path = '/', PermissionsBoundary: boundary, Tags } = call.input
  const tags = checkedTags(Tags)
  const arn = arnOf(call, 'user', path, name)
  ask(call, arn, { context: { 'iam:PermissionsBoundary': boundary }, newTags: { tags, action: 'TagUser' } })
  const state = call.store.get()
  if (newest(state, 'users', keyOf(name)) !== undefined) throw alreadyExists(`User with name ${name} already exists.`)
  const quota = call.quota(iamQuotas.users)
  if (state.users.size >= quota && countLiving(state, 'users') >= quota)
    throw limitExceeded(`Cannot exceed quota for UsersPerAccount: ${quota}`)
  if (boundary !== undefined) checkBoundary(call, boundary)
  const user: User = { ...newEntity(call, { name, path, arn, prefix: 'AIDA' }), boundary, tags, groups: [] }
  saveEntity(call, 'users', undefined, user)
  return { User: { ...shownUser(user), PermissionsBoundary: shownBoundary(boundary), Tags: tagsOrNone(tags) } }
}

function newEntity(
  call: IamCall,
  { name, path, arn, prefix }: { readonly name: string; readonly path: string; readonly arn: string; readonly prefix: string },
): Group {
  return {
    name,
    path,
    id: newId(call, prefix),
    arn,
    createdAtMs: call.now,
    inline: {},
    attached: [],
    boundary: undefined,
    tags: [],
    writtenBy: writerOf(call),
  }
}

type ByUser = { readonly UserName: string }
type ByGroup = { readonly GroupName: string }

function userFor(call: IamCall<{ UserName?: string }>): User {
  const { caller } = call
  const name = call.input.UserName ?? (caller.kind === 'user' ? caller.userName : undefined)
  if (name === undefined) throw validationError('Must specify userName when calling with non-User credentials')
  const user = newest(call.store.get(), 'users', keyOf(name))
  ask(call, arnOrGuess(call, 'user', name, user), { tags: user?.tags ?? [] })
  if (user === undefined) throw userMissing(name)
  return user
}

function groupFor(call: IamCall<ByGroup>): Group {
  const { GroupName: name } = call.input
  const group = newest(call.store.get(), 'groups', keyOf(name))
  ask(call, arnOrGuess(call, 'group', name, group))
  if (group === undefined) throw groupMissing(name)
  return group
}

function getUser(call: IamCall<{ UserName?: string }>): object {
  const user = userFor(call)
  return { User: { ...shownUser(user), PermissionsBoundary: shownBoundary(user.boundary), Tags: tagsOrNone(user.tags) } }
}

function listUsers(call: IamCall<PageInput & { PathPrefix?: string }>): object {
  const { PathPrefix: prefix = '/' } = call.input
  ask(call, arnOf(call, 'user', prefix, ''))
  const { items, rest } = page(
    call,
    after => living(call.store.get(), 'users', after).filter(([, user]) => user.path.startsWith(prefix)),
    prefix,
  )
  return { Users: items.map(shownUser), ...rest }
}

function updateUser(call: IamCall<ByUser & { NewUserName?: string; NewPath?: string }>): void {
  const user = userFor(call)
  const { NewUserName: name = user.name, NewPath: path = user.path } = call.input
  const state = call.store.get()
  if (keyOf(name) !== keyOf(user.name) && newest(state, 'users', keyOf(name)) !== undefined)
    throw alreadyExists(`User with name ${name} already exists.`)
  const renamed: User = { ...user, name, path, arn: arnOf(call, 'user', path, name) }
  if (keyOf(name) !== keyOf(user.name)) {
    saveEntity(call, 'users', user, undefined)
    const { keys } = call.store.get()
    let moved = keys
    for (const [id, key] of keys) if (key.user === keyOf(user.name)) moved = moved.set(id, { ...key, user: keyOf(name) })
    call.store.set({ ...call.store.get(), keys: moved })
    saveEntity(call, 'users', undefined, renamed)
  } else saveEntity(call, 'users', user, renamed)
}

function deleteUser(call: IamCall<ByUser>): void {
  const user = userFor(call)
  if (user.attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.')
  if (Object.keys(user.inline).length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.')
  if (keysOf(call, user).length > 0) throw deleteConflict('Cannot delete entity, must delete access keys first.')
  if (user.groups.length > 0) throw deleteConflict('Cannot delete entity, must remove users from group first.')
  saveEntity(call, 'users', user, undefined)
}

function createGroup(call: IamCall<ByGroup & { Path?: string }>): object {
  const { GroupName: name, Path: path = '/' } = call.input
  const arn = arnOf(call, 'group', path, name)
  ask(call, arn)
  const state = call.store.get()
  if (newest(state, 'groups', keyOf(name)) !== undefined) throw alreadyExists(`Group with name ${name} already exists.`)
  const quota = call.quota(iamQuotas.groups)
  if (state.groups.size >= quota && countLiving(state, 'groups') >= quota)
    throw limitExceeded(`Cannot exceed quota for GroupsPerAccount: ${quota}`)
  const group = newEntity(call, { name, path, arn, prefix: 'AGPA' })
  saveEntity(call, 'groups', undefined, group)
  return { Group: shownGroup(group) }
}

function membersOf(call: IamCall, group: Group): readonly User[] {
  return [...living(call.store.get(), 'users')].map(([, user]) => user).filter(user => user.groups.includes(keyOf(group.name)))
}

function getGroup(call: IamCall<ByGroup & PageInput>): object {
  const group = groupFor(call)
  const { items, rest } = pageOfList(call, membersOf(call, group), group.arn)
  return { Group: shownGroup(group), Users: items.map(shownUser), ...rest }
}

function listGroups(call: IamCall<PageInput & { PathPrefix?: string }>): object {
  const { PathPrefix: prefix = '/' } = call.input
  ask(call, arnOf(call, 'group', prefix, ''))
  const { items, rest } = page(
    call,
    after => living(call.store.get(), 'groups', after).filter(([, group]) => group.path.startsWith(prefix)),
    prefix,
  )
  return { Groups: items.map(shownGroup), ...rest }
}

function updateGroup(call: IamCall<ByGroup & { NewGroupName?: string; NewPath?: string }>): void {
  const group = groupFor(call)
  const { NewGroupName: name = group.name, NewPath: path = group.path } = call.input
  const isRenamed = keyOf(name) !== keyOf(group.name)
  if (isRenamed && newest(call.store.get(), 'groups', keyOf(name)) !== undefined)
    throw alreadyExists(`Group with name ${name} already exists.`)
  const members = membersOf(call, group)
  const next: Group = { ...group, name, path, arn: arnOf(call, 'group', path, name) }
  if (!isRenamed) return saveEntity(call, 'groups', group, next)
  saveEntity(call, 'groups', group, undefined)
  saveEntity(call, 'groups', undefined, next)
  for (const user of members)
    saveEntity(call, 'users', user, { ...user, groups: user.groups.map(key => (key === keyOf(group.name) ? keyOf(name) : key)) })
}

function deleteGroup(call: IamCall<ByGroup>): void {
  const group = groupFor(call)
  if (membersOf(call, group).length > 0) throw deleteConflict('Cannot delete entity, must remove users from group first.')
  if (group.attached.length > 0) throw deleteConflict('Cannot delete entity, must detach all policies first.')
  if (Object.keys(group.inline).length > 0) throw deleteConflict('Cannot delete entity, must delete policies first.')
  saveEntity(call, 'groups', group, undefined)
}

function changeMembership(call: IamCall<ByGroup & ByUser>, isMember: boolean): void {
  const group = groupFor(call)
  const user = newest(call.store.get(), 'users', keyOf(call.input.UserName))
  if (user === undefined) throw userMissing(call.input.UserName)
  const others = user.groups.filter(key => key !== keyOf(group.name))
  saveEntity(call, 'users', user, { ...user, groups: isMember ? [...others, keyOf(group.name)] : others })
}

function listGroupsForUser(call: IamCall<ByUser & PageInput>): object {
  const user = userFor(call)
  const groups = user.groups.map(key => newest(call.store.get(), 'groups', key)).filter(group => group !== undefined)
  const { items, rest } = pageOfList(call, groups, user.arn)
  return { Groups: items.map(shownGroup), ...rest }
}

const keysPerUserMax = 2

function keysOf(call: IamCall, user: User): readonly AccessKey[] {
  return [...call.store.get().keys.values()].filter(key => key.user === keyOf(user.name))
}

function createAccessKey(call: IamCall<{ UserName?: string }>): object {
  const user = userFor(call)
  if (keysOf(call, user).length >= keysPerUserMax)
    throw limitExceeded(`Cannot exceed quota for AccessKeysPerUser: ${keysPerUserMax}`)
  const random = call.random(`access-key/${call.serial()}`)
  const key: AccessKey = {
    id: `AKIA${drawText(random, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16)}`,
    secret: Buffer.from(random.bytes(30)).toString('base64'),
    user: keyOf(user.name),
    active: true,
    createdAtMs: call.now,
    lastUsed: undefined,
  }
  putKey(call, key.id, key)
  return {
    AccessKey: {
      UserName: user.name,
      AccessKeyId: key.id,
      Status: 'Active',
      SecretAccessKey: key.secret,
      CreateDate: key.createdAtMs,
    },
  }
}

function putKey(call: IamCall, id: string, key: AccessKey | undefined): void {
  const state = call.store.get()
  call.store.set({ ...state, keys: key === undefined ? state.keys.delete(id) : state.keys.set(id, key) })
}

function keyFor(call: IamCall<{ UserName?: string; AccessKeyId: string }>): AccessKey {
  const user = userFor(call)
  const key = call.store.get().keys.get(call.input.AccessKeyId)
  if (key === undefined || key.user !== keyOf(user.name))
    throw noSuchEntity(`The Access Key with id ${call.input.AccessKeyId} cannot be found.`)
  return key
}

function listAccessKeys(call: IamCall<PageInput & { UserName?: string }>): object {
  const user = userFor(call)
  const { items, rest } = pageOfList(call, keysOf(call, user), user.arn)
  return {
    AccessKeyMetadata: items.map(key => ({
      UserName: user.name,
      AccessKeyId: key.id,
      Status: key.active ? 'Active' : 'Inactive',
      CreateDate: key.createdAtMs,
    })),
    ...rest,
  }
}

function updateAccessKey(call: IamCall<{ UserName?: string; AccessKeyId: string; Status: string }>): void {
  const key = keyFor(call)
  putKey(call, key.id, { ...key, active: call.input.Status === 'Active' })
}

function deleteAccessKey(call: IamCall<{ UserName?: string; AccessKeyId: string }>): void {
  putKey(call, keyFor(call).id, undefined)
}

function accessKeyLastUsed(call: IamCall<{ AccessKeyId: string }>): object {
  const key = call.store.get().keys.get(call.input.AccessKeyId)
  const user = key === undefined ? undefined : newest(call.store.get(), 'users', key.user)
  ask(call, user?.arn ?? '*')
  if (key === undefined || user === undefined)
    throw noSuchEntity(`The Access Key with id ${call.input.AccessKeyId} cannot be found.`)
  const { lastUsed } = key
  return {
    UserName: user.name,
    AccessKeyLastUsed: {
      LastUsedDate: lastUsed?.atMs,
      ServiceName: lastUsed?.service ?? 'N/A',
      Region: lastUsed?.region ?? 'N/A',
    },
  }
}

export const userOperations: Readonly<Record<string, Handler<IamState>>> = {
  CreateUser: createUser,
  GetUser: getUser,
  ListUsers: listUsers,
  UpdateUser: updateUser,
  DeleteUser: deleteUser,
  CreateGroup: createGroup,
  GetGroup: getGroup,
  ListGroups: listGroups,
  UpdateGroup: updateGroup,
  DeleteGroup: deleteGroup,
  AddUserToGroup: (call: IamCall<ByGroup & ByUser>) => changeMembership(call, true),
  RemoveUserFromGroup: (call: IamCall<ByGroup & ByUser>) => changeMembership(call, false),
  ListGroupsForUser: listGroupsForUser,
  CreateAccessKey: createAccessKey,
  ListAccessKeys: listAccessKeys,
  UpdateAccessKey: updateAccessKey,
  DeleteAccessKey: deleteAccessKey,
  GetAccessKeyLastUsed: accessKeyLastUsed,
}
