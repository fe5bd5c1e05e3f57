// Reading DER, as far as certificates go: definite lengths, single-byte tags. Bytes come from strangers, so every length is checked.

export interface DerNode {
  readonly tag: number
  readonly content: Uint8Array
  /** Header and content: what a signature or a comparison covers. */
  readonly whole: Uint8Array
}

export class DerError extends Error {
  readonly code = 'bad-der'
  constructor(message: string) {
    super(message)
    this.name = 'DerError'
  }
}

/** The values that follow one another in `bytes`. */
export function readNodes(bytes: Uint8Array): readonly DerNode[] {
  const nodes: DerNode[] = []
  for (let at = 0; at < bytes.length; ) {
    const node = readNode(bytes, at)
    nodes.push(node)
    at += node.whole.length
  }
  return nodes
}

/** The values within a constructed one. */
export function childrenOf(node: DerNode | undefined, what: string): readonly DerNode[] {
  if (node === undefined || (node.tag & 0x20) === 0) throw new DerError(`no ${what} where one belongs`)
  return readNodes(node.content)
}

export function readNode(bytes: Uint8Array, start = 0): DerNode {
  const tag = bytes[start]
  const first = bytes[start + 1]
  if (tag === undefined || first === undefined) throw new DerError('the value is cut short')
  if ((tag & 0x1f) === 0x1f) throw new DerError('tags of several bytes have no place in a certificate')
  let contentStart = start + 2
  let length = first
  if (first >= 0x80) {
    const digits = first & 0x7f
    if (digits === 0 || digits > 4) throw new DerError('the length is not definite or absurd')
    length = 0
    for (let index = 0; index < digits; index++) length = length * 256 + (bytes[contentStart + index] ?? 0)
    contentStart += digits
  }
  const end = contentStart + length
  if (end > bytes.length) throw new DerError('the value is cut short')
  return { tag, content: bytes.subarray(contentStart, end), whole: bytes.subarray(start, end) }
}

export function readOid(node: DerNode): string {
  const parts: number[] = []
  let value = 0
  for (const byte of node.content) {
    value = value * 128 + (byte & 0x7f)
    if ((byte & 0x80) === 0) {
      if (parts.length === 0) parts.push(Math.min(2, Math.floor(value / 40)), value - 40 * Math.min(2, Math.floor(value / 40)))
      else parts.push(value)
      value = 0
    }
  }
  return parts.join('.')
}

/** UTCTime or GeneralizedTime as an instant. */
export function readTime(node: DerNode | undefined): number {
  const text = new TextDecoder().decode(node?.content)
  const digits = node?.tag === 0x17 ? `${Number(text.slice(0, 2)) < 50 ? '20' : '19'}${text}` : text
  const match = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(digits)
  if (match === null) throw new DerError('the time is not as RFC 5280 wants it')
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = match.slice(1).map(Number)
  return Date.UTC(year, month - 1, day, hour, minute, second)
}
