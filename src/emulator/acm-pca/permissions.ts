// Who besides the account may use an authority: ACM by permissions, other accounts by its policy.
import { memberAt, readJson } from '#base'
import { type AuthorityInput, type CallPca, opened, openedAt, putAuthority } from './call.ts'
import { pcaFailure } from './errors.ts'
import { type AuthorityPermission, acmPrincipal, type PrivateAuthority } from './model.ts'
import { paged } from './pages.ts'

type PermissionInput = AuthorityInput & { readonly Principal: string; readonly SourceAccount?: string }

export function createPermission(call: CallPca<PermissionInput & { readonly Actions: readonly string[] }>): undefined {
  const authority = opened(call)
  const { Principal, Actions } = call.input
  if (Principal !== acmPrincipal) throw pcaFailure('ValidationException', `Permissions are given to ${acmPrincipal} only.`)
  const sourceAccount = call.input.SourceAccount ?? authority.account
  if (permissionOf(authority, call.input) !== undefined)
    throw pcaFailure('PermissionAlreadyExistsException', `The permission of ${Principal} is there already.`)
  const permission = { principal: Principal, sourceAccount, actions: [...new Set(Actions)], createdMs: call.now }
  putAuthority(call, { ...authority, permissions: [...authority.permissions, permission] })
  return undefined
}

function permissionOf(
  authority: PrivateAuthority,
  input: Omit<PermissionInput, keyof AuthorityInput>,
): AuthorityPermission | undefined {
  const account = input.SourceAccount ?? authority.account
  return authority.permissions.find(one => one.principal === input.Principal && one.sourceAccount === account)
}

export function deletePermission(call: CallPca<PermissionInput>): undefined {
  const authority = opened(call)
  const removed = permissionOf(authority, call.input)
  if (removed === undefined) throw pcaFailure('ResourceNotFoundException', `${call.input.Principal} has no permission.`)
  putAuthority(call, { ...authority, permissions: authority.permissions.filter(one => one !== removed) })
  return undefined
}

export function listPermissions(
  call: CallPca<AuthorityInput & { readonly MaxResults?: number; readonly NextToken?: string }>,
): object {
  const authority = opened(call)
  const { items, next } = paged(call, authority.permissions, authority.arn)
  const Permissions = items.map(({ principal, sourceAccount, actions, createdMs }) => ({
    CertificateAuthorityArn: authority.arn,
    CreatedAt: createdMs,
    Principal: principal,
    SourceAccount: sourceAccount,
    Actions: actions,
  }))
  return { Permissions, ...next }
}

interface PolicyInput {
  readonly ResourceArn: string
}

export function putPolicy(call: CallPca<PolicyInput & { readonly Policy: string }>): undefined {
  const authority = openedAt(call, call.input.ResourceArn)
  const { Policy } = call.input
  if (memberAt(readJson(Policy), 'Statement') === undefined)
    throw pcaFailure('InvalidPolicyException', 'The resource policy is invalid or is missing a required statement.')
  putAuthority(call, { ...authority, policy: call.ports.roles.bound(Policy) })
  return undefined
}

export function getPolicy(call: CallPca<PolicyInput>): object {
  const { policy } = openedAt(call, call.input.ResourceArn)
  if (policy === undefined) throw pcaFailure('ResourceNotFoundException', `${call.input.ResourceArn} has no policy.`)
  return { Policy: call.ports.roles.shown(policy) }
}

export function deletePolicy(call: CallPca<PolicyInput>): undefined {
  const { policy: _policy, ...authority } = openedAt(call, call.input.ResourceArn)
  putAuthority(call, authority)
  return undefined
}
