// Who may do what where: role assignments at a scope count for all that lies below it.
import { type Directory, sameId } from './directory.ts'

interface Role {
  readonly id: string
  readonly name: string
  /** Patterns with `*`. */
  readonly actions: readonly string[]
  readonly notActions?: readonly string[]
  readonly dataActions?: readonly string[]
}

const secretsRead = [
  'Microsoft.KeyVault/vaults/secrets/getSecret/action',
  'Microsoft.KeyVault/vaults/secrets/readMetadata/action',
]
const blobs = 'Microsoft.Storage/storageAccounts/blobServices/containers'

/** Ids as the documentation of Azure's built-in roles has them. */
export const builtInRoles: readonly Role[] = [
  { id: '8e3af657-a8ff-443c-a75c-2fe8c4bcb635', name: 'Owner', actions: ['*'] },
  {
    id: 'b24988ac-6180-42a0-ab88-20f7382dd24c',
    name: 'Contributor',
    actions: ['*'],
    notActions: ['Microsoft.Authorization/*/Delete', 'Microsoft.Authorization/*/Write'],
  },
  { id: 'acdd72a7-3385-48ef-bd42-f606fba81ae7', name: 'Reader', actions: ['*/read'] },
  {
    id: 'e40ec5ca-96e0-45a2-b4ff-59039f2c2b59',
    name: 'Managed Identity Contributor',
    actions: ['Microsoft.ManagedIdentity/userAssignedIdentities/*', 'Microsoft.Authorization/*/read'],
  },
  { id: '4633458b-17de-408a-b874-0445c86b69e6', name: 'Key Vault Secrets User', actions: [], dataActions: secretsRead },
  {
    id: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7',
    name: 'Key Vault Secrets Officer',
    actions: ['Microsoft.KeyVault/vaults/*/read'],
    dataActions: ['Microsoft.KeyVault/vaults/secrets/*'],
  },
  {
    id: '00482a5a-887f-4fb3-b363-3b7fe8e74483',
    name: 'Key Vault Administrator',
    actions: ['Microsoft.KeyVault/vaults/*/read'],
    dataActions: ['Microsoft.KeyVault/vaults/*'],
  },
  {
    id: '2a2b9908-6ea1-4ae2-8e65-a410df84e7d1',
    name: 'Storage Blob Data Reader',
    actions: [`${blobs}/read`],
    dataActions: [`${blobs}/blobs/read`],
  },
  {
    id: 'ba92f5b4-2d11-453d-a403-e96b0029c9fe',
    name: 'Storage Blob Data Contributor',
    actions: [`${blobs}/read`, `${blobs}/write`, `${blobs}/delete`],
    dataActions: [`${blobs}/blobs/*`],
  },
]

export interface Question {
  readonly principalId: string
  /** The resource id of what is touched. */
  readonly scope: string
  readonly action: string
  readonly kind: 'action' | 'data-action'
}

export function isAllowed({ assignments }: Directory, { principalId, scope, action, kind }: Question): boolean {
  return assignments.some(assignment => {
    if (assignment.principalId !== principalId || !covers(assignment.scope, scope)) return false
    const role = builtInRoles.find(({ id }) => sameId(id, lastOf(assignment.roleDefinitionId)))
    if (role === undefined) return false
    return kind === 'data-action'
      ? matches(role.dataActions ?? [], action)
      : matches(role.actions, action) && !matches(role.notActions ?? [], action)
  })
}

export function lastOf(id: string): string {
  return id.split('/').at(-1) ?? ''
}

/** A scope covers itself and what lies below it: a whole segment further, so that `group-1` says nothing of `group-10`. */
function covers(scope: string, what: string): boolean {
  const base = scope.toLowerCase().replace(/\/+$/, '')
  const inner = what.toLowerCase()
  return inner === base || inner.startsWith(`${base}/`)
}

function matches(patterns: readonly string[], action: string): boolean {
  return patterns.some(pattern => isLike(pattern.toLowerCase(), action.toLowerCase()))
}

function isLike(pattern: string, text: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return pattern === text
  if (!text.startsWith(first)) return false
  let at = first.length
  const last = rest.pop() ?? ''
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return text.length - last.length >= at && text.endsWith(last)
}
