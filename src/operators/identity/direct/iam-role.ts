// The IAM role of a binding: as it is in AWS, and the calls that make it as it is wanted. What takes rights away comes before what gives.
import { samePolicyText } from '#aws'
import type { AwsClient } from '#aws/client'
import { given, type Instant } from '#base'
import { maxSessionSeconds, type RoleWanted } from '../children/build.ts'
import { type AwsAction, awsCall, type CallPlace, type Values } from './action.ts'
import { decodeDocument, iamTags, listAll, missingTags, record, type Tags, tagMap, text, unlessAbsent } from './answer.ts'

export interface RoleActual {
  readonly arn: string
  readonly trustPolicy: string
  readonly maxSessionSeconds: number
  readonly boundary?: string
  readonly tags: Tags
  readonly attached: readonly string[]
  readonly inline: readonly string[]
  readonly madeAt?: Instant
}

export async function readRole(client: AwsClient, name: string, signal: AbortSignal): Promise<RoleActual | undefined> {
  const input = { RoleName: name }
  const answer = await unlessAbsent(() => client.call('GetRole', input, { signal }))
  if (answer === undefined) return undefined
  const list = (operation: string, member: string): Promise<readonly Values[]> =>
    listAll(client, { operation, input, member }, signal)
  const [attached, inline] = await Promise.all([
    list('ListAttachedRolePolicies', 'AttachedPolicies'),
    list('ListRolePolicies', 'PolicyNames'),
  ])
  return {
    ...roleOf(record(answer.Role)),
    attached: attached.flatMap(({ PolicyArn }) => text(PolicyArn) ?? []),
    inline: inline.flatMap(({ value }) => text(value) ?? []),
  }
}

export function roleCalls(
  place: CallPlace,
  wanted: RoleWanted,
  tags: Tags,
  actual: RoleActual | undefined,
): readonly AwsAction[] {
  const { name } = wanted
  const call = (operation: string, input: Values): AwsAction => awsCall(place, operation, { RoleName: name, ...input }, name)
  const boundary = wanted.permissionsBoundary === '' ? undefined : wanted.permissionsBoundary
  const attach = (arns: readonly string[]): readonly AwsAction[] => arns.map(PolicyArn => call('AttachRolePolicy', { PolicyArn }))
  if (actual === undefined) {
    const create = call('CreateRole', {
      Path: '/',
      AssumeRolePolicyDocument: wanted.trustPolicy,
      MaxSessionDuration: maxSessionSeconds,
      ...given({ PermissionsBoundary: boundary }),
      Tags: iamTags(tags),
    })
    return [create, ...attach(wanted.policyArns)]
  }
  const calls: AwsAction[] = []
  if (!samePolicyText(wanted.trustPolicy, actual.trustPolicy, 'trust')) {
    calls.push(call('UpdateAssumeRolePolicy', { PolicyDocument: wanted.trustPolicy }))
  }
  if (boundary !== undefined && actual.boundary !== boundary) {
    calls.push(call('PutRolePermissionsBoundary', { PermissionsBoundary: boundary }))
  }
  // An inline policy is somebody else's addition, since we write none.
  for (const PolicyName of actual.inline) calls.push(call('DeleteRolePolicy', { PolicyName }))
  for (const PolicyArn of actual.attached) {
    if (!wanted.policyArns.includes(PolicyArn)) calls.push(call('DetachRolePolicy', { PolicyArn }))
  }
  if (actual.maxSessionSeconds !== maxSessionSeconds) {
    calls.push(call('UpdateRole', { MaxSessionDuration: maxSessionSeconds }))
  }
  const lacking = missingTags(tags, actual.tags)
  if (Object.keys(lacking).length > 0) calls.push(call('TagRole', { Tags: iamTags(lacking) }))
  calls.push(...attach(wanted.policyArns.filter(arn => !actual.attached.includes(arn))))
  if (boundary === undefined && actual.boundary !== undefined) calls.push(call('DeleteRolePermissionsBoundary', {}))
  return calls
}

/** IAM deletes only what nothing hangs on. */
export function roleRemoval(place: CallPlace, name: string, actual: RoleActual): readonly AwsAction[] {
  const call = (operation: string, input: Values): AwsAction => awsCall(place, operation, { RoleName: name, ...input }, name)
  return [
    ...actual.attached.map(PolicyArn => call('DetachRolePolicy', { PolicyArn })),
    ...actual.inline.map(PolicyName => call('DeleteRolePolicy', { PolicyName })),
    call('DeleteRole', {}),
  ]
}

/** The role after one of these calls was answered. */
export function roleAfter(
  actual: RoleActual | undefined,
  { operation, input }: Pick<AwsAction, 'operation' | 'input'>,
  output: Values,
): RoleActual | undefined {
  if (operation === 'CreateRole') {
    const { AssumeRolePolicyDocument, MaxSessionDuration, PermissionsBoundary, Tags } = input
    const made = roleOf({ ...record(output.Role), AssumeRolePolicyDocument: undefined, MaxSessionDuration, Tags })
    const boundary = text(PermissionsBoundary)
    return {
      ...made,
      trustPolicy: text(AssumeRolePolicyDocument) ?? '',
      ...given({ boundary }),
      attached: [],
      inline: [],
    }
  }
  if (actual === undefined) return undefined
  const { boundary: _boundary, ...unbounded } = actual
  switch (operation) {
    case 'AttachRolePolicy':
      return { ...actual, attached: [...actual.attached, String(input.PolicyArn)] }
    case 'DetachRolePolicy':
      return { ...actual, attached: actual.attached.filter(arn => arn !== input.PolicyArn) }
    case 'DeleteRolePolicy':
      return { ...actual, inline: actual.inline.filter(name => name !== input.PolicyName) }
    case 'UpdateAssumeRolePolicy':
      return { ...actual, trustPolicy: String(input.PolicyDocument) }
    case 'UpdateRole':
      return { ...actual, maxSessionSeconds: Number(input.MaxSessionDuration) }
    case 'TagRole':
      return { ...actual, tags: { ...actual.tags, ...tagMap(input.Tags) } }
    case 'PutRolePermissionsBoundary':
      return { ...actual, boundary: String(input.PermissionsBoundary) }
    case 'DeleteRolePermissionsBoundary':
      return unbounded
    default:
      // Deleted, or a call that nobody foresaw: the next look reads it.
      return undefined
  }
}

function roleOf(role: Values): Omit<RoleActual, 'attached' | 'inline'> {
  const boundary = text(record(role.PermissionsBoundary).PermissionsBoundaryArn)
  return {
    arn: text(role.Arn) ?? '',
    trustPolicy: decodeDocument(role.AssumeRolePolicyDocument),
    maxSessionSeconds: typeof role.MaxSessionDuration === 'number' ? role.MaxSessionDuration : maxSessionSeconds,
    tags: tagMap(role.Tags),
    ...given({ boundary }),
    ...(role.CreateDate instanceof Date ? { madeAt: role.CreateDate.getTime() } : {}),
  }
}
