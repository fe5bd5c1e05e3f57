// What one process may do on its hub: what every process needs, and what each of its operators needs, each once.
import { mergeRights, type Right } from '#kube'
import type { OperatorSettings } from '../operator/flags.ts'

export interface ProcessRightsOptions {
  readonly settings: Pick<OperatorSettings, 'chosen' | 'process'>
  /** Where the process runs. */
  readonly namespace: string
  /** Of each operator. */
  readonly ofOperators: readonly (readonly Right[])[]
}

export function rightsOfProcess({ settings, namespace, ofOperators }: ProcessRightsOptions): readonly Right[] {
  const { elects, leaseNamespace } = settings.process
  const leases = settings.chosen.map(({ operator }) => operator.lease)
  return mergeRights([
    ...ofOperators.flat(),
    ...(elects ? leaseRights(leaseNamespace ?? namespace, leases) : []),
    { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'], why: 'who asks for metrics' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'], why: 'whether they may have them' },
  ])
}

function leaseRights(namespace: string, names: readonly string[]): readonly Right[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', within: [namespace] }
  return [
    { ...lease, verbs: ['create'], why: 'the leases of the leaders, which have no name before they are there' },
    { ...lease, verbs: ['get', 'list', 'watch', 'update'], names, why: 'the leases of the leaders' },
  ]
}
