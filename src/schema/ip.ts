// IP addresses and networks, read as strictly as the server reads them: no leading zeros, no zones, no IPv4 inside IPv6 unless allowed.

export interface IpAddress {
  readonly family: 4 | 6
  /** 4 or 16 bytes. */
  readonly bytes: readonly number[]
}

export interface IpNetwork {
  readonly address: IpAddress
  readonly prefixLength: number
}

export function parseIp(text: string): IpAddress | undefined {
  return text.includes(':') ? parseIpv6(text) : parseIpv4(text)
}

export function parseIpv4(text: string): IpAddress | undefined {
  const parts = text.split('.')
  if (parts.length !== 4) return undefined
  const bytes: number[] = []
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined
    bytes.push(Number(part))
  }
  return { family: 4, bytes }
}

function parseIpv6(text: string): IpAddress | undefined {
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const head = groups(halves[0] as string, halves.length === 1)
  const tail = halves.length === 2 ? groups(halves[1] as string, true) : []
  if (head === undefined || tail === undefined) return undefined
  const missing = 16 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 2) return undefined
  return { family: 6, bytes: [...head, ...zeros(missing), ...tail] }
}

/** The bytes of colon-separated groups; the last may be an IPv4 address. */
function groups(text: string, mayEndInIpv4: boolean): number[] | undefined {
  if (text === '') return []
  const bytes: number[] = []
  const parts = text.split(':')
  for (const [index, part] of parts.entries()) {
    if (part.includes('.')) {
      const ipv4 = mayEndInIpv4 && index === parts.length - 1 ? parseIpv4(part) : undefined
      if (ipv4 === undefined) return undefined
      bytes.push(...ipv4.bytes)
      continue
    }
    if (!/^[0-9a-fA-F]{1,4}$/.test(part)) return undefined
    const group = Number.parseInt(part, 16)
    bytes.push(group >> 8, group & 255)
  }
  return bytes
}

export function parseNetwork(text: string): IpNetwork | undefined {
  const [, host = '', length] = /^([^/]*)\/(0|[1-9]\d{0,2})$/.exec(text) ?? []
  const address = parseIp(host)
  if (address === undefined) return undefined
  const prefixLength = Number(length)
  return prefixLength > address.bytes.length * 8 ? undefined : { address, prefixLength }
}

/** The shortest form: the longest run of zero groups as `::`, lower case. */
export function renderIp(address: IpAddress): string {
  if (address.family === 4) return address.bytes.join('.')
  const values: number[] = []
  for (let i = 0; i < 16; i += 2) values.push(((address.bytes[i] as number) << 8) | (address.bytes[i + 1] as number))
  if (isMapped(address)) return `::ffff:${address.bytes.slice(12).join('.')}`
  const [start, length] = longestZeros(values)
  const hex = values.map(value => value.toString(16))
  if (length < 2) return hex.join(':')
  return `${hex.slice(0, start).join(':')}::${hex.slice(start + length).join(':')}`
}

/** An IPv4 address in IPv6 clothes (`::ffff:1.2.3.4`). */
export function isMapped(address: IpAddress): boolean {
  return (
    address.family === 6 &&
    address.bytes.slice(0, 10).every(byte => byte === 0) &&
    address.bytes[10] === 255 &&
    address.bytes[11] === 255
  )
}

function longestZeros(values: readonly number[]): readonly [number, number] {
  let best: readonly [number, number] = [0, 0]
  for (let i = 0; i < values.length; i++) {
    let length = 0
    while (values[i + length] === 0) length++
    if (length > best[1]) best = [i, length]
    i += length
  }
  return best
}

export function maskedNetwork({ address, prefixLength }: IpNetwork): IpNetwork {
  const bytes = address.bytes.map((byte, index) => byte & maskByte(prefixLength, index))
  return { address: { family: address.family, bytes }, prefixLength }
}

function maskByte(prefixLength: number, index: number): number {
  const bits = Math.min(8, Math.max(0, prefixLength - index * 8))
  return (0xff << (8 - bits)) & 0xff
}

export function networkContains(network: IpNetwork, address: IpAddress): boolean {
  if (network.address.family !== address.family) return false
  return address.bytes.every(
    (byte, index) =>
      (byte & maskByte(network.prefixLength, index)) ===
      ((network.address.bytes[index] as number) & maskByte(network.prefixLength, index)),
  )
}

export function sameIp(a: IpAddress, b: IpAddress): boolean {
  return a.family === b.family && a.bytes.every((byte, index) => byte === b.bytes[index])
}

function zeros(length: number): number[] {
  return Array.from({ length }, () => 0)
}
