// What each provider adds to a container and to its pod.
import { awsPart } from './aws-part.ts'
import type { OperandRequest, ProviderPart } from './request.ts'
import { secretVolume } from './secret-volume.ts'

const folder = '/etc/kubernetes'

/** What the operand calls a provider; undefined for one that there is none of. */
export function operandProvider(type: string, zone: string, isPrivate: boolean): string | undefined {
  switch (type) {
    case 'AWS':
      return 'aws'
    case 'GCP':
      return 'google'
    case 'Azure':
      return isPrivate || zone.toLowerCase().includes('privatednszones') ? 'azure-private-dns' : 'azure'
    case 'BlueCat':
      return 'bluecat'
    case 'Infoblox':
      return 'infoblox'
    default:
      return undefined
  }
}

export function providerPart(request: OperandRequest): ProviderPart {
  const { provider, ownership } = request.model.spec
  const txtPrefix = ownership?.txtPrefix ?? 'external-dns-'
  switch (provider.type) {
    case 'AWS':
      return awsPart(request, txtPrefix)
    case 'GCP':
      return gcpPart(request, txtPrefix)
    case 'Azure':
      return azurePart(request, txtPrefix)
    case 'BlueCat':
      return blueCatPart(request, txtPrefix)
    default:
      return infobloxPart(request, txtPrefix)
  }
}

/** Without a project there is still the volume: the existing operator leaves only what is in the container out. */
function gcpPart({ model, platform, secret }: OperandRequest, txtPrefix: string): ProviderPart {
  const { gcp } = model.spec.provider
  const isMounted = secret.name !== '' && (platform.isOpenShift || gcp !== undefined)
  const project = platform.isOpenShift ? platform.gcpProject : (gcp?.project ?? '')
  return {
    args: [`--txt-prefix=${txtPrefix}`, ...(project === '' ? [] : [`--google-project=${project}`])],
    env: isMounted ? [{ name: 'GOOGLE_APPLICATION_CREDENTIALS', value: `${folder}/gcp-credentials.json` }] : [],
    ...fileIn(secret.name, 'gcp-credentials-file', 'gcp-credentials.json', isMounted),
  }
}

function azurePart({ secret }: OperandRequest, txtPrefix: string): ProviderPart {
  const config = secret.name === '' ? [] : [`--azure-config-file=${folder}/azure.json`]
  return {
    args: [`--txt-prefix=${txtPrefix}`, '--txt-wildcard-replacement=any', ...config],
    env: [],
    ...fileIn(secret.name, 'azure-config-file', 'azure.json'),
  }
}

function blueCatPart({ secret }: OperandRequest, txtPrefix: string): ProviderPart {
  const config = secret.name === '' ? [] : [`--bluecat-config-file=${folder}/bluecat.json`]
  return {
    args: [`--txt-prefix=${txtPrefix}`, ...config],
    env: [],
    ...fileIn(secret.name, 'bluecat-config-file', 'bluecat.json'),
  }
}

function infobloxPart({ model, secret }: OperandRequest, txtPrefix: string): ProviderPart {
  const { infoblox } = model.spec.provider
  if (infoblox === undefined || secret.name === '') return { args: [], env: [], volumes: [], mounts: [] }
  const { wapiPort = 0, gridHost = '', wapiVersion = '', maxResults = 0, view } = infoblox
  const fromSecret = (key: string): object => ({ secretKeyRef: { name: secret.name, key } })
  return {
    args: [
      `--infoblox-wapi-port=${wapiPort}`,
      ...(gridHost === '' ? [] : [`--infoblox-grid-host=${gridHost}`]),
      ...(wapiVersion === '' ? [] : [`--infoblox-wapi-version=${wapiVersion}`]),
      ...(maxResults > 0 ? [`--infoblox-max-results=${maxResults}`] : []),
      ...(view === undefined || view === '' ? [] : [`--infoblox-view=${view}`]),
      `--txt-prefix=${txtPrefix}`,
    ],
    env: infobloxKeys.map(name => ({ name, valueFrom: fromSecret(name) })),
    volumes: [],
    mounts: [],
  }
}

export const infobloxKeys = ['EXTERNAL_DNS_INFOBLOX_WAPI_USERNAME', 'EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD'] as const

function fileIn(secretName: string, name: string, file: string, isMounted = true): Pick<ProviderPart, 'volumes' | 'mounts'> {
  if (secretName === '') return { volumes: [], mounts: [] }
  return {
    volumes: [secretVolume(name, secretName, { key: file, path: file })],
    mounts: isMounted ? [{ name, mountPath: folder, readOnly: true }] : [],
  }
}
