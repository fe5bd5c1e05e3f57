// What a ClusterProfile says about its cluster, by the names that the identity operator reads.
import { given } from '#base'
import type { ClusterProfile } from '#fleet'

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

export const propertyNames: Readonly<Record<keyof ClusterProperties, string>> = {
  eksClusterName: `${prefix}/eks-cluster-name`,
  eksClusterArn: `${prefix}/eks-cluster-arn`,
  accountId: `${prefix}/aws-account-id`,
  organizationId: `${prefix}/aws-organization-id`,
  eksAutoMode: `${prefix}/eks-auto-mode`,
  /** With a dot, unlike the others: a name with a slash is another property. */
  region: `${prefix}.aws-region`,
  podIdentityAgent: `${prefix}/eks-pod-identity-agent`,
}

/** Of several with one name the last counts. */
export function propertiesOf(profile: ClusterProfile): ClusterProperties {
  const said = new Map((profile.status?.properties ?? []).map(({ name, value }) => [name, value]))
  const text = (name: string): string | undefined => {
    const value = said.get(name)
    return value === undefined || value === '' ? undefined : value
  }
  const eksClusterName = text(propertyNames.eksClusterName)
  const eksClusterArn = text(propertyNames.eksClusterArn)
  const accountId = text(propertyNames.accountId)
  const organizationId = text(propertyNames.organizationId)
  const region = text(propertyNames.region)
  const agent = text(propertyNames.podIdentityAgent)
  return {
    eksAutoMode: text(propertyNames.eksAutoMode) === 'true',
    ...given({ eksClusterName, eksClusterArn, accountId, organizationId, region }),
    ...(agent === 'ready' || agent === 'missing' ? { podIdentityAgent: agent } : {}),
  }
}
