// What answers tell of IAM's things, in one place for the single reads, the lists and the dump of the whole account.
import { encodedDocument, type IamCall } from './ask.ts'
import type { Group, ManagedPolicy, PolicyVersion, Role, Tag, User } from './model.ts'

/** What every answer tells of a role; tags, boundary and last use only some. */
export function shownRole(call: IamCall, role: Role): object {
  return {
    Path: role.path,
    RoleName: role.name,
    RoleId: role.id,
    Arn: role.arn,
    CreateDate: role.createdAtMs,
    AssumeRolePolicyDocument: encodedDocument(call.ports.roles.shown(role.trustPolicy)),
    Description: role.description,
    MaxSessionDuration: role.maxSessionDurationS,
  }
}

export function shownUser(user: User): object {
  return { Path: user.path, UserName: user.name, UserId: user.id, Arn: user.arn, CreateDate: user.createdAtMs }
}

export function shownGroup(group: Group): object {
  return { Path: group.path, GroupName: group.name, GroupId: group.id, Arn: group.arn, CreateDate: group.createdAtMs }
}

/** Without description and tags, as lists show it. */
export function shownPolicy(
  call: IamCall,
  policy: Pick<ManagedPolicy, 'name' | 'id' | 'arn' | 'path' | 'defaultVersion' | 'createdAtMs' | 'updatedAtMs'>,
): object {
  const { attachments, boundaries } = call.store.get()
  return {
    PolicyName: policy.name,
    PolicyId: policy.id,
    Arn: policy.arn,
    Path: policy.path,
    DefaultVersionId: policy.defaultVersion,
    AttachmentCount: attachments.get(policy.arn) ?? 0,
    PermissionsBoundaryUsageCount: boundaries.get(policy.arn) ?? 0,
    IsAttachable: true,
    CreateDate: policy.createdAtMs,
    UpdateDate: policy.updatedAtMs,
  }
}

export function shownVersion(policy: ManagedPolicy, version: PolicyVersion): object {
  return { VersionId: version.id, IsDefaultVersion: version.id === policy.defaultVersion, CreateDate: version.createdAtMs }
}

export function shownBoundary(boundary: string | undefined): object | undefined {
  return boundary === undefined ? undefined : { PermissionsBoundaryType: 'Policy', PermissionsBoundaryArn: boundary }
}

export function tagsOrNone(tags: readonly Tag[]): readonly Tag[] | undefined {
  return tags.length === 0 ? undefined : tags
}
