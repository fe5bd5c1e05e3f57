// What AWS adds to a container: the Secret or another identity, the role to assume, and which zones are meant.
import type { AwsSpec, WorkloadIdentity } from '../api/spec.ts'
import type { EnvVar, OperandRequest, OperandVolume, ProviderPart, VolumeMount } from './request.ts'
import { secretVolume } from './secret-volume.ts'

const govCloudRegions = new Set(['us-gov-east-1', 'us-gov-west-1'])

/** By the region alone, as the arguments have it; the partition of a CredentialsRequest asks for the type of the platform as well. */
export function isGovCloud(region: string): boolean {
  return govCloudRegions.has(region)
}

export function awsPart({ model, platform, secret }: OperandRequest, txtPrefix: string): ProviderPart {
  const { aws = {} } = model.spec.provider
  const isGov = isGovCloud(platform.awsRegion)
  const region = aws.region ?? (isGov ? platform.awsRegion : undefined)
  const file = secret.name === '' ? nothing : credentialsFile(secret.name)
  const identity = projectedIdentity(aws.workloadIdentity)
  return {
    args: [`--txt-prefix=${txtPrefix}`, ...(isGov || aws.preferCNAME === true ? ['--aws-prefer-cname'] : []), ...roleArgs(aws)],
    env: [...(region === undefined ? [] : [{ name: 'AWS_REGION', value: region }]), ...file.env, ...identity.env],
    volumes: [...file.volumes, ...identity.volumes],
    mounts: [...file.mounts, ...identity.mounts],
  }
}

interface Files {
  readonly env: readonly EnvVar[]
  readonly volumes: readonly OperandVolume[]
  readonly mounts: readonly VolumeMount[]
}

const nothing: Files = { env: [], volumes: [], mounts: [] }

function roleArgs({ assumeRole, zoneType, zoneTags = {} }: AwsSpec): readonly string[] {
  const { externalID } = assumeRole ?? {}
  return [
    ...(assumeRole === undefined ? [] : [`--aws-assume-role=${assumeRole.arn ?? ''}`]),
    ...(externalID === undefined ? [] : [`--aws-assume-role-external-id=${externalID}`]),
    ...(zoneType === undefined ? [] : [`--aws-zone-type=${zoneType.toLowerCase()}`]),
    ...Object.keys(zoneTags)
      .sort()
      .map(key => `--aws-zone-tags=${key}=${zoneTags[key]}`),
  ]
}

/** The file may name a role and a token instead of keys: the token of the ServiceAccount is there for that. */
function credentialsFile(secretName: string): Files {
  const token = { serviceAccountToken: { audience: 'openshift', expirationSeconds: 3600, path: 'token' } }
  const folder = '/etc/kubernetes'
  return {
    env: [{ name: 'AWS_SHARED_CREDENTIALS_FILE', value: `${folder}/aws-credentials` }],
    volumes: [
      secretVolume('aws-credentials', secretName, { key: 'credentials', path: 'aws-credentials' }),
      { name: 'bound-sa-token', projected: { sources: [token] } },
    ],
    mounts: [
      { name: 'aws-credentials', mountPath: folder, readOnly: true },
      { name: 'bound-sa-token', mountPath: '/var/run/secrets/openshift/serviceaccount', readOnly: true },
    ],
  }
}

export const audienceDefault = 'sts.amazonaws.com'
export const expirationDefault = 86_400

/** On clusters without the webhook that would do it. */
function projectedIdentity(identity: WorkloadIdentity | undefined): Files {
  if (identity?.mode !== 'IRSA' || identity.projectToken !== true) return nothing
  const folder = '/var/run/secrets/eks.amazonaws.com/serviceaccount'
  const { audience = audienceDefault, tokenExpirationSeconds: expirationSeconds = expirationDefault, roleARN = '' } = identity
  const regional = identity.regionalEndpoints === false ? 'legacy' : 'regional'
  return {
    env: [
      { name: 'AWS_ROLE_ARN', value: roleARN },
      { name: 'AWS_WEB_IDENTITY_TOKEN_FILE', value: `${folder}/token` },
      { name: 'AWS_STS_REGIONAL_ENDPOINTS', value: regional },
    ],
    volumes: [
      {
        name: 'aws-iam-token',
        projected: { sources: [{ serviceAccountToken: { audience, expirationSeconds, path: 'token' } }] },
      },
    ],
    mounts: [{ name: 'aws-iam-token', mountPath: folder, readOnly: true }],
  }
}
