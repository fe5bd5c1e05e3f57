// The policy documents that a role needs, so that an operand can work with it.
import { type Audience, type PartitionId, type ProviderArn, parseProviderArn, renderSubject } from '#aws'

export interface ZonePolicy {
  readonly Version: '2012-10-17'
  readonly Statement: readonly object[]
}

const document = (...statements: readonly object[]): ZonePolicy => ({ Version: '2012-10-17', Statement: statements })

/** What the operand may do; with zones, there alone; with tags, it finds its zones by them. */
export function permissionPolicy(
  partition: PartitionId = 'aws',
  zones: readonly string[] = [],
  zoneTags: Readonly<Record<string, string>> = {},
): ZonePolicy {
  const zoneArn = (zone: string): string => `arn:${partition}:route53:::hostedzone/${zone.replace('/hostedzone/', '')}`
  const changed = zones.length === 0 ? [zoneArn('*')] : zones.map(zoneArn)
  const read = ['route53:ListHostedZones', 'route53:ListResourceRecordSets', 'route53:ListTagsForResource']
  const readByTags = Object.keys(zoneTags).length === 0 ? [] : ['route53:ListTagsForResources']
  return document(
    { Effect: 'Allow', Action: ['route53:ChangeResourceRecordSets'], Resource: changed },
    { Effect: 'Allow', Action: [...read, ...readByTags], Resource: ['*'] },
  )
}

/** Of a role in the account of the zones: who may assume it, and with which external id. */
export function crossAccountTrust(principalArn: string, externalId?: string): ZonePolicy {
  return document({
    Effect: 'Allow',
    Principal: { AWS: principalArn },
    Action: 'sts:AssumeRole',
    ...(externalId === undefined ? {} : { Condition: { StringEquals: { 'sts:ExternalId': externalId } } }),
  })
}

export interface WebIdentity {
  /** It holds the issuer, so that there are no two of them. */
  readonly provider: ProviderArn
  readonly operandNamespace: string
  /** Of the ExternalDNS object. */
  readonly name: string
  readonly audience: Audience
}

/** Of a role that the ServiceAccount of one operand takes on, and nobody else. */
export function webIdentityTrust({ provider, operandNamespace, name, audience }: WebIdentity): ZonePolicy {
  const { issuer } = parseProviderArn(provider)
  const subject = renderSubject({ namespace: operandNamespace, name: `external-dns-${name}` })
  return document({
    Effect: 'Allow',
    Principal: { Federated: provider },
    Action: 'sts:AssumeRoleWithWebIdentity',
    Condition: { StringEquals: { [`${issuer}:sub`]: subject, [`${issuer}:aud`]: audience } },
  })
}

export function podIdentityTrust(): ZonePolicy {
  return document({
    Effect: 'Allow',
    Principal: { Service: 'pods.eks.amazonaws.com' },
    Action: ['sts:AssumeRole', 'sts:TagSession'],
  })
}
