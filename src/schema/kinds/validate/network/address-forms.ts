// Addresses and networks in forms that are still read and will not be for ever: zeros in front, IPv4 inside IPv6, long or upper-case IPv6.
import { fieldError } from '../../../field-error.ts'
import {
  type IpAddress,
  type IpNetwork,
  isMapped,
  maskedNetwork,
  networkContains,
  parseIp,
  parseNetwork,
  renderIp,
  sameIp,
} from '../../../ip.ts'
import type { Errors } from '../checks.ts'

export const networkText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'

/** An address in any form; IPv4 inside IPv6 is IPv4. */
export function readIp(text: string): IpAddress | undefined {
  const address = parseIp(withoutPadding(text))
  return address === undefined ? undefined : unmapped(address)
}

/** An address as it is written now; what is none stays. */
export function usualIp(text: string): string {
  const address = readIp(text)
  return address === undefined ? text : renderIp(address)
}

function unmapped(address: IpAddress): IpAddress {
  return isMapped(address) ? { family: 4, bytes: address.bytes.slice(12) } : address
}

function withoutPadding(text: string): string {
  const start = text.lastIndexOf(':') + 1
  const quad = text.slice(start)
  if (!/^\d+\.\d+\.\d+\.\d+$/.test(quad)) return text
  return text.slice(0, start) + quad.split('.').map(Number).join('.')
}

export function isPadded(text: string): boolean {
  return withoutPadding(text) !== text
}

export function readNetwork(text: string): IpNetwork | undefined {
  const network = parseNetwork(withoutNetworkPadding(text))
  return network === undefined ? undefined : unmappedNetwork(network)
}

function unmappedNetwork(network: IpNetwork): IpNetwork {
  const { address, prefixLength } = network
  return isMapped(address) && prefixLength >= 96 ? { address: unmapped(address), prefixLength: prefixLength - 96 } : network
}

function withoutNetworkPadding(text: string): string {
  const slash = text.lastIndexOf('/')
  if (slash < 0) return text
  return `${withoutPadding(text.slice(0, slash))}/${text.slice(slash + 1).replace(/^0+(?=\d)/, '')}`
}

function isStandard(text: string): boolean {
  const address = parseIp(text)
  return address !== undefined && !isMapped(address)
}

const notForLong = 'will be considered invalid in a future Kubernetes release: use'

/** What is told of an address that is taken as it is. */
export function ipWarnings(text: string, at: string): readonly string[] {
  const address = readIp(text)
  if (address === undefined) return []
  const usual = renderIp(address)
  if (!isStandard(text)) return [`${at}: non-standard IP address "${text}" ${notForLong} "${usual}"`]
  return text === usual ? [] : [`${at}: IPv6 address "${text}" should be in RFC 5952 canonical format ("${usual}")`]
}

export function networkWarnings(text: string, at: string): readonly string[] {
  const network = parseNetwork(withoutNetworkPadding(text))
  if (network === undefined) return []
  const masked = maskedNetwork(network)
  const usual = renderNetwork(masked)
  const warnings: string[] = []
  const isAmbiguous = !sameIp(masked.address, network.address)
  if (isAmbiguous) {
    const alone = `${renderIp(unmapped(network.address))}/${network.address.bytes.length * 8}`
    warnings.push(`${at}: CIDR value "${text}" is ambiguous in this context (should be "${usual}" or "${alone}"?)`)
  }
  if (withoutNetworkPadding(text) !== text || isMapped(network.address))
    warnings.push(`${at}: non-standard CIDR value "${text}" ${notForLong} "${usual}"`)
  else if (!isAmbiguous && text !== usual)
    warnings.push(`${at}: IPv6 CIDR value "${text}" should be in RFC 5952 canonical format ("${usual}")`)
  return warnings
}

function renderNetwork(network: IpNetwork): string {
  const { address, prefixLength } = unmappedNetwork(network)
  return `${renderIp(address)}/${prefixLength}`
}

/** Addresses that nobody can be reached at from elsewhere. */
const ownRanges = [
  { networks: ['127.0.0.0/8', '::1/128'], name: 'loopback range (127.0.0.0/8, ::1/128)' },
  { networks: ['169.254.0.0/16', 'fe80::/10'], name: 'link-local range (169.254.0.0/16, fe80::/10)' },
  // Of addresses for many in version 6 the last four bits before the rest say how far they reach; the text names them in another way.
  {
    networks: ['224.0.0.0/24', ...Array.from({ length: 16 }, (_, flags) => `ff${flags.toString(16)}2::/16`)],
    name: 'link-local multicast range (224.0.0.0/24, ff02::/10)',
  },
].map(({ networks, name }) => ({ networks: networks.flatMap(network => parseNetwork(network) ?? []), name }))

export function checkReachable(address: IpAddress, text: string, at: string, errors: Errors): void {
  if (address.bytes.every(byte => byte === 0)) errors.push(fieldError.invalid(at, text, `may not be unspecified (${text})`))
  for (const { networks, name } of ownRanges)
    if (networks.some(network => networkContains(network, address)))
      errors.push(fieldError.invalid(at, text, `may not be in the ${name}`))
}
