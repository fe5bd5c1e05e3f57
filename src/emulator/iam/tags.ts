// Tags of IAM objects (§5.2): keys are compared without case, `aws:` is reserved, fifty at most.

import type { Handler } from '../service.ts'
import { arnOrGuess, ask, type IamCall, keyOf } from './ask.ts'
import {
  invalidInput,
  limitExceeded,
  policyMissing,
  profileMissing,
  providerMissing,
  roleMissing,
  userMissing,
} from './errors.ts'
import type { IamState } from './model.ts'
import { newest, type Tag } from './model.ts'
import { type PageInput, pageOfList } from './pages.ts'
import { iamQuotas } from './quotas.ts'
import { saveEntity, savePolicy, saveProfile, saveProvider } from './save.ts'

/** New tags of a create. */
export function checkedTags(tags: readonly Tag[] | undefined): readonly Tag[] {
  const all = tags ?? []
  if (new Set(all.map(tag => tag.Key.toLowerCase())).size !== all.length) {
    throw invalidInput('Duplicate tag keys found. Please note that Tag keys are case insensitive.')
  }
  const reserved = all.find(tag => /^aws:/i.test(tag.Key))
  if (reserved !== undefined) throw invalidInput(`Tag keys beginning with "aws:" are reserved: ${reserved.Key}`)
  return all
}

/** The value of an existing key is replaced. */
export function mergedTags(call: IamCall, existing: readonly Tag[], added: readonly Tag[]): readonly Tag[] {
  const merged = new Map(existing.map(tag => [tag.Key.toLowerCase(), tag]))
  for (const tag of checkedTags(added)) merged.set(tag.Key.toLowerCase(), tag)
  const quota = call.quota(iamQuotas.tags)
  if (merged.size > quota) throw limitExceeded(`The number of tags has reached the maximum limit: ${quota}`)
  return [...merged.values()]
}

function without(existing: readonly Tag[], keys: readonly string[]): readonly Tag[] {
  const gone = new Set(keys.map(key => key.toLowerCase()))
  return existing.filter(tag => !gone.has(tag.Key.toLowerCase()))
}

/** One kind of object that carries tags: how to find it and how to store it with others. */
interface Tagged {
  readonly suffix: string
  readonly listSuffix: string
  /** Reads the object that the input names; throws when it is missing, after the right was asked. */
  find(
    call: IamCall,
  ):
    | { readonly arn: string; readonly tags: readonly Tag[]; save(tags: readonly Tag[]): void }
    | { readonly arn: string; readonly missing: Error }
}

const tagged: readonly Tagged[] = [
  {
    suffix: 'Role',
    listSuffix: 'RoleTags',
    find: call => {
      const { RoleName: name } = call.input as { RoleName: string }
      const role = newest(call.store.get(), 'roles', keyOf(name))
      const arn = arnOrGuess(call, 'role', name, role)
      return role === undefined
        ? { arn, missing: roleMissing(name) }
        : { arn, tags: role.tags, save: tags => saveEntity(call, 'roles', role, { ...role, tags }) }
    },
  },
  {
    suffix: 'User',
    listSuffix: 'UserTags',
    find: call => {
      const { UserName: name } = call.input as { UserName: string }
      const user = newest(call.store.get(), 'users', keyOf(name))
      const arn = arnOrGuess(call, 'user', name, user)
      return user === undefined
        ? { arn, missing: userMissing(name) }
        : { arn, tags: user.tags, save: tags => saveEntity(call, 'users', user, { ...user, tags }) }
    },
  },
  {
    suffix: 'Policy',
    listSuffix: 'PolicyTags',
    find: call => {
      const { PolicyArn: arn } = call.input as { PolicyArn: string }
      const policy = newest(call.store.get(), 'policies', keyOf(arn.slice(arn.lastIndexOf('/') + 1)))
      if (policy === undefined || policy.arn !== arn) return { arn, missing: policyMissing(arn) }
      return { arn, tags: policy.tags, save: tags => savePolicy(call, policy, { ...policy, tags }) }
    },
  },
  {
    suffix: 'OpenIDConnectProvider',
    listSuffix: 'OpenIDConnectProviderTags',
    find: call => {
      const { OpenIDConnectProviderArn: arn } = call.input as { OpenIDConnectProviderArn: string }
      const provider = newest(call.store.get(), 'providers', arn.slice(arn.indexOf('/') + 1))
      if (provider === undefined || provider.arn !== arn) return { arn, missing: providerMissing(arn) }
      return { arn, tags: provider.tags, save: tags => saveProvider(call, provider.url, { ...provider, tags }) }
    },
  },
  {
    suffix: 'InstanceProfile',
    listSuffix: 'InstanceProfileTags',
    find: call => {
      const { InstanceProfileName: name } = call.input as { InstanceProfileName: string }
      const profile = call.store.get().profiles.get(keyOf(name))
      const arn = arnOrGuess(call, 'instance-profile', name, profile)
      return profile === undefined
        ? { arn, missing: profileMissing(name) }
        : { arn, tags: profile.tags, save: tags => saveProfile(call, profile.name, { ...profile, tags }) }
    },
  },
]

/** `TagRole`, `UntagRole`, `ListRoleTags`, and the same for the other kinds. */
export const tagOperations: Readonly<Record<string, Handler<IamState>>> = Object.fromEntries(
  tagged.flatMap((kind): readonly (readonly [string, Handler<IamState>])[] => [
    [`Tag${kind.suffix}`, (call: IamCall<{ Tags: readonly Tag[] }>) => tag(kind, call)],
    [`Untag${kind.suffix}`, (call: IamCall<{ TagKeys: readonly string[] }>) => untag(kind, call)],
    [`List${kind.listSuffix}`, (call: IamCall<PageInput>) => listTags(kind, call)],
  ]),
)

function tag(kind: Tagged, call: IamCall<{ Tags: readonly Tag[] }>): void {
  const found = kind.find(call)
  const tags = 'missing' in found ? [] : found.tags
  const added = Object.fromEntries(call.input.Tags.map(({ Key, Value }) => [`aws:RequestTag/${Key}`, Value]))
  ask(call, found.arn, { tags, context: { ...added, 'aws:TagKeys': call.input.Tags.map(({ Key }) => Key) } })
  if ('missing' in found) throw found.missing
  found.save(mergedTags(call, found.tags, call.input.Tags))
}

function untag(kind: Tagged, call: IamCall<{ TagKeys: readonly string[] }>): void {
  const found = kind.find(call)
  ask(call, found.arn, { tags: 'missing' in found ? [] : found.tags, context: { 'aws:TagKeys': call.input.TagKeys } })
  if ('missing' in found) throw found.missing
  found.save(without(found.tags, call.input.TagKeys))
}

function listTags(kind: Tagged, call: IamCall<PageInput>): object {
  const found = kind.find(call)
  ask(call, found.arn, { tags: 'missing' in found ? [] : found.tags })
  if ('missing' in found) throw found.missing
  const { items, rest } = pageOfList(call, found.tags, found.arn)
  return { Tags: items, ...rest }
}
