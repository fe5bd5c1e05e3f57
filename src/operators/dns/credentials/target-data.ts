// What the Secret that the operand mounts holds, from the Secret that was named or that the platform wrote. Values are bytes: what is copied
// is copied as it is.
import { type DnsSpec, isManagedProvider, namedSecret } from '../api/spec.ts'
import { infobloxKeys } from '../operand/provider-part.ts'

export type SecretData = Readonly<Record<string, Uint8Array>>

export type TargetData = { readonly data: SecretData; readonly flaw?: string } | { readonly problem: string }

export function targetData(spec: DnsSpec, source: SecretData, isOpenShift: boolean): TargetData {
  const isNamed = namedSecret(spec) !== ''
  return isOpenShift && !isNamed ? fromPlatform(spec.provider.type, source) : fromUser(spec.provider.type, source)
}

function fromPlatform(type: string, source: SecretData): TargetData {
  if (!isManagedProvider(type)) return { data: {} }
  if (type === 'AWS') return { data: source, ...flawOf(hasAwsContent(source), 'the secret of the platform has no usable keys') }
  if (type === 'GCP') {
    const file = source['service_account.json'] ?? new Uint8Array()
    return {
      data: { 'gcp-credentials.json': file },
      ...flawOf(file.length > 0, 'the secret of the platform has no service account'),
    }
  }
  const missing = azureFields.filter(([, key]) => isEmpty(source, key)).map(([, key]) => key)
  const flaw = missing.length === 0 ? {} : { flaw: `the secret of the platform lacks ${missing.join(', ')}` }
  return { data: { 'azure.json': Buffer.from(azureFile(source)) }, ...flaw }
}

function flawOf(isWell: boolean, flaw: string): { readonly flaw?: string } {
  return isWell ? {} : { flaw }
}

function hasAwsContent(source: SecretData): boolean {
  return !isEmpty(source, 'credentials') || (!isEmpty(source, accessKey) && !isEmpty(source, secretKey))
}

const accessKey = 'aws_access_key_id'
const secretKey = 'aws_secret_access_key'

/** In the order in which a Go program writes them. */
const azureFields = [
  ['aadClientId', 'azure_client_id'],
  ['aadClientSecret', 'azure_client_secret'],
  ['resourceGroup', 'azure_resourcegroup'],
  ['subscriptionId', 'azure_subscription_id'],
  ['tenantId', 'azure_tenant_id'],
] as const

function azureFile(source: SecretData): string {
  const text = (key: string): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(source[key])
  return goJson(Object.fromEntries(azureFields.map(([field, key]) => [field, text(key)])))
}

/** As Go's encoder writes it: other bytes would be another hash, and restart every pod once. */
export function goJson(value: unknown): string {
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function fromUser(type: string, source: SecretData): TargetData {
  switch (type) {
    case 'AWS':
      return awsFile(source)
    case 'Azure':
      return withKey(source, 'azure.json', 'invalid config for azure')
    case 'GCP':
      return withKey(source, 'gcp-credentials.json', 'invalid credentials for GCP')
    case 'BlueCat':
      return withKey(source, 'bluecat.json', 'invalid config for bluecat')
    case 'Infoblox':
      return infobloxData(source)
    default:
      return { data: source }
  }
}

function withKey(source: SecretData, key: string, problem: string): TargetData {
  return isEmpty(source, key) ? { problem } : { data: source }
}

function infobloxData(source: SecretData): TargetData {
  const [username, password] = infobloxKeys
  if (isEmpty(source, username)) return { problem: 'invalid credentials for infoblox: username not found' }
  if (isEmpty(source, password)) return { problem: 'invalid credentials for infoblox: password not found' }
  return { data: source }
}

/** A file that is there wins over keys. */
function awsFile(source: SecretData): TargetData {
  if (!isEmpty(source, 'credentials')) return { data: source }
  if (isEmpty(source, accessKey) || isEmpty(source, secretKey)) return { problem: 'invalid secret for aws credentials' }
  const file = Buffer.concat([
    Buffer.from(`[default]\n${accessKey} = `),
    source[accessKey] ?? new Uint8Array(),
    Buffer.from(`\n${secretKey} = `),
    source[secretKey] ?? new Uint8Array(),
  ])
  return { data: { ...source, credentials: file } }
}

function isEmpty(source: SecretData, key: string): boolean {
  return (source[key]?.length ?? 0) === 0
}
