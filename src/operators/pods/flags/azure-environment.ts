// The environment of the Azure webhook (§3.8): who the tenant is, which cloud, and where the custom token endpoint lies. Refusals are worded
// as upstream words them, since people search for them.
import { FlagError } from '#base'
import type { CaSource, VolumeLayout } from '../azure/api.ts'
import { isObject, type PatchObject, type PatchValue } from '../patch.ts'

export type AzureVariables = Readonly<Record<string, string | undefined>>

export interface AzureEnvironment {
  readonly tenantId: string
  /** Of Entra, or the file that names it. */
  readonly authority: { readonly host: string } | { readonly file: string }
  readonly proxyImage: string
  readonly proxyInitImage: string
  readonly endpointProxyUrl: string
  readonly endpointSniName: string
  readonly ca: CaSource
  readonly namespace: string
}

/** With the prefix `CONFIG_` it wins, also when it is empty. */
export function configVariable(env: AzureVariables, name: string): string | undefined {
  return env[`CONFIG_${name}`] ?? env[name]
}

export function readAzureEnvironment(env: AzureVariables, layout: VolumeLayout): AzureEnvironment {
  const get = (name: string): string => configVariable(env, name) ?? ''
  const tenantId = configVariable(env, 'AZURE_TENANT_ID')
  if (tenantId === undefined) throw new FlagError('required key AZURE_TENANT_ID missing value')
  const labelSelector = readSelector(get('AZURE_KUBERNETES_CA_CTB_LABEL_SELECTOR'))
  if (tenantId === '') throw new FlagError('AZURE_TENANT_ID is required')
  const tag = upstreamRelease[layout]
  return {
    tenantId,
    ca: caSource(get, labelSelector),
    authority: authorityOf(get('AZURE_ENVIRONMENT'), env['AZURE_ENVIRONMENT_FILEPATH'] ?? ''),
    proxyImage: get('PROXY_IMAGE') || `${upstreamRegistry}/proxy:${tag}`,
    proxyInitImage: get('PROXY_INIT_IMAGE') || `${upstreamRegistry}/proxy-init:${tag}`,
    endpointProxyUrl: get('AZURE_KUBERNETES_TOKEN_PROXY'),
    endpointSniName: get('AZURE_KUBERNETES_SNI_NAME'),
    namespace: get('POD_NAMESPACE') || 'azure-workload-identity-system',
  }
}

/** Where the images of the proxy are kept that this program injects when it is told of no others. */
const upstreamRegistry = 'mcr.microsoft.com/oss/azure/workload-identity'
/** The release whose pods a layout makes. */
const upstreamRelease: Readonly<Record<VolumeLayout, string>> = { classic: 'v1.5.1', reserved: 'v1.6.0' }

const clouds: Readonly<Record<string, string>> = {
  '': 'https://login.microsoftonline.com/',
  AZURECLOUD: 'https://login.microsoftonline.com/',
  AZUREPUBLICCLOUD: 'https://login.microsoftonline.com/',
  AZUREUSGOVERNMENT: 'https://login.microsoftonline.us/',
  AZUREUSGOVERNMENTCLOUD: 'https://login.microsoftonline.us/',
  AZURECHINACLOUD: 'https://login.chinacloudapi.cn/',
  AZUREGERMANCLOUD: 'https://login.microsoftonline.de/',
}

const cloudTrouble = 'failed to get AAD endpoint'

function authorityOf(cloud: string, file: string): AzureEnvironment['authority'] {
  const name = cloud.toUpperCase()
  if (name === 'AZURESTACKCLOUD') return { file }
  const host = Object.hasOwn(clouds, name) ? clouds[name] : undefined
  if (host === undefined)
    throw new FlagError(
      `${cloudTrouble}: autorest/azure: There is no cloud environment matching the name ${JSON.stringify(name)}`,
    )
  return { host }
}

/** What the file of an Azure Stack says; without an endpoint there is no variable of it (§3.20). */
export function readStackFile(path: string, content: Uint8Array | undefined): string {
  if (content === undefined) throw new FlagError(`${cloudTrouble}: open ${path}: no such file or directory`)
  const file = readJson(new TextDecoder().decode(content))
  const endpoint = isObject(file) ? (file['activeDirectoryEndpoint'] ?? '') : undefined
  if (typeof endpoint === 'string') return endpoint
  throw new FlagError(`${cloudTrouble}: ${path} is no JSON object with a text as activeDirectoryEndpoint`)
}

/** Undefined for what is no JSON. */
function readJson(text: string): PatchValue | undefined {
  try {
    const value: PatchValue = JSON.parse(text)
    return value
  } catch {
    return undefined
  }
}

function caSource(get: (name: string) => string, labelSelector: PatchObject | undefined): CaSource {
  const [pem, name, signerName] = [
    get('AZURE_KUBERNETES_CA_DATA'),
    get('AZURE_KUBERNETES_CA_CONFIGMAP_NAME'),
    get('AZURE_KUBERNETES_CA_CTB_SIGNER_NAME'),
  ]
  if ([pem, name, signerName].filter(value => value !== '').length > 1)
    throw new FlagError(
      'only one of AZURE_KUBERNETES_CA_DATA, AZURE_KUBERNETES_CA_CONFIGMAP_NAME or AZURE_KUBERNETES_CA_CTB_SIGNER_NAME can be set',
    )
  if (labelSelector !== undefined && signerName === '')
    throw new FlagError('AZURE_KUBERNETES_CA_CTB_SIGNER_NAME needs to be set when AZURE_KUBERNETES_CA_CTB_LABEL_SELECTOR is set')
  if (pem !== '') return { kind: 'data', pem }
  if (name !== '') return { kind: 'config-map', name }
  return signerName === '' ? { kind: 'none' } : { kind: 'trust-bundle', signerName, labelSelector }
}

/** A LabelSelector as JSON; members that it does not have are dropped, and what is blank is not set. */
function readSelector(text: string): PatchObject | undefined {
  if (text.trim() === '') return undefined
  const wrong = (why: string): FlagError =>
    new FlagError(
      `envconfig.Process: assigning CONFIG_AZURE_KUBERNETES_CA_CTB_LABEL_SELECTOR to AzureKubernetesCACTBLabelSelector: converting '${text}' to type config.LabelSelectorPtr. details: failed to decode LabelSelector: ${why}`,
    )
  const value = readJson(text)
  const first = text.trimStart()[0] ?? ''
  if (value === undefined)
    throw wrong(/[[{"\dtfn-]/.test(first) ? 'it is no JSON' : `invalid character '${first}' looking for beginning of value`)
  if (value === null) return {}
  if (!isObject(value)) throw wrong('it is no object')
  const matchLabels = value['matchLabels'] ?? undefined
  const matchExpressions = value['matchExpressions'] ?? undefined
  if (matchLabels !== undefined && !isTextMap(matchLabels)) throw wrong('matchLabels is no map of texts')
  if (matchExpressions !== undefined && !Array.isArray(matchExpressions)) throw wrong('matchExpressions is no list')
  return {
    ...(isTextMap(matchLabels) && Object.keys(matchLabels).length > 0 ? { matchLabels } : {}),
    ...(Array.isArray(matchExpressions) && matchExpressions.length > 0 ? { matchExpressions } : {}),
  }
}

function isTextMap(value: PatchValue | undefined): value is PatchObject {
  return isObject(value) && Object.values(value).every(one => typeof one === 'string')
}
