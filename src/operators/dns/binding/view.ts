// The object that binds the ServiceAccount of an operand to a role: whether it is there, means that very account, and works.
import { roleKind, type ServiceAccountRole } from '../../identity/api.ts'
import { operandName } from '../api/names.ts'
import type { BindingRef, DnsSpec } from '../api/spec.ts'

/** What was seen of it. */
export interface BindingSeen {
  readonly object: ServiceAccountRole | undefined
  /** The cluster does not serve the kind. */
  readonly isKindMissing: boolean
}

export type Bound =
  /** Without `roleArn` the pod is given its identity by an agent of the cluster. */
  | { readonly kind: 'ready'; readonly roleArn: string | undefined }
  | { readonly kind: 'wait'; readonly reason: string; readonly message: string }

/** What an object refers to; undefined where it has another identity. */
export function bindingRefOf({ provider }: DnsSpec): BindingRef | undefined {
  const identity = provider.type === 'AWS' ? provider.aws?.workloadIdentity : undefined
  return identity?.mode === 'Binding' ? (identity.bindingRef ?? {}) : undefined
}

/** The kinds that are known: one. */
export function unknownBindingKind({
  apiVersion = roleKind.apiVersion,
  kind = roleKind.type.kind,
}: BindingRef): string | undefined {
  const isKnown = apiVersion === roleKind.apiVersion && kind === roleKind.type.kind
  return isKnown
    ? undefined
    : `bindingRef names the kind ${kind} of ${apiVersion}: ${roleKind.type.kind} of ${roleKind.apiVersion} is the one that is known`
}

export interface BindingPlace {
  readonly name: string
  readonly operandNamespace: string
  readonly ref: BindingRef
}

export function viewBinding({ object, isKindMissing }: BindingSeen, place: BindingPlace): Bound {
  const { name, operandNamespace, ref } = place
  const account = `${operandNamespace}/${operandName(name)}`
  const where = `${roleKind.type.kind} ${ref.namespace ?? ''}/${ref.name ?? ''}`
  const wait = (reason: string, message: string): Bound => ({ kind: 'wait', reason, message })
  if (isKindMissing)
    return wait('BindingKindMissing', `The cluster does not serve ${roleKind.type.kind}: install the operator of identities.`)
  if (object === undefined) {
    const next = ref.create === true ? 'it is being made' : `make it for the ServiceAccount ${account}`
    return wait('BindingNotFound', `The ${where} is not there: ${next}.`)
  }
  const { serviceAccount } = object.spec
  const bound = `${serviceAccount.namespace}/${serviceAccount.name}`
  if (bound !== account)
    return wait('BindingSubjectMismatch', `The ${where} binds the ServiceAccount ${bound}, and the operand works as ${account}.`)
  return readiness(object, where)
}

function readiness({ status, metadata }: ServiceAccountRole, where: string): Bound {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready')
  const isOld = ready?.observedGeneration !== undefined && ready.observedGeneration !== metadata.generation
  if (ready === undefined || isOld)
    return { kind: 'wait', reason: 'BindingNotReady', message: `The ${where} has not been looked at yet.` }
  if (ready.status !== 'True')
    return { kind: 'wait', reason: ready.reason, message: `The ${where} is not ready: ${ready.message}` }
  return { kind: 'ready', roleArn: status?.deliveryType === 'EKSPodIdentity' ? undefined : status?.roleARN }
}
