// The trust policy of the role: who may assume it, exactly (§3.8, S11).
import { tryParseEksClusterArn } from '#aws'
import { given } from '#base'
import type { DeliveryType, WorkloadIdentityConfig } from '../api/kinds.ts'
import { type Rendered, renderPodIdentityTrust, renderWebIdentityTrust } from '../documents/policies.ts'
import type { ClusterProperties } from '../inventory/properties.ts'
import { whyNotReady } from './readiness.ts'

export interface TrustInput {
  readonly delivery: DeliveryType
  readonly config: WorkloadIdentityConfig
  readonly properties: ClusterProperties
  readonly serviceAccount: { readonly namespace: string; readonly name: string }
}

export function renderTrust({ delivery, config, properties, serviceAccount }: TrustInput): Rendered {
  if (delivery !== 'EKSPodIdentity') {
    const { issuerHostPath = '', oidcProviderARN = '' } = config.status ?? {}
    if (issuerHostPath === '' || oidcProviderARN === '') {
      return { ok: false, message: `there is no issuer with an OIDC provider yet: ${whyNotReady(config)}` }
    }
    return renderWebIdentityTrust({ issuerHostPath, oidcProviderArn: oidcProviderARN, serviceAccount })
  }
  const { eksClusterName, eksClusterArn, accountId, organizationId } = properties
  const missing = Object.entries({
    'eks-cluster-name': eksClusterName,
    'eks-cluster-arn': eksClusterArn,
    'aws-account-id': accountId,
  }).flatMap(([name, value]) => (value === undefined ? [`aws.identity.appthrust.io/${name}`] : []))
  if (eksClusterArn === undefined || missing.length > 0) {
    return { ok: false, message: `the ClusterProfile does not say ${missing.join(', ')}` }
  }
  const named = tryParseEksClusterArn(eksClusterArn)
  if (named === undefined || named.name !== eksClusterName || named.account !== accountId) {
    const message = `the ClusterProfile contradicts itself: eks-cluster-arn ${eksClusterArn} is not that of cluster ${eksClusterName} in account ${accountId}; correct it where it is published`
    return { ok: false, message }
  }
  return renderPodIdentityTrust({
    clusterArn: named.arn,
    serviceAccount,
    ...given({ organizationId }),
  })
}
