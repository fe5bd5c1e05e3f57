// Managed policies and their versions (§5.4).

import { listDelay } from '../delays.ts'
import type { AwsPolicy } from '../policy/managed-policies.ts'
import type { Handler } from '../service.ts'
import { newestOf, seenOf } from '../state/timeline.ts'
import { arnOf, ask, encodedDocument, type IamCall, keyOf, newId } from './ask.ts'
import { checkIdentityDocument, checkManagedSize } from './documents.ts'
import { accessDenied, alreadyExists, deleteConflict, limitExceeded, noSuchEntity, policyMissing } from './errors.ts'
import { ownPolicy } from './managed.ts'
import { countLiving, type IamState, living, type ManagedPolicy, newest, type PolicyVersion, type Tag } from './model.ts'
import { type PageInput, page, pageOfList } from './pages.ts'
import { iamQuotas } from './quotas.ts'
import { savePolicy, writerOf } from './save.ts'
import { shownPolicy, shownVersion, tagsOrNone } from './shown.ts'
import { checkedTags } from './tags.ts'

interface CreatePolicyInput {
  readonly PolicyName: string
  readonly PolicyDocument: string
  readonly Path?: string
  readonly Description?: string
  readonly Tags?: readonly Tag[]
}

function createPolicy(call: IamCall<CreatePolicyInput>): object {
  const { PolicyName: name, Path: path = '/', PolicyDocument: document, Tags } = call.input
  const tags = checkedTags(Tags)
  const arn = arnOf(call, 'policy', path, name)
  ask(call, arn, { newTags: { tags, action: 'TagPolicy' } })
  checkIdentityDocument(call, document)
  checkManagedSize(document)
  const state = call.store.get()
  if (newest(state, 'policies', keyOf(name)) !== undefined)
    throw alreadyExists(`A policy called ${name} already exists. Duplicate names are not allowed.`)
  const quota = call.quota(iamQuotas.policies)
  if (state.policies.size >= quota && countLiving(state, 'policies') >= quota)
    throw limitExceeded(`Cannot exceed quota for PoliciesPerAccount: ${quota}`)
  const policy: ManagedPolicy = {
    name,
    path,
    id: newId(call, 'ANPA'),
    arn,
    createdAtMs: call.now,
    updatedAtMs: call.now,
    description: call.input.Description,
    tags,
    versions: [{ id: 'v1', document, createdAtMs: call.now }],
    defaultVersion: 'v1',
    nextVersion: 2,
    writtenBy: writerOf(call),
  }
  savePolicy(call, undefined, policy)
  return { Policy: { ...shownPolicy(call, policy), Tags: tagsOrNone(tags) } }
}

/** A policy of AWS itself, of which only the default version is known. */
function shownAwsPolicy(call: IamCall, policy: AwsPolicy): object {
  return shownPolicy(call, { ...policy, defaultVersion: policy.version })
}

type ByArn = { readonly PolicyArn: string }

/** The account's own policy, for writing: AWS's cannot be written. */
function policyFor(call: IamCall<ByArn>): ManagedPolicy {
  const { PolicyArn: arn } = call.input
  const policy = ownPolicy(call.store.get(), arn)
  ask(call, arn, { tags: policy?.tags ?? [] })
  if (call.ports.awsPolicies.get(arn) !== undefined) throw accessDenied(`Policy ${arn} is managed by AWS and cannot be changed.`)
  if (policy === undefined) throw policyMissing(arn)
  return policy
}

function getPolicy(call: IamCall<ByArn>): object {
  const aws = call.ports.awsPolicies.get(call.input.PolicyArn)
  if (aws !== undefined) {
    ask(call, aws.arn)
    return { Policy: shownAwsPolicy(call, aws) }
  }
  const policy = policyFor(call)
  return { Policy: { ...shownPolicy(call, policy), Description: policy.description, Tags: tagsOrNone(policy.tags) } }
}

interface ListInput extends PageInput {
  readonly Scope?: 'All' | 'AWS' | 'Local'
  readonly OnlyAttached?: boolean
  readonly PathPrefix?: string
  readonly PolicyUsageFilter?: 'PermissionsPolicy' | 'PermissionsBoundary'
}

function listPolicies(call: IamCall<ListInput>): object {
  const {
    Scope: scope = 'All',
    OnlyAttached: onlyAttached = false,
    PathPrefix: prefix = '/',
    PolicyUsageFilter: usage,
  } = call.input
  ask(call, arnOf(call, 'policy', prefix, ''))
  const { attachments, boundaries } = call.store.get()
  const wanted = (policy: { readonly arn: string; readonly path: string }): boolean => {
    const asPolicy = attachments.has(policy.arn)
    const asBoundary = boundaries.has(policy.arn)
    const used = usage === 'PermissionsBoundary' ? asBoundary : usage === 'PermissionsPolicy' ? asPolicy : asPolicy || asBoundary
    return policy.path.startsWith(prefix) && (used || (!onlyAttached && usage === undefined))
  }
  const { items, rest } = page(call, after => listable(call, scope, after, wanted), [scope, onlyAttached, prefix, usage ?? null])
  return { Policies: items, ...rest }
}

/** The account's own first, then AWS's; keys tell the two apart. */
function* listable(
  call: IamCall,
  scope: string,
  after: string | undefined,
  wanted: (policy: { readonly arn: string; readonly path: string }) => boolean,
): Generator<readonly [string, object]> {
  if (scope !== 'AWS' && (after === undefined || after.startsWith('own/'))) {
    const state = call.store.get()
    const from = after === undefined ? {} : { after: after.slice('own/'.length) }
    for (const [key, timeline] of state.policies.entries(from)) {
      const seen = seenOf(timeline, call.now, call.delay(listDelay, `policy/${key}`))
      const policy = seen === undefined ? undefined : (newestOf(timeline) ?? seen)
      if (policy !== undefined && wanted(policy)) yield [`own/${key}`, shownPolicy(call, policy)]
    }
  }
  if (scope === 'Local') return
  for (const policy of call.ports.awsPolicies.values()) {
    const key = `aws/${policy.name}`
    if ((after === undefined || after.startsWith('own/') || key > after) && wanted(policy))
      yield [key, shownAwsPolicy(call, policy)]
  }
}

function deletePolicy(call: IamCall<ByArn>): void {
  const policy = policyFor(call)
  const { attachments, boundaries } = call.store.get()
  if (attachments.has(policy.arn) || boundaries.has(policy.arn))
    throw deleteConflict('Cannot delete a policy attached to entities.')
  if (policy.versions.length > 1) {
    throw deleteConflict(
      "This policy has more than one version. Before you delete a policy, you must delete the policy's versions. The default version is deleted with the policy.",
    )
  }
  savePolicy(call, policy, undefined)
}

function createVersion(call: IamCall<ByArn & { PolicyDocument: string; SetAsDefault?: boolean }>): object {
  const policy = policyFor(call)
  const { PolicyDocument: document, SetAsDefault: isDefault = false } = call.input
  checkIdentityDocument(call, document)
  checkManagedSize(document)
  const quota = call.quota(iamQuotas.policyVersions)
  if (policy.versions.length >= quota) {
    throw limitExceeded(
      `A managed policy can have up to ${quota} versions. Before you create a new version, you must delete an existing version.`,
    )
  }
  const version: PolicyVersion = { id: `v${policy.nextVersion}`, document, createdAtMs: call.now }
  const next: ManagedPolicy = {
    ...policy,
    versions: [...policy.versions, version],
    nextVersion: policy.nextVersion + 1,
    defaultVersion: isDefault ? version.id : policy.defaultVersion,
    updatedAtMs: call.now,
  }
  savePolicy(call, policy, next)
  return { PolicyVersion: shownVersion(next, version) }
}

function versionOf(policy: ManagedPolicy, id: string): PolicyVersion {
  const version = policy.versions.find(candidate => candidate.id === id)
  if (version === undefined) throw noSuchEntity(`Policy ${policy.arn} version ${id} does not exist or is not attachable.`)
  return version
}

function getVersion(call: IamCall<ByArn & { VersionId: string }>): object {
  const { PolicyArn: arn, VersionId: id } = call.input
  const aws = call.ports.awsPolicies.get(arn)
  if (aws !== undefined) {
    ask(call, arn)
    if (id !== aws.version) throw noSuchEntity(`Policy ${arn} version ${id} does not exist or is not attachable.`)
    return {
      PolicyVersion: {
        Document: encodedDocument(aws.document),
        VersionId: aws.version,
        IsDefaultVersion: true,
        CreateDate: aws.updatedAtMs,
      },
    }
  }
  const policy = policyFor(call)
  const version = versionOf(policy, id)
  return { PolicyVersion: { Document: encodedDocument(version.document), ...shownVersion(policy, version) } }
}

function listVersions(call: IamCall<ByArn & PageInput>): object {
  const aws = call.ports.awsPolicies.get(call.input.PolicyArn)
  if (aws !== undefined) {
    ask(call, aws.arn)
    return { Versions: [{ VersionId: aws.version, IsDefaultVersion: true, CreateDate: aws.updatedAtMs }], IsTruncated: false }
  }
  const policy = policyFor(call)
  const { items, rest } = pageOfList(call, policy.versions.toReversed(), policy.arn)
  return { Versions: items.map(version => shownVersion(policy, version)), ...rest }
}

function setDefaultVersion(call: IamCall<ByArn & { VersionId: string }>): void {
  const policy = policyFor(call)
  const version = versionOf(policy, call.input.VersionId)
  savePolicy(call, policy, { ...policy, defaultVersion: version.id, updatedAtMs: call.now })
}

function deleteVersion(call: IamCall<ByArn & { VersionId: string }>): void {
  const policy = policyFor(call)
  const version = versionOf(policy, call.input.VersionId)
  if (version.id === policy.defaultVersion) throw deleteConflict('Cannot delete the default version of a policy.')
  savePolicy(call, policy, { ...policy, versions: policy.versions.filter(kept => kept !== version), updatedAtMs: call.now })
}

interface EntitiesInput extends PageInput {
  readonly PolicyArn: string
  readonly EntityFilter?: string
  readonly PathPrefix?: string
  readonly PolicyUsageFilter?: string
}

function listEntities(call: IamCall<EntitiesInput>): object {
  const { PolicyArn: arn, EntityFilter: filter, PathPrefix: prefix = '/', PolicyUsageFilter: usage } = call.input
  const policy = ownPolicy(call.store.get(), arn)
  ask(call, arn, { tags: policy?.tags ?? [] })
  if (policy === undefined && call.ports.awsPolicies.get(arn) === undefined) throw policyMissing(arn)
  const found = (['roles', 'users', 'groups'] as const).flatMap(table =>
    filter !== undefined && filter !== entityFilters[table]
      ? []
      : [...living(call.store.get(), table)].flatMap(([, entity]) => {
          const uses = usage === 'PermissionsBoundary' ? entity.boundary === arn : entity.attached.includes(arn)
          return uses && entity.path.startsWith(prefix) ? [{ table, entity }] : []
        }),
  )
  const { items, rest } = pageOfList(call, found, [arn, filter ?? null, prefix, usage ?? null])
  const of = (table: string): typeof items => items.filter(item => item.table === table)
  return {
    PolicyGroups: of('groups').map(({ entity }) => ({ GroupName: entity.name, GroupId: entity.id })),
    PolicyUsers: of('users').map(({ entity }) => ({ UserName: entity.name, UserId: entity.id })),
    PolicyRoles: of('roles').map(({ entity }) => ({ RoleName: entity.name, RoleId: entity.id })),
    ...rest,
  }
}

const entityFilters = { roles: 'Role', users: 'User', groups: 'Group' } as const

export const policyOperations: Readonly<Record<string, Handler<IamState>>> = {
  CreatePolicy: createPolicy,
  GetPolicy: getPolicy,
  ListPolicies: listPolicies,
  DeletePolicy: deletePolicy,
  CreatePolicyVersion: createVersion,
  GetPolicyVersion: getVersion,
  ListPolicyVersions: listVersions,
  SetDefaultPolicyVersion: setDefaultVersion,
  DeletePolicyVersion: deleteVersion,
  ListEntitiesForPolicy: listEntities,
}
