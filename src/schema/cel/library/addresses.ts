// IP addresses and networks.
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
} from '../../ip.ts'
import { CelOpaque, type CelValue, EvalError } from '../values.ts'
import type { LibraryFunction } from './function.ts'

const ipName = 'net.IP'
const cidrName = 'net.CIDR'

export const addresses: Readonly<Record<string, LibraryFunction>> = {
  isIP: ([text, family]) => isIp(text, family),
  ip: ([value]) => (typeof value === 'string' ? ipValue(readIp(value)) : undefined),
  'ip.isCanonical': ([text]) => (typeof text === 'string' ? renderIp(readIp(text)) === text : undefined),
  'ip.isCIDR': ([text]) => (typeof text === 'string' ? parseNetwork(text) !== undefined : undefined),
  family: ([value]) => onIp(value, address => BigInt(address.family)),
  isUnspecified: ([value]) => onIp(value, address => address.bytes.every(byte => byte === 0)),
  isLoopback: ([value]) => onIp(value, isLoopback),
  isLinkLocalMulticast: ([value]) => onIp(value, isLinkLocalMulticast),
  isLinkLocalUnicast: ([value]) => onIp(value, isLinkLocalUnicast),
  isGlobalUnicast: ([value]) => onIp(value, isGlobalUnicast),
  isCIDR: ([text]) => (typeof text === 'string' ? readableNetwork(text) : undefined),
  cidr: ([text]) => (typeof text === 'string' ? cidrValue(readNetwork(text)) : undefined),
  containsIP: ([network, address]) => containsIp(network, address),
  containsCIDR: ([network, other]) => containsCidr(network, other),
  prefixLength: ([network]) => onCidr(network, value => BigInt(value.prefixLength)),
  masked: ([network]) => onCidr(network, value => cidrValue(maskedNetwork(value))),
}

/** `ip()` of a network has the name of the conversion; the registry tells the two apart by their argument. */
export function ipOfNetwork(value: CelValue | undefined): CelValue | undefined {
  return onCidr(value, network => ipValue(network.address))
}

interface IpContent {
  readonly text: string
  readonly address: IpAddress
}

interface CidrContent {
  readonly text: string
  readonly network: IpNetwork
}

function ipValue(address: IpAddress): CelOpaque {
  const content: IpContent = { text: renderIp(address), address }
  return new CelOpaque(ipName, content, other => sameIp(address, (other.content as IpContent).address))
}

function cidrValue(network: IpNetwork): CelOpaque {
  const content: CidrContent = { text: `${renderIp(network.address)}/${network.prefixLength}`, network }
  return new CelOpaque(cidrName, content, other => {
    const that = (other.content as CidrContent).network
    return that.prefixLength === network.prefixLength && sameIp(that.address, network.address)
  })
}

/** Zones are not taken, and an IPv4 address must not come dressed as IPv6. */
function readIp(text: string): IpAddress {
  const address = parseIp(text)
  const say = (why: string): EvalError =>
    new EvalError(`IP Address ${JSON.stringify(text)} parse error during conversion from string: ${why}`)
  if (address === undefined) throw say(`ParseAddr(${JSON.stringify(text)}): ${ipProblem(text)}`)
  if (isMapped(address)) throw new EvalError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
  return address
}

function ipProblem(text: string): string {
  if (!/[.:]/.test(text)) return 'unable to parse IP'
  return text.includes(':') ? 'each colon-separated field must have at least one digit' : 'IPv4 address too short'
}

function readNetwork(text: string): IpNetwork {
  const network = parseNetwork(text)
  const head = 'network address parse error during conversion from string: '
  if (network === undefined)
    throw new EvalError(
      `${head}${head}netip.ParsePrefix(${JSON.stringify(text)}): ${text.includes('/') ? 'bad bits after slash' : "no '/'"}`,
    )
  if (isMapped(network.address)) throw new EvalError(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`)
  return network
}

function readableNetwork(text: string): boolean {
  const network = parseNetwork(text)
  return network !== undefined && !isMapped(network.address)
}

function isIp(text: CelValue | undefined, family: CelValue | undefined): boolean | undefined {
  if (typeof text !== 'string' || (family !== undefined && typeof family !== 'bigint')) return undefined
  const address = parseIp(text)
  if (address === undefined || isMapped(address)) return false
  return family === undefined || BigInt(address.family) === family
}

function onIp(value: CelValue | undefined, work: (address: IpAddress) => CelValue): CelValue | undefined {
  return value instanceof CelOpaque && value.type === ipName ? work((value.content as IpContent).address) : undefined
}

function onCidr(value: CelValue | undefined, work: (network: IpNetwork) => CelValue): CelValue | undefined {
  return value instanceof CelOpaque && value.type === cidrName ? work((value.content as CidrContent).network) : undefined
}

function containsIp(network: CelValue | undefined, address: CelValue | undefined): CelValue | undefined {
  if (typeof address === 'string') return onCidr(network, value => networkContains(value, readIp(address)))
  return onIp(address, ip => onCidr(network, value => networkContains(value, ip)) ?? false)
}

function containsCidr(network: CelValue | undefined, other: CelValue | undefined): CelValue | undefined {
  const inside = (outer: IpNetwork, inner: IpNetwork): boolean =>
    inner.prefixLength >= outer.prefixLength && networkContains(outer, inner.address)
  if (typeof other === 'string') return onCidr(network, outer => inside(outer, readNetwork(other)))
  return onCidr(other, inner => onCidr(network, outer => inside(outer, inner)) ?? false)
}

function isLoopback({ family, bytes }: IpAddress): boolean {
  if (family === 4) return bytes[0] === 127
  return bytes.slice(0, 15).every(byte => byte === 0) && bytes[15] === 1
}

function isLinkLocalMulticast({ family, bytes }: IpAddress): boolean {
  if (family === 4) return bytes[0] === 224 && bytes[1] === 0 && bytes[2] === 0
  return bytes[0] === 0xff && ((bytes[1] as number) & 0x0f) === 2
}

function isLinkLocalUnicast({ family, bytes }: IpAddress): boolean {
  if (family === 4) return bytes[0] === 169 && bytes[1] === 254
  return bytes[0] === 0xfe && ((bytes[1] as number) & 0xc0) === 0x80
}

function isMulticast({ family, bytes }: IpAddress): boolean {
  return family === 4 ? ((bytes[0] as number) & 0xf0) === 224 : bytes[0] === 0xff
}

function isGlobalUnicast(address: IpAddress): boolean {
  const { family, bytes } = address
  if (family === 4 && bytes.every(byte => byte === 255)) return false
  if (bytes.every(byte => byte === 0)) return false
  return !isLoopback(address) && !isMulticast(address) && !isLinkLocalUnicast(address)
}
