// The policy documents that the operator writes (§3.7-3.9), as text: other programs compare them byte by byte.
import {
  asProviderArn,
  type EksClusterArn,
  NameError,
  parseIssuerUrl,
  partitionOf,
  podIdentityTrust,
  renderPolicy,
  type ServiceAccountName,
  TrustError,
  webIdentityTrust,
} from '#aws'
import { given } from '#base'
import { audience } from '../api/labels.ts'
import { issuerUrl } from './issuer.ts'
import { discoveryKey, keySetKey } from './publication.ts'

/** A document, or why it cannot be written. */
export type Rendered = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly message: string }

export interface WebIdentityGrant {
  readonly issuerHostPath: string
  readonly oidcProviderArn: string
  readonly serviceAccount: ServiceAccountName
}

/** Tokens of this issuer, for the one audience, of this ServiceAccount: SelfHostedIRSA and EKSIRSA. */
export function renderWebIdentityTrust({ issuerHostPath, oidcProviderArn, serviceAccount }: WebIdentityGrant): Rendered {
  return rendered(() =>
    renderPolicy(
      webIdentityTrust({
        provider: asProviderArn(oidcProviderArn),
        issuer: parseIssuerUrl(issuerUrl(issuerHostPath)),
        audience,
        subjects: [serviceAccount],
      }),
    ),
  )
}

export interface PodIdentityInput {
  readonly clusterArn: EksClusterArn
  readonly serviceAccount: ServiceAccountName
  readonly organizationId?: string
}

export function renderPodIdentityTrust({ clusterArn, serviceAccount, organizationId }: PodIdentityInput): Rendered {
  return rendered(() =>
    renderPolicy(
      podIdentityTrust({
        clusterArn,
        subject: serviceAccount,
        ...given({ organizationId }),
      }),
    ),
  )
}

/** Everybody may read the two documents of the issuer, and nothing else. The partition is that of the region (14.1 L5). */
export function renderBucketPolicy(bucket: string, region: string): string {
  const partition = partitionOf(region).id
  return renderPolicy({
    version: '2012-10-17',
    statements: [
      {
        sid: 'PublicReadOIDCDiscoveryOnly',
        effect: 'Allow',
        principal: '*',
        action: 's3:GetObject',
        resource: [discoveryKey, keySetKey].map(key => `arn:${partition}:s3:::${bucket}/${key}`),
      },
    ],
  })
}

function rendered(render: () => string): Rendered {
  try {
    return { ok: true, text: render() }
  } catch (error) {
    if (error instanceof NameError || error instanceof TrustError) return { ok: false, message: error.message }
    throw error
  }
}
