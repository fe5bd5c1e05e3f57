// The trust policies we write. These builders are the only way to one, and they can only say: this issuer, this audience, exactly
// these subjects. There is no parameter through which a pattern, a second audience or a missing condition could come in.
import { type EksClusterArn, type IssuerLocation, isIssuerLocation, type ProviderArn, parseProviderArn } from '../names/arn.ts'
import { type Audience, isAudience } from '../names/audience.ts'
import { NameError } from '../names/name-error.ts'
import type { PolicyDocument } from './policy-document.ts'

/** A ServiceAccount as subject of a token. */
export interface ServiceAccountName {
  readonly namespace: string
  readonly name: string
}

/** A subject that cannot be written as an exact statement. */
export class TrustError extends Error {
  readonly code = 'inexact-trust'
  constructor(message: string) {
    super(message)
    this.name = 'TrustError'
  }
}

export interface WebIdentityTrust {
  readonly provider: ProviderArn
  readonly issuer: IssuerLocation
  readonly audience: Audience
  /** At least one; written in sorted order, so that the text does not depend on where they came from. */
  readonly subjects: readonly ServiceAccountName[]
}

/** Tokens of this issuer, for this audience, of exactly these ServiceAccounts. Throws `TrustError` or `NameError`. */
export function webIdentityTrust({ provider, issuer, audience, subjects }: WebIdentityTrust): PolicyDocument {
  if (!isIssuerLocation(issuer)) throw new NameError('issuer', issuer, 'expected HOST[/PATH]')
  if (parseProviderArn(provider).issuer !== issuer) {
    throw new TrustError(`the provider ${provider} is not that of the issuer ${issuer}`)
  }
  if (subjects.length === 0) throw new TrustError('a trust policy needs at least one subject')
  const names = [...new Set(subjects.map(renderSubject))].sort()
  return {
    version: '2012-10-17',
    statements: [
      {
        effect: 'Allow',
        principal: { Federated: provider },
        action: 'sts:AssumeRoleWithWebIdentity',
        condition: {
          StringEquals: {
            [`${issuer}:aud`]: exact(audience, 'audience'),
            [`${issuer}:sub`]: names.length === 1 ? (names[0] as string) : names,
          },
        },
      },
    ],
  }
}

export interface PodIdentityTrust {
  readonly clusterArn: EksClusterArn
  readonly subject: ServiceAccountName
  readonly organizationId?: string
}

/** EKS Pod Identity for exactly this ServiceAccount of this cluster. Throws `TrustError`. */
export function podIdentityTrust({ clusterArn, subject, organizationId }: PodIdentityTrust): PolicyDocument {
  const { namespace, name } = checkedSubject(subject)
  const keys = {
    'aws:RequestTag/eks-cluster-arn': clusterArn,
    'aws:RequestTag/kubernetes-namespace': namespace,
    'aws:RequestTag/kubernetes-service-account': name,
    ...(organizationId ? { 'aws:SourceOrgId': exact(organizationId, 'organization id') } : {}),
  }
  return {
    version: '2012-10-17',
    statements: [
      {
        sid: 'AllowEksAuthToAssumeRoleForPodIdentity',
        effect: 'Allow',
        principal: { Service: 'pods.eks.amazonaws.com' },
        action: ['sts:AssumeRole', 'sts:TagSession'],
        condition: { StringEquals: keys },
      },
    ],
  }
}

/** `system:serviceaccount:NAMESPACE:NAME`, as it stands in a token's `sub`. */
export function renderSubject(subject: ServiceAccountName): string {
  const { namespace, name } = checkedSubject(subject)
  return `system:serviceaccount:${namespace}:${name}`
}

// Kubernetes' own rules. They leave no room for a colon, a star, a question mark or `${`, each of which would widen a statement.
const namespacePattern = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const namePattern = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/
const nameLengthMax = 253

function checkedSubject({ namespace, name }: ServiceAccountName): ServiceAccountName {
  if (!namespacePattern.test(namespace)) {
    throw new TrustError(`${JSON.stringify(namespace.slice(0, 200))} is no name of a namespace`)
  }
  if (name.length > nameLengthMax || !namePattern.test(name)) {
    throw new TrustError(`${JSON.stringify(name.slice(0, 200))} is no name of a ServiceAccount`)
  }
  return { namespace, name }
}

/** A value that means itself under every operator: no wildcard and no variable in it. */
function exact(value: string, what: string): string {
  // What may be an audience may stand alone in any exact statement.
  if (isAudience(value)) return value
  throw new TrustError(`${JSON.stringify(value.slice(0, 200))} cannot stand in an exact statement as ${what}`)
}
