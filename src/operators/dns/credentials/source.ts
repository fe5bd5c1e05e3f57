// Which Secret an object's credentials come from.
import { platformSecretName } from '../api/names.ts'
import { type DnsSpec, isManagedProvider, namedSecret } from '../api/spec.ts'

/** The name of the Secret in the operator's namespace; undefined where there is none to copy. */
export function sourceSecretName(name: string, spec: DnsSpec, isOpenShift: boolean): string | undefined {
  const identity = spec.provider.type === 'AWS' ? spec.provider.aws?.workloadIdentity : undefined
  if (identity !== undefined) return identity.mode === 'OpenShiftSTS' ? `${platformSecretName}-${name}` : undefined
  const named = namedSecret(spec)
  if (named !== '') return named
  return isOpenShift && isManagedProvider(spec.provider.type) ? platformSecretName : undefined
}

/** Whether the operand mounts a Secret at all: not where its pod has another identity. */
export function usesSecret(spec: DnsSpec): boolean {
  const identity = spec.provider.type === 'AWS' ? spec.provider.aws?.workloadIdentity : undefined
  return identity === undefined || identity.mode === 'OpenShiftSTS'
}
