// Where the operand of an object has its credentials from, and whether they can be tried.
import { type Bound, bindingRefOf, viewBinding } from '../binding/view.ts'
import { audienceDefault } from '../operand/aws-part.ts'
import type { BaseIdentity } from '../preflight/base-credentials.ts'
import type { DnsSeen } from './seen.ts'

/** Undefined where the identity is no binding. */
export function boundOf({ dns, model, binding, surroundings: { settings } }: DnsSeen): Bound | undefined {
  const ref = bindingRefOf(model.spec)
  if (ref === undefined || binding === undefined) return undefined
  return viewBinding(binding, { name: dns.metadata.name, operandNamespace: settings.operandNamespace, ref })
}

/** Undefined as long as there is nothing to try. */
export function baseIdentity(seen: DnsSeen): BaseIdentity | undefined {
  const { aws, type } = seen.model.spec.provider
  const identity = type === 'AWS' ? aws?.workloadIdentity : undefined
  switch (identity?.mode) {
    case 'IRSA':
      return withToken(seen, identity.roleARN ?? '', identity.audience)
    case 'PodIdentity':
      return { kind: 'pod' }
    case 'Binding':
      return ofBinding(seen)
    default:
      return seen.target === undefined ? undefined : { kind: 'file' }
  }
}

function ofBinding(seen: DnsSeen): BaseIdentity | undefined {
  const bound = boundOf(seen)
  if (bound?.kind !== 'ready') return undefined
  if (bound.roleArn === undefined) return { kind: 'pod' }
  return withToken(seen, bound.roleArn, seen.account?.metadata.annotations?.['eks.amazonaws.com/audience'])
}

/** Tokens are of the ServiceAccount, which has to be there. */
function withToken({ account }: DnsSeen, roleArn: string, audience = audienceDefault): BaseIdentity | undefined {
  return account !== undefined ? { kind: 'web-identity', roleArn, audience } : undefined
}
