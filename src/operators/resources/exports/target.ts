// Which ConfigMaps and Secrets may be written for a tenant. He is kept within his namespace, unless the operator's settings and the target
// itself both let him leave it; and what belongs to an operator, or to a controller, is nobody's to write by us.
import { controllerOf, isNamed, type ObjectKey, renderKey } from '#kube'
import { carriesOwnLabels, type Holder, holdsMappings, reservedName } from '../secrets/protected-objects.ts'
import { type SecretAccess, unlistedMessage } from '../secrets/secret-access.ts'

/** On a ConfigMap or Secret: the namespaces, separated by commas, whose exports may write into it. */
export const acceptAnnotation = 'services.k8s.aws/accept-exports-from'

export interface Asked {
  readonly kind: 'ConfigMap' | 'Secret'
  readonly key: ObjectKey
  /** The namespace of whoever asks. */
  readonly from: string
  /** Of a Secret; `Opaque` alone when absent. */
  readonly secretTypes?: readonly string[]
}

export interface WriteRules extends SecretAccess {
  readonly crossNamespace: boolean
}

/** Why a target may not be written, with the next step. */
export interface Refusal {
  readonly reason: 'TargetRefused' | 'SecretUnusable'
  readonly message: string
}

/** What keeps it from being written whatever stands there: asked before it is read. */
export function refusedUnread({ kind, key, from }: Asked, { crossNamespace, secrets }: WriteRules): Refusal | undefined {
  const where = `${kind.toLowerCase()} ${renderKey(key)}`
  if (key.namespace !== from && !crossNamespace)
    return refused(
      `the ${where} is in another namespace than ${from}, which is not allowed: write into ${from}, or have the operator run with --enable-cross-namespace and the target annotated with ${acceptAnnotation}: ${from}`,
    )
  const reserved = reservedName(kind, key)
  if (reserved !== undefined) return refused(`the ${where} ${reserved}, which nobody writes by an export: choose another target`)
  if (kind === 'Secret' && !isNamed(secrets, key)) return { reason: 'SecretUnusable', message: unlistedMessage(key) }
  return undefined
}

/**
 * What keeps it from being written once it was looked for. In another namespace the answer is the same whether it is missing or does not
 * accept: nobody learns by exports which objects others have.
 */
export function refusedTarget(asked: Asked, target: Holder | undefined): Refusal | undefined {
  const { kind, key, from, secretTypes = ['Opaque'] } = asked
  const where = `${kind.toLowerCase()} ${renderKey(key)}`
  if (key.namespace !== from && !accepts(target, from))
    return refused(`the ${where} does not accept exports from namespace ${from}: annotate it with ${acceptAnnotation}: ${from}`)
  if (target === undefined) return undefined
  const instead = 'choose another target'
  if (carriesOwnLabels(target)) return refused(`the ${where} was made by an operator, which alone writes it: ${instead}`)
  const controller = controllerOf(target)
  if (controller !== undefined)
    return refused(`the ${where} belongs to ${controller.kind} ${controller.name}, which alone writes it: ${instead}`)
  if (holdsMappings(target)) return refused(`the ${where} holds role mappings, which nobody writes by an export: ${instead}`)
  const type = target.type ?? 'Opaque'
  return kind === 'ConfigMap' || secretTypes.includes(type)
    ? undefined
    : refused(`the ${where} is of type ${type}, and only ${secretTypes.join(' or ')} is written: ${instead}`)
}

function accepts(target: Holder | undefined, namespace: string): boolean {
  const listed = target?.metadata.annotations?.[acceptAnnotation]
  return listed?.split(',').some(each => each.trim() === namespace) === true
}

function refused(message: string): Refusal {
  return { reason: 'TargetRefused', message }
}
