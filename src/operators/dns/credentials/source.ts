// Which Secret an object's credentials come from.
import { controllerOf, type StoredObject } from '#kube'
import { kindName, platformSecretName } from '../api/names.ts'
import { type DnsSpec, isManagedProvider, namedSecret } from '../api/spec.ts'

/** The name of the Secret in the operator's namespace; undefined where there is none to copy. */
export function sourceSecretName(name: string, spec: DnsSpec, isOpenShift: boolean): string | undefined {
  const identity = spec.provider.type === 'AWS' ? spec.provider.aws?.workloadIdentity : undefined
  if (identity !== undefined) return identity.mode === 'OpenShiftSTS' ? `${platformSecretName}-${name}` : undefined
  const named = namedSecret(spec)
  if (named !== '') return named
  return isOpenShift && isManagedProvider(spec.provider.type) ? platformSecretName : undefined
}

/** Who may write objects names Secrets of the operator's namespace; what was made for another object there is not theirs to name. */
export function sourceProblem(source: StoredObject, { metadata }: StoredObject): string | undefined {
  const controller = controllerOf(source)
  if (controller?.kind !== kindName || controller.uid === metadata.uid) return undefined
  return 'the secret was made for another ExternalDNS; name the one that it was made from'
}

/** Whether the operand mounts a Secret at all: not where its pod has another identity. */
export function usesSecret(spec: DnsSpec): boolean {
  const identity = spec.provider.type === 'AWS' ? spec.provider.aws?.workloadIdentity : undefined
  return identity === undefined || identity.mode === 'OpenShiftSTS'
}
