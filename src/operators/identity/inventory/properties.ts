// What a ClusterProfile says about its cluster, by the names that the identity operator reads.
import type { ClusterProfile } from './cluster-profile.ts'

export interface ClusterProperties {
  readonly eksClusterName?: string
  readonly eksClusterArn?: string
  readonly accountId?: string
  readonly organizationId?: string
  /** Exactly `true`; nothing else counts. */
  readonly eksAutoMode: boolean
  readonly region?: string
  /** What the inventory knows of the pod identity agent; anything else it says is as if it said nothing. */
  readonly podIdentityAgent?: 'ready' | 'missing'
}

const prefix = 'aws.identity.appthrust.io'

/** Of several with one name the last counts. */
export function propertiesOf(profile: ClusterProfile): ClusterProperties {
  const said = new Map((profile.status?.properties ?? []).map(({ name, value }) => [name, value]))
  const text = (name: string): string | undefined => {
    const value = said.get(name)
    return value === undefined || value === '' ? undefined : value
  }
  const eksClusterName = text(`${prefix}/eks-cluster-name`)
  const eksClusterArn = text(`${prefix}/eks-cluster-arn`)
  const accountId = text(`${prefix}/aws-account-id`)
  const organizationId = text(`${prefix}/aws-organization-id`)
  // With a dot, unlike the others: a name with a slash is another property.
  const region = text(`${prefix}.aws-region`)
  const agent = text(`${prefix}/eks-pod-identity-agent`)
  return {
    eksAutoMode: text(`${prefix}/eks-auto-mode`) === 'true',
    ...(eksClusterName === undefined ? {} : { eksClusterName }),
    ...(eksClusterArn === undefined ? {} : { eksClusterArn }),
    ...(accountId === undefined ? {} : { accountId }),
    ...(organizationId === undefined ? {} : { organizationId }),
    ...(region === undefined ? {} : { region }),
    ...(agent === 'ready' || agent === 'missing' ? { podIdentityAgent: agent } : {}),
  }
}
