// Addresses of Azure Resource Manager: `/subscriptions/S[/resourceGroups/G][/providers/NAMESPACE/TYPE/NAME…]`, the last provider being what is
// meant, and what stands before it the scope.
import type { HttpResponse } from '#base'
import { json } from '../wire/call.ts'

export interface ArmPath {
  readonly subscription: string
  /** What role assignments are asked about: the resource itself, or where it lies. */
  readonly scope: string
  /** Such as `Microsoft.ManagedIdentity/userAssignedIdentities`. */
  readonly type: string
  /** Absent for a list. */
  readonly name: string | undefined
  /** The resource id, with the name where there is one. */
  readonly id: string
  /** The resource id of what this is a part of. */
  readonly parent: string | undefined
  /** What stands before the last provider: the scope of a role assignment. */
  readonly base: string
}

export function providerPath(path: readonly string[]): ArmPath | undefined {
  const at = path.findLastIndex(segment => segment.toLowerCase() === 'providers')
  const [first = '', subscription = ''] = path
  if (at < 2 || first.toLowerCase() !== 'subscriptions') return undefined
  const [namespace = '', ...rest] = path.slice(at + 1)
  const types = rest.filter((_segment, index) => index % 2 === 0)
  const names = rest.filter((_segment, index) => index % 2 === 1)
  if (namespace === '' || types.length === 0) return undefined
  const base = `/${path.slice(0, at).join('/')}`
  const id = `/${path.join('/')}`
  const name = names.length === types.length ? names.at(-1) : undefined
  const parent = types.length > 1 ? `/${path.slice(0, path.length - (name === undefined ? 1 : 2)).join('/')}` : undefined
  const scope = name === undefined ? (parent ?? base) : id
  return { subscription, scope, type: [namespace, ...types].join('/'), name, id, parent, base }
}

export function armFault(status: number, code: string, message: string): HttpResponse {
  return json(status, { error: { code, message } })
}
