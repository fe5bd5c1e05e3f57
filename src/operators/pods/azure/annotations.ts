// What annotations say, with the exact tolerance of the upstream: of the ServiceAccount who the pod is, of the pod how it is given it.
import {
  type AzureWebhookOptions,
  clientIdAnnotation,
  expirationAnnotation,
  expirationSecondsDefault,
  expirationSecondsLeast,
  expirationSecondsMost,
  injectProxyAnnotation,
  proxyPortAnnotation,
  proxyPortDefault,
  skipAnnotation,
  tenantIdAnnotation,
} from './api.ts'
import { parseGoInteger } from './go-integer.ts'

export type Annotations = Readonly<Record<string, string>>

/** Why a pod is not let in: a word for metrics, and the sentence that its user reads. */
export interface AzureRefusal {
  readonly refused: 'bad_expiration' | 'bad_port' | 'host_network' | 'windows'
  readonly message: string
}

/** An empty value sets no variable (§3.2). */
export function clientIdOf(account: Annotations): string {
  return account[clientIdAnnotation] ?? ''
}

export function tenantIdOf(account: Annotations, { tenantId }: Pick<AzureWebhookOptions, 'tenantId'>): string {
  return account[tenantIdAnnotation] ?? tenantId
}

/** The pod's where it says something, otherwise the ServiceAccount's, otherwise an hour. A bad value is no smaller fault for being hidden. */
export function expirationOf(pod: Annotations, account: Annotations): bigint | AzureRefusal {
  const text = pod[expirationAnnotation] || account[expirationAnnotation] || ''
  if (text === '') return expirationSecondsDefault
  const parsed = parseGoInteger(text, 64)
  if ('trouble' in parsed) return { refused: 'bad_expiration', message: parsed.trouble }
  const { value } = parsed
  if (value >= expirationSecondsLeast && value <= expirationSecondsMost) return value
  return {
    refused: 'bad_expiration',
    message: `token expiration ${value} not valid. Expected value to be between ${expirationSecondsLeast} and ${expirationSecondsMost}`,
  }
}

/** What Go's `strings.TrimSpace` takes away: U+0085 among it and U+FEFF not, which is the other way round in this language. */
const goSpaces = String.raw`[\t-\r \x85\xa0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000]+`
const edges = new RegExp(`^${goSpaces}|${goSpaces}$`, 'g')

/** Separated by semicolons; a comma is part of a name (§3.3). */
export function skippedContainers(pod: Annotations): ReadonlySet<string> {
  const list = pod[skipAnnotation] ?? ''
  return new Set(list === '' ? [] : list.split(';').map(name => name.replace(edges, '')))
}

/** By presence, as upstream has it; with the switch only where it says true (F-20). */
export function wantsProxy(pod: Annotations, { proxyRequiresTrue }: Pick<AzureWebhookOptions, 'proxyRequiresTrue'>): boolean {
  const asked = pod[injectProxyAnnotation]
  return asked !== undefined && (!proxyRequiresTrue || asked.toLowerCase() === 'true')
}

/** Any number of 32 bits, as upstream reads it; whether it is a port is asked where it becomes one. */
export function proxyPortOf(pod: Annotations): number | AzureRefusal {
  const text = pod[proxyPortAnnotation]
  if (text === undefined) return proxyPortDefault
  const parsed = parseGoInteger(text, 32)
  if ('trouble' in parsed) return { refused: 'bad_port', message: `failed to parse proxy sidecar port: ${parsed.trouble}` }
  return Number(parsed.value)
}

/** Whether the pod's token is for the custom endpoint (§3.11). */
export function wantsTokenEndpoint(pod: Annotations, { tokenEndpoint }: Pick<AzureWebhookOptions, 'tokenEndpoint'>): boolean {
  return tokenEndpoint !== undefined && pod[tokenEndpoint.annotation]?.toLowerCase() === 'true'
}
