// IP addresses and CIDR ranges, both families.
import { parseIpAddress } from '#base'

/** Whether the address lies in the range; a range without "/" is one address. False for anything that is neither. */
export function ipMatches(address: string, range: string): boolean {
  const parsed = parseRange(range)
  const bytes = parseIpAddress(address)
  if (parsed === undefined || bytes === undefined || bytes.length !== parsed.base.length) return false
  for (let bit = 0; bit < parsed.prefix; bit += 8) {
    const mask = parsed.prefix - bit >= 8 ? 0xff : (0xff << (8 - (parsed.prefix - bit))) & 0xff
    const index = bit >> 3
    if (((bytes[index] as number) & mask) !== ((parsed.base[index] as number) & mask)) return false
  }
  return true
}

/** `prefix` in bits; `base` has 4 bytes or 16. */
export function parseRange(range: string): { readonly base: Uint8Array; readonly prefix: number } | undefined {
  const [text = '', prefixText, ...rest] = range.split('/')
  const base = parseIpAddress(text)
  if (base === undefined || rest.length > 0) return undefined
  if (prefixText === undefined) return { base, prefix: base.length * 8 }
  const prefix = /^\d{1,3}$/.test(prefixText) ? Number(prefixText) : -1
  return prefix < 0 || prefix > base.length * 8 ? undefined : { base, prefix }
}
