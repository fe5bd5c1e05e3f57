// What the kind can say and this operator does not carry out yet. An object that asks for it is refused in words: an operand without its zones
// would write in all of them, and one without its identity would write as somebody else.
import type { DnsSpec } from '../api/spec.ts'

/** The first field that nobody would carry out, and what to do instead. */
export function notBuilt({ zones = [], zoneDiscovery, provider, operand, preflight }: DnsSpec): string | undefined {
  const { mode = 'None' } = zoneDiscovery ?? {}
  if (mode !== 'None' && zones.length === 0)
    return `spec.zoneDiscovery.mode ${mode} is not built yet, and without zones the operand would write in all of them: name them in spec.zones`
  if (provider.aws?.workloadIdentity?.mode === 'Binding')
    return 'workloadIdentity.mode Binding is not built yet: use IRSA, with the role of the AWSServiceAccountRole as roleARN'
  if (operand?.cleanup === true)
    return 'spec.operand.cleanup is not built yet: leave it out, and delete the records of the object by its owner id'
  if (preflight?.simulate === true) return 'spec.preflight.simulate is not built yet: leave it out'
  return undefined
}
