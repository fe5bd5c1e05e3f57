// `spec.provider` in each version: whose zones, and with which credentials.
import { type Presence, type Schema, schema as s } from '#kube'
import type { ApiVersionName } from './names.ts'

type Fields = Readonly<Record<string, Schema<unknown, Presence>>>

const providerTypes = ['AWS', 'GCP', 'Azure', 'BlueCat', 'Infoblox'] as const

export function providerSchema(version: ApiVersionName): Schema<unknown> {
  return s
    .object({
      type: s.oneOf(...providerTypes).describe('Who serves the zones.'),
      aws: awsSchema(version).optional(),
      gcp: gcpSchema(version).optional(),
      azure: azureSchema(version).optional(),
      blueCat: s
        .object({ configFile: secret('Secret in the namespace of the operator, with the key bluecat.json.') })
        .optional()
        .describe('Of BlueCat.'),
      infoblox: infobloxSchema(version).optional(),
    })
    .describe('Whose zones are written, and with which credentials.')
}

const roleArnPattern = '^arn:(aws|aws-cn|aws-us-gov|aws-iso[a-z-]*):iam::[0-9]{12}:role/.+$'

function awsSchema(version: ApiVersionName): Schema<unknown> {
  const credentials = secretOf(
    'Secret in the namespace of the operator: aws_access_key_id and aws_secret_access_key, or credentials, a shared credentials file.',
    version,
  )
  const fields: Fields = {
    credentials: version === 'v1beta1' ? credentials.default({ name: '' }) : credentials,
    ...(version === 'v1alpha1' ? {} : { assumeRole: assumeRoleSchema(version).optional() }),
    ...(version === 'v1beta2' ? newAwsFields : {}),
  }
  return s.object(fields).describe('Of AWS.')
}

function assumeRoleSchema(version: ApiVersionName): Schema<unknown> {
  if (version !== 'v1beta2')
    return s.object({ arn: s.string().describe('The role that is assumed for all calls.') }).describe('A role to assume.')
  const arn = s.string({ pattern: roleArnPattern, maxLength: 2048 }).describe('The role that is assumed for all calls.')
  const externalID = s
    .string({ minLength: 2, maxLength: 1224, pattern: '^[\\w+=,.@:/-]*$' })
    .describe('What the trust policy of the role asks for, where its owner is another organisation.')
  return s.object({ arn, externalID: externalID.optional() }).describe('A role to assume, in this account or in another.')
}

const newAwsFields: Fields = {
  workloadIdentity: workloadIdentitySchema().optional(),
  region: s.string({ minLength: 1 }).optional().describe('Region of the endpoints; what the platform says without it.'),
  preferCNAME: s.boolean().optional().describe('Write CNAME records where ALIAS would do.'),
  zoneType: s.oneOf('Public', 'Private').optional().describe('Zones of this type only.'),
  zoneTags: s.map(s.string()).optional().describe('Zones with all of these tags only.'),
}

function workloadIdentitySchema(): Schema<unknown> {
  return s
    .object({
      mode: s
        .oneOf('IRSA', 'PodIdentity', 'OpenShiftSTS', 'Binding')
        .describe('Where the pod gets its identity from: there is no Secret then.'),
      roleARN: s.string({ pattern: roleArnPattern, maxLength: 2048 }).optional().describe('Required for IRSA and OpenShiftSTS.'),
      audience: s.string({ minLength: 1 }).optional().describe('Of the token; sts.amazonaws.com without it.'),
      tokenExpirationSeconds: s
        .integer({ format: 'int32', minimum: 600, maximum: 86400 })
        .optional()
        .describe('How long a token lives; 86400 without it.'),
      regionalEndpoints: s.boolean().optional().describe('Ask STS in the region; true without it.'),
      projectToken: s
        .boolean()
        .optional()
        .describe('IRSA on clusters without its webhook: token and variables are put into the pod here.'),
      bindingRef: bindingRefSchema().optional(),
    })
    .rule({
      rule: "!(self.mode in ['IRSA', 'OpenShiftSTS']) || has(self.roleARN)",
      message: 'roleARN is required for IRSA and OpenShiftSTS',
    })
    .rule({ rule: "self.mode != 'Binding' || has(self.bindingRef)", message: 'bindingRef is required for Binding' })
    .describe('Identity of the pod instead of a Secret.')
}

function bindingRefSchema(): Schema<unknown> {
  return s
    .object({
      apiVersion: s.string({ minLength: 1 }).optional().describe('aws.identity.appthrust.io/v1alpha1 without it.'),
      kind: s.string({ minLength: 1 }).optional().describe('AWSServiceAccountRole without it.'),
      namespace: s.string({ minLength: 1 }).describe('Where the binding is.'),
      name: s.string({ minLength: 1 }).describe('Its name.'),
      create: s.boolean().optional().describe('Make it, with the rights that the operand needs, when it is not there.'),
    })
    .describe('The object that binds the ServiceAccount of the operand to a role.')
}

function gcpSchema(version: ApiVersionName): Schema<unknown> {
  const credentials = secretOf('Secret in the namespace of the operator, with the key gcp-credentials.json.', version)
  return s.object({ project: s.string().optional().describe('Project of the zones.'), credentials }).describe('Of Google Cloud.')
}

function azureSchema(version: ApiVersionName): Schema<unknown> {
  return s
    .object({ configFile: secretOf('Secret in the namespace of the operator, with the key azure.json.', version) })
    .describe('Of Azure.')
}

function infobloxSchema(version: ApiVersionName): Schema<unknown> {
  const fields: Fields = {
    credentials: secret(
      'Secret in the namespace of the operator: EXTERNAL_DNS_INFOBLOX_WAPI_USERNAME and EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD.',
    ),
    gridHost: s.string().describe('Host of the grid master.'),
    wapiPort: s.integer().describe('Port of WAPI.'),
    wapiVersion: s.string().describe('Version of WAPI.'),
    ...(version === 'v1alpha1' ? {} : { maxResults: maxResults.optional() }),
    ...(version === 'v1beta2' ? { view: s.string().optional().describe('DNS view.') } : {}),
  }
  return s.object(fields).describe('Of Infoblox.')
}

const maxResults = s
  .integer({ minimum: 0, maximum: 10000 })
  .describe('Objects in one answer; what the server says when 0 or absent.')

/** Optional in the newest version, where an empty name cannot be said either. */
function secretOf(text: string, version: ApiVersionName): Schema<{ readonly name: string }, Presence> {
  return version === 'v1beta2' ? secret(text, 1).optional() : secret(text)
}

function secret(text: string, minLength?: number): Schema<{ readonly name: string }> {
  const name = s.string(minLength === undefined ? {} : { minLength }).describe('Name of the Secret.')
  return s.object({ name }).describe(text)
}
