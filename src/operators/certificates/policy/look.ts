// Policies as the caches of this process hold them.
import { namespaces } from '#kube'
import type { Reads } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import { type CertPolicy, certPolicyKind } from '../api/policy.ts'
import type { WantedNames } from '../names/wanted.ts'
import { policyErrors } from './judge.ts'

/** Throws before policies and namespaces are known: what is not known must not be taken for allowed. */
export function policyErrorsFor(
  cert: Cert,
  wanted: WantedNames,
  world: Pick<Reads, 'isSynced' | 'list' | 'find'>,
): readonly string[] {
  for (const { type } of [certPolicyKind, { type: namespaces }])
    if (!world.isSynced(type)) throw new Error('the policies are not complete yet')
  const policies = world.list<CertPolicy>(certPolicyKind.type)
  if (policies.length === 0) return []
  const { namespace = '' } = cert.metadata
  const found = world.find(namespaces, { namespace: '', name: namespace })
  return policyErrors(policies, {
    namespace,
    labels: { 'kubernetes.io/metadata.name': namespace, ...found?.metadata.labels },
    spec: cert.spec,
    wanted,
    others: world.list<Cert>(certKind.type, namespace).filter(other => isBefore(other, cert)).length,
  })
}

/** One that is only just being made comes after all others. */
function isBefore({ metadata: other }: Cert, { metadata: own }: Cert): boolean {
  if (other.uid === own.uid || (own.uid === '' && other.name === own.name)) return false
  if (own.creationTimestamp === undefined || own.creationTimestamp === null) return true
  const [theirs, ours] = [Date.parse(other.creationTimestamp ?? ''), Date.parse(own.creationTimestamp)]
  return theirs === ours ? other.uid < own.uid : theirs < ours
}
