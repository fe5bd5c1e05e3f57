// Who calls a resource, and whether role assignments let them.
import type { Clock } from '#base'
import type { DirectoryCell } from '../directory/directory.ts'
import { isAllowed, type Question } from '../directory/roles.ts'
import { callerOf, type TokenHolder } from '../sign-in/access-token.ts'
import type { TenantKeys } from '../sign-in/tenant-keys.ts'
import { bearerOf, type EntraCall } from '../wire/call.ts'

export interface ResourceParts {
  readonly cell: DirectoryCell
  readonly keys: TenantKeys
  readonly clock: Clock
}

/** `undefined`: nobody, or with a token that is not for this resource. */
export function whoCalls(
  { cell, keys, clock }: ResourceParts,
  call: EntraCall,
  audiences: readonly string[],
): TokenHolder | undefined {
  const token = bearerOf(call)
  const nowS = clock.now() / 1_000
  return token === undefined ? undefined : callerOf(token, { keys, tenants: cell.now.tenants, audiences, nowS })
}

export function may({ cell }: ResourceParts, { principalId }: TokenHolder, question: Omit<Question, 'principalId'>): boolean {
  return isAllowed(cell.now, { ...question, principalId })
}
