// What the certificate operator may do in AWS, and no more. The policy that is shipped is rendered from this.
import { type RightsPolicy, rightsPolicy } from '#cloud'
import type { CloudPermission } from '#runtime'
import type { RegisteredZone } from '../zones/registry.ts'

export interface CertCloudRightsOptions {
  /** Those that are known when the policy is rendered; any zone where none is. */
  readonly zones: readonly RegisteredZone[]
  readonly exports: boolean
}

export function cloudRights({ zones, exports }: CertCloudRightsOptions): readonly CloudPermission[] {
  const own = zones.filter(({ assumeRoleArn }) => assumeRoleArn === undefined).map(({ id }) => zoneArn(id))
  const hosted = own.length === 0 ? [zoneArn('*')] : own
  const roles = [...new Set(zones.flatMap(({ assumeRoleArn }) => (assumeRoleArn === undefined ? [] : [assumeRoleArn])))]
  return [
    {
      actions: ['acm:ListCertificates'],
      resources: ['*'],
      why: 'certificates whose answer was lost, and who else needs a record',
    },
    {
      actions: [
        'acm:RequestCertificate',
        'acm:DescribeCertificate',
        'acm:DeleteCertificate',
        'acm:AddTagsToCertificate',
        'acm:RemoveTagsFromCertificate',
        'acm:ListTagsForCertificate',
        'acm:UpdateCertificateOptions',
        'acm:RenewCertificate',
      ],
      resources: ['*'],
      why: 'the life of certificates',
    },
    ...(exports ? [{ actions: ['acm:ExportCertificate'], resources: ['*'], why: 'keys that somebody asked for' }] : []),
    ...zoneRights(hosted),
    ...(roles.length === 0 ? [] : [{ actions: ['sts:AssumeRole'], resources: roles, why: 'zones of other accounts' }]),
    {
      actions: ['acm-pca:DescribeCertificateAuthority', 'acm-pca:IssueCertificate', 'acm-pca:GetCertificate'],
      resources: ['arn:aws:acm-pca:*:*:certificate-authority/*'],
      why: 'certificates of private authorities',
    },
  ]
}

/** Of the role of another account, for its zones. */
export function zoneRolePolicy(zoneIds: readonly string[]): RightsPolicy {
  return rightsPolicy(zoneRights(zoneIds.map(zoneArn)))
}

const zoneArn = (id: string): string => `arn:aws:route53:::hostedzone/${id}`

function zoneRights(resources: readonly string[]): readonly CloudPermission[] {
  return [
    {
      actions: ['route53:ChangeResourceRecordSets'],
      resources,
      conditions: {
        'ForAllValues:StringEquals': {
          'route53:ChangeResourceRecordSetsRecordTypes': ['CNAME'],
          'route53:ChangeResourceRecordSetsActions': ['UPSERT', 'DELETE'],
        },
      },
      why: 'validation records',
    },
    { actions: ['route53:ListResourceRecordSets', 'route53:GetHostedZone'], resources, why: 'what stands in the zones' },
    { actions: ['route53:GetChange'], resources: ['arn:aws:route53:::change/*'], why: 'when records are in the DNS' },
  ]
}
