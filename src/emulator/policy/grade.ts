// How a value of a `Principal` element names a caller (§4.1, §4.5).
import { assertNever } from '#base'
import type { Principal } from '../principal.ts'
import type { Grade } from './evaluate.ts'

/** `undefined` when the value does not name the caller. Users and roles may stand as ARN or, once stored, as unique id. */
export function gradeOf(caller: Principal): (type: string, value: string) => Grade | undefined {
  switch (caller.kind) {
    case 'anonymous':
      return (type, value) => (type === 'AWS' && value === '*' ? 'anyone' : undefined)
    case 'service':
      return (type, value) =>
        type === 'Service' && value === caller.service ? 'caller' : type === 'AWS' && value === '*' ? 'anyone' : undefined
    case 'root':
    case 'user':
    case 'session':
      return (type, value) => (type === 'AWS' ? ofAccountPrincipal(caller, value) : undefined)
    default:
      return assertNever(caller)
  }
}

function ofAccountPrincipal(caller: Exclude<Principal, { kind: 'anonymous' | 'service' }>, value: string): Grade | undefined {
  if (value === '*') return 'anyone'
  if (value === caller.arn || value === caller.userId) return 'caller'
  if (value === caller.account || value === `arn:${caller.partition}:iam::${caller.account}:root`) return 'account'
  if (caller.kind === 'session' && (value === caller.roleId || value === caller.roleArn)) return 'role'
  return undefined
}
