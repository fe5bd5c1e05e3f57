// What one process may do on its hub: what every process needs, and what each of its operators needs, each once.
import { mergeRights, type Right } from '#kube'
import { hubRights } from '#operators/identity'
import { type RightsOptions, resourceRights } from '#operators/resources'
import type { OperatorSettings } from '../operator/flags.ts'
import { leaseNameOf } from '../operator/lease.ts'

export interface ProcessRightsOptions {
  readonly settings: Pick<OperatorSettings, 'controllers' | 'awsWriter' | 'profileNamespaces' | 'elects' | 'leaseNamespace'>
  /** Where the process runs. */
  readonly namespace: string
  /** Of the resources operator, where it is one of the controllers. */
  readonly resources?: RightsOptions
}

export function rightsOfProcess({ settings, namespace, resources }: ProcessRightsOptions): readonly Right[] {
  return mergeRights([
    ...(settings.controllers.has('identity') ? hubRights(settings) : []),
    ...(resources === undefined ? [] : resourceRights(resources)),
    ...(settings.elects ? leaseRights(settings.leaseNamespace ?? namespace, leaseNameOf(settings)) : []),
    { group: 'authentication.k8s.io', resource: 'tokenreviews', verbs: ['create'], why: 'who asks for metrics' },
    { group: 'authorization.k8s.io', resource: 'subjectaccessreviews', verbs: ['create'], why: 'whether they may have them' },
  ])
}

function leaseRights(namespace: string, name: string): readonly Right[] {
  const lease = { group: 'coordination.k8s.io', resource: 'leases', within: [namespace] }
  return [
    { ...lease, verbs: ['create'], why: 'the lease of the leader, which has no name before it is there' },
    { ...lease, verbs: ['get', 'list', 'watch', 'update'], names: [name], why: 'the lease of the leader' },
  ]
}
