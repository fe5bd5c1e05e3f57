// Instance profiles (§5.1).
import type { Handler } from '../service.ts'
import { arnOf, arnOrGuess, ask, type IamCall, keyOf, newId } from './ask.ts'
import { alreadyExists, deleteConflict, limitExceeded, noSuchEntity, profileMissing, roleMissing } from './errors.ts'
import { type IamState, type InstanceProfile, newest, type Role, type Tag } from './model.ts'
import { type PageInput, page } from './pages.ts'
import { iamQuotas } from './quotas.ts'
import { roleFor } from './roles.ts'
import { saveProfile } from './save.ts'
import { shownRole, tagsOrNone } from './shown.ts'
import { checkedTags } from './tags.ts'

function create(call: IamCall<{ InstanceProfileName: string; Path?: string; Tags?: readonly Tag[] }>): object {
  const { InstanceProfileName: name, Path: path = '/', Tags } = call.input
  const tags = checkedTags(Tags)
  const arn = arnOf(call, 'instance-profile', path, name)
  ask(call, arn, { newTags: { tags, action: 'TagInstanceProfile' } })
  const { profiles } = call.store.get()
  if (profiles.has(keyOf(name))) throw alreadyExists(`Instance Profile ${name} already exists.`)
  const quota = call.quota(iamQuotas.instanceProfiles)
  if (profiles.size >= quota) throw limitExceeded(`Cannot exceed quota for InstanceProfilesPerAccount: ${quota}`)
  const profile: InstanceProfile = { name, path, id: newId(call, 'AIPA'), arn, createdAtMs: call.now, roles: [], tags }
  saveProfile(call, name, profile)
  return { InstanceProfile: shown(call, profile) }
}

export function shown(call: IamCall, profile: InstanceProfile): object {
  const roles = profile.roles.map(key => newest(call.store.get(), 'roles', key)).filter(role => role !== undefined)
  return {
    Path: profile.path,
    InstanceProfileName: profile.name,
    InstanceProfileId: profile.id,
    Arn: profile.arn,
    CreateDate: profile.createdAtMs,
    Roles: roles.map((role: Role) => shownRole(call, role)),
    Tags: tagsOrNone(profile.tags),
  }
}

type ByName = { readonly InstanceProfileName: string }

function profileFor(call: IamCall<ByName>): InstanceProfile {
  const { InstanceProfileName: name } = call.input
  const profile = call.store.get().profiles.get(keyOf(name))
  ask(call, arnOrGuess(call, 'instance-profile', name, profile), { tags: profile?.tags ?? [] })
  if (profile === undefined) throw profileMissing(name)
  return profile
}

function list(call: IamCall<PageInput & { PathPrefix?: string }>): object {
  const { PathPrefix: prefix = '/' } = call.input
  ask(call, arnOf(call, 'instance-profile', prefix, ''))
  const { items, rest } = page(call, after => matching(call, after, profile => profile.path.startsWith(prefix)), prefix)
  return { InstanceProfiles: items.map(profile => shown(call, profile)), ...rest }
}

function listForRole(call: IamCall<PageInput & { RoleName: string }>): object {
  const key = keyOf(roleFor(call).name)
  const { items, rest } = page(call, after => matching(call, after, profile => profile.roles.includes(key)), key)
  return { InstanceProfiles: items.map(profile => shown(call, profile)), ...rest }
}

function* matching(
  call: IamCall,
  after: string | undefined,
  wanted: (profile: InstanceProfile) => boolean,
): Generator<readonly [string, InstanceProfile]> {
  for (const entry of call.store.get().profiles.entries(after === undefined ? {} : { after })) if (wanted(entry[1])) yield entry
}

function remove(call: IamCall<ByName>): void {
  const profile = profileFor(call)
  if (profile.roles.length > 0) throw deleteConflict('Cannot delete entity, must remove roles from instance profile first.')
  saveProfile(call, profile.name, undefined)
}

/** Adding a role hands its rights to whoever holds the profile, so it needs `iam:PassRole` too. */
function addRole(call: IamCall<ByName & { RoleName: string }>): void {
  const profile = profileFor(call)
  const { RoleName: name } = call.input
  const role = newest(call.store.get(), 'roles', keyOf(name))
  call.authorise({
    action: 'iam:PassRole',
    resource: arnOrGuess(call, 'role', name, role),
    context: { 'iam:PassedToService': 'ec2.amazonaws.com' },
  })
  if (role === undefined) throw roleMissing(name)
  if (profile.roles.length > 0) throw limitExceeded('Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1')
  saveProfile(call, profile.name, { ...profile, roles: [keyOf(name)] })
}

function removeRole(call: IamCall<ByName & { RoleName: string }>): void {
  const profile = profileFor(call)
  const key = keyOf(call.input.RoleName)
  if (!profile.roles.includes(key))
    throw noSuchEntity(`Role ${call.input.RoleName} does not exist in instance profile ${profile.name}.`)
  saveProfile(call, profile.name, { ...profile, roles: profile.roles.filter(role => role !== key) })
}

export const profileOperations: Readonly<Record<string, Handler<IamState>>> = {
  CreateInstanceProfile: create,
  GetInstanceProfile: (call: IamCall<ByName>) => ({ InstanceProfile: shown(call, profileFor(call)) }),
  ListInstanceProfiles: list,
  ListInstanceProfilesForRole: listForRole,
  DeleteInstanceProfile: remove,
  AddRoleToInstanceProfile: addRole,
  RemoveRoleFromInstanceProfile: removeRole,
}
