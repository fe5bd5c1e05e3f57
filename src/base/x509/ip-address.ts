/** The 4 or 16 bytes of an IP address in text, or `undefined` when it is none. */
export function parseIpAddress(text: string): Uint8Array | undefined {
  return text.includes(':') ? parseV6(text) : parseV4(text)
}

function parseV4(text: string): Uint8Array | undefined {
  const parts = text.split('.')
  if (parts.length !== 4 || !parts.every(part => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)) return undefined
  return Uint8Array.from(parts, Number)
}

function parseV6(text: string): Uint8Array | undefined {
  const lastColon = text.lastIndexOf(':')
  const embedded = text.slice(lastColon + 1)
  if (embedded.includes('.')) {
    const v4 = parseV4(embedded)
    if (v4 === undefined) return undefined
    const [a = 0, b = 0, c = 0, d = 0] = v4
    return parseV6(`${text.slice(0, lastColon)}:${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`)
  }
  const halves = text.split('::')
  if (halves.length > 2) return undefined
  const groupsOf = (half: string | undefined): readonly string[] => (half === undefined || half === '' ? [] : half.split(':'))
  const head = groupsOf(halves[0])
  const tail = groupsOf(halves[1])
  const missing = 8 - head.length - tail.length
  if (halves.length === 1 ? missing !== 0 : missing < 1) return undefined
  const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...tail]
  if (!groups.every(group => /^[0-9a-f]{1,4}$/i.test(group))) return undefined
  return Uint8Array.from(groups.flatMap(group => [Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 0xff]))
}
