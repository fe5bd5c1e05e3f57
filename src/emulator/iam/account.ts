// The account as a whole (§5.6): summary, the dump of everything, aliases.
import type { Handler } from '../service.ts'
import { ask, encodedDocument, type IamCall, keyOf } from './ask.ts'
import { inlineSizes, managedSizeMax } from './documents.ts'
import { alreadyExists, limitExceeded, noSuchEntity } from './errors.ts'
import { countLiving, type Entity, type IamState, living, type ManagedPolicy, type Role, type User } from './model.ts'
import { type PageInput, pageOfList } from './pages.ts'
import { shown as shownProfile } from './profiles.ts'
import { iamQuotas } from './quotas.ts'
import { lastUsedOf } from './roles.ts'
import { shownBoundary, shownGroup, shownPolicy, shownRole, shownUser, shownVersion, tagsOrNone } from './shown.ts'

function summary(call: IamCall): object {
  ask(call, '*')
  const state = call.store.get()
  return {
    SummaryMap: {
      Users: countLiving(state, 'users'),
      UsersQuota: call.quota(iamQuotas.users),
      Roles: countLiving(state, 'roles'),
      RolesQuota: call.quota(iamQuotas.roles),
      Policies: countLiving(state, 'policies'),
      PoliciesQuota: call.quota(iamQuotas.policies),
      Groups: countLiving(state, 'groups'),
      GroupsQuota: call.quota(iamQuotas.groups),
      InstanceProfiles: state.profiles.size,
      InstanceProfilesQuota: call.quota(iamQuotas.instanceProfiles),
      Providers: countLiving(state, 'providers'),
      PolicySizeQuota: managedSizeMax,
      AssumeRolePolicySizeQuota: call.quota(iamQuotas.trustPolicySize),
      UserPolicySizeQuota: inlineSizes.user,
      GroupPolicySizeQuota: inlineSizes.group,
      RolePolicySizeQuota: inlineSizes.role,
      AttachedPoliciesPerRoleQuota: call.quota(iamQuotas.attachedPolicies),
      AttachedPoliciesPerUserQuota: call.quota(iamQuotas.attachedPolicies),
      AttachedPoliciesPerGroupQuota: call.quota(iamQuotas.attachedPolicies),
      VersionsPerPolicyQuota: call.quota(iamQuotas.policyVersions),
      AccessKeysPerUserQuota: 2,
      AccountMFAEnabled: 0,
      AccountAccessKeysPresent: 0,
      MFADevices: 0,
    },
  }
}

function inlineList(entity: Entity): readonly object[] {
  return Object.entries(entity.inline).map(([PolicyName, text]) => ({ PolicyName, PolicyDocument: encodedDocument(text) }))
}

function attachedList(entity: Entity): readonly object[] {
  return entity.attached.map(arn => ({ PolicyName: arn.slice(arn.lastIndexOf('/') + 1), PolicyArn: arn }))
}

function roleDetail(call: IamCall, role: Role): object {
  const profiles = [...call.store.get().profiles.values()].filter(profile => profile.roles.includes(keyOf(role.name)))
  return {
    ...shownRole(call, role),
    InstanceProfileList: profiles.map(profile => shownProfile(call, profile)),
    RolePolicyList: inlineList(role),
    AttachedManagedPolicies: attachedList(role),
    PermissionsBoundary: shownBoundary(role.boundary),
    Tags: role.tags,
    RoleLastUsed: lastUsedOf(call, role),
  }
}

function userDetail(user: User): object {
  return {
    ...shownUser(user),
    UserPolicyList: inlineList(user),
    GroupList: user.groups,
    AttachedManagedPolicies: attachedList(user),
    PermissionsBoundary: shownBoundary(user.boundary),
    Tags: tagsOrNone(user.tags),
  }
}

function groupDetail(group: Entity): object {
  return {
    ...shownGroup(group),
    GroupPolicyList: inlineList(group),
    AttachedManagedPolicies: attachedList(group),
  }
}

function policyDetail(call: IamCall, policy: ManagedPolicy): object {
  return {
    ...shownPolicy(call, policy),
    Description: policy.description,
    PolicyVersionList: policy.versions.map(version => ({
      ...shownVersion(policy, version),
      Document: encodedDocument(version.document),
    })),
  }
}

function authorizationDetails(call: IamCall<PageInput & { Filter?: readonly string[] }>): object {
  ask(call, '*')
  const { Filter: filter = [] } = call.input
  const wanted = (name: string): boolean => filter.length === 0 || filter.includes(name)
  const state = call.store.get()
  const all = [
    ...(wanted('User')
      ? Array.from(living(state, 'users'), ([, user]) => ({ list: 'users', make: () => userDetail(user) }))
      : []),
    ...(wanted('Group')
      ? Array.from(living(state, 'groups'), ([, group]) => ({ list: 'groups', make: () => groupDetail(group) }))
      : []),
    ...(wanted('Role')
      ? Array.from(living(state, 'roles'), ([, role]) => ({ list: 'roles', make: () => roleDetail(call, role) }))
      : []),
    ...(wanted('LocalManagedPolicy')
      ? Array.from(living(state, 'policies'), ([, policy]) => ({ list: 'policies', make: () => policyDetail(call, policy) }))
      : []),
  ]
  const { items, rest } = pageOfList(call, all, filter)
  const of = (list: string): readonly object[] => items.filter(item => item.list === list).map(item => item.make())
  return {
    UserDetailList: of('users'),
    GroupDetailList: of('groups'),
    RoleDetailList: of('roles'),
    Policies: of('policies'),
    ...rest,
  }
}

function createAlias(call: IamCall<{ AccountAlias: string }>): void {
  ask(call, '*')
  const { AccountAlias: alias } = call.input
  const taken = call.stores().some(({ account, store }) => account !== call.account && store.get().aliases.includes(alias))
  const state = call.store.get()
  if (taken) throw alreadyExists(`The account alias ${alias} already exists.`)
  if (state.aliases.length > 0 && !state.aliases.includes(alias))
    throw limitExceeded('Cannot exceed quota for AccountAliasesPerAccount: 1')
  call.store.set({ ...state, aliases: [alias] })
}

function deleteAlias(call: IamCall<{ AccountAlias: string }>): void {
  ask(call, '*')
  const state = call.store.get()
  if (!state.aliases.includes(call.input.AccountAlias))
    throw noSuchEntity(`The account alias ${call.input.AccountAlias} does not exist.`)
  call.store.set({ ...state, aliases: [] })
}

function listAliases(call: IamCall<PageInput>): object {
  ask(call, '*')
  return { AccountAliases: call.store.get().aliases, IsTruncated: false }
}

export const accountOperations: Readonly<Record<string, Handler<IamState>>> = {
  GetAccountSummary: summary,
  GetAccountAuthorizationDetails: authorizationDetails,
  CreateAccountAlias: createAlias,
  DeleteAccountAlias: deleteAlias,
  ListAccountAliases: listAliases,
}
