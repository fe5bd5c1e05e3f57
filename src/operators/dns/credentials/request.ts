// CredentialsRequests: how OpenShift is asked for credentials. One for each provider, shared by all objects and never deleted; one of its own
// for an object whose role is named.
import { given } from '#base'
import type { KubeObject, ResourceType } from '#kube'
import { operandName, platformSecretName } from '../api/names.ts'
import { type DnsSpec, isManagedProvider, namedSecret } from '../api/spec.ts'
import { isGovCloud } from '../operand/aws-part.ts'
import type { Platform } from '../operand/request.ts'

export const credentialsRequests: ResourceType = {
  group: 'cloudcredential.openshift.io',
  version: 'v1',
  kind: 'CredentialsRequest',
  plural: 'credentialsrequests',
  namespaced: true,
}

export const requestNamespace = 'openshift-cloud-credential-operator'
const apiVersion = 'cloudcredential.openshift.io/v1'

export type CredentialsRequest = KubeObject & {
  readonly spec: {
    readonly providerSpec: Readonly<Record<string, unknown>>
    readonly secretRef: { readonly name: string; readonly namespace: string }
    readonly serviceAccountNames: readonly string[]
    readonly cloudTokenPath?: string
  }
}

export interface CredentialsAsking {
  readonly name: string
  readonly spec: DnsSpec
  readonly platform: Platform
  readonly operatorNamespace: string
}

/** Undefined where nothing is asked of the platform. */
export function wantedCredentialsRequest({
  name,
  spec,
  platform,
  operatorNamespace,
}: CredentialsAsking): CredentialsRequest | undefined {
  const { type, aws } = spec.provider
  const identity = type === 'AWS' ? aws?.workloadIdentity : undefined
  if (!platform.isOpenShift || !isManagedProvider(type)) return undefined
  if (identity !== undefined && identity.mode !== 'OpenShiftSTS') return undefined
  if (identity === undefined && namedSecret(spec) !== '') return undefined
  const own = identity === undefined ? '' : `-${name}`
  const tokenPath = '/var/run/secrets/openshift/serviceaccount/token'
  return {
    apiVersion,
    kind: 'CredentialsRequest',
    metadata: { name: `externaldns-credentials-request-${type.toLowerCase()}${own}`, namespace: requestNamespace },
    spec: {
      providerSpec: providerSpec(type, platform, identity?.roleARN),
      secretRef: { name: `${platformSecretName}${own}`, namespace: operatorNamespace },
      serviceAccountNames: [identity === undefined ? 'external-dns-operator' : operandName(name)],
      ...(identity === undefined ? {} : { cloudTokenPath: tokenPath }),
    },
  }
}

function providerSpec(type: string, platform: Platform, roleArn: string | undefined): Readonly<Record<string, unknown>> {
  if (type === 'GCP') return { apiVersion, kind: 'GCPProviderSpec', predefinedRoles: ['roles/dns.admin'] }
  if (type === 'Azure') return { apiVersion, kind: 'AzureProviderSpec', roleBindings: [{ role: 'Contributor' }] }
  const partition = platform.type === 'AWS' && isGovCloud(platform.awsRegion) ? 'aws-us-gov' : 'aws'
  return {
    apiVersion,
    kind: 'AWSProviderSpec',
    statementEntries: [
      { effect: 'Allow', action: ['route53:ChangeResourceRecordSets'], resource: `arn:${partition}:route53:::hostedzone/*` },
      {
        effect: 'Allow',
        action: ['route53:ListHostedZones', 'route53:ListResourceRecordSets', 'tag:GetResources', 'sts:AssumeRole'],
        resource: '*',
      },
    ],
    ...given({ stsIAMRoleARN: roleArn }),
  }
}
