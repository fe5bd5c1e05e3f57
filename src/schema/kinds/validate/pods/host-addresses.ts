// Addresses of other hosts that a pod is given. They have been read more leniently than others for ever, and are only warned of.
import { type IpAddress, isMapped, parseIp, renderIp } from '../../../ip.ts'

/** Zeros before the numbers of an IPv4 address say nothing. */
export function parseHostIp(text: string): IpAddress | undefined {
  return parseIp(/^[\d.]+$/.test(text) ? text.replaceAll(/(^|\.)0+(?=\d)/g, '$1') : text)
}

/** What is odd about an address that can be read. */
export function hostIpWarning(text: string): string | undefined {
  const address = parseHostIp(text)
  if (address === undefined) return undefined
  const plain = renderIp(isMapped(address) ? { family: 4, bytes: address.bytes.slice(12) } : address)
  const isStandard = !isMapped(address) && parseIp(text) !== undefined
  const future = 'will be considered invalid in a future Kubernetes release'
  if (!isStandard) return `non-standard IP address ${JSON.stringify(text)} ${future}: use ${JSON.stringify(plain)}`
  if (plain === text) return undefined
  return `IPv6 address ${JSON.stringify(text)} should be in RFC 5952 canonical format (${JSON.stringify(plain)})`
}
